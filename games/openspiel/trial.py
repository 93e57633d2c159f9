"""Try parameters of OpenSpiel's games in a separate process.

Some values kill the process (a board of -1 squares), others make games that never start or end.
"""

import importlib
import json
import random
import re
import resource
import subprocess
import sys
import time
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

Parameter = bool | int | float | str

_PATIENCE_S = 10.0
_MEMORY = 2 << 30
_WALKS = 8
_PLIES = 300
_WALKING_S = 0.2
_PLACE = re.compile(r"^\S+\.(cc|h):\d+ +")
_START = "import sys; sys.path[:] = {path!r}; from games.openspiel.trial import main; main()"


@dataclass(frozen=True, slots=True)
class TrialResult:
    """The `fault` found ('' for none), and the parameters that determine the others."""

    fault: str
    needed: tuple[str, ...] = ()


def try_out(short_name: str, parameters: dict[str, Parameter]) -> TrialResult:
    """Play a game briefly under `parameters` in a process of its own."""
    command = [sys.executable, "-I", "-S", "-c", _START.format(path=sys.path)]
    try:
        ran = subprocess.run(  # noqa: S603 (our own code; the parameters come by its input)
            command,
            input=json.dumps([short_name, parameters]),
            capture_output=True,
            text=True,
            timeout=_PATIENCE_S,
        )
    except subprocess.TimeoutExpired:
        return TrialResult(f"it did not get going within {_PATIENCE_S:g} s")
    except OSError as error:
        return TrialResult(f"no process to try it in: {error.strerror}")
    if ran.returncode < 0:
        return TrialResult("OpenSpiel crashes")
    try:
        # OpenSpiel may print something before it.
        answer = json.loads(ran.stdout.rpartition("\n")[2])
        return TrialResult(answer["fault"], tuple(answer["needed"]))
    except ValueError:
        return TrialResult("OpenSpiel can't be tried")


def main() -> None:
    """Try the game on the standard input, and write the result."""
    _limit(resource.RLIMIT_AS, _MEMORY)
    _limit(resource.RLIMIT_CORE, 0)
    short_name, parameters = json.load(sys.stdin)
    fault, needed = "", []
    try:
        pyspiel = importlib.import_module("pyspiel")
        game = pyspiel.load_game(short_name, parameters)
        fault = _play(game)
        if not fault:
            needed = _needed(pyspiel, short_name, parameters)
    except MemoryError:
        fault = "it takes too much memory"
    except (TypeError, UnicodeDecodeError):
        fault = "OpenSpiel can't write its moves"
    except Exception as error:
        # OpenSpiel's errors start with a line of its source: keep only the rest.
        lines = _PLACE.sub("", str(error)).strip().splitlines() or [type(error).__name__]
        fault = lines[0][:160]
    sys.stdout.write("\n" + json.dumps({"fault": fault, "needed": needed}))


def _limit(which: int, most: int) -> None:
    hard = resource.getrlimit(which)[1]
    most = most if hard == resource.RLIM_INFINITY else min(most, hard)
    # macOS bounds no address space.
    with suppress(ValueError, OSError):
        resource.setrlimit(which, (most, most))


def _play(game: Any) -> str:
    """Play random matches for a moment; return the fault found, or ''."""
    if game.num_players() < 2:
        return "one seat"
    if game.new_initial_state().is_terminal():
        return "it is over before the first move"
    source = random.Random(0)
    deadline = time.monotonic() + _WALKING_S
    for _ in range(_WALKS):
        state = game.new_initial_state()
        for _ in range(_PLIES):
            if state.is_terminal() or time.monotonic() > deadline:
                break
            fault = _step(state, source)
            if fault:
                return fault
        returns = state.returns() if state.is_terminal() else []
        if not all(game.min_utility() <= each <= game.max_utility() for each in returns):
            return "utilities out of OpenSpiel's own bounds"
    return ""


def _step(state: Any, source: random.Random) -> str:
    moves = state.legal_actions()
    if not moves:
        return "positions without a move that are not over"
    for move in moves:
        state.action_to_string(state.current_player(), move)
    str(state)
    state.apply_action(source.choice(moves))
    return ""


def _needed(pyspiel: Any, short_name: str, parameters: dict[str, Parameter]) -> list[str]:
    """List the parameters without which the game would be another."""
    kinds = {kind.short_name: kind for kind in pyspiel.registered_games()}
    defaults = kinds[short_name].parameter_specification

    def in_effect(chosen: dict[str, Parameter]) -> object:
        try:
            return {**defaults, **pyspiel.load_game(short_name, chosen).get_parameters()}
        except RuntimeError:
            return None

    wanted = in_effect(parameters)
    needed = dict(parameters)
    for name in parameters:
        rest = {other: value for other, value in needed.items() if other != name}
        if in_effect(rest) == wanted:
            needed = rest
    return list(needed)
