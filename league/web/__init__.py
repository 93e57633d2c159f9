"""What is looked at in a browser: pages drawn from the same queries as the command line's."""
