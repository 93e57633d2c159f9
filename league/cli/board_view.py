"""A board on a terminal: coloured pieces, the last move, and a mouse on its squares."""

import re
from collections.abc import Collection, Iterable
from dataclasses import dataclass

from rich.style import Style
from rich.text import Text
from textual.events import Click
from textual.geometry import Size
from textual.message import Message

from games.support.game import State
from games.support.look import Look
from games.support.printable import printable
from league.cli.textual_app import PlainText
from league.render.text.board_grid import Square, SquareGrid, changed, grid_of

LAST, CHOSEN = "#c08a1e", "#2f6fb5"
MARKED = "#ffffff"
_STONE = re.compile(r"\b([XO])\b")
COLUMNS_MIN = 24
"""Below a narrow board most lines that say who moves have room so."""


@dataclass(frozen=True, slots=True)
class BoardSize:
    """The room that every position of a match needs."""

    columns: int
    lines: int

    @classmethod
    def of(cls, states: Iterable[State]) -> "BoardSize":
        """Measure positions."""
        columns = lines = 0
        for state in states:
            drawn = state.render().splitlines()
            # A line that says who moves stands below most boards: it may fold, the board may not.
            grid = grid_of(drawn)
            lines = max(lines, len(drawn))
            columns = max(columns, grid.right, *map(len, drawn[: grid.rows + 1]), COLUMNS_MIN)
        return cls(columns, lines)

    def too_small(self, size: Size, frame_lines: int) -> str:
        """Say what a screen lacks for the board and so many lines around it; '' for nothing."""
        columns, lines = self.columns, self.lines + frame_lines
        if size.width >= columns and size.height >= lines:
            return ""
        here = f"{size.width}×{size.height}"
        return f"too small: the board needs a terminal of {columns}×{lines}, this one has {here}"


class BoardView(PlainText):
    """Shows positions; says `Pressed` when a square is."""

    class Pressed(Message):
        """The square that was pressed."""

        def __init__(self, square: Square) -> None:
            super().__init__()
            self.square = square

    def __init__(self, name: str = "board") -> None:
        super().__init__(name)
        self.grid = SquareGrid(0, (), 1)

    def show(
        self, state: State, before: State | None = None, chosen: Collection[Square] = ()
    ) -> None:
        """Draw a position, with what the move from `before` changed, and the chosen squares."""
        text = printable(state.render(), keep_lines=True)
        self.grid = grid_of(text.splitlines())
        marks = dict.fromkeys(changed(before.render(), text) if before else (), LAST)
        marks |= dict.fromkeys(chosen, CHOSEN)
        self.update(painted(text, state.game.look, marks))

    def on_click(self, event: Click) -> None:
        """Tell the square that was pressed."""
        square = self.grid.square_at(event.y, event.x)
        if square is not None:
            self.post_message(self.Pressed(square))


def painted(text: str, look: Look, marks: dict[Square, str]) -> Text:
    """Return a board in colours, with some squares on a background of their own."""
    lines = text.splitlines()
    grid = grid_of(lines)
    drawn = Text(no_wrap=False)
    for row, line in enumerate(lines):
        if row < grid.rows:
            drawn.append_text(_row(line, row, grid, look, marks))
        else:
            drawn.append_text(_told(line, look, is_heading=row == grid.rows and grid.step > 1))
        drawn.append("\n")
    drawn.right_crop(1)
    return drawn


def _row(line: str, row: int, grid: SquareGrid, look: Look, marks: dict[Square, str]) -> Text:
    drawn = Text(line.ljust(grid.right), no_wrap=True)
    for number, column in enumerate(grid.columns):
        begin = column - grid.left
        shade = look.dark if (row + number) % 2 else look.light
        back = marks.get((row, column), shade)
        if back:
            drawn.stylize(Style(bgcolor=back, color=MARKED), begin, begin + grid.step)
        sign, colour = look.glyphs.get(drawn.plain[column], (drawn.plain[column], ""))
        if sign != drawn.plain[column]:
            spans = drawn.spans
            drawn = Text(drawn.plain[:column] + sign + drawn.plain[column + 1 :], no_wrap=True)
            drawn.spans = spans
        if colour:
            drawn.stylize(Style(color=colour, bold=True), column, column + 1)
    return drawn


def _told(line: str, look: Look, *, is_heading: bool) -> Text:
    """Return a line below a board, where the signs of stones look like on the board."""
    if is_heading:
        return Text(line, style="dim")
    drawn = Text()
    for part in _STONE.split(line):
        glyph, colour = look.glyphs.get(part, (part, "")) if part in ("X", "O") else (part, "")
        back = look.dark if colour and look.dark else None
        drawn.append(glyph, Style(color=colour or None, bgcolor=back))
    return drawn
