"""`league host`: run a league to which people submit bots themselves, and direct it."""

from pathlib import Path

import click

from league.cli.lazy_group import SectionedGroup
from league.cli.option_types import DURATION
from league.cli.options import allow_host_option, db_option, host_option, port_option
from league.hosting.cli.host_season import SECTIONS

HEADINGS = {
    "Address": ("host", "port", "public-url", "allow-host"),
    "Sign-in": (
        "trust-header",
        "trust-from",
        "oidc-issuer",
        "oidc-client",
        "oidc-secret-file",
        "oidc-name",
    ),
    "Matches": ("workers", "checkers", "executor", "unsafe-isolation"),
    "Backups": ("backups", "backup-every", "keep"),
    "Operation": ("grace", "log-folder", "json-log", "metrics-token-file"),
}
"""The options under headings in the help."""


@click.group(
    "host",
    cls=SectionedGroup,
    sections=SECTIONS,
    headings=HEADINGS,
    invoke_without_command=True,
    subcommand_metavar="[COMMAND [ARGS]...]",
)
@port_option
@host_option
@click.option(
    "--public-url",
    metavar="URL",
    help="Public address behind a proxy [the one of init --url].",
)
@allow_host_option
@click.option(
    "--trust-header",
    metavar="NAME",
    default="",
    help="Header in which a proxy names the signed-in person.",
)
@click.option(
    "--trust-from",
    multiple=True,
    metavar="ADDRESS",
    help="Address of that proxy (repeat).",
)
@click.option(
    "--oidc-issuer",
    metavar="URL",
    default="",
    help="Sign people in at this OpenID Connect provider.",
)
@click.option(
    "--oidc-client", metavar="ID", default="", help="The league's client id at the provider."
)
@click.option(
    "--oidc-secret-file",
    type=click.Path(dir_okay=False, path_type=Path),
    metavar="FILE",
    help="File with the league's client secret.",
)
@click.option(
    "--oidc-name",
    default="OpenID Connect",
    show_default=True,
    metavar="NAME",
    help="Name of the provider on the sign-in button.",
)
@click.option(
    "--metrics-token-file",
    type=click.Path(dir_okay=False, path_type=Path),
    metavar="FILE",
    help="Protect /metrics with the token in FILE.",
)
@click.option("--workers", type=click.IntRange(1, 1024), help="Worker processes [one per core].")
@click.option(
    "--checkers",
    type=click.IntRange(1, 64),
    default=1,
    show_default=True,
    help="Submissions to check at the same time.",
)
@click.option(
    "--executor",
    default="local",
    show_default=True,
    metavar="local|dask://HOST:PORT|pull://HOST:PORT",
    help="Where matches are played.",
)
@click.option(
    "--backups",
    type=click.Path(file_okay=False, path_type=Path),
    metavar="FOLDER",
    help="Folder for backups of the database.",
)
@click.option(
    "--backup-every",
    type=DURATION,
    default="24h",
    show_default=True,
    metavar="DURATION",
    help="Time between backups.",
)
@click.option(
    "--keep", type=click.IntRange(1, 10_000), default=7, show_default=True, help="Backups to keep."
)
@click.option(
    "--grace",
    type=DURATION,
    default="10s",
    show_default=True,
    help="Maximum time for a graceful stop.",
)
@click.option(
    "--log-folder",
    type=click.Path(file_okay=False, path_type=Path),
    metavar="FOLDER",
    help="The logs [beside the database].",
)
@click.option("--json-log", is_flag=True, help="Log events as JSON, one per line.")
@click.option("--unsafe-isolation", is_flag=True, help="Host even where the sandbox does not work.")
@db_option
@click.pass_context
def command(
    ctx: click.Context,
    port: int,
    host: str,
    public_url: str | None,
    allowed: tuple[str, ...],
    trust_header: str,
    trust_from: tuple[str, ...],
    oidc_issuer: str,
    oidc_client: str,
    oidc_secret_file: Path | None,
    oidc_name: str,
    metrics_token_file: Path | None,
    workers: int | None,
    checkers: int,
    executor: str,
    backups: Path | None,
    backup_every: float,
    keep: int,
    grace: float,
    log_folder: Path | None,
    json_log: bool,
    unsafe_isolation: bool,
    db: str,
) -> int:
    """Run a league to which people submit their own bots.

    Run 'league host init' first. Without a command, 'league host' then serves the pages, checks
    submissions and plays the season until you press Ctrl-C. It restarts processes that die and
    continues where it stopped.

    \b
    Examples:
      league host init --game connectfour --name "AI 2026"
      league host --host 0.0.0.0 --backups backups
      league host status
    """
    if ctx.invoked_subcommand is not None:
        _refuse_lost_options(ctx, ctx.invoked_subcommand)
        return 0
    if executor != "local":
        from league.tournament.executors import check_executor

        check_executor(executor)
    from league.hosting.api.people import URL_KEY
    from league.hosting.model.extra import check_extra
    from league.hosting.supervisor.options import HostOptions
    from league.hosting.supervisor.run import host as run_host
    from league.model.records import Isolation
    from league.seats.process.isolation import resolve

    check_extra()
    isolation = resolve(Isolation.AUTO)[0] if unsafe_isolation else Isolation.SANDBOX
    options = HostOptions(
        target=db,
        logs=str((log_folder or _log_folder(db)).absolute()),
        host=host,
        port=port,
        public_url=_public_url(db, URL_KEY) if public_url is None else public_url,
        allowed=allowed,
        trusted_header=trust_header,
        trusted_from=trust_from,
        oidc_issuer=oidc_issuer,
        oidc_client=oidc_client,
        oidc_secret=_secret(oidc_secret_file),
        oidc_name=oidc_name,
        metrics_token=_token(metrics_token_file),
        workers=workers,
        checkers=checkers,
        executor=executor,
        isolation=isolation,
        backups="" if backups is None else str(backups.absolute()),
        backup_every_s=backup_every,
        keep=keep,
        grace_s=grace,
        is_json_log=json_log,
    )
    return 0 if run_host(options) else 1


def _refuse_lost_options(ctx: click.Context, name: str) -> None:
    """Refuse options before a command, which would be lost."""
    given = click.core.ParameterSource.COMMANDLINE
    for option in ctx.command.params:
        if option.name and ctx.get_parameter_source(option.name) is given:
            raise click.UsageError(f"give {option.opts[0]} after {name!r}, not before it")


def _log_folder(db: str) -> Path:
    return Path("league-logs") if "://" in db else Path(f"{Path(db).with_suffix('')}-logs")


def _public_url(db: str, key: str) -> str:
    """Return the address that 'league host init --url' was given, '' for none."""
    from league.hosting.store.host_store import open_host_store
    from league.store.migration import upgrade_database

    upgrade_database(db)
    with open_host_store(db, read_only=True) as store:
        return store.settings.get(key, "")


def _token(path: Path | None) -> str:
    """Return the token in a file, '' for no file; raise `SetupError`."""
    from league.web.access import check_token

    return check_token(_secret(path), repr(str(path))) if path is not None else ""


def _secret(path: Path | None) -> str:
    """Return the text of a file, '' for no file; raise `SetupError`."""
    from league.model.errors import SetupError

    try:
        return "" if path is None else path.read_text("utf-8").strip()
    except (OSError, UnicodeDecodeError) as error:
        raise SetupError(f"can't read {str(path)!r}: {error}") from None
