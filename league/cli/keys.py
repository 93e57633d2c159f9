"""Reading single keys from a terminal, which is as it was before once that is over."""

import os
import re
import select
import signal
import termios
import tty
from types import FrameType, TracebackType
from typing import Self

ESCAPE_S = 0.05
"""How long the rest of an arrow key may take; what comes alone is the Escape key."""

CHUNK = 1024

# An escape sequence ends at its first letter or tilde (ECMA-48, section 5.4; SS3 for keypads).
_SEQUENCE = re.compile(rb"\x1b(?:\[[0-?]*[ -/]*[@-~]|O.)", re.DOTALL)
_UNFINISHED = re.compile(rb"\x1b(?:\[[0-?]*[ -/]*|O)?")
_LETTERS = {"A": "up", "B": "down", "C": "right", "D": "left", "H": "home", "F": "end"}
_NUMBERS = {"1": "home", "7": "home", "4": "end", "8": "end", "5": "page up", "6": "page down"}
_CONTROLS = {"\x1b": "escape", "\r": "enter", "\n": "enter", "\x04": "end of input"}


class Keyboard:
    """The keys of the terminal at `descriptor`, one by one, while the `with` statement lasts.

    Ctrl-C raises KeyboardInterrupt as ever, and so does a SIGTERM or a SIGHUP, so that whoever
    draws on the screen can tidy up.
    """

    def __init__(self, descriptor: int = 0) -> None:
        self._descriptor = descriptor
        self._buffer = b""

    def __enter__(self) -> Self:
        self._before = termios.tcgetattr(self._descriptor)
        self._handlers = {
            number: signal.signal(number, _interrupt) for number in (signal.SIGTERM, signal.SIGHUP)
        }
        tty.setcbreak(self._descriptor)
        # A Ctrl-Z would leave the shell with a terminal that does not echo.
        mode = termios.tcgetattr(self._descriptor)
        mode[6][termios.VSUSP] = b"\0"
        termios.tcsetattr(self._descriptor, termios.TCSANOW, mode)
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        for number, handler in self._handlers.items():
            signal.signal(number, handler)
        try:
            termios.tcsetattr(self._descriptor, termios.TCSADRAIN, self._before)
        except termios.error:
            # The terminal itself is gone.
            return

    def read(self, timeout_s: float) -> str:
        """Return the next key, '' when none comes in time or it is none that has a name.

        A character is itself; the others are 'left', 'right', 'up', 'down', 'home', 'end',
        'page up', 'page down', 'enter', 'escape', and 'end of input' for a Ctrl-D or a terminal
        that is gone.
        """
        if not self._buffer and not self._fill(timeout_s):
            return ""
        while _UNFINISHED.fullmatch(self._buffer) and self._fill(ESCAPE_S):
            pass
        sequence = _SEQUENCE.match(self._buffer)
        if sequence:
            self._buffer = self._buffer[sequence.end() :]
            return _name(sequence[0].decode("ascii", "replace"))
        text = self._buffer.decode("utf-8", "replace")
        self._buffer = text[1:].encode("utf-8", "replace")
        return _CONTROLS.get(text[0], text[0])

    def _fill(self, timeout_s: float) -> bool:
        if not select.select([self._descriptor], [], [], timeout_s)[0]:
            return False
        try:
            data = os.read(self._descriptor, CHUNK)
        except OSError:
            data = b""
        self._buffer += data or b"\x04"
        return True


def _name(sequence: str) -> str:
    last = sequence[-1]
    if last == "~":
        return _NUMBERS.get(sequence[2:-1].partition(";")[0], "")
    return _LETTERS.get(last, "")


def _interrupt(number: int, frame: FrameType | None) -> None:
    raise KeyboardInterrupt
