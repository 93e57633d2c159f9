"""A package of somebody else that adds a command, a page and a table, as the hosted league does."""

import json
import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import pytest

from tests.league.command import ask
from tests.league.warm_cli import ForkServer
from tests.paths import ROOT

FILES = {
    "guest/__init__.py": """
        from sqlalchemy import Column, Integer, Table
        from starlette.responses import PlainTextResponse

        from league.cli.lazy_group import CommandSet
        from league.store.tables import METADATA
        from league.web.page_route import Audience, PageRoute
        from league.web.pages import MenuEntry, Pages

        COMMANDS = CommandSet("guest", {"Guests": {"greet": "Greet NAME."}})
        TABLES = (Table("guest", METADATA, Column("id", Integer, primary_key=True)),)


        def pages(dashboard):
            def hello(request):
                return PlainTextResponse("hello from a guest")

            def private(request):
                return PlainTextResponse("only for organisers")

            return Pages(
                routes=[
                    PageRoute("/hello", hello, Audience.RESULTS),
                    PageRoute("/private", private, Audience.ORGANISERS),
                ],
                menu=[MenuEntry("Guests", "/hello", Audience.RESULTS)],
            )
        """,
    "guest/greet.py": '''
        import click

        @click.command("greet")
        @click.argument("name")
        def command(name):
            """Greet NAME."""
            click.echo(f"hello {name}")
        ''',
    "guest-1.0.dist-info/METADATA": "Metadata-Version: 2.1\nName: guest\nVersion: 1.0\n",
    "guest-1.0.dist-info/entry_points.txt": """
        [botleague.commands]
        guest = guest:COMMANDS
        [botleague.pages]
        guest = guest:pages
        [botleague.tables]
        guest = guest:TABLES
        """,
}

VISIT = """
import json, sys
from pathlib import Path
from league.store.store import open_store
from league.web.app import make_app
from tests.league.hosting.web.secret_league import a_secret_league
from tests.league.hosting.web.visiting import Visitor

target, folder = sys.argv[1:]
told = {}
with open_store(target, read_only=True) as store:
    anybody = Visitor(make_app(store, "league"))
    told["menu"] = '<a href="/hello">Guests</a>' in anybody.ask("/").text
    told["anybody"] = [anybody.ask(path).status_code for path in ("/hello", "/private")]
with a_secret_league(Path(folder)) as league:
    for who in ("", "Ants", None):
        visitor = league.visitor(who)
        told[who] = [visitor.ask(path).status_code for path in ("/hello", "/private")]
print(json.dumps(told))
"""


@pytest.fixture(scope="module")
def guest(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the folder that the package is installed in."""
    folder = tmp_path_factory.mktemp("guest")
    for name, text in FILES.items():
        lines = text.strip("\n").splitlines()
        indent = len(lines[0]) - len(lines[0].lstrip())
        (folder / name).parent.mkdir(exist_ok=True)
        (folder / name).write_text("\n".join(line[indent:] for line in lines) + "\n")
    return folder


@pytest.mark.slow
def test_a_package_adds_a_command_and_a_table(guest: Path, tmp_path: Path) -> None:
    with ForkServer() as alone:
        for name in ("one", "two"):
            ask(alone, tmp_path, "register", name, "random")
        assert "no such command 'greet'" in ask(alone, tmp_path, "greet", "ann", code=2)
    with ForkServer(PYTHONPATH=str(guest)) as forks:
        listed = ask(forks, tmp_path, "--help")
        assert listed.index("Bots:") < listed.index("Guests:") < listed.index("Database")
        assert "  greet  " in listed
        assert ask(forks, tmp_path, "greet", "ann") == "hello ann\n"
        assert "did you mean 'greet'?" in ask(forks, tmp_path, "great", "ann", code=2)
        run = ("run", "--game", "tictactoe", "--bots", "one,two", "--quiet")
        lacks = "has no table guest of an installed package: 'league db upgrade' adds it"
        assert lacks in ask(forks, tmp_path, *run, code=1)
        ask(forks, tmp_path, "db", "upgrade")
        ask(forks, tmp_path, *run)
    with closing(sqlite3.connect(tmp_path / "league.db")) as database:
        (found,) = database.execute("SELECT count(*) FROM guest")
    assert found == (0,)


@pytest.mark.slow
def test_a_package_adds_pages_for_those_that_it_names(guest: Path, tmp_path: Path) -> None:
    with ForkServer() as alone:
        ask(alone, tmp_path, "register", "one", "random")
    (tmp_path / "hosted").mkdir()
    ran = subprocess.run(
        [sys.executable, "-c", VISIT, str(tmp_path / "league.db"), str(tmp_path / "hosted")],
        cwd=ROOT,
        env={"PYTHONPATH": f"{ROOT}:{guest}"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert ran.returncode == 0, ran.stderr
    assert json.loads(ran.stdout) == {
        "menu": True,
        "anybody": [200, 200],
        "": [200, 200],
        "Ants": [200, 403],
        # The visibility of this league is everything.
        "null": [200, 303],
    }
