"""The built-in bots, and what a bot author imports; independent of the league."""

from bots.support.bot import Bot, Clock, FunctionBot, Report

__all__ = ["Bot", "Clock", "FunctionBot", "Report"]
