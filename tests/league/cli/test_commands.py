"""The commands as a new user meets them."""

import ast
import inspect
import json
import os
import re
import shlex
import subprocess
import sys
from functools import partial
from pathlib import Path

import click
import pytest
from click.testing import CliRunner

from games.support.errors import InputError
from league.cli.console import counting
from league.cli.lazy_group import SectionedGroup
from league.cli.main import cli
from league.hosting.store.host_store import open_host_store
from tests.league.command import league, start
from tests.league.command_tree import COMMANDS
from tests.league.matches import add_bots, add_tournament, save_encounter
from tests.paths import EXAMPLES
from tests.waiting import PATIENCE_S

EXAMPLE = EXAMPLES / "centre.py"


@pytest.mark.parametrize("name", COMMANDS)
def test_every_option_has_a_help(name: str) -> None:
    options = [each for each in COMMANDS[name].params if isinstance(each, click.Option)]
    assert [each.opts for each in options if not each.help and not each.hidden] == []


@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_helps_with_an_example(name: str) -> None:
    found = CliRunner().invoke(cli, [*name.split(), "--help"])
    assert found.exit_code == 0
    assert re.search(r"Examples?:\n\s+league " + name, found.output)
    assert max(map(len, found.output.splitlines())) <= 80


@pytest.mark.parametrize("name", ["run", "host"])
def test_a_long_help_has_each_option_once_under_a_heading(name: str) -> None:
    context = click.Context(cli)
    command = cli.get_command(context, name)
    assert command is not None
    lines = CliRunner().invoke(cli, [name, "--help"]).output.splitlines()
    assert "Other options:" in lines
    assert "Options:" not in lines
    for param in command.get_params(context):
        if isinstance(param, click.Option):
            long = re.compile(rf"  (-\w, )?{max(param.opts, key=len)}(?![\w-])")
            assert sum(long.match(line) is not None for line in lines) == 1, param.name


@pytest.mark.parametrize("name", COMMANDS)
def test_the_list_of_commands_says_what_each_says_of_itself(name: str) -> None:
    *groups, last = name.split()
    group = COMMANDS[groups[0]] if groups else cli
    assert isinstance(group, SectionedGroup)
    (says,) = (each[last] for each in group.sections().values() if last in each)
    assert COMMANDS[name].get_short_help_str(limit=500) == says
    listed = CliRunner().invoke(cli, [*groups, "--help"]).output
    assert f"{last} {says}" in " ".join(listed.split())


def test_options_of_a_group_are_not_lost_before_a_command(tmp_path: Path) -> None:
    said = league(tmp_path, "stats", "--game", "chess", "health", code=2)
    assert "give --game after 'health', not before it" in said


def test_help_is_a_command_too() -> None:
    runner = CliRunner()
    assert runner.invoke(cli, ["help"]).output == runner.invoke(cli, ["--help"]).output
    inner = runner.invoke(cli, ["help", "stats", "versus"], prog_name="league").output
    assert "Usage: league stats versus " in inner
    helped = runner.invoke(cli, ["help", "run"], prog_name="league").output
    assert helped == runner.invoke(cli, ["run", "--help"], prog_name="league").output


@pytest.mark.parametrize("encoding", ["ascii", "latin-1"])
def test_any_letter_can_be_printed(encoding: str) -> None:
    code = "from league.cli.main import main; import rich; main()"
    code = (
        "from league.cli.main import _accept_all_letters; import rich; _accept_all_letters(); "
        "print('a – b'); rich.print('→')"
    )
    subprocess.run(
        [sys.executable, "-c", code],
        capture_output=True,
        check=True,
        env={**os.environ, "PYTHONIOENCODING": encoding},
    )


def test_listing_the_commands_imports_none_of_them_and_no_game() -> None:
    code = (
        "import sys\nfrom league.cli.main import cli\n"
        "cli(['--help'], standalone_mode=False)\n"
        "print(sorted(name for name in sys.modules if name.startswith(('league.cli.', 'games'))))"
    )
    found = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert ast.literal_eval(found.stdout.splitlines()[-1]) == [
        "games",
        *(f"games.support{part}" for part in ("", ".catalogue", ".entry_points", ".errors")),
        *(f"league.cli.{part}" for part in ("headed_options", "lazy_group", "main", "options")),
    ]


@pytest.mark.parametrize("name", COMMANDS)
def test_a_command_is_short(name: str) -> None:
    callback = COMMANDS[name].callback
    assert callback is not None
    if isinstance(callback, partial):
        callback = callback.func
    code = inspect.unwrap(callback).__code__
    tree = ast.parse(Path(code.co_filename).read_text())
    (function,) = (
        node
        for node in tree.body
        if isinstance(node, ast.FunctionDef) and node.name == code.co_name
    )
    lines = (function.end_lineno or 0) - (function.body[0].end_lineno or 0)
    assert lines <= 60


@pytest.mark.parametrize("arguments", [["--help"], ["run", "--help"], ["standings", "--help"]])
def test_help_imports_nothing_heavy(arguments: list[str]) -> None:
    code = (
        "import sys\nfrom league.cli.main import cli\n"
        f"cli({arguments!r}, standalone_mode=False)\n"
        "print([name for name in ('sqlalchemy', 'rich', 'alembic', 'numpy', 'concurrent') "
        "if name in sys.modules])"
    )
    found = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert found.stdout.splitlines()[-1] == "[]"


@pytest.mark.slow
@pytest.mark.parametrize(("listed", "rows"), [("bots", ("a", "b")), ("tournaments", ("2", "1"))])
def test_lists_need_no_sqlalchemy(tmp_path: Path, listed: str, rows: tuple[str, str]) -> None:
    path = str(tmp_path / "league.db")
    with open_host_store(path, create=True) as store:
        bots = add_bots(store, "a", "b")
        for _ in range(2):
            add_tournament(store, *bots)
    code = (
        "import sys\nfrom league.cli.main import cli\n"
        f"cli([{listed!r}, '--db', {path!r}], standalone_mode=False)\n"
        "print([name for name in ('sqlalchemy', 'rich', 'numpy') if name in sys.modules])"
    )
    found = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    *_, one, other, heavy = found.stdout.splitlines()
    assert ((one.split()[0], other.split()[0]), heavy) == (rows, "[]")


@pytest.mark.parametrize(
    ("arguments", "spared"),
    [
        (["export", "--as", "pgn"], ("numpy", "rich", "league.tournament.planner")),
        (["db", "verify"], ("numpy", "rich")),
    ],
)
@pytest.mark.slow
def test_commands_import_only_what_they_need(
    tmp_path: Path, arguments: list[str], spared: tuple[str, ...]
) -> None:
    path = str(tmp_path / "league.db")
    with open_host_store(path, create=True) as store:
        number = add_tournament(store, *add_bots(store, "a", "b"))
        save_encounter(store, number, 0, (1, 2), "WD")
    code = (
        "import sys\nfrom league.cli.main import cli\n"
        f"cli({[*arguments, '--db', path]!r}, standalone_mode=False)\n"
        f"print([name for name in {spared!r} if name in sys.modules])"
    )
    found = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert found.stdout.splitlines()[-1] == "[]"


@pytest.mark.parametrize("is_terminal", [False, True])
def test_a_terminal_alone_shows_how_much_is_done(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], is_terminal: bool
) -> None:
    monkeypatch.setattr(sys.stderr, "isatty", lambda: is_terminal)
    with counting("counting sheep") as tell:
        tell(1, 2)
    assert ("counting sheep" in capsys.readouterr().err) is is_terminal


@pytest.mark.extra
def test_a_run_compiles_the_search_that_its_bots_play_with(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pytest.importorskip("numba")
    monkeypatch.setenv("NUMBA_CACHE_DIR", str(tmp_path / "compiled"))
    for name, spec in (("deep", "alphabeta:depth=2"), ("other", "random")):
        league(tmp_path, "register", name, spec)
    # A size that no other test compiles.
    game = "connectfour?columns=6&rows=5"
    run = ("run", "--game", game, "--bots", "all", "--rounds", "1", "--quiet")
    with start(tmp_path, *run) as runner:
        _, err = runner.communicate(timeout=PATIENCE_S)
        assert runner.returncode == 0, err
    plies = json.loads(league(tmp_path, "replay", "1", "--json"))["plies"]
    told = " ".join(ply["text"] for ply in plies)
    assert "compiled" in told
    assert "pure" not in told


@pytest.mark.slow
def test_the_ten_lines_of_the_readme(tmp_path: Path) -> None:
    (tmp_path / "examples").mkdir()
    (tmp_path / "examples" / "centre.py").write_text(EXAMPLE.read_text())
    readme = (EXAMPLE.parents[1] / "README.md").read_text()
    block = readme.split("## Ten lines")[1].split("```sh\n")[1].split("```")[0]
    lines = [line for line in block.splitlines() if line.startswith("league ")]
    assert len(lines) == 10
    outputs = {}
    for line in lines:
        words = shlex.split(line, comments=True)[1:]
        if words[0] in ("play", "serve"):
            continue
        shorter = ("--rounds", "1", "--move-time", "10ms") if words[0] == "run" else ()
        outputs[" ".join(words[:2])] = league(tmp_path, *words, *shorter)
    assert "registered mine (version 1)" in outputs["register mine"]
    assert all(name in outputs["standings"] for name in ("mine", "deep", "plain"))
    assert "mine" in outputs["matches --bot"]
    assert "four in a row" in outputs["matches --bot"]
    assert "centre.py" in league(tmp_path, "bots", "mine")
    assert "0 findings" in league(tmp_path, "db", "verify")
    assert "by the rules" in league(tmp_path, "why", "1")
    assert re.search("plays (the same|another) move", league(tmp_path, "repro", "1"))


@pytest.mark.parametrize(
    ("arguments", "code", "text"),
    [
        (["standigs"], 2, "no such command 'standigs' (did you mean 'standings'?)"),
        (["nobody"], 2, "no such command 'nobody'; see 'league --help'"),
        (["help", "standigs"], 2, "no such command 'standigs' (did you mean 'standings'?)"),
        (["help", "run", "x"], 2, "'league run' has no command 'x'"),
        (["standings"], 1, "no league at 'league.db'"),
        (["register", "x", "minmax"], 1, "unknown bot 'minmax' (did you mean 'minimax'?)"),
        (["register", "x" * 81, "random"], 1, "at most 80"),
        (["run", "--game", "chess"], 2, "Missing option '--bots'"),
        (["check", "no.py"], 1, "no file 'no.py'"),
        (["why", "mine"], 2, "'mine' is not the number of a match: 'league matches' lists them"),
        (["standings", "--bot", "mine"], 2, "No such option '--bot'.\n"),
        (["games", "conectfour"], 1, "did you mean 'connectfour'"),
        (["run", "--game", "connectfour", "--bots", "a", "--move-time", "0"], 2, "is not a time"),
        (["run", "--game", "connectfour", "--bots", "a", "--time", "0+1"], 2, "not a time control"),
        (["run", "--game", "connectfour", "--bots", "a", "--handicap", "a"], 2, "not a handicap"),
        (
            ["run", "--game", "connectfour", "--bots", "a", "--memory", "x"],
            2,
            "is not a memory size",
        ),
    ],
)
def test_what_goes_wrong_is_said_in_a_line(
    tmp_path: Path, arguments: list[str], code: int, text: str
) -> None:
    said = league(tmp_path, *arguments, code=code)
    assert text in said
    assert "Traceback" not in said
    assert not (tmp_path / "league.db").exists() or arguments[0] == "register"


@pytest.mark.slow
def test_json_is_json_everywhere(tmp_path: Path) -> None:
    for name in ("one", "two"):
        added = json.loads(league(tmp_path, "register", name, "random", "--no-check", "--json"))
        assert added["version"] == 1
    run = ["run", "--game", "tictactoe", "--bots", "all", "--rounds", "3", "--json", "--seed", "1"]
    ran = json.loads(league(tmp_path, *run))
    assert sum(row["matches"] for row in ran[0]["standings"]) == 12
    for arguments in (
        ["bots"],
        ["bots", "one"],
        ["bots", "--catalogue"],
        ["games"],
        ["games", "connectfour"],
        ["standings"],
        ["crosstable"],
        ["tournaments"],
        ["matches"],
        ["replay", "1"],
        ["why", "1"],
        ["repro", "1"],
        ["db", "verify"],
        ["check", "random"],
    ):
        assert json.loads(league(tmp_path, *arguments, "--json"))
    csv = league(tmp_path, "standings", "--csv").splitlines()
    assert csv[0] == (
        "game,tournament,system,pool,rank,bot,version,rating,error,"
        "score,payoff,payoff_error,exploitability,match_cost,move_tokens,calls_uncounted,"
        "points,W,D,L,matches,los_next,forfeits,stand_ins,share,total"
    )
    assert len(csv) == 3


@pytest.mark.slow
def test_the_demo_ends_with_what_to_try(tmp_path: Path) -> None:
    out = league(tmp_path, "demo", "--rounds", "1", "--move-time", "10ms", "--db", "demo.db")
    assert re.search(r"1 +\S+", out)
    assert out.split("Try next:")[1].count("league ") == 3


def test_retired_bots_can_come_back(tmp_path: Path) -> None:
    league(tmp_path, "register", "one", "random", "--no-check")
    league(tmp_path, "retire", "one")
    assert "no bots yet" in league(tmp_path, "bots")
    assert "retired" in league(tmp_path, "bots", "--retired")
    league(tmp_path, "retire", "one", "--undo")
    assert "one" in league(tmp_path, "bots")


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_completion_is_printed(shell: str, tmp_path: Path) -> None:
    assert "_LEAGUE_COMPLETE" in league(tmp_path, "completion", shell)


def test_an_up_to_date_database_is_left_alone(tmp_path: Path) -> None:
    league(tmp_path, "register", "one", "random", "--no-check")
    assert "is up to date" in league(tmp_path, "db", "upgrade")
    assert len(list(tmp_path.iterdir())) == 1


def test_errors_are_of_one_family() -> None:
    import league.model.errors as errors  # noqa: PLC0415 (read as a whole)

    kinds = [each for each in vars(errors).values() if isinstance(each, type)]
    assert all(issubclass(each, InputError) for each in kinds)
    assert all(each.__name__ in (errors.__doc__ or "") for each in kinds)
