"""What is said to web servers: one module a dialect, for one game or several."""
