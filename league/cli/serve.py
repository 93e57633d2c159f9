"""`league serve`."""

import secrets
from pathlib import Path
from typing import TYPE_CHECKING

import click

from league.cli.console import note
from league.cli.options import allow_host_option, db_option, host_option, port_option
from league.model.errors import SetupError

if TYPE_CHECKING:
    from league.web.play_host import PlayHost


@click.command("serve")
@port_option
@host_option
@click.option(
    "--public-url",
    metavar="URL",
    help="Public address behind a proxy: https://games.example.org/league.",
)
@allow_host_option
@click.option(
    "--token-file",
    type=click.Path(dir_okay=False, path_type=Path),
    metavar="FILE",
    help="Keep the link's token in FILE; it is created if missing.",
)
@click.option("--no-token", is_flag=True, help="Let everybody in, without a token.")
@click.option("--open", "is_opened", is_flag=True, help="Open a browser.")
@click.option("--play", "is_played", is_flag=True, help="Let people play against the bots.")
@click.option(
    "--play-sessions",
    type=click.IntRange(1, 256),
    help="Matches that people can play at a time [one per core].",
)
@db_option
def command(
    port: int,
    host: str,
    public_url: str | None,
    allowed: tuple[str, ...],
    token_file: Path | None,
    no_token: bool,
    is_opened: bool,
    is_played: bool,
    play_sessions: int | None,
    db: str,
) -> None:
    """Show the league in a browser: standings, live boards, replays.

    The server reads the database and never writes to it. Press Ctrl-C to stop it. It prints a link
    with a token; browsers on other machines need that token. With --play, people can play against
    the league's bots.

    \b
    Examples:
      league serve --open
      league serve --play
      league serve --host 0.0.0.0 --token-file token
      league serve --public-url https://games.example.org/league
    """
    import webbrowser
    from dataclasses import replace

    from league.execution.listener import listening
    from league.store.store import open_store
    from league.web.access import PublicUrl, read_host
    from league.web.failure_log import failures_told
    from league.web.server import Service, serve

    if no_token and token_file is not None:
        raise click.UsageError("--no-token and --token-file exclude each other")
    service = Service(
        name="league" if "://" in db else Path(db).stem,
        host=host,
        port=port,
        public=None if public_url is None else PublicUrl.read(public_url),
        allowed=tuple(map(read_host, allowed)),
    )
    with (
        open_store(db, read_only=True, remembers=True) as store,
        listening(host, port) as listener,
        failures_told(note),
    ):
        if token_file is not None:
            service = replace(service, token=_kept_token(token_file))
        elif not service.is_local and not no_token:
            service = replace(service, token=secrets.token_urlsafe(16))
        if not service.is_local:
            whom = "and has the link " if service.token else ""
            note(f"warning: everybody who reaches this address {whom}sees the league")

        def show(link: str) -> None:
            own = f"listens at http://{host}:{listener.getsockname()[1]}/; " if public_url else ""
            note(f"{link}  ({own}Ctrl-C ends)")
            if is_opened:
                webbrowser.open(link)

        matches = _host(play_sessions) if is_played else None
        serve(store, service, listener, tell=note, on_ready=show, host=matches)


def _host(sessions: int | None) -> "PlayHost":
    """Return the host of the matches that people play, with a process that ends their bots."""
    from league.cli.play_tournament import end_strays_at_last
    from league.tournament.run_options import cores
    from league.web.play_host import PlayHost

    end_strays_at_last()
    return PlayHost(sessions or cores())


def _kept_token(path: Path) -> str:
    """Return the token in a file, which is made if it lacks; raise `SetupError`."""
    from league.web.access import check_token

    try:
        if not path.exists():
            path.touch(0o600, exist_ok=False)
            path.write_text(f"{secrets.token_urlsafe(24)}\n", "utf-8")
        if path.stat().st_mode & 0o077:
            note(f"warning: others on this machine can read the token in {str(path)!r}: chmod 600")
        return check_token(path.read_text("utf-8").strip(), repr(str(path)))
    except UnicodeDecodeError:
        raise SetupError(f"the token file {str(path)!r} is not text") from None
    except OSError as error:
        raise SetupError(f"can't read the token of {str(path)!r}: {error.strerror}") from None
