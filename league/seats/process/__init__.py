"""A bot's process: pipes, resource limits, the sandbox and the launch."""
