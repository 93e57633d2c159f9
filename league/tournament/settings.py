"""The settings of a tournament: the words that commands, TOML files and Python know them by."""

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING, Any, Final

from games.support.errors import InputError, OptionError, brief, suggestion
from games.support.options import split_options
from league.model.document import Count, Id
from league.model.errors import SettingError
from league.model.memory_size import read_megabytes
from league.model.records import (
    MOVE_S,
    Adjudication,
    DrawRule,
    Handicap,
    Isolation,
    Limits,
    OwnLimits,
    WinRule,
)
from league.model.tiebreak import Tiebreak
from league.model.time_control import (
    TimeControl,
    read_handicap,
    read_move_time,
    read_span,
    write_span,
)
from league.model.tournament_spec import OF_TOURNAMENT, TournamentSpec
from league.model.tuned_parameter import FORM, TunedParameter
from league.tournament.own_limits import RESTARTS, bot_limits, written_limits

if TYPE_CHECKING:
    from league.store.rows import TournamentRow
    from league.store.store import StoreReader

FORMAT_FOR_BEST = "adaptive"
"""The format of a tournament that ends with a champion, if none is given."""

FORMAT_FOR_TUNING = "spsa"
"""The format of a tournament that tunes parameters, if none is given."""


@dataclass(frozen=True, slots=True)
class SettingKind:
    """The kind of a setting's values.

    `read` makes the value of a text, or of that value itself, and raises `OptionError`; `write`
    makes a TOML value of it, whose type is `written`. `choices` are all its values, if they are
    few.
    """

    metavar: str
    read: Callable[[Any], Any]
    write: Callable[[Any], Any] = lambda value: value
    choices: tuple[str, ...] = ()
    written: Any = str


@dataclass(frozen=True, slots=True)
class Setting:
    """A setting: its word, and where a `TournamentSpec` holds it.

    `field` is a field of the spec, or one of its limits or adjudication with a dot between.
    """

    word: str
    field: str
    kind: SettingKind
    help: str


def _whole(value: Any, low: int, digits: int = 18) -> int:
    text = str(value).strip()
    is_whole = re.fullmatch(rf"-?\d{{1,{digits}}}", text) and not isinstance(value, bool)
    if not is_whole or int(text) < low:
        raise _unfit(value, f"expected a whole number from {low} on")
    return int(text)


def _above_zero(value: Any) -> float:
    try:
        found = float(value)
    except (TypeError, ValueError):
        found = 0.0
    if not 0 < found < float("inf"):
        raise _unfit(value, "expected a number above 0")
    return found


def probability(value: Any) -> float:
    """Return a probability from 0.5 on and below 1, given as `0.95` or `95%`."""
    text = str(value).strip()
    try:
        found = round(float(text.removesuffix("%")) / (100 if text.endswith("%") else 1), 12)
    except ValueError:
        found = 0.0
    if not 0.5 <= found < 1:
        raise _unfit(value, "expected from 50% to below 100%, as 95% or 0.95")
    return found


def seconds(value: Any) -> float:
    """Return a span in seconds, given as a number of them or as text such as `50ms`."""
    return read_span(_span_text(value))


def move_seconds(value: Any) -> float:
    """Return the seconds of a time for one move; a long one needs a unit."""
    return read_move_time(_span_text(value))


def _span_text(value: Any) -> str:
    is_number = isinstance(value, int | float) and not isinstance(value, bool)
    return f"{value:.9f}".rstrip("0").removesuffix(".") if is_number else str(value)


def _flag(value: Any) -> bool:
    if not isinstance(value, bool):
        raise _unfit(value, "expected true or false")
    return value


def _choice(value: Any, words: tuple[str, ...]) -> str:
    if str(value) not in words:
        raise _unfit(value, f"expected {' or '.join(words)}{suggestion(str(value), words)}")
    return str(value)


def _names(value: Any) -> tuple[str, ...]:
    words = value.split(",") if isinstance(value, str) else value
    if not isinstance(words, Iterable) or not all(isinstance(each, str) for each in words):
        raise _unfit(value, "expected names of bots, or 'all'")
    return tuple(name for each in words if (name := each.strip()))


def _tiebreaks(value: Any) -> tuple[Tiebreak, ...]:
    known = tuple(map(str, Tiebreak))
    words = value.split(",") if isinstance(value, str) else value
    if not isinstance(words, Iterable):
        raise _unfit(value, f"expected some of {', '.join(known)}")
    return tuple(dict.fromkeys(Tiebreak(_choice(str(each).strip(), known)) for each in words))


def _draw(value: Any) -> DrawRule:
    from league.match.adjudication import draw_rule  # noqa: PLC0415 (for `league run --help`)

    return value if isinstance(value, DrawRule) else draw_rule(str(value))


def _win(value: Any) -> WinRule:
    from league.match.adjudication import win_rule  # noqa: PLC0415 (for `league run --help`)

    return value if isinstance(value, WinRule) else win_rule(str(value))


def _written_draw(rule: DrawRule) -> str:
    from league.match.adjudication import written_draw  # noqa: PLC0415 (for `league run --help`)

    return written_draw(rule)


def _written_win(rule: WinRule) -> str:
    from league.match.adjudication import written_win  # noqa: PLC0415 (for `league run --help`)

    return written_win(rule)


def _handicaps(value: Any) -> dict[str, float]:
    if isinstance(value, Mapping):
        value = [f"{name}={factor}" for name, factor in value.items()]
    elif isinstance(value, str):
        value = value.split(",")
    if not isinstance(value, Iterable):
        raise _unfit(value, "expected bot=factor")
    return dict(read_handicap(str(each)) for each in value)


def _starting_ratings(value: Any) -> dict[str, float]:
    if isinstance(value, Mapping):
        value = [f"{name}={elo}" for name, elo in value.items()]
    elif isinstance(value, str):
        value = value.split(",")
    if not isinstance(value, Iterable):
        raise _unfit(value, "expected bot=Elo")
    found = {}
    for each in map(str, value):
        name, _, number = (part.strip() for part in each.rpartition("="))
        if not name or not re.fullmatch(r"[+-]?\d{1,4}(\.\d{1,6})?", number):
            raise _unfit(each, "expected NAME=120, a rating from -9999 to 9999 Elo")
        found[name] = float(number)
    return found


def _parameters(value: Any) -> tuple[TunedParameter, ...]:
    if not isinstance(value, Iterable) or isinstance(value, str | Mapping):
        raise _unfit(value, f"expected a list of texts {FORM}")
    return tuple(
        each if isinstance(each, TunedParameter) else TunedParameter.read(str(each))
        for each in value
    )


def _unfit(value: Any, expected: str) -> OptionError:
    return OptionError(f"{brief(str(value))}: {expected}", "")


def _text(metavar: str) -> SettingKind:
    return SettingKind(metavar, str)


def _either(no: str, yes: str) -> SettingKind:
    """Make the kind of two words that stand for false and true."""
    words = (no, yes)
    return SettingKind(
        "", lambda value: _choice(value, words) == yes, lambda is_yes: words[is_yes], words
    )


_RESULTS = ("both", "wins", "draws")
_LEVELS = tuple(map(str, Isolation))
_COUNT = SettingKind("N", partial(_whole, low=1), written=Id)
_FROM_0 = SettingKind("N", partial(_whole, low=0), written=Count)
_SEED = SettingKind("N", partial(_whole, low=0, digits=20), written=int)
_TIME = SettingKind("DURATION", seconds, write_span)
_MOVE_TIME = SettingKind("DURATION", move_seconds, write_span)
_CONTROL = SettingKind("CONTROL", lambda value: str(TimeControl.read(str(value))))
_MEMORY = SettingKind("MEMORY", read_megabytes, lambda value: f"{value}M")
_ELO = SettingKind("ELO", _above_zero, written=float)
_PROBABILITY = SettingKind("PERCENT", probability, written=float)
_FLAG = SettingKind("", _flag, written=bool)
_ORDER = _either("sequential", "random")
_POLICY = _either("encounter", "round")
_DEALS = _either("new", "same")
_RANKING = _either("result", "payoff")
_RESTART = _either(*RESTARTS)
_TABLE_RESULTS = SettingKind(
    "",
    lambda value: {"both": ""}.get(found := _choice(value, _RESULTS), found),
    lambda value: value or "both",
    _RESULTS,
)
_ISOLATION = SettingKind("", lambda value: Isolation(_choice(value, _LEVELS)), str, _LEVELS)

SETTINGS: Final = (
    Setting("game", "game", _text("GAME"), "The game, with options: connectfour?columns=8."),
    Setting(
        "bots",
        "bots",
        SettingKind("NAMES", _names, list, written=list[str]),
        "Names with commas, or 'all'.",
    ),
    Setting("format", "format", _text("FORMAT"), "Who meets whom: 'roundrobin', 'swiss', …"),
    Setting("rounds", "rounds", _COUNT, "Rounds [the format's own]."),
    Setting("seed", "seed", _SEED, "Seed of every random choice [random]."),
    Setting(
        "openings",
        "openings",
        _text("FILE"),
        "Openings in .txt, .epd, .pgn or .bin, also as .gz, .zst or .zip.",
    ),
    Setting("openings-order", "is_shuffled", _ORDER, "The order to take openings in."),
    Setting("openings-start", "opening_start", _COUNT, "Begin with the Nth opening [the first]."),
    Setting(
        "skip-bad-openings",
        "skips_bad_openings",
        _FLAG,
        "Leave out openings of the file that can't be played.",
    ),
    Setting(
        "opening-policy",
        "is_opening_shared",
        _POLICY,
        "A new opening for each encounter, or one for the whole round.",
    ),
    Setting("opening-plies", "opening_plies", _FROM_0, "Random first plies [the game's own]."),
    Setting(
        "deals",
        "has_same_deals",
        _DEALS,
        "New cards or dice for each match, or the same for all of an encounter.",
    ),
    Setting("until-error", "until_error", _ELO, "End when every 95% error bar is within ELO."),
    Setting(
        "until-best",
        "until_best",
        _PROBABILITY,
        "End when the best bot is known with this probability: 95% [format: adaptive].",
    ),
    Setting(
        "tiebreaks",
        "tiebreaks",
        SettingKind(
            "NAMES", _tiebreaks, lambda found: [str(each) for each in found], written=list[Tiebreak]
        ),
        "Order equal points by: buchholz, direct, … [the format's own].",
    ),
    Setting(
        "rank-by",
        "is_ranked_by_payoff",
        _RANKING,
        "Order the table by results, or by the mean payoff of a match (chips, points).",
    ),
    Setting(
        "param",
        "parameters",
        SettingKind(
            "NAME=START,MIN,MAX,STEP",
            _parameters,
            lambda found: [each.written for each in found],
            written=list[str],
        ),
        "Tune an option of the first bot: weight=1,0,4,0.1 (repeat) [format: spsa].",
    ),
    Setting("budget", "budget_s", _TIME, "Stop the run after this time: 2h."),
    Setting(
        "time",
        "limits.time",
        _CONTROL,
        "Time for the match: 10+0.1, 1:30+1, 40/60:20/30, 60d2, kaggle, hg60.",
    ),
    Setting("move-time", "limits.move_s", _MOVE_TIME, "Time for each move: 50ms, 2s."),
    Setting("depth", "limits.depth", _COUNT, "Depth of each search, in plies."),
    Setting("depth-rounds", "limits.depth_rounds", _COUNT, "Depth in moves of every seat."),
    Setting("nodes", "limits.nodes", _COUNT, "Nodes of each search."),
    Setting("grace", "limits.grace_s", _MOVE_TIME, "Grace period: how late a move may arrive."),
    Setting("cap", "limits.cap_s", _TIME, "Maximum wait for a move when no time limit is set."),
    Setting(
        "start-time",
        "limits.start_s",
        _TIME,
        "Time to start, and to prepare for each match [60s for an engine, else 10s].",
    ),
    Setting("memory", "limits.memory_mb", _MEMORY, "Memory of each bot."),
    Setting("max-plies", "limits.max_plies", _COUNT, "Longer matches are drawn [the game's own]."),
    Setting(
        "isolation",
        "limits.isolation",
        _ISOLATION,
        "How bots are isolated; auto picks the strongest that works.",
    ),
    Setting("pondering", "limits.may_ponder", _FLAG, "Let bots think while others move."),
    Setting("restart", "limits.is_restarted", _RESTART, "When to restart bots."),
    Setting(
        "draw",
        "adjudication.draw",
        SettingKind("RULE", _draw, _written_draw),
        "Adjudicate draws: score=0.1,moves=8,move=40,reset=yes.",
    ),
    Setting(
        "win",
        "adjudication.win",
        SettingKind("RULE", _win, _written_win),
        "Adjudicate wins: score=6,moves=4,twosided=no.",
    ),
    Setting(
        "tablebases",
        "adjudication.tablebases",
        _text("FOLDER"),
        "Adjudicate chess endgames by Syzygy tables.",
    ),
    Setting(
        "tablebase-pieces",
        "adjudication.table_pieces",
        _COUNT,
        "Look up positions with at most N pieces [as many as the tables have].",
    ),
    Setting(
        "tablebase-results",
        "adjudication.table_results",
        _TABLE_RESULTS,
        "Which positions tablebases settle.",
    ),
    Setting(
        "ignore-fifty",
        "adjudication.ignore_fifty",
        _FLAG,
        "Leave the fifty-move rule out of tablebases.",
    ),
    Setting(
        "bot-limits",
        "own_limits",
        SettingKind("NAME:LIMITS", bot_limits, written_limits, written=dict[str, str]),
        "A bot's own limits: mine:depth=6,nodes=1000 (repeat).",
    ),
    Setting(
        "handicap",
        "handicaps",
        SettingKind("NAME=FACTOR", _handicaps, dict, written=dict[str, float]),
        "Multiply a bot's time and nodes: mine=0.5 (repeat).",
    ),
    Setting(
        "starting-rating",
        "starting_ratings",
        SettingKind("NAME=ELO", _starting_ratings, dict, written=dict[str, float]),
        "Starting estimate for format season: mine=120 (repeat).",
    ),
)
"""All settings, in the order of the TOML file."""

_BY_WORD = {each.word: each for each in SETTINGS}


def read_settings(settings: Mapping[str, Any]) -> TournamentSpec:
    """Return the tournament that settings by word describe; those that are None are not given.

    A bot has 100 ms for each move if no limit is given, and `isolation` is 'auto'. Raises
    `SettingError` for an unknown word, a missing game or bots, or a value that does not fit.
    """
    found: dict[str, dict[str, Any]] = {"": {}, "limits": {}, "adjudication": {}}
    given = {"isolation": Isolation.AUTO, **settings}
    for word in ("game", "bots"):
        if given.get(word) is None:
            raise SettingError(f"missing: {_BY_WORD[word].help}", word)
    for word, value in given.items():
        if word not in _BY_WORD:
            raise SettingError(f"unknown setting{suggestion(word, _BY_WORD)}", word)
        if value is not None:
            part, _, name = _BY_WORD[word].field.rpartition(".")
            found[part][name] = _read(_BY_WORD[word], value)
    if found[""].get("until_best") is not None:
        found[""].setdefault("format", FORMAT_FOR_BEST)
    if found[""].get("parameters"):
        found[""].setdefault("format", FORMAT_FOR_TUNING)
    limits = Limits(**found["limits"])
    own, bots = found[""].get("own_limits", {}), found[""]["bots"]
    if limits.is_free and not all(bot in own for bot in bots):
        limits = replace(limits, move_s=MOVE_S)
    adjudication = Adjudication(**found["adjudication"])
    return TournamentSpec(limits=limits, adjudication=adjudication, **found[""])


def check_settings(spec: TournamentSpec) -> None:
    """Raise `SettingError` if a value of a spec does not fit, as `read_settings` does."""
    for setting in SETTINGS:
        if _is_given(value := _value(spec, setting)):
            _read(setting, setting.kind.write(value))


def write_settings(spec: TournamentSpec) -> dict[str, Any]:
    """Return the settings of a spec as TOML values; `read_settings` makes an equal spec of them."""
    values = {setting: _value(spec, setting) for setting in SETTINGS}
    return {
        setting.word: setting.kind.write(value)
        for setting, value in values.items()
        if _is_given(value)
    }


def default_of(setting: Setting) -> Any:
    """Return the TOML value of a setting that is not given; None if there is no fixed one."""
    usual = TournamentSpec(game="", bots=(), limits=Limits(isolation=Isolation.AUTO))
    value = _value(usual, setting)
    return setting.kind.write(value) if value is False or _is_given(value) else None


def spec_of(store: "StoreReader", row: "TournamentRow") -> TournamentSpec:
    """Return the spec that holds a tournament again, with its seed and its openings.

    Bots are named without versions, so that the newest play, but for those that were older then.
    An imported tournament has a game, bots and a format alone and can't be played.
    """
    config = row.config
    names = store.bots.entrant_names(config.entrants, row.created_at)
    own: dict[str, Handicap] = dict(zip(names, config.handicaps, strict=False))
    return TournamentSpec(
        **config.terms,
        game=config.game,
        bots=names,
        rounds=config.rounds,
        seed=config.seed,
        openings=f"{OF_TOURNAMENT}{row.id}" if config.openings else "",
        opening_plies=None if config.openings else config.opening_plies,
        handicaps={
            name: each for name, each in own.items() if isinstance(each, float) if each != 1
        },
        own_limits={name: each for name, each in own.items() if isinstance(each, OwnLimits)},
        starting_ratings={
            name: elo for name, elo in zip(names, config.starting_ratings, strict=False) if elo
        },
    )


def settings_of(store: "StoreReader", row: "TournamentRow") -> dict[str, Any]:
    """Return the settings of `spec_of` as TOML values; for an import the few that are known."""
    found = write_settings(spec_of(store, row))
    if row.config.is_imported:
        # No bot, if none of its games counted.
        return {word: found.get(word, []) for word in ("game", "bots", "format")}
    return found


def limits_in_words(settings: Mapping[str, Any]) -> str:
    """List all limits and adjudication that apply in a tournament of these settings, in a line."""
    parts, idle = [], _idle_limits(settings)
    for setting in SETTINGS:
        value = settings.get(setting.word)
        part = setting.field.partition(".")[0]
        if value is None or part not in ("limits", "adjudication", "handicaps", "own_limits"):
            continue
        if setting.word in idle:
            continue
        if isinstance(value, dict):
            sign = " times the time and nodes" if setting.word == "handicap" else ""
            parts += [f"{name} has {each}{sign}" for name, each in value.items()]
        else:
            parts.append(setting.word if value is True else f"{setting.word} {value}")
    return ", ".join(parts)


def _idle_limits(settings: Mapping[str, Any]) -> set[str]:
    """Return the limits that no bot meets: the cap with a limit of time, the grace without one."""
    timed, own = {"time", "move-time"}, settings.get("bot-limits", {})
    times = [not timed.isdisjoint(split_options(each, ",")) for each in own.values()]
    if not timed.isdisjoint(settings) or (all(times) and own.keys() >= {*settings["bots"]}):
        return {"cap"}
    return set() if any(times) else {"grace"}


def _value(spec: TournamentSpec, setting: Setting) -> Any:
    part, _, name = setting.field.rpartition(".")
    return getattr(getattr(spec, part) if part else spec, name)


def _is_given(value: Any) -> bool:
    return value is not None and value is not False and value not in ("", (), {})


def _read(setting: Setting, value: Any) -> Any:
    try:
        return setting.kind.read(value)
    except InputError as error:
        raise SettingError(str(error), setting.word) from None
