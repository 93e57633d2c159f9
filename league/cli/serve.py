"""`league serve`."""

import secrets
from pathlib import Path
from typing import TYPE_CHECKING

import click

from league.cli.console import note
from league.cli.options import db_option
from league.model.errors import SetupError

if TYPE_CHECKING:
    from league.web.play_host import PlayHost


@click.command("serve")
@click.option("--port", type=click.IntRange(0, 65535), default=8000, show_default=True)
@click.option(
    "--host", default="127.0.0.1", show_default=True, help="Another address shows it to others."
)
@click.option("--open", "is_opened", is_flag=True, help="Open a browser.")
@click.option("--play", "is_played", is_flag=True, help="Let people play against the bots there.")
@click.option(
    "--play-sessions",
    type=click.IntRange(1, 256),
    help="Matches that people may have in play at a time [one a core].",
)
@db_option
def command(
    port: int, host: str, is_opened: bool, is_played: bool, play_sessions: int | None, db: str
) -> None:
    """Show the league in a browser: standings, live boards, replays.

    It reads the database and writes nothing; Ctrl-C ends it. With --play it has a page on which
    people play against the league's bots.

    \b
    Examples:
      league serve --open
      league serve --play
    """
    import asyncio
    import contextlib
    import socket
    import webbrowser

    import uvicorn

    from league.store.store import open_store
    from league.web.app import make_app, warm
    from league.web.security import LOOPBACK

    is_local = host in ("localhost", "127.0.0.1", "::1")
    token = "" if is_local else secrets.token_urlsafe(16)
    name = "league" if "://" in db else Path(db).stem
    with open_store(db, read_only=True, remembers=True) as store:
        family = socket.AF_INET6 if ":" in host else socket.AF_INET
        # With the protocol named asyncio sends at once what is written; else the second answer on a
        # connection, and each after it, waits 40 ms for the client's system to acknowledge.
        with socket.socket(family, socket.SOCK_STREAM, socket.IPPROTO_TCP) as listener:
            listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            try:
                listener.bind((host, port))
                listener.listen()
            except OSError as error:
                raise SetupError(
                    f"can't listen at {host}:{port}: {error.strerror}; --port 0 takes a free one"
                ) from None
            shown = f"[{host}]" if ":" in host else host
            link = f"http://{shown}:{listener.getsockname()[1]}/"
            link += f"?token={token}" if token else ""
            hosts = LOOPBACK if is_local else (*LOOPBACK, shown, socket.gethostname())
            if not is_local:
                note("warning: everybody who reaches this address and has the link sees the league")
            matches = _host(play_sessions) if is_played else None
            app = make_app(store, name, hosts, token, matches)
            config = uvicorn.Config(
                app,
                log_level="warning",
                timeout_graceful_shutdown=1,
                server_header=False,
            )

            class Server(uvicorn.Server):
                async def startup(self, sockets: list[socket.socket] | None = None) -> None:
                    await super().startup(sockets)
                    # Before the link is shown: whoever follows it at once must not wait.
                    await warm(app)
                    note(f"{link}  (Ctrl-C ends)")
                    if is_opened:
                        webbrowser.open(link)

                async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
                    if matches:
                        # Before the requests that wait for a bot's move: they end with it.
                        await asyncio.to_thread(matches.close)
                    await super().shutdown(sockets)

            # Ctrl-C is how it ends, and no failure.
            with contextlib.suppress(KeyboardInterrupt):
                Server(config).run(sockets=[listener])


def _host(sessions: int | None) -> "PlayHost":
    """Return the host of the matches that people play, with a process that ends their bots."""
    from league.cli.play_tournament import end_strays_at_last
    from league.tournament.run_options import cores
    from league.web.play_host import PlayHost

    end_strays_at_last()
    return PlayHost(sessions or cores())
