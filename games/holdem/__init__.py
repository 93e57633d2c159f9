"""Texas hold'em for two."""

from games.holdem.rules import GAME, Holdem, HoldemState

__all__ = ["GAME", "Holdem", "HoldemState"]
