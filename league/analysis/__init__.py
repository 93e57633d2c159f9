"""What the results and the records of a pool of matches tell beside the standings."""
