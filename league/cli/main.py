"""The `league` command and its border: errors become one line and an exit code."""

import importlib
import os
import sys
from typing import Any

import click

from games.errors import InputError
from league.cli.options import OWN_PROCESS

COMMANDS = {
    "register": "league.cli.register",
    "check": "league.cli.check",
    "bots": "league.cli.bots",
    "retire": "league.cli.retire",
    "games": "league.cli.games",
    "perft": "league.cli.perft",
    "compare": "league.cli.compare",
    "sprt": "league.cli.sprt",
    "power": "league.cli.power",
    "solve": "league.cli.solve",
    "run": "league.cli.run",
    "resume": "league.cli.resume",
    "standings": "league.cli.standings",
    "crosstable": "league.cli.crosstable",
    "tournaments": "league.cli.tournaments",
    "matches": "league.cli.matches",
    "replay": "league.cli.replay",
    "why": "league.cli.why",
    "repro": "league.cli.repro",
    "explain": "league.cli.explain",
    "export": "league.cli.export",
    "play": "league.cli.play",
    "demo": "league.cli.demo",
    "verify": "league.cli.verify",
    "upgrade": "league.cli.upgrade",
    "completion": "league.cli.completion",
}
"""Each command's module, which hands it out as `command`; imported when it is needed."""

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
        command: click.Command = importlib.import_module(COMMANDS[cmd_name]).command
        return command

    def resolve_command(self, ctx: click.Context, args: list[str]) -> Any:
        """Find the command, suggesting the nearest name for a typo."""
        if args and args[0] not in COMMANDS and not args[0].startswith("-"):
            import difflib

            close = difflib.get_close_matches(args[0], COMMANDS, n=1)
            meant = f" (did you mean {close[0]!r}?)" if close else "; see 'league --help'"
            ctx.fail(f"no such command {args[0]!r}{meant}")
        return super().resolve_command(ctx, args)


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
    except InputError as error:
        from league.cli.console import clean

        click.echo(f"league: {clean(str(error), keep_lines=True)}", err=True)
        sys.exit(1)
    except BrokenPipeError:
        # The reader (head, less) has seen enough; Python must not complain at its exit.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        sys.exit(0)
    except Exception as error:
        from games.references import place_in_game
        from league.cli.console import clean

        where = place_in_game(error)
        if where is None:
            raise
        # A user's own game: its line is what helps, not the way there.
        click.echo(f"league: the game fails: {clean(where)}", err=True)
        sys.exit(1)
    sys.exit(code if isinstance(code, int) else 0)
