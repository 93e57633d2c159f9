"""An export: a line for each match, its bots and its moves."""

from dataclasses import dataclass

from league.interchange.export import AnyGame


@dataclass(frozen=True)
class Moves(AnyGame):
    """`mirror - lucky: 5 1 9`."""

    name = "moves"
    suffix = ".txt"
    media_type = "text/plain"

    def text(self, replay):
        """Write one match."""
        return f"{' - '.join(replay.names)}: {' '.join(replay.words)}\n"


EXPORT = Moves()
