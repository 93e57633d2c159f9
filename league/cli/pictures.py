"""Writing what commands are asked to draw."""

import click


def write(drawn: str, target: str) -> None:
    """Write a drawing into a file, `-` being the output; raise `SetupError` if that can't be."""
    from league.interchange.files import write_file

    if target == "-":
        click.echo(drawn, nl=False)
    else:
        write_file(target, [drawn])
