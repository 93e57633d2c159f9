"""Output of the commands: clean text, tables that fit, JSON."""

import os
import shutil
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import click

from games.support.printable import printable
from league.cli.own_command import as_typed
from league.render.text.table import WIDTH, Block, Table, folded, text_of

if TYPE_CHECKING:
    from league.api.answer import Answer, Shown


def print_json(value: Any) -> None:
    """Print a document, or some in lists and objects; the same shape whatever the terminal.

    Half a surrogate pair, which a bot may tell and UTF-8 can't hold, is written as its escape.
    """
    from league.interchange.documents.document import json_text

    click.echo(json_text(value, indent=2).encode("utf-8", "backslashreplace").decode())


def confirm(question: str) -> None:
    """Ask a question; without a yes the command ends."""
    try:
        click.confirm(printable(question), abort=True, err=True)
    except click.Abort:
        if sys.stdin.isatty():
            raise
        raise click.UsageError("nobody answered: give --yes") from None


def print_table(
    head: Sequence[str],
    rows: Iterable[Sequence[object]],
    right: Sequence[str] = (),
    title: str = "",
) -> None:
    """Print rows under their heads, numbers (`right`) flush right."""
    show([Table(head, list(rows), right, title)])


def print_answer(answer: "Shown", as_json: bool) -> None:
    """Print an answer of the league as JSON, or as tables and lines."""
    if as_json:
        print_json(answer.to_dict())
    else:
        show(answer.blocks())


def print_some(answer: "Answer[Any]", as_json: bool) -> None:
    """Print an answer as `print_answer` does; raise `SetupError` if there is nothing in it."""
    from league.model.errors import SetupError

    if not answer.value:
        raise SetupError(str(answer))
    print_answer(answer, as_json)


def show(blocks: Iterable[Block]) -> None:
    """Print tables and lines; a table folds at the width of the terminal, and not in a pipe."""
    typed = (as_typed(each) if isinstance(each, str) else each for each in blocks)
    click.echo(text_of(typed, _width() if sys.stdout.isatty() else WIDTH))


def _width() -> int:
    from rich.console import Console

    return Console().width


@contextmanager
def reading_progress() -> Iterator[Callable[[str], None]]:
    """Yield what tells a person at a terminal, in a line that goes away, how far reading is."""
    if not sys.stderr.isatty():
        # To import what draws takes as long as a short command.
        yield lambda text: None
        return
    from rich.console import Console
    from rich.progress import Progress, TextColumn

    column = TextColumn("{task.description}", markup=False)
    with Progress(column, console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task("reading")
        yield lambda text: bar.update(task, description=printable(text))


@contextmanager
def counting(doing: str) -> Iterator[Callable[[int, int], None]]:
    """Yield what tells a person at a terminal, in a bar that goes away, how much of all is done."""
    if not sys.stderr.isatty():
        yield lambda done, total: None
        return
    from rich.console import Console
    from rich.progress import Progress

    with Progress(console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task(doing)
        yield lambda done, total: bar.update(task, completed=done, total=total)


def is_interactive() -> bool:
    """Whether a whole screen can be drawn here, and keys be read."""
    streams = (sys.stdin, sys.stdout)
    is_terminal = all(stream is not None and stream.isatty() for stream in streams)
    return is_terminal and os.environ.get("TERM") != "dumb"


@contextmanager
def usage_errors() -> Iterator[None]:
    """Turn a `SetupError` into an error of usage: the options of this call are wrong."""
    from league.model.errors import SetupError

    try:
        yield
    except SetupError as error:
        raise click.UsageError(str(error)) from None


def note(text: str) -> None:
    """Say something beside the result: on standard error, so that pipes stay clean."""
    width = shutil.get_terminal_size().columns if sys.stderr.isatty() else WIDTH
    click.echo(folded(printable(as_typed(text), keep_lines=True), width), err=True)
