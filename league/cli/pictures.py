"""Writing the pictures that commands are asked for into files."""

from typing import TYPE_CHECKING

import click

if TYPE_CHECKING:
    from league.replays import Replay

FRAME_S = 0.4
"""How long each position of a match in motion stands."""

END_FRAMES = 6
"""For how many times as long the last one does."""


def write_picture(replay: "Replay", ply: int | None, target: str) -> None:
    """Write one position, or all of them in motion, as an SVG document; `-` is the output."""
    from games.drawing import animate

    if ply is not None:
        drawn = replay.frames[ply].state.svg()
    else:
        drawings = [frame.state.svg() for frame in replay.frames]
        drawings += drawings[-1:] * END_FRAMES
        drawn = animate(replay.title, drawings, FRAME_S)
    write(drawn, target)


def write(drawn: str, target: str) -> None:
    """Write a drawing into a file, `-` being the output; raise `SetupError` if that can't be."""
    from league.errors import SetupError

    try:
        with click.open_file(target, "w", encoding="utf-8", atomic=target != "-") as file:
            file.write(drawn)
    except OSError as error:
        raise SetupError(f"can't write {target!r}: {error.strerror}") from None
