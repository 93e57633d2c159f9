"""The `league` command and its border: errors become one line and an exit code."""

import codecs
import gc
import os
import sys
from io import StringIO, TextIOWrapper

import click

from league.cli.lazy_group import COMMANDS, LazyGroup
from league.cli.options import OWN_PROCESS

SECTIONS = {
    "Start": {
        "demo": "Play a small league of built-in bots, in under a minute.",
        "play": "Play GAME against a bot, by typing moves.",
        "serve": "Show the league in a browser: standings, live boards, replays.",
    },
    "Bots": {
        "register": "Register a bot, a new version of one, or a folder of submissions.",
        "check": "Try a bot out without registering it.",
        "bots": "List the league's bots, or show one with its versions.",
        "rename": "Rename a bot; it keeps its versions, matches and ratings.",
        "retire": "Take a bot out of future tournaments; its results stay.",
        "remove": "Delete a bot that has no matches, or everything but its results.",
    },
    "Tournaments": {
        "run": "Run a tournament and show its standings.",
        "resume": "Play the remaining matches of a stopped tournament.",
        "tournaments": "List the tournaments, or show one with its settings.",
        "work": "Play matches of a run on another machine.",
        "void": "Void matches that a bug spoiled; they are played again.",
        "tournament": "Watch, pause, extend or cancel a tournament; add or remove bots.",
    },
    "Results": {
        "standings": "Show the standings of each game.",
        "crosstable": "Show every bot's points against every other.",
        "report": "Write one file about a tournament, to post or to print.",
        "stats": "Show draws, first-seat score, lengths, endings, openings, cycles.",
        "ratings": "Recompute stored ratings, or list a bot's rating history.",
        "import": "Import the matches of PGN files.",
        "export": "Write a tournament's matches for other programs.",
    },
    "One match": {
        "matches": "List matches, newest first; replay and why take their numbers.",
        "replay": "Step through a match: boards, moves, what each bot thought.",
        "why": "Explain why a match ended, and how to see it again.",
        "repro": "Play one move of a match again: same bot, history and seed.",
    },
    "Games and search": {
        "games": "List the games, or show one with its options and evaluations.",
        "perft": "Count the lines of play of GAME, up to DEPTH plies.",
        "solve": "Find the exact value of positions under best play.",
        "exploit": "Find how much a best response wins against a bot.",
        "bench": "Compare searches on the same positions: nodes, time, value.",
        "explain": "Show a search: its windows, values and cutoffs.",
    },
    "Tests of strength": {
        "gate": "Refuse a change that makes a bot weaker, in the CI of a repository.",
        "power": "Estimate how many matches it takes to detect a difference of ELO.",
        "tune": "Tune options of a bot by matches, and test whether that has gained.",
        "sprt": "Test two Elo differences against counted results (SPRT).",
        "rate-pgn": "Rate all players in PGN files; no league is needed.",
    },
    "Database, shell and help": {
        "db": "Back up, verify, upgrade or recover the database.",
        "completion": "Print the completion script of a shell.",
        "help": "Show the help of the league, or of COMMAND.",
    },
}

INTERRUPTED = 130


@click.group(
    cls=LazyGroup,
    package="league.cli",
    sections=SECTIONS,
    catalogue=COMMANDS,
    context_settings={"help_option_names": ["-h", "--help"]},
)
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
    # Modules make thousands of objects that stay: to look for garbage among them every 700th time
    # takes a tenth of a short command.
    gc.set_threshold(50_000)
    _accept_all_letters()
    try:
        code = cli.main(standalone_mode=False, obj=OWN_PROCESS)
    except click.ClickException as error:
        from league.cli.own_command import as_typed

        shown = StringIO()
        _suggesting_near(error).show(shown)
        click.echo(as_typed(shown.getvalue()), err=True, nl=False)
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
        from league.cli.error_line import error_line

        told = error_line(error)
        if told is None:
            raise
        from league.cli.own_command import as_typed

        click.echo(f"league: {as_typed(told)}", err=True)
        sys.exit(1)
    finally:
        # All memory goes with the process: to look for garbage in it first takes longer than most
        # commands do.
        gc.freeze()
    sys.exit(code if isinstance(code, int) else 0)


def _suggesting_near(error: click.ClickException) -> click.ClickException:
    """Return the error with suggestions that are a typo away: Click takes `--bot` for `--db`."""
    if not isinstance(error, click.NoSuchOption):
        return error
    from games.support.errors import nearest

    meant = {each.lstrip("-"): each for each in error.possibilities or ()}
    close = nearest(error.option_name.lstrip("-"), meant)
    near = [meant[close]] if close else []
    found = click.NoSuchOption(error.option_name, possibilities=near, ctx=error.ctx)
    found.exit_code = error.exit_code  # type: ignore[misc]  # each error has its own
    return found


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
