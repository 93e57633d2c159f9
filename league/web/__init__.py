"""The dashboard: pages and documents over the same services as the commands."""
