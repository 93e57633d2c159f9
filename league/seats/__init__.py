"""How a seat is filled: a Python bot in a child process of its own."""
