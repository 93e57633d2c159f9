"""Advice of `league run` about the options of fastchess and cutechess-cli."""

import re
from collections.abc import Collection, Sequence
from typing import Final

import click

GUIDE = "docs/reference/fastchess-options.md"

FOREIGN: Final = {
    "engine": "--engine cmd=./sf,name=sf,option.Hash=16",
    "each": "--each option.Hash=16,tc=8+0.08",
    "quick": "--engine twice, --time and --openings",
    "tc": "--time 8+0.08, or --engine cmd=./sf,tc=8+0.08 for one",
    "st": "--move-time 100ms, or --engine cmd=./sf,st=0.1 for one",
    "plies": "--depth 8, or --engine cmd=./sf,depth=8 for one",
    "timemargin": "--grace 50ms, or --engine cmd=./sf,timemargin=50 for one",
    "ponder": "--pondering",
    "variant": "--game chess, or --game 'chess?chess960=true'",
    "concurrency": "--workers 8",
    "force-concurrency": "--workers 8, which may be more than there are cores",
    "games": "--rounds N: each encounter has both colours from one opening",
    "repeat": "--rounds N: each encounter has both colours from one opening",
    "noswap": "nothing: both colours are played; 'league stats versus' has the score by colour",
    "reverse": "nothing: both colours are played, whichever comes first",
    "seeds": "--format gauntlet:challengers=2",
    "tournament": "--format roundrobin, gauntlet, knockout, swiss, …",
    "wait": "--wait 500ms",
    "sprt": "--format sprt:elo0=0,elo1=5",
    "resign": "--win score=6,moves=4, with twosided=no if the loser alone says so",
    "maxmoves": "--max-plies 400, which counts the moves of both",
    "tb": "--tablebases FOLDER",
    "tbpieces": "--tablebase-pieces 6",
    "tbignore50": "--ignore-fifty",
    "tbadjudicate": "--tablebase-results wins, draws or both",
    "bookmode": "nothing: a book is read once and stored",
    "srand": "--seed 7",
    "pgnout": "--pgn games.pgn, with --append and --pgn-with nodes,pv",
    "epdout": "--epd ends.epd",
    "output": "--json for the results as JSON",
    "resultformat": "--json for the results as JSON",
    "event": "--pgn-event TEXT",
    "site": "--pgn-site TEXT",
    "ratinginterval": "nothing: progress shows ratings; 'league tournament watch' too",
    "outcomeinterval": "nothing: progress shows results; 'league tournament watch' too",
    "scoreinterval": "nothing: progress shows results; 'league tournament watch' too",
    "report": "'league report', 'league crosstable' or 'league stats versus' after it",
    "config": "FILE.toml or --again; 'league resume' continues",
    "recover": "nothing: an engine that fails is started again for its next match",
    "autosaveinterval": "nothing: each match is stored as it ends",
    "compliance": "'league check uci:./engine'",
    "crc32": "nothing: 'league db verify' replays every match",
    "check-mate-pvs": "'league stats health', which counts them",
    "show-latency": "--pgn games.pgn --pgn-with latency",
    "testEnv": "nothing: there is no such mode",
    "strict": "--strict",
    "log": "--log-file league.log, or --engine-log engines.log for all that engines say",
    "debug": "--engine-log engines.log",
    "use-affinity": "--cpus 0-3,8",
    "startup-ms": "--start-time 60s",
    "ucinewgame-ms": "--start-time 60s",
    "ping-ms": "--start-time 60s",
    "engines": "'league bots'",
    "version": "'league --version'",
}
"""The option of this league for each of their options with another name."""

_PART = re.compile(r"(cmd|name|args|arg|dir|proto|tc|st|file|format|option\.[\w ]+)=")


class ForeignOption(click.ClickException):
    """An option of another program; the text says ours."""

    exit_code = 2


def refuse_foreign(args: Sequence[str], known: Collection[str]) -> None:
    """Raise `ForeignOption` for the first option of fastchess or cutechess-cli among `args`.

    `known` are the names of our own options, without dashes.
    """
    is_value = False
    for arg in args:
        name = arg.lstrip("-").partition("=")[0]
        dashes = arg[: len(arg) - len(arg.lstrip("-"))]
        if not dashes or name in ("", "h", "q"):
            if not is_value and _PART.match(arg):
                raise ForeignOption(
                    f"{arg!r} stands alone: join the parts of an engine with commas, "
                    f"--engine cmd=./sf,name=sf ({GUIDE})"
                )
            is_value = False
            continue
        is_value = "=" not in arg
        if dashes == "--" and name in known:
            continue
        if name in FOREIGN:
            raise ForeignOption(f"no option {dashes}{name} here: {_advice(name)} ({GUIDE})")
        if dashes == "-" and name in known:
            raise ForeignOption(f"no option -{name} here: write --{name} ({GUIDE})")


def _advice(name: str) -> str:
    text = FOREIGN[name]
    return text.removeprefix("nothing: ") if text.startswith("nothing") else f"write {text}"
