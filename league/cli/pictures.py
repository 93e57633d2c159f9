"""Writing the pictures that commands are asked for into files."""

from typing import TYPE_CHECKING

import click

if TYPE_CHECKING:
    from league.analysis.replay import Replay


def write_picture(replay: "Replay", ply: int | None, target: str) -> None:
    """Write one position, or all of them in motion, as an SVG document; `-` is the output."""
    from league.render.match_pictures import motion, still

    write(motion(replay) if ply is None else still(replay.frames[ply]), target)


def write(drawn: str, target: str) -> None:
    """Write a drawing into a file, `-` being the output; raise `SetupError` if that can't be."""
    from league.model.errors import SetupError

    try:
        with click.open_file(target, "w", encoding="utf-8", atomic=target != "-") as file:
            file.write(drawn)
    except OSError as error:
        raise SetupError(f"can't write {target!r}: {error.strerror}") from None
