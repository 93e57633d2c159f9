"""`league host void`: `league void` for organisers."""

from copy import copy

from league.cli.void import command as of_any_league

command = copy(of_any_league)
command.help = (of_any_league.help or "").replace("league void", "league host void")
