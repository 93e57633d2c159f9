"""The compiled searches: the same nodes and values as the pure ones, a hundred times faster.

They serve every game with a kernel, if the extra `fast` is installed. Only `loops` imports numba,
and the rest imports `loops` only once there is a kernel.
"""
