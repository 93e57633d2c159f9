"""The gate: whether a change of a bot is weaker than its opponents, for a repository's CI."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from time import monotonic
from typing import TYPE_CHECKING, Any, TypeAlias

from games.support.references import split_reference
from league.analysis.gate import GateLine, GateResult, GateVerdict, played_line
from league.api.answer import Answer
from league.api.arguments import checked_options
from league.api.options import GateOptions, RegisterOptions
from league.api.registration import registered
from league.api.tournament import Tournament
from league.model.errors import CheckError, SpecError, StoppedError, UnknownRowError
from league.store.bots import VERSION_SIGN
from league.store.rows import BotRef
from league.tournament.gate_tests import GateTest, minutes_of, read_tests
from league.tournament.gate_tournament import gate_tournament
from league.tournament.run_options import RunOptions

if TYPE_CHECKING:
    from league.api.tools import BotSource
    from league.model.records import BotVersion
    from league.store.store import Store

PlayTest: TypeAlias = Callable[[Tournament, float | None], object]
"""Plays a tournament for at most so many seconds, None for no limit."""

SKIPPED = "not played to its end, because the gate has ended already"

OF_REGISTRATION = ("options", "data", "folder")
"""Options of the change alone."""

OF_BOTH = ("isolation", "memory", "start_time")
"""Settings of the matches that the check keeps to as well."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Change:
    """The change that a gate is about; `how` has the settings of its registration."""

    source: BotSource
    name: str
    how: RegisterOptions


class Gate(Answer[GateResult]):
    """What a gate found; prints as a table, and is written as Markdown or JUnit."""

    def __init__(self, value: GateResult) -> None:
        from league.render.text.gate import gate_blocks

        super().__init__(value, lambda: gate_blocks(value), rows="lines")

    def to_markdown(self, links: Mapping[int, str] | None = None) -> str:
        """Return the summary; `links` are the addresses of replays, by match."""
        from league.interchange.gate_report import markdown

        return markdown(self.value, links or {})

    def to_junit(self) -> str:
        """Return the tests as a file of JUnit, one test case for each opponent."""
        from league.interchange.gate_report import junit

        return junit(self.value)


@dataclass(frozen=True, slots=True)
class _Pairing:
    """A test with both versions, and its tournament; None where nothing has to be played."""

    test: GateTest
    change: BotRef
    opponent: BotRef
    tournament: Tournament | None

    @property
    def is_open(self) -> bool:
        """Whether matches are left to play."""
        return self.tournament is not None and not self.tournament.is_finished

    @property
    def line(self) -> GateLine:
        """The line of the test before it is played."""
        found = GateLine(opponent=str(self.opponent), game=self.test.spec.game, test=self.test.test)
        if self.tournament is None:
            same = "it is the same code, so there is nothing to play"
            return replace(found, verdict=GateVerdict.NOT_WEAKER, reason=same)
        return replace(found, tournament=self.tournament.number, game=self.tournament.game)


def gate_of(
    store: Store,
    change: BotSource,
    against: str | Sequence[str | Mapping[str, Any]],
    play: PlayTest | None,
    how: GateOptions,
) -> GateResult:
    """Hold a gate as `League.gate` does."""
    given: dict[str, Any] = dict(how)
    name, minutes = given.pop("name", ""), given.pop("max_minutes", None)
    own = {word: given.pop(word) for word in OF_REGISTRATION if word in given}
    own |= {word: given[word] for word in OF_BOTH if given.get(word) is not None}
    opponents = [against] if isinstance(against, str) else against
    tests = read_tests(
        _by_word(given),
        [{"against": each} if isinstance(each, str) else _by_word(each) for each in opponents],
    )
    if minutes is not None:
        minutes = minutes_of(minutes, "max-minutes")
    registering: Any = checked_options(own, RegisterOptions)
    made = Change(source=change, name=name or _usual_name(change), how=registering)
    return _held(store, made, tests, minutes, play or _play)


def _by_word(settings: Mapping[str, Any]) -> dict[str, Any]:
    return {name.replace("_", "-"): value for name, value in settings.items()}


def _play(tournament: Tournament, budget_s: float | None) -> None:
    tournament.play(RunOptions(budget_s=budget_s))


def _held(
    store: Store,
    change: Change,
    tests: Sequence[GateTest],
    minutes: float | None,
    play: PlayTest,
) -> GateResult:
    """Register the opponents and the change, play the tests in turn and say what they found.

    Nothing is played if the change does not pass its check. A test that favours "weaker" ends the
    gate, since no other test can change the verdict.
    """
    rates: dict[str, Any] = {
        "alpha": tests[0].test.alpha,
        "beta": round(sum(each.test.beta for each in tests), 4),
    }
    # Before the change: it may become the newest version of an opponent.
    opponents = _opponents(store, change, tests)
    games = list(dict.fromkeys(each.spec.game for each in tests))
    how: RegisterOptions = {**change.how, "games": games}
    try:
        version = registered(store, change.name, change.source, how).version
    except (CheckError, SpecError) as error:
        if isinstance(error, SpecError) and not _is_there(change.source):
            raise
        return GateResult(change=change.name, reason=str(error), **rates)
    pairings = [
        _paired(store, each, version, opponent)
        for each, opponent in zip(tests, opponents, strict=True)
    ]
    lines, is_interrupted = _played(store, pairings, minutes, play)
    return GateResult(
        change=str(_ref(version)), lines=lines, is_interrupted=is_interrupted, **rates
    )


def _usual_name(source: BotSource) -> str:
    from league.registration.usual_name import usual_name

    return usual_name(str(source)) if isinstance(source, str | Path) else source.__name__


def _is_there(source: BotSource) -> bool:
    """Whether what can't be loaded exists: a misspelt path is no weak bot."""
    if not isinstance(source, str | Path):
        return True
    return Path(split_reference(str(source))[0]).exists()


def _opponents(store: Store, change: Change, tests: Sequence[GateTest]) -> list[BotVersion]:
    """Return the opponent of each test."""
    games = defaultdict[str, list[str]](list)
    for each in tests:
        games[each.against].append(each.spec.game)
    found: dict[str, BotVersion] = {}
    for each in tests:
        if each.against not in found:
            found[each.against] = _opponent(store, change, each, games[each.against])
    return [found[each.against] for each in tests]


def _opponent(store: Store, change: Change, test: GateTest, games: Sequence[str]) -> BotVersion:
    """Return the version of a name; one that no bot has is a spec, and is registered."""
    from league.api.sessions import registered_version
    from league.registration.usual_name import usual_name

    try:
        return registered_version(store, test.against)
    except UnknownRowError as error:
        unknown = str(error)
    how: Any = {word: value for word, value in change.how.items() if word in OF_BOTH}
    how["games"] = games
    try:
        name = test.name or usual_name(test.against)
        if not test.name and name == change.name:
            name += "-base"
        return registered(store, name, test.against, how).version
    except SpecError as error:
        raise SpecError(f"{unknown}, and as a spec:\n{error}", test.against) from None


def _paired(store: Store, test: GateTest, change: BotVersion, opponent: BotVersion) -> _Pairing:
    """Find or make the tournament of a test."""
    tournament = None
    if not _is_same_code(change, opponent):
        names = [f"{each.name}{VERSION_SIGN}{each.number}" for each in (change, opponent)]
        row = gate_tournament(store, test, (names[0], names[1]), lambda line: None)
        tournament = Tournament(store, row.id)
    return _Pairing(test, _ref(change), _ref(opponent), tournament)


def _is_same_code(one: BotVersion, other: BotVersion) -> bool:
    """Whether two versions are one, or are made of the same files in different places."""
    if one.id == other.id:
        return True
    codes = (
        (each.digest, dict(each.options), split_reference(each.spec)[1]) for each in (one, other)
    )
    return bool(one.files and other.files) and len({*map(repr, codes)}) == 1


def _ref(version: BotVersion) -> BotRef:
    return BotRef(version.id, version.name, version.number)


def _played(
    store: Store, pairings: Sequence[_Pairing], minutes: float | None, play: PlayTest
) -> tuple[tuple[GateLine, ...], bool]:
    """Play tests in turn; return their lines, and whether the user has interrupted them."""
    end_s = None if minutes is None else monotonic() + 60 * minutes
    lines, ended, is_interrupted = list[GateLine](), "", False
    for place, each in enumerate(pairings):
        if each.tournament is None:
            lines.append(each.line)
            continue
        begin_s, reason = monotonic(), ended
        if each.is_open and not ended:
            left_s = None if end_s is None else max(0.0, end_s - begin_s)
            try:
                play(each.tournament, _budget_s(pairings[place:], left_s))
            except StoppedError as stop:
                reason = stop.reason or str(stop)
            except KeyboardInterrupt:
                is_interrupted, reason, ended = True, "interrupted", SKIPPED
        line = played_line(store, each.tournament.row, each.line, each.change)
        if line.verdict is GateVerdict.WEAKER:
            ended = ended or SKIPPED
        elif line.verdict is GateVerdict.UNDECIDED and reason:
            line = replace(line, reason=reason)
        lines.append(replace(line, play_s=monotonic() - begin_s))
    return tuple(lines), is_interrupted


def _budget_s(pairings: Sequence[_Pairing], left_s: float | None) -> float | None:
    """Return the seconds for the first of the tests that are left: its own, or an equal share."""
    own = [each.test.minutes for each in pairings if each.is_open]
    if own[0] is not None:
        return 60 * own[0] if left_s is None else min(60 * own[0], left_s)
    if left_s is None:
        return None
    reserved_s = sum(60 * minutes for minutes in own if minutes is not None)
    return max(0.0, left_s - reserved_s) / own.count(None)
