"""The `league` command and its border: errors become one line and an exit code."""

import codecs
import gc
import importlib
import os
import sys
from io import TextIOWrapper
from typing import Any

import click

from league.cli.options import OWN_PROCESS

COMMANDS = {
    "register": "Register a bot under NAME, or a new version of it.",
    "check": "Try a bot out without registering it.",
    "bots": "List the league's bots, or show one with its versions.",
    "retire": "Take a bot out of future tournaments; its matches and ratings stay.",
    "games": "List the games, or show one with its options and evaluations.",
    "perft": "Count the lines of play of GAME, for each length up to DEPTH plies.",
    "compare": "Give the same positions of GAME to several built-in bots, and count their nodes.",
    "sprt": "Say which of two differences counted results favour (SPRT).",
    "rate": "Rate everybody in PGN files, from all results at once; no league is needed.",
    "power": "Say how many matches it takes to see a difference of ELO.",
    "solve": "Find what positions of GAME are worth with best play on both sides, exactly.",
    "run": "Run a tournament and show its standings.",
    "resume": "Play what a tournament lacks: the newest unfinished one, or the one given.",
    "pause": "Let the runner of TOURNAMENT end what is in play, and stop.",
    "cancel": "End TOURNAMENT for good; what was played stays, and counts.",
    "join": "Add BOTS to TOURNAMENT, also while it runs: what they lack is played.",
    "withdraw": "Take BOT out of TOURNAMENT; what it has played stays.",
    "extend": "Make TOURNAMENT longer, also while it runs or when it is finished.",
    "watch": "Watch TOURNAMENT (or the newest) from another terminal, until it ends.",
    "serve": "Show the league in a browser: standings, tournaments in play, replays.",
    "standings": "Show who stands where, game by game.",
    "ratings": "Keep ratings over time: compute them again, or list a bot's.",
    "crosstable": "Show what every bot scored against every other: points / matches.",
    "report": "Write what TOURNAMENT (or the newest) came to: one file to post or to print.",
    "versus": "Show what BOT scored against OTHER: by seat, ending and opening, with error bars.",
    "stats": "Show how matches went: draws, the first seat, lengths, endings, openings, cycles.",
    "health": "Show how bots fare as programs, or BOT in detail: forfeits, time, speed, depth.",
    "calibration": "Show whether one number describes each bot: expected against actual scores.",
    "tournaments": "List the tournaments, newest first, or show TOURNAMENT with its settings.",
    "matches": "List matches, newest first; their numbers are what replay and why take.",
    "replay": "Step through MATCH (or the newest): boards, moves, and what each bot was thinking.",
    "why": "Say why MATCH (or the newest) ended as it did, and how to see it again.",
    "repro": "Play one move of MATCH again: the same version of the bot, history and seed.",
    "explain": "Show how a search went: windows, values, what was cut off, and by what.",
    "import": "Take the matches of PGN files into the league.",
    "export": "Write the matches of TOURNAMENT (or of the newest) for other programs.",
    "play": "Play GAME against a bot, by typing moves.",
    "demo": "Play a small Connect Four league of the built-in bots, in under a minute.",
    "verify": "Replay every stored match through the rules and say what does not hold.",
    "backup": "Copy the league's database to FILE, even while a tournament runs.",
    "recover": "Save what can be read of a damaged database in the new FILE.",
    "upgrade": "Bring a database of an older botleague up to date, with a backup beside it.",
    "completion": "Print the completion script of a shell.",
    "help": "Show the help of the league, or of COMMAND.",
}
"""What `--help` says of each command, whose module of the same name hands it out as `command`.

The text is the first line of the command's own help, so that listing them imports none of them.
"""

INTERRUPTED = 130


class LazyGroup(click.Group):
    """A group that imports a command's module when that command is asked for."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """List the commands in the order a user meets them."""
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Import the command of that name."""
        if cmd_name not in COMMANDS:
            return None
        command: click.Command = importlib.import_module(f"league.cli.{cmd_name}").command
        return command

    def resolve_command(self, ctx: click.Context, args: list[str]) -> Any:
        """Find the command, suggesting the nearest name for a typo."""
        if args and args[0] not in COMMANDS and not args[0].startswith("-"):
            from games.support.errors import nearest

            close = nearest(args[0], COMMANDS)
            meant = f" (did you mean {close!r}?)" if close else "; see 'league --help'"
            ctx.fail(f"no such command {args[0]!r}{meant}")
        return super().resolve_command(ctx, args)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write what the table says of each command."""
        with formatter.section("Commands"):
            formatter.write_dl(list(COMMANDS.items()))


@click.group(cls=LazyGroup, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(package_name="botleague", prog_name="league")
def cli() -> None:
    """Hold a league for game-playing bots: register, run, look at standings, replay.

    \b
    Start here:
      league demo                     a small league in under a minute
      league register mine mine.py    your own bot
      league run --game connectfour --bots all --rounds 5 --move-time 50ms
      league standings
    """


def main() -> None:
    """Run the command; turn what a user can mend into one line and exit code 1."""
    # Threads of a linear algebra library that wait for one another make fits of 200 bots ten times
    # slower; it reads these when numpy is imported.
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    os.environ.setdefault("MKL_NUM_THREADS", "1")
    _accept_all_letters()
    try:
        code = cli.main(standalone_mode=False, obj=OWN_PROCESS)
    except click.ClickException as error:
        error.show()
        sys.exit(error.exit_code)
    except click.exceptions.Exit as done:
        sys.exit(done.exit_code)
    except (click.Abort, KeyboardInterrupt):
        click.echo("interrupted", err=True)
        sys.exit(INTERRUPTED)
    except BrokenPipeError:
        # The reader (head, less) has seen enough; Python must not complain at its exit.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        sys.exit(0)
    except Exception as error:
        told = _told(error)
        if told is None:
            raise
        click.echo(f"league: {told}", err=True)
        sys.exit(1)
    finally:
        # All memory goes with the process: to look for garbage in it first takes longer than most
        # commands do.
        gc.freeze()
    sys.exit(code if isinstance(code, int) else 0)


def _accept_all_letters() -> None:
    """Let what is printed hold any letter: ASCII is taken as UTF-8, as Click does with its output.

    Other encodings get escapes for the letters that they lack.
    """
    for stream in (sys.stdout, sys.stderr):
        if not isinstance(stream, TextIOWrapper):
            continue
        name = codecs.lookup(stream.encoding).name
        if name == "ascii":
            stream.reconfigure(encoding="utf-8")
        elif name != "utf-8" and stream.errors == "strict":
            stream.reconfigure(errors="backslashreplace")


def _told(error: Exception) -> str | None:
    """Say in a line what a user can mend; None where it is the league that is wrong."""
    from games.support.errors import InputError
    from games.support.references import place_in_game
    from league.render.text.printable import clean

    if isinstance(error, InputError):
        return clean(str(error), keep_lines=True)
    where = place_in_game(error)
    # A user's own game: its line is what helps, not the way there.
    return None if where is None else f"the game fails: {clean(where)}"
