"""The league from Python: for scripts, notebooks and the command line."""
