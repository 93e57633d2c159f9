"""The searches compiled: the same nodes and values as the pure ones, a hundred times sooner.

They serve every game that offers a kernel, where the extra `fast` is installed. `loops` holds what
is compiled and alone imports numba; nothing else here asks for it before a kernel is there.
"""
