"""A first bot: wins when it can, else plays as near to the middle as it can."""


def choose(state, clock):
    """Return a column for the seat to move."""
    me = state.to_move
    for column in state.legal_moves():
        outcome = state.play(column).outcome()
        if outcome is not None and outcome[me] > 0:
            return column
    return min(state.legal_moves(), key=lambda column: abs(column - 3))
