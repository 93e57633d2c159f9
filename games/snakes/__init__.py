"""Snakes by the standard rules of Battlesnake: the last one alive wins."""

from games.snakes.rules import GAME, MOVES, Snakes, SnakesState
from games.snakes.snake import HEALTH, Point, Snake

__all__ = ["GAME", "HEALTH", "MOVES", "Point", "Snake", "Snakes", "SnakesState"]
