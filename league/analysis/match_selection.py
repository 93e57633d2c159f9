"""The matches that count for standings, and the bots that have a row."""

import re
from collections import Counter
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, replace
from datetime import UTC, date, datetime

from games.support.counts import counted, noun_for
from games.support.errors import OptionError, brief, listed
from league.model.errors import SetupError
from league.model.number_format import spaced_units
from league.model.records import Limits, Repeat, TournamentConfig
from league.model.time_control import TimeControl, read_span, write_span
from league.store.rows import BotRef
from league.store.store import StoreReader
from league.store.totals import furthest_repeat

VERSIONS = ("newest", "all")

DAY_S = 24 * 3600


@dataclass(frozen=True, slots=True, kw_only=True)
class Selection:
    """The matches that count: of these tournaments, if any are named, since then, at this time.

    `since` is UTC in seconds since 1970, 0 for all matches; `time` is a time control or a time for
    each move, '' for any. Only active bots have a row, unless `has_retired`, and only the newest
    version of each that played, unless `has_all_versions`; the others count as opponents alone.
    """

    tournaments: tuple[int, ...] = ()
    since: int = 0
    time: str = ""
    has_all_versions: bool = False
    has_retired: bool = False

    @property
    def repeated(self) -> Repeat:
        """The furthest repeat of a distinct match among these."""
        return furthest_repeat(bool(self.tournaments or self.since or self.time))

    def shown(self, store: StoreReader, labels: Mapping[int, BotRef]) -> tuple[set[int], str]:
        """Return the versions among these that have a row, and a remark about the others or ''."""
        if self.has_all_versions and self.has_retired:
            return set(labels), ""
        active = {bot.name for bot in store.bots.all(include_retired=self.has_retired)}
        newest: dict[str, int] = {}
        for label in labels.values():
            newest[label.bot] = max(newest.get(label.bot, 0), label.number)
        found = {
            version
            for version, label in labels.items()
            if label.bot in active and (self.has_all_versions or label.number == newest[label.bot])
        }
        hidden = [label.bot for version, label in labels.items() if version not in found]
        return found, _hidden_remark(hidden, active)


EVERYTHING = Selection(has_all_versions=True, has_retired=True)


@dataclass(frozen=True, slots=True)
class Chosen:
    """The tournaments of a game whose matches count, None for all, and remarks about them."""

    tournaments: tuple[int, ...] | None
    remarks: tuple[str, ...]


def choose(store: StoreReader, game: str, selection: Selection) -> Chosen:
    """Choose the tournaments of a game that a selection wants."""
    configs = store.tournaments.rated_configs(game)
    fits = _reader(selection.time) if selection.time else None
    wanted = {
        number: config
        for number, config in configs.items()
        if (not selection.tournaments or number in selection.tournaments)
        and (fits is None or fits(config.limits))
    }
    remarks = []
    if repeats := find_repeats(store, wanted):
        wanted = {number: config for number, config in wanted.items() if number not in repeats}
        remarks.append(f"left out as repeats of others, move for move: {_tournaments(repeats)}")
    if unlike := _unlike(wanted.values()):
        remarks.append(unlike)
    return Chosen(None if len(wanted) == len(configs) else tuple(wanted), tuple(remarks))


def find_repeats(store: StoreReader, configs: Mapping[int, TournamentConfig]) -> list[int]:
    """Find the tournaments that repeat an earlier one: their matches tell nothing new.

    They have the same seed, versions and settings, no clock, and the same results. The results
    tell whether the bots draw all chance from the seed that they get.
    """
    alike: dict[TournamentConfig, list[int]] = {}
    for number, config in sorted(configs.items()):
        if not config.is_imported and not config.is_timed:
            alike.setdefault(replace(config, budget_s=None), []).append(number)
    found = []
    for numbers in alike.values():
        known: list[Counter[object]] = []
        for number in numbers if len(numbers) > 1 else ():
            totals = Counter[object]()
            for each in store.totals.all(tournament=number):
                totals[each.versions, each.scores, each.termination] += each.count
            if totals in known:
                found.append(number)
            known.append(totals)
    return sorted(found)


def read_selection(
    *,
    tournaments: str | Collection[int] = (),
    since: str | int | None = None,
    time: str | None = None,
    versions: str = "newest",
    include_retired: bool = False,
) -> Selection:
    """Make a selection of the words of a command; raise `LeagueError` for one that does not fit."""
    numbers = _numbers(tournaments) if isinstance(tournaments, str) else tournaments
    if versions not in VERSIONS:
        raise SetupError(f"versions {versions!r}: expected {' or '.join(VERSIONS)}")
    if time:
        _reader(time)
    return Selection(
        tournaments=tuple(sorted(set(numbers))),
        since=read_since(since) if isinstance(since, str) else since or 0,
        time=time or "",
        has_all_versions=versions == "all",
        has_retired=include_retired,
    )


def _numbers(text: str) -> tuple[int, ...]:
    words = [word for each in text.split(",") if (word := each.strip())]
    if not all(re.fullmatch("[0-9]{1,15}", word) for word in words):
        raise SetupError(f"tournaments {brief(text)}: expected numbers with commas, such as 3,4")
    return tuple(map(int, words))


def read_since(text: str, name: str = "since") -> int:
    """Return a moment in seconds since 1970: a date, a date and time (UTC), or a span ago.

    `name` is what an error calls it.
    """
    try:
        moment = datetime.fromisoformat(text.strip())
        return int((moment if moment.tzinfo else moment.replace(tzinfo=UTC)).timestamp())
    except ValueError:
        pass
    days = text.strip().removesuffix("d")
    try:
        is_days = days != text.strip() and days.isascii() and days.isdigit()
        ago = int(days[:6]) * DAY_S if is_days else read_span(text)
    except OptionError:
        raise SetupError(
            f"{name} {brief(text)}: expected a date (2026-03-31), a date with a time of UTC "
            "(2026-03-31T18:00), or how long ago (7d, 12h)"
        ) from None
    return int(datetime.now(UTC).timestamp() - ago)


def read_until(text: str) -> int:
    """Return a moment as `read_since` does, for a date the end of that day."""
    begin = day_of(text.strip())
    return read_since(text, "until") if begin is None else begin + DAY_S


def day_of(text: str) -> int | None:
    """Return when a day of UTC begins, in seconds since 1970; None for a text that is no date.

    >>> day_of("1970-01-02"), day_of("tomorrow")
    (86400, None)
    """
    try:
        day = date.fromisoformat(text)
    except ValueError:
        return None
    return int(datetime(day.year, day.month, day.day, tzinfo=UTC).timestamp())


def limits_text(limits: Limits) -> str:
    """Write the limits of a bot's search: `10+0.1`, `50 ms per move`, `depth 4`."""
    words = [
        limits.time,
        "" if limits.move_s is None else f"{spaced_units(write_span(limits.move_s))} per move",
        "" if limits.depth is None else f"depth {limits.depth}",
        "" if limits.depth_rounds is None else f"depth of {limits.depth_rounds} rounds",
        "" if limits.nodes is None else f"{limits.nodes:,} nodes per move",
    ]
    return ", ".join(word for word in words if word) or "no limit"


def _reader(text: str) -> Callable[[Limits], bool]:
    """Return whether limits have this time control, or this time for each move."""
    control = str(TimeControl.read(text))
    try:
        move_s = read_span(text)
    except OptionError:
        move_s = None

    def fits(limits: Limits) -> bool:
        has_control = bool(limits.time) and str(TimeControl.read(limits.time)) == control
        return has_control or (limits.move_s is not None and limits.move_s == move_s)

    return fits


def _unlike(configs: Collection[TournamentConfig]) -> str:
    """Say that matches under unlike limits are pooled; '' if they are alike."""
    played = [config for config in configs if not config.is_imported]
    limits = list(dict.fromkeys(limits_text(config.limits) for config in played))
    parts = []
    if len(limits) > 1:
        parts.append(f"limits ({'; '.join(limits[:3])}{'; …' if len(limits) > 3 else ''})")
    if any(config.handicaps for config in played) and len(played) > 1:
        parts.append("handicaps")
    if not parts:
        return ""
    return f"pooled from unlike {' and '.join(parts)}: --time or --tournament tells them apart"


def _tournaments(numbers: Collection[int]) -> str:
    return f"{noun_for(len(numbers), 'tournament')} {listed(list(map(str, numbers)))}"


def _hidden_remark(hidden: Collection[str], active: Collection[str]) -> str:
    """Say how many versions have no row, by the names of their bots, and which options show them.

    '' if there are none.
    """
    retired = len({bot for bot in hidden if bot not in active})
    older = sum(bot in active for bot in hidden)
    parts = []
    if older:
        parts.append(f"{counted(older, 'older version')} (--versions all)")
    if retired:
        parts.append(f"{counted(retired, 'retired bot')} (--include-retired)")
    return f"counted as opponents, without a row: {' and '.join(parts)}" if parts else ""
