"""Chess and Chess960 by the rules of python-chess."""

from games.chess.rules import GAME, Chess, ChessState

__all__ = ["GAME", "Chess", "ChessState"]
