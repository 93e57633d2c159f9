"""OpenSpiel's games with perfect information, as `openspiel:hex`."""

from games.openspiel.rules import FAMILY, OpenSpiel, OpenSpielGame, OpenSpielState, survey

__all__ = ["FAMILY", "OpenSpiel", "OpenSpielGame", "OpenSpielState", "survey"]
