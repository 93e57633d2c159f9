"""A bot's own code: which files it has, and what its errors mean in one line."""

import builtins
import linecache
import pkgutil
import re
import sys
import traceback
from collections.abc import Iterable, Sequence
from pathlib import Path
from types import FrameType

from games.support.errors import nearest
from games.support.game import State
from games.support.references import place_of

_ERROR_MAX = 300
"""The most characters of an error's own text, so that its line and the advice have room."""

_UNCALLED = re.compile(r"\b(\w+)\.(\w+)\b(?!\s*\()")
_LACKS_SELF = re.compile(r"\b\w+\.(\w+)\(\) takes (\d+) positional arguments? but (\d+) w")


class OwnCode:
    """The files of a bot: those in its folder, or the module that it is."""

    def __init__(self, folder: Path | None, module: str = "") -> None:
        self._place = f"{folder}/" if folder else ""
        self._module = module

    def has(self, filename: str) -> bool:
        """Whether a file belongs to the bot."""
        if self._place:
            return filename.startswith(self._place)
        return filename == getattr(sys.modules.get(self._module), "__file__", None)

    def crash(self, error: BaseException) -> str:
        """Describe an error of a running bot: what, in which of its lines, and what to do."""
        frames = list(traceback.walk_tb(error.__traceback__))
        own = [each for each in frames if self.has(each[0].f_code.co_filename)] or frames
        text = f"{type(error).__name__}: {str(error)[:_ERROR_MAX]}"
        if not own:
            return text
        frame, line = own[-1]
        text += f" ({Path(frame.f_code.co_filename).name} line {line})"
        return _with_advice(text, _advice(error, frame, line))

    def load_fault(self, error: BaseException) -> str:
        """Describe an error while the bot loads, as `crash` does."""
        own = [
            each
            for each in traceback.walk_tb(error.__traceback__)
            if self.has(each[0].f_code.co_filename)
        ]
        return _with_advice(place_of(error, self.has), _advice(error, *own[-1]) if own else "")


def _with_advice(text: str, advice: str) -> str:
    return f"{text}: {advice}" if advice else text


def _advice(error: BaseException, frame: FrameType, line: int) -> str:
    """Say what to do about an error that beginners make, raised at a line of the bot; else ''."""
    if isinstance(error, ModuleNotFoundError) and error.name:
        return _about_module(error.name, frame.f_code.co_filename)
    if isinstance(error, AttributeError):
        return _meant(error.name, _names_of(error.obj))
    if isinstance(error, NameError):
        if error.name and hasattr(State, error.name):
            return f"write state.{error.name}"
        return _meant(error.name, [*frame.f_locals, *frame.f_globals, *dir(builtins)])
    if isinstance(error, RecursionError):
        return "a function calls itself without end"
    source = linecache.getlines(frame.f_code.co_filename)
    if isinstance(error, EOFError) and "input(" in "".join(source[line - 1 : line]):
        return "nobody answers input(): compute the move from state"
    if isinstance(error, TypeError):
        return _about_call(str(error), source, line)
    return ""


def _about_module(name: str, filename: str) -> str:
    top = name.partition(".")[0]
    known = {*sys.stdlib_module_names, *(each.name for each in pkgutil.iter_modules())}
    if close := nearest(top, known - {top}):
        return f"did you mean {close!r}?"
    beside = f"put {top}.py beside {Path(filename).name}"
    return f"install it where the league runs (pip install {top}), or {beside}"


def _about_call(text: str, source: Sequence[str], line: int) -> str:
    """Advise on a method that is used and not called, and on one without `self`."""
    if lacks := _LACKS_SELF.search(text):
        name, taken, given = lacks[1], int(lacks[2]), int(lacks[3])
        heads = re.findall(rf"def {name}\(\s*(\w*)", "".join(source))
        if given == taken + 1 and heads and "self" not in heads:
            return f"write self first, def {name}(self, ...)"
    if "method" in text:
        # The line that fails may use what an earlier one has forgotten to call.
        for code in ("".join(source[line - 1 : line]), "".join(source)):
            for owner, name in _UNCALLED.findall(code):
                if callable(getattr(State, name, None)):
                    return f"write {owner}.{name}(), with brackets"
    return ""


def _names_of(value: object) -> list[str]:
    return [name for name in dir(value) if not name.startswith("_")]


def _meant(name: str | None, known: Iterable[str]) -> str:
    close = nearest(name, known) if name else None
    return f"did you mean {close!r}?" if close else ""
