"""The real command on a terminal of its own, driven key by key."""

import os
import re
import select
import subprocess
import sys
import termios
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from tests.processes import is_computing
from tests.waiting import PATIENCE_S

IDLE_S = 0.3
"""A command that sleeps for so long has drawn all that it has to draw."""

FULL, LEFT = "\x1b[?1049h", "\x1b[?1049l"
_CONTROL = re.compile(r"\x1b(?:\[([0-?]*)[ -/]*([@-~])|[=>78]|[\]P_^][^\x07\x1b]*(?:\x07|\x1b\\))")
_START = (
    "import fcntl, termios; fcntl.ioctl(0, termios.TIOCSCTTY, 0); {patch}; "
    "from league.cli.main import main; main()"
)


class Terminal:
    """A pseudo-terminal with `league` in it; what it wrote is kept in `output`."""

    def __init__(self, folder: Path, arguments: tuple[str, ...], patch: str) -> None:
        self.output = ""
        self._size = (80, 24)
        self._was_full = False
        self._own, other = os.openpty()
        termios.tcsetwinsize(other, (24, 80))
        self.before = termios.tcgetattr(other)
        self._other = other
        self.process = subprocess.Popen(
            [sys.executable, "-c", _START.format(patch=patch), *arguments],
            cwd=folder,
            stdin=other,
            stdout=other,
            stderr=other,
            start_new_session=True,
            env={**os.environ, "TERM": "xterm-256color", "COLUMNS": "77"},
        )

    def press(self, keys: str) -> None:
        """Send keys as a terminal does."""
        os.write(self._own, keys.encode())

    def resize(self, columns: int, rows: int) -> None:
        """Make the terminal another size."""
        self._size = (columns, rows)
        termios.tcsetwinsize(self._other, (rows, columns))

    def screen(self) -> str:
        """Return what is on the screen, without colours; all output where it is not all taken."""
        if self.output.rfind(LEFT) >= self.output.rfind(FULL) and not self._is_full:
            return _CONTROL.sub("", self.output.rpartition(LEFT)[2]).replace("\r", "")
        return drawn(self.output.rpartition(FULL)[2], *self._size)

    @property
    def _is_full(self) -> bool:
        """Whether the screen was taken before the output that is kept began."""
        return self._was_full and LEFT not in self.output

    def see(self, *patterns: str) -> str:
        """Wait until all of these are on the screen, and return the screen."""
        deadline = time.monotonic() + PATIENCE_S
        for pattern in patterns:
            while not re.search(pattern, self.screen()):
                assert time.monotonic() < deadline, f"no {pattern!r} in:\n{self.screen()}"
                assert self._read(0.1) or self.process.poll() is None, self.output
        return self.screen()

    def settle(self, *, is_awaited: bool = True) -> str:
        """Return what the command writes before it sleeps; wait for its beginning `is_awaited`."""
        if is_awaited:
            assert self._read(PATIENCE_S)
        quiet_since = time.monotonic()
        while time.monotonic() - quiet_since < IDLE_S:
            if self._read(0.01) or is_computing(self.process.pid):
                quiet_since = time.monotonic()
        output, self.output = self.output, ""
        return output

    def end(self, key: str = "") -> int:
        """Wait for the command's end and return its exit code.

        Press `key` once a second until then, as a person does: between the prompt and the wait for
        what is typed, Python lets an interrupt pass.
        """
        deadline = time.monotonic() + PATIENCE_S
        pressed_at = 0.0
        while self.process.poll() is None:
            assert time.monotonic() < deadline, f"still there:\n{self.screen()}"
            if key and time.monotonic() - pressed_at > 1:
                self.press(key)
                pressed_at = time.monotonic()
            self._read(0.05)
        while self._read(0.05):
            pass
        return self.process.returncode

    @property
    def is_restored(self) -> bool:
        """Whether the terminal is as it was: echo, lines, the first screen, the cursor."""
        was_full = "\x1b[?1049h" in self.output
        left = self.output.rfind("\x1b[?1049l") > self.output.rfind("\x1b[?1049h")
        shown = self.output.rfind("\x1b[?25h") >= self.output.rfind("\x1b[?25l")
        return termios.tcgetattr(self._other) == self.before and shown and (left or not was_full)

    def close(self) -> None:
        """End the command and the terminal."""
        self.process.kill()
        self.process.wait()
        os.close(self._own)
        os.close(self._other)

    def _read(self, timeout_s: float) -> bool:
        if not select.select([self._own], [], [], timeout_s)[0]:
            return False
        self.output += os.read(self._own, 65536).decode("utf-8", "replace")
        self._was_full |= FULL in self.output
        return True


def drawn(output: str, columns: int, rows: int, *, is_strict: bool = False) -> str:
    """Return the lines of a screen of that size after some output.

    What lies outside it is cut off, as terminals do; that fails where it `is_strict`.
    """
    cells = [[" "] * columns for _ in range(rows)]
    x = y = end = 0
    for control in [*_CONTROL.finditer(output), None]:
        for each in output[end : control.start() if control else None]:
            if each == "\r":
                x = 0
            elif each == "\n":
                y += 1
            elif each.isprintable():
                is_inside = x < columns and y < rows
                assert is_inside or not is_strict, f"{each!r} in line {y}, column {x}"
                if is_inside:
                    cells[y][x] = each
                x += 1
        if control is None:
            break
        end = control.end()
        numbers = [
            int(each or 1) for each in (control[1] or "").split(";") if each.isdigit() or not each
        ]
        if control[2] == "H":
            y, x = (numbers[0] - 1, numbers[1] - 1) if len(numbers) == 2 else (0, 0)
        elif control[2] == "J":
            cells = [[" "] * columns for _ in range(rows)]
        elif control[2] == "K":
            cells[y][x:] = [" "] * (columns - x)
    return "\n".join("".join(line).rstrip() for line in cells)


@contextmanager
def on_terminal(folder: Path, *arguments: str, patch: str = "pass") -> Iterator[Terminal]:
    """Start `league` on a terminal of 80 by 24; `patch` is run in its process before."""
    terminal = Terminal(folder, arguments, patch)
    try:
        yield terminal
    finally:
        terminal.close()
