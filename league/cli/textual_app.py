"""The base of the commands' screens; imports Textual, which is slow."""

import asyncio
import os
import signal
from typing import ClassVar

from rich.text import Text
from textual.app import App
from textual.binding import Binding, BindingType
from textual.events import Key
from textual.widgets import Static

from games.support.printable import printable

INTERRUPTED = 130
_NAMES = {"pageup": "page up", "pagedown": "page down", "space": " ", "ctrl+d": "end of input"}

STYLE = """
Screen { background: ansi_default; color: ansi_default; }
Static { background: ansi_default; color: ansi_default; }
.head { height: 1; text-style: bold reverse; }
.dim { height: 1; text-style: dim; }
DataTable { background: ansi_default; color: ansi_default; height: 1fr; }
.datatable--header, .datatable--cursor { background: ansi_default; color: ansi_default; }
DataTable > .datatable--header { text-style: dim; }
DataTable > .datatable--cursor { text-style: reverse; }
DataTable > .datatable--hover { background: ansi_default; }
* {
  scrollbar-size: 1 1;
  scrollbar-color: ansi_blue; scrollbar-color-hover: ansi_blue; scrollbar-color-active: ansi_blue;
  scrollbar-background: ansi_default; scrollbar-background-hover: ansi_default;
  scrollbar-background-active: ansi_default; scrollbar-corner-color: ansi_default;
}
Bar > .bar--bar, Bar > .bar--complete { color: ansi_blue; background: ansi_bright_black; }
Bar > .bar--indeterminate { color: ansi_blue; background: ansi_bright_black; }
"""


class PlainText(Static):
    """A widget of text; nothing in it is markup, and no control character survives."""

    def __init__(self, name: str, classes: str = "") -> None:
        super().__init__("", id=name, classes=classes, markup=False)

    def say(self, text: str, keep_lines: bool = False) -> None:
        """Show a text."""
        self.update(Text(printable(text, keep_lines=keep_lines)))


class LeagueApp(App[None]):
    """An application that leaves the terminal as it was, however it ends."""

    CSS = STYLE
    ENABLE_COMMAND_PALETTE = False
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("ctrl+c", "interrupt", show=False, priority=True)
    ]

    def __init__(self) -> None:
        super().__init__(ansi_color=True)

    def on_mount(self) -> None:
        """End like Ctrl-C where the system asks for that, or the terminal is gone."""
        loop = asyncio.get_running_loop()
        for number in (signal.SIGTERM, signal.SIGHUP):
            loop.add_signal_handler(number, self.action_interrupt)

    def action_interrupt(self) -> None:
        """End, so that `run` raises KeyboardInterrupt."""
        self.exit(return_code=INTERRUPTED)


def run(app: LeagueApp) -> None:
    """Run an application to its end; raise KeyboardInterrupt or SystemExit where it was cut off."""
    for name in ("COLUMNS", "LINES"):
        # Textual would believe an exported size, which no resize changes.
        os.environ.pop(name, None)
    app.run()
    if app.return_code == INTERRUPTED:
        raise KeyboardInterrupt
    if app.return_code:
        raise SystemExit(app.return_code)


def name_of(event: Key) -> str:
    """Return what a key is called here: a character is itself, others have words."""
    if event.key in _NAMES:
        return _NAMES[event.key]
    return event.character if event.character and event.is_printable else event.key
