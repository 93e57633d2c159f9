"""The league from Python: what it does, and what it leaves alone."""

import asyncio
import json
import subprocess
import sys
import threading
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, get_type_hints

import pytest

from bots.support.bot import Clock
from games.support.errors import InputError
from games.support.game import Move, State
from league import League, LeagueError, TournamentSpec
from league.api.options import Settings
from league.cli.run import HEADINGS
from league.model.errors import SettingError, SetupError, SpecError
from league.model.records import Limits
from league.tournament.progress import Progress
from league.tournament.run_options import RunOptions
from league.tournament.settings import SETTINGS
from tests.league.command import league

WIDTH = 3


def pick(moves: list[Move]) -> Move:
    """Return a move, for the bots below to use."""
    return moves[min(WIDTH, len(moves)) - 1]


def third(state: State, clock: Clock) -> Move:
    """Play the third move."""
    return pick(list(state.legal_moves()))


class Narrow:
    """Play the first move, or another by an option."""

    def __init__(self, place: int = 0) -> None:
        self.place = place

    def choose(self, state: State, clock: Clock) -> Move:
        """Play that move."""
        moves = list(state.legal_moves())
        return moves[min(self.place, len(moves) - 1)]


@pytest.fixture
def cup(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[League]:
    """Open a league of two bots in an empty folder."""
    monkeypatch.chdir(tmp_path)
    with League("league.db") as made:
        register_two(made)
        yield made


@pytest.fixture(scope="module")
def database(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    """Return that league with a tournament."""
    path = tmp_path_factory.mktemp("played") / "league.db"
    with League(path) as made:
        register_two(made)
        held(made)
    return path.read_bytes()


@pytest.fixture
def played(database: bytes, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[League]:
    """Open that league in an empty folder."""
    monkeypatch.chdir(tmp_path)
    Path("league.db").write_bytes(database)
    with League("league.db") as found:
        yield found


def register_two(cup: League) -> None:
    """Register a bot that searches, and one that does not."""
    cup.register("deep", "minimax:depth=2", check=False)
    cup.register("chance", "random", check=False)


def held(cup: League, **settings: Any) -> Any:
    """Play a short tournament."""
    usual: dict[str, Any] = {"rounds": 2, "depth": 2, "seed": 1, "progress": False}
    return cup.run("tictactoe", **{**usual, **settings})


@pytest.mark.slow
def test_answers_are_what_the_commands_print(played: League) -> None:
    tournament = played.tournament()
    folder = Path(played.target).resolve().parent
    for answer, arguments in (
        (tournament.standings(), ["standings", "--tournament", "1"]),
        (played.standings("tictactoe"), ["standings", "--game", "tictactoe"]),
        (played.crosstable(), ["crosstable"]),
        (played.versus("deep", "chance"), ["stats", "versus", "deep", "chance"]),
        (played.bots(), ["bots"]),
        (played.bot("deep"), ["bots", "deep"]),
        (played.matches(), ["matches"]),
        (played.tournaments(), ["tournaments"]),
        (played.ratings("deep"), ["ratings", "history", "deep"]),
        (played.recompute(), ["ratings", "recompute"]),
        (played.match(1).why(), ["why", "1"]),
        (played.verify(), ["db", "verify"]),
        (played.power(5), ["power", "5"]),
        (played.sprt(5, 3, 2), ["sprt", "--counts", "5,3,2"]),
    ):
        assert f"{answer}\n" == league(folder, *arguments), arguments
        document = json.loads(json.dumps(answer.to_dict()))
        assert document == json.loads(league(folder, *arguments, "--json")), arguments
    replay = played.match(1).replay()
    assert json.loads(json.dumps(replay.to_dict())) == json.loads(
        league(folder, "replay", "1", "--json")
    )
    same = json.loads(league(folder, "tournaments", "1", "--json"))
    assert json.loads(json.dumps(tournament.to_dict())) == same


@pytest.mark.slow
def test_notebooks_show_tables_and_boards(played: League) -> None:
    tournament = played.tournament()
    assert "<td" in tournament._repr_html_()
    assert "deep" in played.matches()._repr_html_()
    page = played.match(1).replay()._repr_html_()
    assert page.startswith("<iframe")
    assert 'sandbox="allow-scripts"' in page
    assert played.match(1).explain(bot="minimax:depth=1")._repr_svg_().startswith("<svg")


@pytest.mark.extra
def test_tables_of_pandas_have_a_row_each(played: League) -> None:
    pytest.importorskip("pandas", reason="needs the extra 'dev'")
    tournament = played.tournament()
    assert list(tournament.standings().to_pandas()["bot"]) == ["deep", "chance"]
    assert len(played.crosstable().to_pandas()) == 2
    assert set(played.bots().to_pandas()["bot"]) == {"deep", "chance"}


@pytest.mark.extra
def test_a_table_of_matches_has_a_row_for_each_seat(played: League) -> None:
    pytest.importorskip("pandas", reason="needs the extra 'dev'")
    table = played.tournament().matches.to_pandas()
    assert list(table["match"]) == [1, 1, 2, 2, 3, 3, 4, 4]
    assert list(table["seat"]) == [0, 1] * 4
    assert str(table["finished_at"].dt.tz) == "UTC"
    assert set(table["finished_at"].dt.year) == {datetime.now(UTC).year}
    assert table.groupby("match")["score"].sum().eq(1).all()
    assert table.groupby("match")["place"].min().eq(1).all()
    history = played.ratings("deep").to_pandas()
    assert str(history["at"].dt.tz) == "UTC"


@pytest.mark.extra
def test_tables_have_the_numbers_of_versions_that_people_see(cup: League) -> None:
    pytest.importorskip("pandas", reason="needs the extra 'dev'")

    held(cup, rounds=1)
    cup.register("deep", "minimax:depth=3", check=False)
    tournament = held(cup, rounds=1)
    table = tournament.matches.to_pandas()
    assert set(zip(table["bot"], table["version"], strict=True)) == {("deep", 2), ("chance", 1)}
    of_all = cup.standings("tictactoe", versions="all").to_pandas()
    assert {*of_all["bot"] + "@" + of_all["version"].astype(str)} == {
        "deep@1",
        "deep@2",
        "chance@1",
    }
    assert {*cup.ratings("deep").to_pandas()["version"]} == {1, 2}


@pytest.mark.slow
def test_all_matches_are_listed_unless_a_limit_is_given(cup: League) -> None:

    held(cup, rounds=30)
    assert (
        len(cup.matches()) == len(cup.matches(limit=None)) == len(cup.matches().to_rows()) / 2 == 60
    )
    assert len(cup.matches(limit=3)) == 3
    assert str(cup.matches()).endswith("and 10 more: slices show them, to_pandas() has all")
    assert "more" not in str(cup.matches(limit=55))


@pytest.mark.extra
def test_standings_and_histories_are_plotted(
    played: League, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("MPLBACKEND", "agg")
    pyplot = pytest.importorskip("matplotlib.pyplot", reason="needs the extra 'dev'")
    axes = played.standings("tictactoe").plot()
    assert [each.get_text() for each in axes.get_yticklabels()] == ["deep", "chance"]
    assert axes.get_title() == "tictactoe"
    own = pyplot.figure().add_subplot()
    assert played.ratings("deep").plot(own) is own
    assert own.get_title() == "deep, tictactoe"
    assert len(own.lines) == 1
    pyplot.close("all")


def test_a_plot_without_matplotlib_says_what_it_needs(
    played: League, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    with pytest.raises(LeagueError, match="a plot needs matplotlib: pip install matplotlib"):
        played.standings("tictactoe").plot()


@pytest.mark.slow
def test_a_spec_is_what_settings_say_and_holds_it_again(cup: League) -> None:
    tournament = held(cup, move_time="50ms", grace=0.1, handicap={"deep": 0.5}, rounds=1)
    spec = tournament.spec
    assert spec.limits.move_s == 0.05
    assert spec.limits.grace_s == 0.1
    assert spec.handicaps == {"deep": 0.5}
    again = cup.run(spec, progress=False)
    assert again.settings() == tournament.settings()
    with pytest.raises(SettingError, match="rounds: '0': expected a whole number from 1 on"):
        cup.create("tictactoe", rounds=0)
    with pytest.raises(SettingError, match="rounds: '0'"):
        cup.create(TournamentSpec(game="tictactoe", bots=["all"], rounds=0))
    with pytest.raises(SettingError, match=r"round: unknown setting .*'rounds'"):
        cup.create("tictactoe", round=1)  # type: ignore[call-arg]
    with pytest.raises(SettingError, match="move_time: 'soon' is not a time"):
        cup.create("tictactoe", move_time="soon")
    assert cup.create("tictactoe").spec.limits.move_s == 0.1
    free = cup.create(TournamentSpec(game="tictactoe", bots=["all"], limits=Limits(cap_s=5)))
    assert free.spec.limits == Limits(cap_s=5, max_plies=1000)
    assert cup.create(TournamentSpec(game="tictactoe", bots=["all"])).spec.limits.move_s == 0.1
    longer = cup.create(spec, rounds=7)
    assert longer.settings() == {**tournament.settings(), "rounds": 7}


@pytest.mark.slow
def test_functions_and_classes_of_this_program_play(cup: League) -> None:
    def local(state: State, clock: Clock) -> Move:
        return pick(list(state.legal_moves())[-WIDTH:])

    cup.register("third", third, games=["tictactoe"])
    cup.register("narrow", Narrow, options={"place": "1"}, games="tictactoe")
    cup.register("local", local)
    assert not cup.register("third", third, games=["tictactoe"]).value.is_new
    files = cup.store.bots.version(cup.bot("third").value.versions[-1].id).files
    assert b"WIDTH = 3" in files["third_bot.py"]
    assert b"def pick" in files["third_bot.py"]
    tournament = held(cup, bots=["third", "narrow", "local"])
    assert {str(match.termination) for match in tournament.matches} == {"rules"}
    assert cup.verify().value == []


def test_a_source_that_can_not_be_kept_is_told(cup: League) -> None:
    handle = threading.Lock()

    def holds(state: State, clock: Clock) -> Move:
        with handle:
            return state.legal_moves()[0]

    with pytest.raises(SpecError, match="uses 'handle', and the league can't store its value"):
        cup.register("holds", holds)
    with pytest.raises(SpecError, match="a lambda has no source of its own"):
        cup.register("short", lambda state, clock: state.legal_moves()[0])
    scope: dict[str, Any] = {}
    exec("def made(state, clock):\n    return state.legal_moves()[0]", scope)  # noqa: S102
    with pytest.raises(SpecError, match=r"can't be found: write it to a file and register that"):
        cup.register("made", scope["made"])
    assert {bot.name for bot in cup.bots().value} == {"deep", "chance"}


@pytest.mark.slow
def test_a_run_tells_how_far_it_is_and_can_be_stopped_and_resumed(cup: League) -> None:
    seen: list[int] = []

    def stop(progress: Progress) -> None:
        seen.append(progress.done)
        if progress.done >= 4:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt) as caught:
        held(cup, rounds=50, bots=["deep", "chance"], progress=stop)
    assert "resume() continues" in caught.value.__notes__[0]
    tournament = cup.tournament()
    assert 4 <= tournament.row.played < 100
    assert cup.resume(progress=False).number == tournament.number
    assert tournament.is_finished
    assert len(tournament.matches) == 100


@pytest.mark.slow
def test_it_runs_beside_threads_children_and_in_an_event_loop(cup: League) -> None:
    before = set(threading.enumerate())
    child = subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE)
    over = threading.Event()
    other = threading.Thread(target=over.wait)
    other.start()

    async def run() -> Any:
        return held(cup)

    assert asyncio.run(run()).is_finished
    assert other.is_alive()
    assert child.poll() is None
    child.communicate(b"\n")
    assert child.returncode == 0
    over.set()
    other.join()
    assert set(threading.enumerate()) == before


@pytest.mark.slow
def test_a_tournament_is_joined_extended_and_left(cup: League) -> None:
    tournament = cup.create("tictactoe", bots=["deep", "chance"], rounds=1, depth=1)
    cup.register("late", "greedy", check=False)
    cup.join(tournament.number, ["late"])
    cup.extend(tournament.number, 1)
    cup.withdraw(tournament.number, "chance")
    cup.resume(tournament.number, progress=False, options=RunOptions(workers=1))
    assert {name for match in tournament.matches for name in match.bots} == {"deep", "late"}
    cup.retire("late")
    with pytest.raises(SetupError, match="is retired"):
        cup.create("tictactoe", bots=["deep", "late"])
    cup.retire("late", undo=True)
    other = cup.create("tictactoe")
    assert cup.cancel(other.number).row.state == "cancelled"
    with pytest.raises(SetupError, match="not in play"):
        cup.pause(tournament.number)


def test_matches_are_written_and_read(played: League, tmp_path: Path) -> None:
    assert len(str(played.export(format="csv")).splitlines()) == 5
    assert str(played.export([1], format="svg", to="one.svg")) == (tmp_path / "one.svg").read_text()
    (tmp_path / "games.pgn").write_text('[White "a"]\n[Black "b"]\n[Result "1-0"]\n\n1. e4 1-0\n')
    pytest.importorskip("chess", reason="needs the extra 'chess'")
    assert played.import_pgn("games.pgn").value.added == 1
    assert played.rate_pgn("games.pgn").value.matches == 1


def test_a_person_plays_a_bot(cup: League) -> None:
    with cup.play("tictactoe", "deep", seat=1, move_time=5.0, seed=1) as session:
        assert session.step().seat == 0
        with pytest.raises(InputError):
            session.play("z9")
        session.play(session.state.text(session.state.legal_moves()[0]))
        session.step()
        assert session.undo()
        assert not session.undo()
        assert not session.is_over
        assert session.is_persons_turn
    with pytest.raises(SetupError, match="has seats 0 to 1"):
        cup.play("tictactoe", "deep", seat=2)


def test_a_league_that_may_not_be_written_is_not(played: League, tmp_path: Path) -> None:
    with League("league.db", read_only=True) as reader:
        assert reader.standings("tictactoe").value[0].rows
        with pytest.raises(LeagueError):
            reader.retire("deep")
    with pytest.raises(LeagueError, match="no league at"):
        League(tmp_path / "other.db", read_only=True)
    with pytest.raises(LeagueError, match="no league at"):
        League(tmp_path / "other.db", create=False)
    assert not (tmp_path / "other.db").exists()


def test_all_settings_have_a_keyword_and_a_heading_in_the_help() -> None:
    words = {setting.word for setting in SETTINGS}
    assert set(get_type_hints(Settings)) == {word.replace("-", "_") for word in words - {"game"}}
    assert words <= {word for listed in HEADINGS.values() for word in listed}


@pytest.mark.parametrize(
    ("ask", "told"),
    [
        (lambda cup: cup.check("random", game="tictactoe"), "'game'.*did you mean 'games'"),
        (lambda cup: cup.register("x", "random", chek=False), "'chek'.*did you mean 'check'"),
        (lambda cup: cup.standings(sytem="elo"), "'sytem'.*did you mean 'system'"),
        (lambda cup: cup.matches(bots="deep"), "'bots'.*did you mean 'bot'"),
        (lambda cup: cup.play("tictactoe", "deep", movetime=1), "'movetime'.*'move_time'"),
        (lambda cup: cup.matches(bot="depp"), "no bot 'depp'.*did you mean 'deep'"),
        (lambda cup: cup.matches(termination="crsh"), "termination 'crsh'.*did you mean 'crash'"),
        (lambda cup: cup.matches(opponent="depp"), "no bot 'depp'.*did you mean 'deep'"),
        (lambda cup: cup.matches(bot="deep", result="wn"), "result 'wn'.*did you mean 'won'"),
        (lambda cup: cup.matches(since="x"), "since 'x': expected a date"),
        (lambda cup: cup.matches(until="x"), "until 'x': expected a date"),
        (lambda cup: cup.matches(tournament=9), "no tournament 9"),
        (lambda cup: cup.matches(limit=0), "limit 0"),
        (lambda cup: cup.extend(1, -1), "-1 more rounds: expected 1 or more"),
        (lambda cup: cup.explain("tictactoe", cut_on="x"), "cut_on 'x': expected 'equality'"),
        (lambda cup: cup.sprt(-1, 2, 3), "counts .-1, 2, 3.: expected W, L, D"),
        (lambda cup: cup.register("x", third, isolation="no"), "isolation 'no': expected auto or"),
        (lambda cup: cup.run("tictactoe", options={"workers": 1}), "expected RunOptions"),
        (lambda cup: cup.register("x", Narrow()), "an object of Narrow is not a bot"),
    ],
)
def test_mistakes_are_told(ask: Any, told: str, cup: League) -> None:
    cup.create("tictactoe", rounds=1)
    with pytest.raises(InputError, match=told):
        ask(cup)
    assert len(cup.tournaments()) == 1


@pytest.mark.slow
def test_a_tournament_is_reported_in_three_formats(played: League) -> None:
    tournament = played.tournament()
    seen: list[tuple[int, int]] = []
    assert tournament.report(on_match=lambda *told: seen.append(told)).startswith("<!doctype html>")
    assert seen[-1] == (4, 4)
    assert tournament.report("markdown").startswith("# ")
    assert json.loads(tournament.report("json"))["tournament"]["played"] == 4
    with pytest.raises(InputError, match=r"unknown format of a report 'markdwn'.*'markdown'"):
        tournament.report("markdwn")


def test_a_run_keeps_the_ratings_that_the_command_keeps(played: League) -> None:
    assert [row["matches"] for row in played.ratings("deep", system="elo").to_dict()] == [
        1,
        2,
        3,
        4,
    ]


def test_an_export_comes_bit_by_bit(played: League) -> None:
    parts = played.export_parts(played.matches()[::-1], format="csv")
    assert str(next(parts)).startswith("match,")
    assert len(list(parts)) == 4


def test_a_file_is_written_in_the_format_of_its_name(played: League, tmp_path: Path) -> None:
    played.export([played.match(1)], to="one.html")
    assert (tmp_path / "one.html").read_text().startswith("<!doctype html>")
    played.export(played.matches(limit=2), to="two.csv")
    assert len((tmp_path / "two.csv").read_text().splitlines()) == 3
