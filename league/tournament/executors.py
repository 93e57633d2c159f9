"""The place that `--executor` names: this machine, a Dask cluster, or pull workers."""

import os
import re
import secrets
import socket
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from league.execution.dask_pool import DaskPool, require_scheduler
from league.execution.listener import listening
from league.execution.pool import OpenPool
from league.model.errors import SetupError
from league.model.records import TournamentConfig
from league.seats.bot_specs import is_model
from league.store.journal import beside
from league.store.store import Store
from league.tournament.planner import Planner
from league.tournament.run_options import LOCAL, PullOptions, RunOptions

if TYPE_CHECKING:
    from league.execution.pull_server import PullAccess

TOKEN_VARIABLE = "LEAGUE_PULL_TOKEN"  # noqa: S105 (its name)
"""The environment variable with the token of pull workers; without it the runner makes one."""

TOKEN_MIN = 16


def check_executor(executor: str) -> None:
    """Raise `SetupError` for a place where nothing can be played, before anything is stored."""
    if RunOptions(executor=executor).is_pull:
        listening(*_place_of(executor)).close()
    elif executor != LOCAL:
        require_scheduler(executor)


def require_place(store: Store, config: TournamentConfig, options: RunOptions) -> None:
    """Raise `SetupError` if a tournament can't be played in another place than this machine."""
    if options.is_local:
        return
    if options.engine_log is not None:
        raise SetupError("the log of engines is only for workers of this machine")
    versions = store.bots.versions(config.entrants).values()
    if any(is_model(version.spec) for version in versions):
        raise SetupError("language models play on this machine alone: leave out --executor")
    if options.is_pull:
        # Starlette is needed by pull workers alone.
        from league.execution.pull_pool import refusal_of  # noqa: PLC0415

        if refusal := next(filter(None, map(refusal_of, versions)), ""):
            raise SetupError(refusal)
        _access_of(store, options.pull)


@contextmanager
def elsewhere(options: RunOptions, planner: Planner, store: Store) -> Iterator[OpenPool]:
    """Hand out what opens the pool of another place than this machine; raise `SetupError`."""
    if not options.is_pull:
        yield lambda size: DaskPool(options.executor, planner.game)
        return
    from league.execution.pull_machines import PullTerms  # noqa: PLC0415
    from league.execution.pull_pool import PullPool  # noqa: PLC0415
    from league.execution.pull_server import serving  # noqa: PLC0415

    pull = options.pull
    host, port = _place_of(options.executor)
    access, path = _access_of(store, pull)
    terms = PullTerms(
        game=planner.game,
        is_timed=planner.config.is_timed,
        scales_time=pull.scales_time,
        cores_each=planner.cores_each,
        tell=options.tell,
    )
    with listening(host, port) as listener:
        options.tell(_invitation(listener, host, pull, path, access.token))
        yield lambda size: serving(PullPool(terms), access, listener)


def _place_of(executor: str) -> tuple[str, int]:
    """Return the host and the port of `pull://HOST:PORT`; raise `SetupError`."""
    named = re.fullmatch(r"pull://([^/\s]+):(\d{1,5})", executor)
    if named is None:
        raise SetupError(f"{executor!r}: expected pull://HOST:PORT, where this machine listens")
    return named[1].strip("[]"), int(named[2])


def _access_of(store: Store, pull: PullOptions) -> tuple["PullAccess", Path | None]:
    """Return what workers need to be let in, and the file of the token; raise `SetupError`."""
    from league.execution.pull_server import PullAccess  # noqa: PLC0415

    token, path = _token_of(store)
    access = PullAccess(token=token, certificate=pull.certificate, key=pull.key)
    access.check()
    return access, path


def _token_of(store: Store) -> tuple[str, Path | None]:
    """Return the workers' token, and the file that it is in; raise `SetupError`.

    A token of the runner's own is kept, so that workers go on after `league resume`.
    """
    if given := os.environ.get(TOKEN_VARIABLE, "").strip():
        if len(given) < TOKEN_MIN:
            raise SetupError(f"the token in {TOKEN_VARIABLE} is shorter than {TOKEN_MIN} letters")
        return given, None
    path = beside(store, "worker-token")
    try:
        if not path.exists():
            path.parent.mkdir(parents=True, exist_ok=True)
            file = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
            with os.fdopen(file, "w") as opened:
                opened.write(f"{secrets.token_urlsafe(24)}\n")
        token = path.read_text("utf-8").strip()
    except (OSError, UnicodeDecodeError) as error:
        raise SetupError(f"can't keep the token in {str(path)!r}: {error}") from None
    if len(token) < TOKEN_MIN:
        raise SetupError(f"the token in {str(path)!r} is shorter than {TOKEN_MIN} letters")
    return token, path


def _invitation(
    listener: socket.socket, host: str, pull: PullOptions, path: Path | None, token: str
) -> str:
    """Return the line with the command for other machines."""
    scheme = "http" if pull.certificate is None else "https"
    shown = socket.gethostname() if host in ("0.0.0.0", "::") else host  # noqa: S104 (a name)
    shown = f"[{shown}]" if ":" in shown else shown
    url = f"{scheme}://{shown}:{listener.getsockname()[1]}"
    command = f"league work {url} --token-env {TOKEN_VARIABLE}"
    if path is None:
        return f"other machines join with: {command}"
    if not pull.shows_token:
        return f"other machines join with: {command} (the token is in {str(path)!r})"
    return f"other machines join with: {TOKEN_VARIABLE}={token} {command}"
