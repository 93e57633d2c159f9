"""The settings of a hosted league: those of its season, and those of the host itself."""

import re
import time
from collections.abc import Mapping, Sequence

from bots.support.specs import is_built_in
from games.support.errors import suggestion
from league.hosting.api.people import URL_KEY
from league.hosting.model.season import Season, SeasonSettings, SeasonState
from league.hosting.season.mail import check_server, set_server, shown_server
from league.hosting.season.room import free_wanted, set_free_wanted
from league.hosting.season.settings import SETTINGS, changed_settings, read_size, size_word, written
from league.hosting.store.host_store import HostStore
from league.model.errors import SettingError

_WEB = re.compile(r"https?://[A-Za-z0-9.\[\]:-]+(/[A-Za-z0-9._~-]+)*/?")

OWN_SETTINGS = {
    "url": "The address by which browsers reach the league.",
    "disk-free": "With less space on the disk, the league refuses uploads and starts no matches.",
    "smtp": "The server that mails notices, as in "
    "smtps://login:password@mail.example.org?from=league@example.org; empty for no mail.",
}
"""The settings of the host itself, with what they are."""

HELPS = {**{each.key: each.help for each in SETTINGS.values()}, **OWN_SETTINGS}


def all_settings(store: HostStore, season: Season) -> dict[str, str]:
    """Return the settings of the season and of the host as words."""
    own = {
        "url": store.settings.get(URL_KEY, ""),
        "disk-free": size_word(free_wanted(store)),
        "smtp": shown_server(store),
    }
    return {**written(season.settings), **own}


def set_url(store: HostStore, url: str) -> None:
    """Change the address by which browsers reach the league, '' for the usual one."""
    if url and not _WEB.fullmatch(url):
        raise SettingError(
            f"{url!r}: expected an address without a query, as in https://games.example.org/ai",
            "url",
        )
    store.settings.set(URL_KEY, url)


def checked_changes(
    store: HostStore, season: Season, words: Mapping[str, str]
) -> SeasonSettings | None:
    """Return the settings of a season with changes, None for none; raise `SettingError`.

    The settings of the host among the words are checked too, and nothing is changed.
    """
    given = {key: word for key, word in words.items() if key not in OWN_SETTINGS}
    if unknown := next((key for key in given if key not in SETTINGS), None):
        known = suggestion(unknown, [*SETTINGS, *OWN_SETTINGS])
        raise SettingError(f"no such setting{known}", unknown)
    settings = changed_settings(season.settings, given)
    late = [key for key in given if not SETTINGS[key].outlasts_final]
    if late and season.state is SeasonState.PUBLISHED:
        told = f"it can't change any more: season {season.settings.name!r} is {season.state}"
        raise SettingError(told, late[0])
    check_season(store, settings, given)
    if "game" in given and settings.game != season.settings.game:
        _check_game_free(store, season)
    if "disk-free" in words:
        _read_disk_free(words["disk-free"])
    if "smtp" in words:
        check_server(store, words["smtp"].strip())
    return settings if given else None


def check_season(store: HostStore, settings: SeasonSettings, given: Mapping[str, str]) -> None:
    """Raise `SettingError` for a closing time that is over, and for a house bot that is unknown.

    `given` has the words that somebody has just given.
    """
    closes_at = settings.closes_at
    if "closes" in given and closes_at is not None and closes_at <= time.time():
        raise SettingError(
            f"{given['closes']!r} is over: give a later time, or 'league host close' ends "
            "submissions now",
            "closes",
        )
    for bot in settings.house_bots:
        if not is_built_in(bot):
            store.bots.get(bot)


def set_own(store: HostStore, words: Mapping[str, str]) -> None:
    """Change the settings of the host among the words, which are checked."""
    if "url" in words:
        set_url(store, words["url"])
    if "smtp" in words:
        set_server(store, words["smtp"].strip())
    if "disk-free" in words:
        set_free_wanted(store, _read_disk_free(words["disk-free"]))


def game_change(store: HostStore, season: Season, words: Mapping[str, str]) -> str:
    """Say what a change of the game undoes, '' if the words change no game.

    Raises `SettingError` if the words can't be set.
    """
    settings = checked_changes(store, season, words)
    if settings is None or settings.game == season.settings.game:
        return ""
    played = sum(store.tournaments.get(each).played for each in season.tournaments)
    return (
        f"season {season.settings.name!r} is of {season.settings.game}: its matches so far, "
        f"{played}, then count no more"
    )


def _check_game_free(store: HostStore, season: Season) -> None:
    """Raise `SettingError` if somebody's bot plays the season's game already."""
    if store.uploads.has_accepted(1000 * season.created_at) or season.final is not None:
        raise SettingError(
            "it can't change any more: a submission has been accepted for "
            f"{season.settings.game!r}. End this season, or give another --db",
            "game",
        )


def _read_disk_free(word: str) -> int:
    try:
        return read_size(word)
    except ValueError:
        raise SettingError(f"{word!r}: expected a size, as in 500M", "disk-free") from None


def audited(store: HostStore, words: Mapping[str, str]) -> Sequence[tuple[str, str]]:
    """Return the changes as the audit log has them: without a password."""
    return [(key, shown_server(store) if key == "smtp" else word) for key, word in words.items()]
