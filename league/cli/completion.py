"""`league completion`."""

import click

SHELLS = ("bash", "zsh", "fish")


@click.command("completion")
@click.argument("shell", type=click.Choice(SHELLS))
def command(shell: str) -> None:
    """Print the completion script of a shell.

    \b
    Example:
      league completion bash >> ~/.bashrc
    """
    from click.shell_completion import get_completion_class

    from league.cli.main import cli

    kind = get_completion_class(shell)
    if kind is None:
        raise click.ClickException(f"no completion for {shell}")
    click.echo(kind(cli, {}, "league", "_LEAGUE_COMPLETE").source())
