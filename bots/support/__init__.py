"""The parts that bots share: the contract, limits, search results and the transposition table."""
