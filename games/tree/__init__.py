"""A game that is an explicit tree, read from a file."""

from games.tree.rules import GAME, TreeGame, TreeState

__all__ = ["GAME", "TreeGame", "TreeState"]
