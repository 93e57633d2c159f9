"""The settings of a tournament: the words that commands, TOML files and Python know them by."""

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING, Any, Final

from games.support.errors import InputError, OptionError, brief, suggestion
from league.model.errors import SettingError
from league.model.records import Adjudication, DrawRule, Isolation, Limits, WinRule
from league.model.time_control import TimeControl, read_handicap, read_span, write_span
from league.model.tournament_spec import OF_TOURNAMENT, TournamentSpec

if TYPE_CHECKING:
    from league.store.rows import TournamentRow
    from league.store.store import Store

MOVE_S = 0.1
"""The time for each move if no limit is given."""


@dataclass(frozen=True, slots=True)
class Setting:
    """A setting: its word, its help, and where a `TournamentSpec` holds it.

    `field` is a field of the spec, or one of its limits or adjudication with a dot between. `read`
    makes the field's value of a text or of that value itself, and raises `OptionError`; `write`
    makes a TOML value of it. `choices` are all its values, if they are few.
    """

    word: str
    field: str
    help: str
    read: Callable[[Any], Any]
    write: Callable[[Any], Any] = lambda value: value
    metavar: str = ""
    choices: tuple[str, ...] = ()


def _whole(value: Any, low: int) -> int:
    text = str(value).strip()
    if isinstance(value, bool) or not re.fullmatch(r"-?\d{1,18}", text) or int(text) < low:
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


def _span(value: Any) -> float:
    is_number = isinstance(value, int | float) and not isinstance(value, bool)
    return read_span(f"{value:.9f}" if is_number else str(value))


def _megabytes(value: Any) -> int:
    match = re.fullmatch(r"(\d{1,9})\s*(m|mb|g|gb|)", str(value).strip().lower())
    if match is None or int(match[1]) == 0:
        raise OptionError(f"{brief(str(value))} is no memory size: write 512M or 2G", "memory")
    return int(match[1]) * (1024 if match[2].startswith("g") else 1)


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


def _draw(value: Any) -> DrawRule:
    from league.match.adjudication import draw_rule  # noqa: PLC0415 (for `league run --help`)

    return value if isinstance(value, DrawRule) else draw_rule(str(value))


def _win(value: Any) -> WinRule:
    from league.match.adjudication import win_rule  # noqa: PLC0415 (for `league run --help`)

    return value if isinstance(value, WinRule) else win_rule(str(value))


def _handicaps(value: Any) -> dict[str, float]:
    if isinstance(value, Mapping):
        value = [f"{name}={factor}" for name, factor in value.items()]
    elif isinstance(value, str):
        value = value.split(",")
    return dict(read_handicap(str(each)) for each in value)


def _draw_text(rule: DrawRule) -> str:
    return f"score={rule.score!r},moves={rule.moves},after={rule.after}"


def _win_text(rule: WinRule) -> str:
    return f"score={rule.score!r},moves={rule.moves}"


def _unfit(value: Any, expected: str) -> OptionError:
    return OptionError(f"{brief(str(value))}: {expected}", "")


_ORDERS = ("sequential", "random")
_RESTARTS = ("never", "match")


def _count(word: str, field: str, told: str, low: int = 1) -> Setting:
    return Setting(word, field, told, partial(_whole, low=low), metavar="N")


def _time(word: str, field: str, told: str) -> Setting:
    return Setting(word, field, told, _span, write_span, metavar="DURATION")


def _one_of(word: str, field: str, told: str, words: tuple[str, ...]) -> Setting:
    """Make a setting of two words that stand for false and true."""
    return Setting(
        word,
        field,
        told,
        lambda value: bool(words.index(_choice(value, words))),
        lambda value: words[value],
        choices=words,
    )


SETTINGS: Final = (
    Setting("game", "game", "The game, with options: connectfour?columns=8.", str, metavar="GAME"),
    Setting("bots", "bots", "Names with commas, or 'all'.", _names, list, metavar="NAMES"),
    Setting("format", "format", "Who meets whom: 'roundrobin', 'swiss', …", str, metavar="FORMAT"),
    _count("rounds", "rounds", "Rounds [the format's own]."),
    _count("seed", "seed", "Repeats everything that is drawn [random].", low=0),
    Setting(
        "openings",
        "openings",
        "Openings from a .txt, .epd, .pgn or .bin file.",
        str,
        metavar="FILE",
    ),
    _one_of("openings-order", "is_shuffled", "The order to take them in.", _ORDERS),
    _count("opening-plies", "opening_plies", "Random plies at the start [the game's own].", low=0),
    Setting(
        "until-error",
        "until_error",
        "End once every rating's 95% error is within ELO.",
        _above_zero,
        metavar="ELO",
    ),
    _time("budget", "budget_s", "Stop a run after this time: 2h."),
    Setting(
        "time",
        "limits.time",
        "Time for the match: 10+0.1, 5m+3s, 40/60+0.5.",
        lambda value: str(TimeControl.read(str(value))),
        metavar="CONTROL",
    ),
    _time("move-time", "limits.move_s", "Time for each move: 50ms, 2s."),
    _count("depth", "limits.depth", "Depth of each search, in plies."),
    _count("depth-rounds", "limits.depth_rounds", "Depth in rounds: one move of every seat."),
    _count("nodes", "limits.nodes", "Nodes of each search."),
    _time("grace", "limits.grace_s", "How late a move may be (the margin)."),
    _time("cap", "limits.cap_s", "The longest wait for a move without a time limit."),
    _time("start-time", "limits.start_s", "Time for a bot to start."),
    Setting(
        "memory",
        "limits.memory_mb",
        "Memory of each bot.",
        _megabytes,
        lambda value: f"{value}M",
        metavar="MEMORY",
    ),
    _count("max-plies", "limits.max_plies", "A longer match is a draw."),
    Setting(
        "isolation",
        "limits.isolation",
        "How far bots are kept apart; auto is the strongest that works.",
        lambda value: Isolation(_choice(value, tuple(map(str, Isolation)))),
        str,
        choices=tuple(map(str, Isolation)),
    ),
    Setting("no-pondering", "limits.is_frozen", "Freeze bots while others move.", _flag),
    _one_of("restart", "is_restarted", "Start every bot afresh for each match.", _RESTARTS),
    Setting(
        "draw",
        "adjudication.draw",
        "Adjudicate draws: score=0.1,moves=8,after=80.",
        _draw,
        _draw_text,
        metavar="RULE",
    ),
    Setting(
        "win",
        "adjudication.win",
        "Adjudicate wins: score=6,moves=4.",
        _win,
        _win_text,
        metavar="RULE",
    ),
    Setting(
        "tablebases",
        "adjudication.tablebases",
        "Adjudicate chess endgames by Syzygy tables.",
        str,
        metavar="FOLDER",
    ),
    Setting(
        "handicap",
        "handicaps",
        "Multiply a bot's time and nodes: mine=0.5 (repeat).",
        _handicaps,
        dict,
        metavar="NAME=FACTOR",
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
    limits = Limits(**found["limits"])
    if limits.is_free:
        limits = replace(limits, move_s=MOVE_S)
    adjudication = Adjudication(**found["adjudication"])
    return TournamentSpec(limits=limits, adjudication=adjudication, **found[""])


def check_settings(spec: TournamentSpec) -> None:
    """Raise `SettingError` if a value of a spec does not fit, as `read_settings` does."""
    for setting in SETTINGS:
        if _is_given(value := _value(spec, setting)):
            _read(setting, setting.write(value))


def write_settings(spec: TournamentSpec) -> dict[str, Any]:
    """Return the settings of a spec as TOML values; `read_settings` makes an equal spec of them."""
    values = {setting: _value(spec, setting) for setting in SETTINGS}
    return {
        setting.word: setting.write(value)
        for setting, value in values.items()
        if _is_given(value) or setting.word == "restart"
    }


def default_of(setting: Setting) -> Any:
    """Return the TOML value of a setting that is not given; None if there is no fixed one."""
    usual = TournamentSpec(game="", bots=(), limits=Limits(isolation=Isolation.AUTO))
    value = _value(usual, setting)
    return setting.write(value) if value is False or _is_given(value) else None


def spec_of(store: "Store", row: "TournamentRow") -> TournamentSpec:
    """Return the spec that holds a tournament again, with its seed and its openings.

    Bots are named without versions: the newest play. An imported tournament has a game, bots and a
    format alone and can't be played.
    """
    config = row.config
    labels = store.labels(config.entrants)
    names = tuple(labels[entrant].bot for entrant in config.entrants)
    factors = zip(names, config.handicaps, strict=False)
    return TournamentSpec(
        game=config.game,
        bots=names,
        format=config.format,
        rounds=config.rounds,
        seed=config.seed,
        limits=config.limits,
        openings=f"{OF_TOURNAMENT}{row.id}" if config.openings else "",
        opening_plies=None if config.openings else config.opening_plies,
        is_restarted=config.is_restarted,
        until_error=config.until_error,
        budget_s=config.budget_s,
        adjudication=config.adjudication,
        handicaps={name: factor for name, factor in factors if factor != 1},
    )


def settings_of(store: "Store", row: "TournamentRow") -> dict[str, Any]:
    """Return the settings of `spec_of` as TOML values; for an import the few that are known."""
    found = write_settings(spec_of(store, row))
    if row.config.is_imported:
        return {word: found[word] for word in ("game", "bots", "format")}
    return found


def _value(spec: TournamentSpec, setting: Setting) -> Any:
    part, _, name = setting.field.rpartition(".")
    return getattr(getattr(spec, part) if part else spec, name)


def _is_given(value: Any) -> bool:
    return value is not None and value is not False and value not in ("", (), {})


def _read(setting: Setting, value: Any) -> Any:
    try:
        return setting.read(value)
    except InputError as error:
        raise SettingError(str(error), setting.word) from None
