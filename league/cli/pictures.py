"""Writing the pictures that commands are asked for into files."""

import click

from league.model.errors import SetupError


def write(drawn: str, target: str) -> None:
    """Write a drawing into a file, `-` being the output; raise `SetupError` if that can't be."""
    try:
        with click.open_file(target, "w", encoding="utf-8", atomic=target != "-") as file:
            file.write(drawn)
    except OSError as error:
        raise SetupError(f"can't write {target!r}: {error.strerror}") from None
