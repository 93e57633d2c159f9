"""`league help`."""

import click


@click.command("help")
@click.argument("words", nargs=-1, metavar="[COMMAND]")
@click.pass_context
def command(ctx: click.Context, words: tuple[str, ...]) -> None:
    """Show the help of the league, or of COMMAND.

    \b
    Examples:
      league help
      league help run
    """
    shown, left = ctx.find_root(), list(words)
    while left:
        if not isinstance(shown.command, click.Group):
            raise click.UsageError(f"{shown.command_path!r} has no command {left[0]!r}", ctx)
        name, found, left = shown.command.resolve_command(shown, left)
        if found is not None:
            shown = click.Context(found, info_name=name, parent=shown)
    click.echo(shown.get_help())
