"""Playing matches in worker processes, on this machine and on a Dask cluster."""
