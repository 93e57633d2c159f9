"""The tests of a gate: a change against each opponent, by settings."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from games.support.errors import OptionError, suggestion
from games.support.options import join_options, options_of, parse_options
from league.formats.format import Field
from league.formats.sprt import Sequential
from league.model.errors import SettingError, SetupError
from league.model.tournament_spec import TournamentSpec
from league.ratings.sprt import Sprt
from league.tournament.settings import SETTINGS, read_settings

TEST_WORDS = tuple(each.name for each in options_of(Sequential))
"""The options of the test."""

FAMILY_WORDS = ("alpha", "beta")
"""The error rates, which are those of all tests together."""

OPPONENT_WORDS = ("against", "name", "minutes")
"""What only an opponent has: its name or spec, the name to register it by, and its time."""

GATE_ELO0, GATE_ELO1 = -40.0, 0.0
"""The hypotheses if none are given: with them, a test of equal bots takes about 450 matches."""

_OWN_WORDS = frozenset({"bots", "format", "budget", "until-error", "until-best", "tiebreaks"})
_OF_SINGLE_BOTS = frozenset({"rank-by", "bot-limits", "handicap", "starting-rating", "param"})

SETTING_WORDS = tuple(
    each.word for each in SETTINGS if each.word not in _OWN_WORDS | _OF_SINGLE_BOTS
)
"""The settings of a tournament that a gate takes; it makes the others itself, or has none."""


@dataclass(frozen=True, slots=True, kw_only=True)
class GateTest:
    """The test of a change against one opponent.

    `against` is the name of a registered bot, or a spec that is registered by `name`, '' for its
    file's. `spec` is the tournament, with the right bots still to come. `minutes` is the time for
    this test, None for an equal share of the rest.
    """

    against: str
    name: str
    spec: TournamentSpec
    test: Sprt
    minutes: float | None = None


def read_tests(
    head: Mapping[str, Any], opponents: Sequence[Mapping[str, Any]]
) -> tuple[GateTest, ...]:
    """Return the tests that settings by word describe, one for each opponent.

    The settings of an opponent replace those of the `head`, save the error rates: those are of the
    family. Each test fails an equal change at `beta` over the number of tests (Bonferroni), so that
    all together do so at `beta` at most. A weaker change must pass every test, and `alpha` of each
    is also that of the family. Raises `SettingError`, or `SetupError` without an opponent.
    """
    if not opponents:
        raise SetupError("a gate needs an opponent")
    for each in opponents:
        for word in FAMILY_WORDS:
            if word in each:
                raise SettingError("it is for all tests together: give it once for all", word)
    return tuple(_test({**head, **each}, len(opponents)) for each in opponents)


def _test(given: Mapping[str, Any], family: int) -> GateTest:
    known = {*TEST_WORDS, *OPPONENT_WORDS, *SETTING_WORDS}
    for word in given:
        if word not in known:
            raise SettingError(f"unknown setting of a gate{suggestion(word, known)}", word)
    against, name, minutes = (given.get(word) for word in OPPONENT_WORDS)
    if not isinstance(against, str) or not against:
        raise SettingError("missing: the name of a bot, or its spec", "against")
    found = _format(given, family)
    settings = {word: given[word] for word in SETTING_WORDS if word in given}
    settings |= {"bots": ["change", against], "format": _spec(found)}
    return GateTest(
        against=against,
        name=str(name or ""),
        spec=read_settings(settings),
        test=found.test,
        minutes=None if minutes is None else minutes_of(minutes, "minutes"),
    )


def minutes_of(value: Any, word: str) -> float:
    """Return a number of minutes; raise `SettingError` for another value of that setting."""
    is_number = isinstance(value, int | float) and not isinstance(value, bool)
    if not is_number or not 0 < value < math.inf:
        raise SettingError(f"{value!r}: expected a number of minutes above 0", word)
    return float(value)


def _format(given: Mapping[str, Any], family: int) -> Sequential:
    """Return the format of one of a `family` of tests; raise `SettingError` if it makes none."""
    texts = {"elo0": GATE_ELO0, "elo1": GATE_ELO1}
    texts |= {word: given[word] for word in TEST_WORDS if given.get(word) is not None}
    try:
        values: dict[str, Any] = parse_options(options_of(Sequential), texts, "a gate")
        beta = values.get("beta", Sequential.beta)
        # Rounded down, so that the sum is not above the rate of the family.
        values["beta"] = beta if family == 1 else math.floor(beta / family * 1e6) / 1e6
        found = Sequential(**values)
        found.check(Field(entrants=2, seats=2, rounds=1, seed=0))
    except OptionError as error:
        raise SettingError(str(error), error.option) from None
    except ValueError as error:
        raise SettingError(str(error), "test") from None
    return found


def _spec(found: Sequential) -> str:
    """Write the options that are not the usual ones, the same for the same test."""
    options = {
        each.name: f"{value:g}" if isinstance(value, float) else value
        for each in options_of(Sequential)
        if (value := getattr(found, each.name)) != each.default
    }
    return f"{found.name}:{join_options(options, ',')}"
