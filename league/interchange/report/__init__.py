"""Reports: what a tournament came to, on one page to post or to print."""
