"""What the commands print with: clean text, tables that fit, JSON."""

import json
import os
import sys
import unicodedata
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any

import click


def clean(text: str, keep_lines: bool = False) -> str:
    """Return `text` with all that a terminal would obey written out as an escape.

    Control, format (bidirectional marks, zero widths) and unassigned characters of the wrong kind
    become escapes that can be read; line breaks survive where `keep_lines`.
    """
    return "".join(
        each
        if (keep_lines and each == "\n") or unicodedata.category(each) not in _OBEYED
        else each.encode("unicode_escape", "backslashreplace").decode()
        for each in text
    )


def cut(text: str, most: int) -> str:
    """Return a text of at most so many characters, an ellipsis at its end where it was longer."""
    return text if len(text) <= most else f"{text[: most - 1]}…"


PIPE_WIDTH = 1000
"""Nothing folds in a pipe: a table is as wide as it needs to be."""

_OBEYED = {"Cc", "Cf", "Cs", "Co", "Zl", "Zp"}


def print_json(value: Any) -> None:
    """Print a document, or some in lists and objects; the same shape whatever the terminal.

    Half a surrogate pair, which a bot may tell and UTF-8 can't hold, is written as its escape.
    """
    from league.interchange.documents.document import to_dict

    text = json.dumps(value, indent=2, ensure_ascii=False, default=to_dict)
    click.echo(text.encode("utf-8", "backslashreplace").decode())


def print_table(
    head: Sequence[str],
    rows: Iterable[Sequence[object]],
    right: Sequence[str] = (),
    title: str = "",
) -> None:
    """Print rows under their heads, numbers (`right`) flush right; at 80 columns in a pipe."""
    from rich import box
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    table = Table(
        box=box.SIMPLE_HEAD, title=clean(title) or None, title_justify="left", pad_edge=False
    )
    for name in head:
        table.add_column(Text(name), justify="right" if name in right else "left", overflow="fold")
    for row in rows:
        table.add_row(*(Text(clean(str(cell))) for cell in row))
    Console(markup=False, highlight=False, width=None if sys.stdout.isatty() else PIPE_WIDTH).print(
        table
    )


@contextmanager
def reading_progress() -> Iterator[Callable[[str], None]]:
    """Yield what tells a person at a terminal, in a line that goes away, how far reading is."""
    from rich.console import Console
    from rich.progress import Progress, TextColumn

    with Progress(
        TextColumn("{task.description}"),
        console=Console(stderr=True),
        disable=not sys.stderr.isatty(),
        transient=True,
    ) as bar:
        task = bar.add_task("reading")
        yield lambda text: bar.update(task, description=text)


def is_interactive() -> bool:
    """Whether a whole screen can be drawn here, and keys be read."""
    streams = (sys.stdin, sys.stdout)
    is_terminal = all(stream is not None and stream.isatty() for stream in streams)
    return is_terminal and os.environ.get("TERM") != "dumb"


def note(text: str) -> None:
    """Say something beside the result: on standard error, so that pipes stay clean."""
    click.echo(clean(text, keep_lines=True), err=True)
