"""The compiled searches: the same nodes and values as the pure ones, a hundred times faster.

They serve every game with a kernel, if the extra `fast` is installed. `loops`, `deepening` and
`simulations` import numba to be compiled; `native` loads what was compiled before with llvmlite
alone.
"""
