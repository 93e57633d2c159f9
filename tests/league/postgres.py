"""A PostgreSQL server of the tests' own."""

import os
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest


@contextmanager
def server() -> Iterator[str]:
    """Start a server of our own on a socket in a scratch folder, and yield its URL."""
    pytest.importorskip("psycopg", reason="the PostgreSQL driver is not installed")
    initdb = _server_binary("initdb")
    pg_ctl = _server_binary("pg_ctl")
    if initdb is None or pg_ctl is None:
        pytest.skip("no PostgreSQL server binaries on this machine")
    with tempfile.TemporaryDirectory(prefix="botleague-pg-") as scratch:
        folder = Path(scratch)
        # The server refuses to run as root; elsewhere it runs as whoever tests.
        is_root = os.geteuid() == 0
        if is_root:
            shutil.chown(folder, "postgres")
        user = "postgres" if is_root else None
        data = str(folder / "data")
        _run(user, [initdb, "-D", data, "-A", "trust", "-U", "league"])
        log = str(folder / "log")
        _run(user, [pg_ctl, "-D", data, "-o", _options(folder), "-l", log, "-w", "start"])
        try:
            yield f"postgresql://league@/postgres?host={folder}"
        finally:
            _run(user, [pg_ctl, "-D", data, "-m", "immediate", "stop"])


def stop(url: str) -> None:
    """Stop the server at once; its files stay."""
    _control(url, "-m", "immediate", "stop")


def restart(url: str) -> None:
    """Start a server that was stopped, with the options it had."""
    folder = url.partition("host=")[2]
    _control(url, "-o", _options(folder), "-l", f"{folder}/log", "-w", "start")


def _control(url: str, *words: str) -> None:
    folder = url.partition("host=")[2]
    binary = _server_binary("pg_ctl")
    assert binary is not None
    user = "postgres" if os.geteuid() == 0 else None
    _run(user, [binary, "-D", f"{folder}/data", *words])


def _options(folder: Path | str) -> str:
    return f"-k {folder} -c listen_addresses='' -c fsync=off"


def emptied(url: str) -> str:
    """Drop everything in a server's database, and return its URL."""
    import psycopg  # noqa: PLC0415 (an extra that need not be installed)

    with psycopg.connect(url, autocommit=True) as connection:
        connection.execute("DROP SCHEMA public CASCADE")
        connection.execute("CREATE SCHEMA public")
    return url


def run_client(program: str, *arguments: str) -> None:
    """Run one of PostgreSQL's own programs."""
    binary = _server_binary(program)
    assert binary is not None
    _run(None, [binary, *arguments])


def _server_binary(name: str) -> str | None:
    # Debian keeps them off the PATH; a name on it may be no more than a wrapper.
    found = sorted(Path("/usr/lib/postgresql").glob(f"*/bin/{name}"))
    return str(found[-1]) if found else shutil.which(name)


def _run(user: str | None, command: list[str]) -> None:
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL, cwd="/", user=user, group=user)
