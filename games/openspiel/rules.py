"""OpenSpiel's games, as `openspiel:hex`; they need the extra `openspiel`.

Options are OpenSpiel's parameters: `openspiel:hex?board_size=7`. Positions are cloned, never
undone: undo is silently wrong in some of its games.
"""

import importlib
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cache
from math import isfinite
from random import Random
from typing import Any, cast

from games.openspiel import secrets
from games.openspiel.drawing import fit, plain
from games.openspiel.notation import distinct, read
from games.openspiel.trial import Parameter, try_out
from games.support.errors import (
    GameError,
    MoveError,
    OptionError,
    UnknownNameError,
    brief,
)
from games.support.game import CHANCE, Game, Move, State
from games.support.options import Option, join_options, parse_options
from games.support.replayed_sample import replayed_sample
from games.support.view import View

PREFIX = "openspiel:"
_UNTOLD = "tells a seat too little"
_FAULTY = {
    "quoridor": "known faults, says OpenSpiel",
    "dou_dizhu": _UNTOLD,
    "gin_rummy": _UNTOLD,
}
_IGNORED = {("antichess", "fen")}
_KINDS = (bool, int, float, str)
_FAR = 1e9
_INT_END = 1 << 31
_SHORT_PLIES = 6
_new = object.__new__

Parameters = tuple[tuple[str, Parameter], ...]


@dataclass(frozen=True, slots=True)
class Entry:
    """One of OpenSpiel's games; `why_not` is '' if it can be played."""

    name: str
    title: str
    seats: tuple[int, int]
    """The minimum and the maximum."""
    has_chance: bool
    why_not: str

    @property
    def is_playable(self) -> bool:
        """Whether it can be played here."""
        return not self.why_not


class OpenSpielState(State):
    """A position; `raw` is OpenSpiel's own, to be read and cloned only."""

    __slots__ = ("_moves", "_texts", "game", "raw", "result", "to_move")

    game: "OpenSpielGame"
    raw: Any
    result: tuple[float, ...] | None
    _moves: tuple[int, ...] | None
    _texts: dict[int, str] | None

    def legal_moves(self) -> tuple[int, ...]:
        """List OpenSpiel's numbers of the moves, luck's at a chance node."""
        moves = self._moves
        if moves is None:
            self._moves = moves = tuple(self.raw.legal_actions())
        return moves

    def play(self, move: int) -> "OpenSpielState":
        """Play in a clone."""
        return _position(self.game, self.raw.child(move))

    def outcome(self) -> tuple[float, ...] | None:
        """Return OpenSpiel's returns once the match is over."""
        return self.result

    def chance(self) -> tuple[tuple[int, float], ...]:
        """List luck's moves with their probabilities."""
        return () if self.to_move != CHANCE else tuple(self.raw.chance_outcomes())

    def key(self) -> tuple[int, ...]:
        """Return all moves so far: exact in every game, though transpositions differ."""
        return tuple(self.raw.history())

    def text(self, move: Move) -> str:
        """Write a move as OpenSpiel does, followed by its number if ambiguous."""
        return self._written()[move]

    def parse(self, text: str) -> Move:
        """Read a move's text or number, case only if ambiguous; raise `MoveError` unless legal."""
        if self.result is not None:
            raise MoveError(f"illegal move {brief(text)}: the match is over", text)
        return read(text, self._written(), self._own_text)

    def render(self) -> str:
        """Return OpenSpiel's text, without colours, lines folded at 80 columns."""
        return fit(str(self.raw))

    def _written(self) -> dict[int, str]:
        if self._texts is None:
            self._texts = distinct(self.legal_moves(), self._own_text)
        return self._texts

    def _own_text(self, move: int) -> str:
        return plain(self.raw.action_to_string(self.to_move, move))

    def __reduce__(self) -> tuple[Callable[..., "OpenSpielState"], tuple[object, ...]]:
        return _replayed, (self.game, self.key())


def _replayed(game: "OpenSpielGame", history: tuple[int, ...]) -> OpenSpielState:
    raw = game.loaded.new_initial_state()
    for move in history:
        raw.apply_action(move)
    return _position(game, raw)


def _position(game: "OpenSpielGame", raw: Any) -> OpenSpielState:
    position = _new(OpenSpielState)
    position.game = game
    position.raw = raw
    to_move = raw.current_player()
    if to_move < CHANCE:
        # Adding 0 makes 0 of -0.
        position.result = tuple(each + 0.0 for each in raw.returns())
        position.to_move = 0
    else:
        position.result = None
        position.to_move = to_move
    position._moves = position._texts = None
    return position


@dataclass(frozen=True)
class OpenSpielGame(Game):
    """One of OpenSpiel's games; `parameters` are those that differ from the default game.

    Made by `FAMILY.find` and `with_options`, which check their values first: invalid ones may kill
    the process here.
    """

    short_name: str
    parameters: Parameters = ()
    loaded: Any = field(init=False, repr=False, compare=False)
    bounds: tuple[float, float] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        loaded = _loaded(self.short_name, self.parameters)
        # With luck, matches differ by themselves.
        is_plain = (
            _draws_luck(loaded)
            or _has_secrets(loaded.get_type())
            or loaded.max_game_length() < _SHORT_PLIES
        )
        bounds = _bounds(loaded.min_utility(), loaded.max_utility())
        counts_points = max(bounds) > 1 and _FAR not in bounds
        for name, value in (
            ("name", PREFIX + self.short_name),
            ("title", plain(loaded.get_type().long_name)),
            ("opening_plies", 0 if is_plain else 2),
            ("loaded", loaded),
            ("bounds", bounds),
            ("payoff_unit", "points" if counts_points else ""),
        ):
            object.__setattr__(self, name, value)

    def __reduce__(self) -> tuple[type["OpenSpielGame"], tuple[str, Parameters]]:
        return OpenSpielGame, (self.short_name, self.parameters)

    @property
    def utility_bounds(self) -> tuple[float, float]:
        """OpenSpiel's bounds; ±1,000,000,000 where it knows none."""
        return self.bounds

    @property
    def has_chance(self) -> bool:
        """Whether luck moves, under these options."""
        return _draws_luck(self.loaded)

    @property
    def sides(self) -> tuple[int, ...]:
        """Every seat is a side of its own."""
        return tuple(range(self.loaded.num_players()))

    @property
    def position_help(self) -> str:
        """OpenSpiel's own position."""
        return (
            "state.raw is OpenSpiel's own state, to be read and cloned only: "
            "state.raw.observation_tensor(seat) where the game has one; state.render() is its text"
        )

    @property
    def options(self) -> tuple[Option, ...]:
        """OpenSpiel's parameters with their defaults."""
        return _options(self.short_name)

    @property
    def values(self) -> dict[str, object]:
        """The value of each parameter, including derived ones."""
        found = self.loaded.get_parameters()
        return {each.name: found.get(each.name, each.default) for each in self.options}

    @property
    def spec(self) -> str:
        """The canonical text: `openspiel:hex?board_size=7`."""
        chosen = join_options(dict(self.parameters), "&")
        return f"{self.name}?{chosen}" if chosen else self.name

    def with_options(self, given: "Mapping[str, object]") -> "OpenSpielGame":
        """Return the game under other parameters; raise `OptionError` if they don't fit.

        They are tried in a process of their own first, as OpenSpiel does not survive all values.
        """
        parsed = parse_options(self.options, given, f"game {self.name}")
        chosen = cast(dict[str, Parameter], {**dict(self.parameters), **parsed})
        for name, value in chosen.items():
            _check(name, value)
        defaults = {each.name: each.default for each in self.options}
        if all(value == defaults[name] for name, value in chosen.items()):
            return OpenSpielGame(self.short_name)
        parameters = tuple((name, chosen[name]) for name in defaults if name in chosen)
        return OpenSpielGame(self.short_name, _needed(self.short_name, parameters))

    @property
    def has_secrets(self) -> bool:
        """Whether seats see less than all, or choose at the same time."""
        return _has_secrets(self.loaded.get_type())

    def told(self, raw: Any, seat: int) -> str:
        """Return what OpenSpiel tells a seat of a position of its own."""
        if self.loaded.get_type().provides_information_state_string:
            return str(raw.information_state_string(seat))
        return str(raw.observation_string(seat))

    def initial(self) -> State:
        """Return the first position, which may be a chance node."""
        raw = self.loaded.new_initial_state()
        return secrets.first(self, raw) if self.has_secrets else _position(self, raw)

    def sample(self, view: View, random: Random) -> State:
        """Replay a match that shows the same; raise `GameError` if none is found soon."""
        return replayed_sample(view, random)


class OpenSpiel:
    """The family of OpenSpiel's games."""

    def names(self) -> tuple[str, ...]:
        """List the playable games by spec name; none without the package."""
        try:
            return tuple(each.name for each in survey() if each.is_playable)
        except GameError:
            return ()

    def find(self, name: str) -> OpenSpielGame:
        """Return a game by short name; raise `UnknownNameError`, or `GameError` with the reason."""
        spec = PREFIX + name
        _module(spec)
        entry = {each.name: each for each in survey()}.get(spec)
        if entry is None:
            known = [each.removeprefix(PREFIX) for each in self.names()]
            raise UnknownNameError("OpenSpiel game", name, known)
        if entry.why_not:
            raise GameError(f"game {spec!r} can't be played here: {entry.why_not}", spec)
        try:
            return OpenSpielGame(name)
        except RuntimeError as error:
            raise GameError(f"game {spec!r} does not load: {plain(str(error))}", spec) from None


@cache
def survey() -> tuple[Entry, ...]:
    """List all of OpenSpiel's games by name, playable or not; raise `GameError` without it."""
    return tuple(_entry(kind) for kind in _module(PREFIX[:-1]).registered_games())


def _entry(kind: Any) -> Entry:
    why_not = _why_not(kind)
    fewest = kind.min_num_players if why_not else max(2, kind.min_num_players)
    return Entry(
        PREFIX + kind.short_name,
        plain(kind.long_name),
        (fewest, kind.max_num_players),
        _has_chance(kind),
        why_not,
    )


def _why_not(kind: Any) -> str:
    """Return the simplest reason why games of a kind can't be played; '' if they can."""
    chance = kind.chance_mode.name
    reasons = (
        (kind.short_name in _FAULTY, _FAULTY.get(kind.short_name, "")),
        (not kind.default_loadable, "needs parameters"),
        (kind.dynamics.name == "MEAN_FIELD", "mean field"),
        (kind.max_num_players < 2, "one seat"),
        (_has_secrets(kind) and not _tells(kind), "no texts of what a seat sees"),
        (chance not in ("DETERMINISTIC", "EXPLICIT_STOCHASTIC"), "sampled chance"),
        (kind.utility.name == "IDENTICAL", "all seats win together"),
    )
    return next((reason for applies, reason in reasons if applies), "")


def _has_secrets(kind: Any) -> bool:
    is_together = kind.dynamics.name == "SIMULTANEOUS"
    return bool(is_together or kind.information.name != "PERFECT_INFORMATION")


def _tells(kind: Any) -> bool:
    return bool(kind.provides_information_state_string or kind.provides_observation_string)


def _has_chance(kind: Any) -> bool:
    return bool(kind.chance_mode.name != "DETERMINISTIC")


def _draws_luck(loaded: Any) -> bool:
    # Chess claims to be deterministic, but draws its first position with chess960.
    return _has_chance(loaded.get_type()) or bool(loaded.max_chance_outcomes() > 0)


def _bounds(low: float, high: float) -> tuple[float, float]:
    low, high = low if isfinite(low) else -_FAR, high if isfinite(high) else _FAR
    return (low, high) if low < high else (low - 1, high + 1)


def _module(spec: str) -> Any:
    try:
        return importlib.import_module("pyspiel")
    except ImportError:
        raise GameError(
            f"game {spec!r} needs open_spiel: pip install 'botleague[openspiel]'", spec
        ) from None


def _check(name: str, value: Parameter) -> None:
    if isinstance(value, str) and (value != value.strip() or "&" in value):
        raise OptionError(f"option {name}={value!r}: expected no & and no blanks around it", name)
    if isinstance(value, int) and abs(value) >= _INT_END:
        raise OptionError(f"option {name}={brief(value)}: expected a number of 32 bits", name)


@cache
def _options(short_name: str) -> tuple[Option, ...]:
    kinds = {kind.short_name: kind for kind in _module(PREFIX + short_name).registered_games()}
    kind = kinds[short_name]
    found = []
    for name, default in kind.parameter_specification.items():
        # A non-scalar is another game, and an ignored value would mislead.
        if type(default) not in _KINDS or (short_name, name) in _IGNORED:
            continue
        if name == "players":
            low, high = max(2, kind.min_num_players), kind.max_num_players
            found.append(Option(name, int, default, "how many seats", low=low, high=high))
        else:
            found.append(Option(name, type(default), default, "a parameter of OpenSpiel's"))
    return tuple(found)


@cache
def _loaded(short_name: str, parameters: Parameters) -> Any:
    return _module(PREFIX + short_name).load_game(short_name, dict(parameters))


@cache
def _needed(short_name: str, parameters: Parameters) -> Parameters:
    """Return the parameters that make the game; raise `OptionError` if they are invalid."""
    trial = try_out(short_name, dict(parameters))
    if trial.fault:
        told = join_options(dict(parameters), ", ")
        raise OptionError(f"no {PREFIX}{short_name} with {told}: {trial.fault}", parameters[0][0])
    return tuple(each for each in parameters if each[0] in trial.needed)


FAMILY = OpenSpiel()
