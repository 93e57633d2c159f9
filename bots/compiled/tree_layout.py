"""Columns of the arrays that hold the tree of compiled Monte Carlo tree search.

Each node has a row in three of them: its position's words and the word of the move that led there;
`links`, integers; `stats`, floating point. Nodes come after their parents, the root is row 0, and
-1 stands for no node. `numbers` and `floats` hold what the whole search shares.
"""

SEAT, MOVES, CHILDREN, VISITS, IS_OVER, ESTIMATE = range(6)
"""The seat to move, the number of moves (-1 before they are listed) and of children, the visits,
whether the match is over, and the evaluation for the seat to move where it is incremental."""

FIRST, LAST, NEXT, LIVE, LAST_LIVE, NEXT_LIVE, LINKS = range(6, 13)
"""The first and the last child and the next sibling; the same of the children worth a visit."""

MEAN, WIDTH, LOW, HIGH, WORTH, STATS = range(6)
"""As in `UctNode`; the worth is the first seat's utility where the match is over."""

END, LIMIT, UNTIL, ROOM, PLIES, DEPTH, WHICH, GREEDY, HISTORY, PLAN = range(10)
"""The root's visits and the nodes at which to stop, the nodes at which to look at the clock, the
tree's capacity, the plies of a playout and of a simulation, the evaluation or -1, whether playouts
win at once where they can, and the root's row in the trail."""

NODES, DEEPEST, USED, NUMBERS = range(PLAN, PLAN + 4)
"""The positions made, the deepest path, and the nodes of the tree."""

FACTOR, MOST, LEAST, GREATEST, SQUARES, COUNTED, VALUE, FLOATS = range(8)
"""Exploration in utilities, the greatest utility, the bounds of an unproven node (infinite if
nothing is to be proved), the sum of squares of estimates and their number, and the first seat's
value of a simulation."""

DONE, PAUSED, EXHAUSTED, FULL = range(4)
"""Why the loop stopped: no more is asked for, it is time for a look at the clock, a limit of nodes
is reached, or the arrays are too short."""

SLICE = 1 << 16
"""The most simulations between two looks at the clock."""
