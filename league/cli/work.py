"""`league work`."""

import os
import signal
import socket
from pathlib import Path
from types import FrameType

import click

from league.cli.console import note
from league.cli.option_types import DURATION
from league.model.errors import SetupError


@click.command("work")
@click.argument("url")
@click.option("--token-env", metavar="NAME", help="Environment variable with the token.")
@click.option(
    "--token-file",
    type=click.Path(dir_okay=False, path_type=Path),
    metavar="FILE",
    help="File with the token.",
)
@click.option(
    "--workers", type=click.IntRange(1, 1024), help="Matches to play at a time [one per core]."
)
@click.option("--name", help="Name of this machine in the results [its host name].")
@click.option("--no-pin", is_flag=True, help="Do not pin each worker to one core.")
@click.option(
    "--patience",
    type=DURATION,
    default="10m",
    show_default=True,
    help="How long to wait for a runner that is out of reach, or for the next run.",
)
@click.option("--once", is_flag=True, help="Leave when the run has ended.")
def command(
    url: str,
    token_env: str | None,
    token_file: Path | None,
    workers: int | None,
    name: str | None,
    no_pin: bool,
    patience: float,
    once: bool,
) -> None:
    """Play matches of a run on another machine.

    The runner is 'league run --executor pull://HOST:PORT' there, which prints the address and the
    token. This machine only opens connections, so it may stand behind a firewall. It needs the same
    version of botleague, and no database. It runs the files of bots in isolation, but those of a
    user's own game outside of it: work only for runners that you trust.

    After a run it waits for the next one at the same address. Ctrl-C lets the matches in play
    finish; a second one leaves at once, and other machines play them.

    \b
    Example:
      league work https://runner.example.org:8765 --token-file token --workers 8
    """
    from games.support.counts import counted
    from league.cli.play_tournament import end_strays_at_last
    from league.execution.pull_client import PullAddress
    from league.execution.pull_messages import NAME_MAX
    from league.execution.pull_worker import PullWorker, WorkOptions
    from league.tournament.run_options import cores

    token = _token(token_env, token_file)
    address = PullAddress(url=url, token=token, patience_s=patience, is_once=once)
    name = (socket.gethostname()[:NAME_MAX] if name is None else name).strip()
    if not name.isprintable() or not 1 <= len(name) <= NAME_MAX:
        raise click.BadParameter(f"expected 1 to {NAME_MAX} letters", param_hint="'--name'")
    end_strays_at_last()
    hidden = () if token_file is None else (token_file.resolve(),)
    options = WorkOptions(
        name=name, workers=workers or cores(), is_pinned=not no_pin, hidden=hidden
    )
    worker = PullWorker(address, options, note)

    def stop(number: int, frame: FrameType | None) -> None:
        worker.stop()
        told = "leaving when the matches in play are over; Ctrl-C again leaves at once"
        note(f"\n{told if worker.is_busy else 'leaving'}")

    for each in (signal.SIGINT, signal.SIGTERM):
        signal.signal(each, stop)
    note(f"{name} plays {counted(options.workers, 'match')} at a time for {url}; Ctrl-C ends")
    try:
        worker.run()
    finally:
        note(f"played {counted(worker.played, 'match')}")


def _token(variable: str | None, file: Path | None) -> str:
    """Return the token in a variable or a file; the bots do not inherit the variable."""
    if (variable is None) == (file is None):
        raise click.UsageError("give the token by --token-env NAME or --token-file FILE")
    if variable is not None:
        token = os.environ.pop(variable, "").strip()
    else:
        try:
            token = Path(str(file)).read_text("utf-8").strip()
        except (OSError, UnicodeDecodeError) as error:
            raise SetupError(f"can't read the token of {str(file)!r}: {error}") from None
    if not token or not token.isascii() or not token.isprintable():
        raise SetupError(f"{variable or str(file)!r} has no token")
    return token
