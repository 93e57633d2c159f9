"""Rating systems, one module each; the folder is their catalogue."""
