"""Monte Carlo tree search."""

from bots.mcts.bot import BOT, Mcts, search

__all__ = ["BOT", "Mcts", "search"]
