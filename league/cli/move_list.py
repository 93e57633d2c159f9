"""The list of moves beside a board: the ply that is shown is always among its lines."""

from collections.abc import Collection, Mapping, Sequence

from rich.cells import set_cell_size
from rich.text import Text
from textual.events import Click, MouseScrollDown, MouseScrollUp
from textual.message import Message
from textual.widget import Widget

from games.support.printable import cut
from league.render.text.replay import GAP, LEFT, widths_of
from league.render.text_width import width_of


class MoveList(Widget):
    """Shows as many moves as fit around the chosen one; says `Chosen` when one is pressed."""

    class Chosen(Message):
        """The ply of the move that was pressed, or that the wheel leads to."""

        def __init__(self, ply: int) -> None:
            super().__init__()
            self.ply = ply

    def __init__(self) -> None:
        super().__init__(id="moves")
        self._cells: Sequence[Mapping[str, str]] = ()
        self._late: Collection[int] = ()
        self.ply = 0

    def show(
        self, cells: Sequence[Mapping[str, str]], ply: int, late: Collection[int] = ()
    ) -> None:
        """Show moves; `ply` is the chosen one, 0 for none, and `late` came after their limits."""
        self._cells, self.ply, self._late = cells, ply, late
        self.refresh()

    @property
    def top(self) -> int:
        """The first row that is shown, so that the chosen one stands in the middle."""
        rows = max(1, self.size.height - 1)
        return max(0, min(len(self._cells) - rows, self.ply - 1 - rows // 2))

    def render(self) -> Text:
        """Draw the heads and the rows around the chosen one; nothing if a move would be cut."""
        widths = widths_of(self._cells, self.size.width)
        if sum(widths.values()) + GAP * (len(widths) - 1) > self.size.width:
            return Text()
        drawn = Text(_line({head: head for head in widths}, widths), style="dim", no_wrap=True)
        for row in range(self.top, min(len(self._cells), self.top + self.size.height - 1)):
            drawn.append("\n")
            begin = len(drawn)
            drawn.append(_line(self._cells[row], widths))
            drawn.stylize("not dim", begin)
            if row + 1 == self.ply:
                drawn.stylize("reverse", begin)
            elif row + 1 in self._late and "time" in widths:
                at = begin + sum(
                    widths[head] + GAP for head in list(widths)[: list(widths).index("time")]
                )
                drawn.stylize("red", at, at + widths["time"])
        return drawn

    def on_click(self, event: Click) -> None:
        """Choose the move that was pressed."""
        row = self.top + event.y - 1
        if event.y > 0 and row < len(self._cells):
            self.post_message(self.Chosen(row + 1))

    def on_mouse_scroll_down(self, event: MouseScrollDown) -> None:
        """Go one ply on."""
        self.post_message(self.Chosen(min(len(self._cells), self.ply + 1)))

    def on_mouse_scroll_up(self, event: MouseScrollUp) -> None:
        """Go one ply back."""
        self.post_message(self.Chosen(max(0, self.ply - 1)))


def _line(cells: Mapping[str, str], widths: Mapping[str, int]) -> str:
    parts = []
    for head, width in widths.items():
        text = cut(cells[head], width)
        pad = " " * (width - width_of(text))
        parts.append(set_cell_size(text, width) if head in LEFT else pad + text)
    return (" " * GAP).join(parts)
