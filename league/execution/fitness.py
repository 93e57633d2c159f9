"""Whether a machine can play the runner's matches: the same league, rules and bots."""

import hashlib
from collections.abc import Iterable
from functools import cache
from importlib import metadata
from pathlib import Path

from bots.support.specs import is_built_in
from games.support.errors import InputError
from games.support.specs import find_game
from league.execution.pool import PoolGone
from league.model.records import BotVersion, Isolation
from league.registration.source_snapshot import command_changed, take_snapshot
from league.seats.bot_specs import protocol_of
from league.seats.process.isolation import require

_PACKAGES = ("league", "bots", "games")


@cache
def version_here() -> str:
    """Return the installed botleague version with a digest of its sources."""
    root = Path(__file__).parents[2]
    whole = hashlib.sha256()
    for path in sorted(each for top in _PACKAGES for each in (root / top).rglob("*.py")):
        whole.update(f"{path.relative_to(root)}\0".encode() + path.read_bytes())
    try:
        number = metadata.version("botleague")
    except metadata.PackageNotFoundError:
        number = "not installed"
    return f"{number} (sources {whole.hexdigest()[:8]})"


def why_unfit(here: str, worker: str, there: str) -> PoolGone:
    """Return the error for a worker whose version differs from the runner's, `here`."""
    text = f"botleague {here} runs this, and {worker} has {there}"
    return PoolGone(f"{text}: install the same on all machines")


def require_fit(
    game: str, game_digest: str, versions: Iterable[BotVersion], isolation: Isolation
) -> None:
    """Raise `InputError` if something is missing here or differs from the runner's."""
    if find_game(game).digest != game_digest:
        raise InputError(f"the file of the game {game!r} is another one")
    require(isolation)
    for version in versions:
        if refusal := _refusal(version):
            raise InputError(refusal)


def _refusal(version: BotVersion) -> str:
    """Return why a bot can't run here as registered; '' if it can."""
    if protocol_of(version.spec):
        return command_changed(version)
    if version.files or is_built_in(version.spec):
        return ""
    found = take_snapshot(version.name, version.spec, dict(version.options))
    return "" if found.digest == version.digest else f"the module of bot {version.name!r} differs"
