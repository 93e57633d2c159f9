"""Places in the arrays of the compiled deepening searches."""

NO_MOVE = (1 << 64) - 1
"""No move; no kernel has it as a move."""

# The request: indices into the array `asked`.
SCALE, WHICH, FIRST, DEPTH, DRAWN, IS_ORDERED, LEARNS, KILLS, NULLS, REDUCES = range(10)
HAS_TABLE, MIRROR_DEPTH, LATE_MOVES, LATE_DEPTH, NULL_DEPTH, NULL_REDUCTION, ASKED = range(10, 17)

# Counters and the state of the search: indices into the array `count`.
NODES, REACHED, VALUE, RESULT, PLY, PHASE, MAY_PASS, STORED, SIZE, UNTIL, COUNTED = range(11)
ENTER, LIST, NEXT, TAKE, STORE, LEAVE = range(6)

# A ply's row in `frames`: the stage is why its child is searched.
AT, END, LEFT, ALPHA, BETA, BEST, BEST_MOVE, FLOOR, LIMIT, LATE, STAGE = range(11)
BEFORE, ROW, HASH, TURN, HASHED, IS_RANKED, ESTIMATE, FRAME = range(11, 19)
PROBED, REDUCED, AGAIN, PASSED = range(4)

# A row of the table; the key's words follow.
MIXED, ABOUT, WORTH, MOVE, KEY = range(5)
