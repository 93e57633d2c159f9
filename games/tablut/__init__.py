"""Tablut by Ashton's rules."""

from games.tablut.rules import GAME, Tablut, TablutState

__all__ = ["GAME", "Tablut", "TablutState"]
