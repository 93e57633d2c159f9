"""Creating a bot from its spec, inside the bot's own process."""

import ast
import importlib
import inspect
import sys
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from types import ModuleType
from typing import Any, NamedTuple

from bots.support.bot import Bot, Clock, FunctionBot
from bots.support.specs import is_built_in, make_bot
from games.support.errors import InputError, OptionError, suggestion
from games.support.game import Game, Move, State
from games.support.options import options_of, parse_options
from games.support.references import import_file, split_reference
from league.seats.python.own_code import OwnCode


class LoadFailure(Exception):
    """The bot can't be created; the text says where in its source, and why."""


class Loaded(NamedTuple):
    """A bot, and what its author should know about how it was loaded; '' for nothing."""

    bot: Bot
    note: str = ""


def load_bot(
    spec: str, options: Mapping[str, str], files: Sequence[str], folder: Path | None
) -> Loaded:
    """Create the bot that `spec` names; raise `LoadFailure`.

    `spec` is a catalogue name, a file (its `files` lie in `folder`, its own first), or a module.
    """
    target, name = split_reference(spec)
    own = folder / files[0] if folder is not None and files else None
    source = own.read_bytes() if own else b""
    is_for_pacman = b"getAction" in source
    if is_for_pacman:
        _offer_pacman()
    is_of_axelrod = own is None and target.partition(".")[0] == _AXELROD
    if is_of_axelrod or _AXELROD.encode() in source:
        _offer_axelrod(is_needed=is_of_axelrod)
    try:
        if own is not None:
            sys.path.insert(0, str(folder))
            module = import_file(own, own.stem)
        elif is_built_in(target):
            return Loaded(make_bot(target, options))
        else:
            module = importlib.import_module(target)
    except InputError as error:
        raise LoadFailure(str(error)) from None
    except MemoryError:
        raise
    except BaseException as error:
        # A bot's file may raise anything at import, even SystemExit and its own BaseExceptions.
        raise LoadFailure(_where(error, folder)) from error
    if is_for_pacman and (found := _pacman_agent(module, name)):
        return _pacman_bot(found, options, folder)
    if _AXELROD in sys.modules and (found := _strategy(module, name)):
        return _strategy_bot(found, options, folder)
    if own is not None:
        agent = _agent_bot(module, own, name, options)
        if agent is not None:
            return agent
    return Loaded(_make(_find(module, name), options, folder))


def _agent_bot(
    module: ModuleType, path: Path, name: str, options: Mapping[str, str]
) -> Loaded | None:
    """Return a bot for the Kaggle agent of a file; None if it has one of the league's bots."""
    try:
        found = _find(module, name)
    except LoadFailure:
        found = None
    if found is not None and (not name or not inspect.isroutine(found)):
        return None
    # Imported late: it loads games, and most bots are no Kaggle agents.
    from league.seats.python.kaggle import (  # noqa: PLC0415
        Agent,
        KaggleBot,
        agent_of,
        note_on,
    )

    agent = agent_of(module, name)
    if agent is None:
        return None
    _refuse_options(options)

    def again() -> Agent:
        return agent_of(import_file(path, path.stem), name) or agent

    return Loaded(KaggleBot(agent, again), "" if name else note_on(module, agent))


def _offer_pacman() -> None:
    """Let an agent of Berkeley's Pacman projects import their modules."""
    from league.seats.python.berkeley.agent_bot import offer_modules  # noqa: PLC0415

    offer_modules()


def _pacman_agent(module: ModuleType, name: str) -> Any:
    """Return the class of the Pacman agent of a file; None if it has none, or a bot of ours."""
    from league.seats.python.berkeley.agent_bot import is_agent  # noqa: PLC0415

    return _class_of(module, name, is_agent, "getAction")


def _class_of(module: ModuleType, name: str, is_kind: Callable[[object], bool], method: str) -> Any:
    """Return the class of that name or kind; None if there is none, or a bot of ours.

    Without a name it is the only class of that kind in the file that defines the method.
    """
    if name:
        named = getattr(module, name, None)
        return named if is_kind(named) else None
    if any(hasattr(module, usual) for usual in _USUAL):
        return None
    own = [
        each
        for each in vars(module).values()
        if is_kind(each) and each.__module__ == module.__name__ and method in vars(each)
    ]
    if len(own) > 1:
        raise _several(module, own)
    return own[0] if own else None


def _pacman_bot(found: Any, options: Mapping[str, str], folder: Path | None) -> Loaded:
    from league.seats.python.berkeley.agent_bot import AgentBot  # noqa: PLC0415

    return Loaded(AgentBot(_constructed(found, options, folder)))


_AXELROD = "axelrod"
"""The package of Axelrod-Python's strategies."""


def _offer_axelrod(*, is_needed: bool) -> None:
    """Let the strategies of Axelrod-Python be imported; raise `LoadFailure` if they are needed.

    A file may only speak of them.
    """
    from league.seats.python.axelrod_bot import MISSING, offer_package  # noqa: PLC0415

    try:
        offer_package()
    except ImportError:
        if is_needed:
            raise LoadFailure(MISSING) from None


def _strategy(module: ModuleType, name: str) -> Any:
    """Return the class of a strategy of Axelrod-Python; None if it has none, or a bot of ours."""
    from league.seats.python.axelrod_bot import is_strategy  # noqa: PLC0415

    return _class_of(module, name, is_strategy, "strategy")


def _strategy_bot(found: Any, options: Mapping[str, str], folder: Path | None) -> Loaded:
    from league.seats.python.axelrod_bot import (  # noqa: PLC0415
        AxelrodBot,
        maker_of,
        refusal_of,
    )

    player = _constructed(maker_of(found), options, folder)
    if refusal := refusal_of(player):
        raise LoadFailure(refusal)
    return Loaded(AxelrodBot(player))


_USUAL = ("BOT", "choose")
"""The names under which a file hands out a bot."""


def _several(module: ModuleType, own: Sequence[type]) -> LoadFailure:
    names = ", ".join(each.__name__ for each in own)
    return LoadFailure(f"{module.__name__} has several bots ({names}): name one, FILE:NAME")


def _find(module: ModuleType, name: str) -> Any:
    if name:
        found = getattr(module, name, None)
        if found is None:
            known = [each for each in dir(module) if not each.startswith("_")]
            raise LoadFailure(f"{module.__name__} has no {name!r}{suggestion(name, known)}")
        return found
    for usual in _USUAL:
        if hasattr(module, usual):
            return getattr(module, usual)
    own = [
        each
        for each in vars(module).values()
        if inspect.isclass(each)
        and each.__module__ == module.__name__
        and callable(getattr(each, "choose", None))
    ]
    if len(own) == 1:
        return own[0]
    if own:
        raise _several(module, own)
    raise LoadFailure(
        f"{module.__name__} has no bot: define choose(state, clock), "
        "or a class with a method choose(self, state, clock), or agent(observation, configuration)"
    )


def _make(found: Any, options: Mapping[str, str], folder: Path | None) -> Bot:
    if inspect.isclass(found):
        bot = _constructed(found, options, folder)
        _check_self(found)
        _check_signature(getattr(bot, "choose", None), found.__name__)
        return bot if isinstance(bot, Bot) else _Adapted(bot)
    _refuse_options(options)
    _check_signature(found, "the bot")
    return FunctionBot(found)


def _constructed(found: Callable[..., Any], options: Mapping[str, str], folder: Path | None) -> Any:
    """Return an object of a user's class, or of a function that makes one; raise `LoadFailure`."""
    try:
        return found(**_typed(found, options))
    except OptionError as error:
        raise LoadFailure(str(error)) from None
    except MemoryError:
        raise
    except BaseException as error:
        raise LoadFailure(_where(error, folder)) from error


def _refuse_options(options: Mapping[str, str]) -> None:
    if options:
        raise LoadFailure(f"a function takes no options, and got {', '.join(options)}")


def _typed(found: Callable[..., Any], options: Mapping[str, str]) -> dict[str, object]:
    declared = options_of(found) if inspect.isclass(found) else ()
    if declared:
        return parse_options(declared, options, found.__name__)
    parameters = inspect.signature(found).parameters
    values: dict[str, object] = {}
    for name, text in options.items():
        if name not in parameters:
            known = ", ".join(parameters) or "none"
            raise OptionError(f"unknown option {name!r} of {found.__name__} (known: {known})", name)
        values[name] = _literal(text)
    return values


def _literal(text: str) -> object:
    try:
        return ast.literal_eval(text)
    except (ValueError, SyntaxError):
        return text


def _check_self(found: type) -> None:
    """Raise `LoadFailure` for a method that has the parameters of a function."""
    choose = vars(found).get("choose")
    if inspect.isfunction(choose) and list(inspect.signature(choose).parameters)[:1] == ["state"]:
        raise LoadFailure(
            f"choose in class {found.__name__} lacks self: write def choose(self, state, clock)"
        )


def _check_signature(choose: Any, owner: str) -> None:
    if not callable(choose):
        raise LoadFailure(f"{owner} has no choose(state, clock) to call")
    try:
        signature = inspect.signature(choose)
    except (TypeError, ValueError):
        return
    try:
        signature.bind("state", "clock")
    except TypeError:
        raise LoadFailure(
            f"choose{signature} can't be called as choose(state, clock): "
            "it must take the position and the clock"
        ) from None


class _Adapted(Bot):
    """A user's object that has `choose` but not the base class."""

    def __init__(self, inner: Any) -> None:
        self._inner = inner

    @property
    def prepares(self) -> bool:
        """Whether the user's object has `new_match`."""
        return hasattr(self._inner, "new_match")

    def new_match(self, game: Game, seat: int, seed: int) -> None:
        """Forward to the user's object if it has this method."""
        if hasattr(self._inner, "new_match"):
            self._inner.new_match(game, seat, seed)

    def choose(self, state: State, clock: Clock) -> Move:
        """Forward to the user's object, and copy its report."""
        move = self._inner.choose(state, clock)
        self.report = getattr(self._inner, "report", None)
        return move


def _where(error: BaseException, folder: Path | None) -> str:
    return OwnCode(folder).load_fault(error)
