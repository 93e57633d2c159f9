"""Frozen standings: in its last days, authors and visitors see a copy of a league."""

from pathlib import Path

from league.hosting.model.season import Season, SeasonState
from league.hosting.store.frozen_copy import copy_results
from league.hosting.store.host_store import HostStore


def freezes_at(season: Season) -> int | None:
    """Return when the standings stop changing for authors and visitors, in seconds; or None.

    A season whose results are published later is frozen when it closes, so that nobody sees the
    final's; one that is closed early, at once.
    """
    settings, found = season.settings, []
    is_kept_back = settings.freeze_s > 0 or not settings.is_published_at_once
    if settings.freeze_s > 0 and settings.closes_at is not None:
        found.append(settings.closes_at - settings.freeze_s)
    if season.closed_at is not None and is_kept_back:
        found.append(season.closed_at)
    return min(found, default=None)


def is_frozen(season: Season | None, now_s: float) -> bool:
    """Whether authors and visitors see the league as it was at the freeze."""
    if season is None or season.state is SeasonState.PUBLISHED:
        return False
    at = freezes_at(season)
    return at is not None and now_s >= at


def frozen_path(store: HostStore, season: Season, folder: Path | None = None) -> Path:
    """Return where the copy of a season is: beside the database, or in a folder for a server's."""
    name = f"frozen-{season.id}-{freezes_at(season)}.db"
    if store.path is not None:
        return store.path.with_name(f"{store.path.name}.{name}")
    return (folder or Path.cwd()) / f"league.{name}"


def freeze(
    store: HostStore, season: Season, now_s: float, folder: Path | None = None
) -> Path | None:
    """Make the copy if it is due and missing; return where it is, None before the freeze.

    The season's process calls this once a second, so that the copy is of that moment; the web's
    calls it too, so that nobody sees newer results if the season's is not there.
    """
    if not is_frozen(season, now_s):
        return None
    path = frozen_path(store, season, folder)
    if not path.exists():
        copy_results(store, path)
    return path
