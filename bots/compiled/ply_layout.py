"""Columns of the arrays of compiled searches that go down one line at a time."""

INFINITE = 1 << 60
"""Greater than every value."""

NODES, PLY, ENTERING, SOLVED, UNTIL, COUNT = range(6)
"""Indices into the array `count`: the nodes so far, the ply and whether it is new, and whether no
line was left open; the nodes at which a solver stops."""

AT, END, ALPHA, BETA, BEST, ESTIMATE, SLOT, HIGH = range(8)
"""Columns of a ply's row in `marks`: the index of the next move and that after the last, the
window, the best value so far, the incremental estimate; for solving, the slot in the table or -1,
and a bound."""
