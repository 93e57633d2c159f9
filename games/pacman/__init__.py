"""Pacman against ghosts: each ghost is a seat, and all ghosts are one side."""

from games.pacman.rules import GAME, Pacman, PacmanState

__all__ = ["GAME", "Pacman", "PacmanState"]
