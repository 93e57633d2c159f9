"""Values of the wrong type: the league says what was given and what it expected."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from games.support.errors import InputError
from league import League, LeagueError


@pytest.fixture(scope="module")
def cup(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Any]:
    """Open a league with one match."""
    with League(tmp_path_factory.mktemp("cup") / "league.db") as made:
        made.register("deep", "minimax:depth=2", check=False)
        made.register("chance", "random", check=False)
        made.run("tictactoe", rounds=1, depth=1, progress=False)
        yield made


@pytest.mark.parametrize(
    ("ask", "told"),
    [
        (lambda cup: type(cup)(5), "target 5: expected text or a path"),
        (lambda cup: cup.register(5, "random"), "name 5: expected text"),
        (lambda cup: cup.register("x", "random", options="a"), "options 'a': expected a mapping"),
        (lambda cup: cup.register("x", "random", games=5), "games 5: expected text or a list"),
        (lambda cup: cup.register("x", "random", folder=5), "folder 5: expected text, a path or"),
        (lambda cup: cup.retire(5), "name 5: expected text"),
        (lambda cup: cup.bot(None), "name None: expected text"),
        (lambda cup: cup.create("tictactoe", handicap=5), "handicap: '5': expected bot=factor"),
        (lambda cup: cup.run("tictactoe", progress=5), "progress 5: expected True or False or a"),
        (lambda cup: cup.tournament("x"), "number 'x': expected a whole number or None"),
        (lambda cup: cup.tournament(1).resume(options={}), "options {}: expected RunOptions"),
        (lambda cup: cup.resume(1, options={}), "options {}: expected RunOptions"),
        (lambda cup: cup.join(1, "late"), "bots 'late': expected a list"),
        (lambda cup: cup.withdraw(1, 5), "bot 5: expected text"),
        (lambda cup: cup.extend(1, 1.5), "rounds 1.5: expected a whole number"),
        (lambda cup: cup.extend(1, until_error="x"), "until_error 'x': expected a number or None"),
        (lambda cup: cup.standings(system=5), "system 5: expected text"),
        (lambda cup: cup.versus(1, 2), "bot 1: expected text"),
        (lambda cup: cup.matches(limit=1.5), "limit 1.5: expected a whole number"),
        (lambda cup: cup.matches(termination=5), "termination 5: expected text"),
        (lambda cup: cup.match(True), "number True: expected a whole number or None"),
        (lambda cup: cup.match(1).repro("x"), "ply 'x': expected a whole number or None"),
        (lambda cup: cup.match(1).replay().to_svg("x"), "ply 'x': expected a whole number"),
        (lambda cup: cup.export("1"), "matches '1': expected a list or None"),
        (lambda cup: cup.export(["a"]), "matches .'a'.: expected a list or None"),
        (lambda cup: cup.export([1], format="svg", ply="x"), "ply 'x': expected a whole number"),
        (lambda cup: cup.play("tictactoe", "deep", seat="x"), "seat 'x': expected a whole number"),
        (lambda cup: cup.play("tictactoe", "deep", seed="x"), "seed 'x': expected a whole number"),
        (lambda cup: cup.health(matches="x"), "matches 'x': expected a whole number"),
        (lambda cup: cup.health(matches=-1), "matches -1: expected 0 or more"),
        (lambda cup: cup.export([1], format="animated", delay_s="x"), "delay_s 'x': expected a n"),
        (lambda cup: cup.solve("connectfour", 5), "positions 5: expected text"),
        (lambda cup: cup.bench("tictactoe", ["minimax"]), "bots .'minimax'.: expected text"),
        (lambda cup: cup.explain("tictactoe").to_text("x"), "fold 'x': expected a whole number"),
        (lambda cup: cup.sprt("a", 1, 2), "counts 'a': expected a whole number"),
        (lambda cup: cup.power("x"), "elo 'x': expected a number"),
        (lambda cup: cup.rate_pgn(5), "files 5: expected text"),
        (lambda cup: cup.check("random", games=5), "games 5: expected text or a list"),
        (lambda cup: cup.check("random", game="x"), "'game'.*did you mean 'games'"),
    ],
)
def test_a_value_of_the_wrong_type_is_told(ask: Any, told: str, cup: Any) -> None:
    with pytest.raises(InputError, match=told):
        ask(cup)
    assert len(cup.tournaments()) == 1


def test_numbers_of_numpy_are_numbers(cup: Any) -> None:
    assert cup.match(np.int64(1)) == cup.match(1)
    assert cup.tournament(np.int32(1)).number == 1
    assert cup.export([np.int64(1)]) == cup.export([1])
    assert cup.power(np.float32(5)).value.fixed == cup.power(5).value.fixed


@pytest.mark.slow
def test_a_closed_league_says_so(tmp_path: Path) -> None:
    with League(tmp_path / "league.db") as cup:
        cup.register("deep", "minimax:depth=2", check=False)
        cup.register("chance", "random", check=False)
        tournament = cup.run("tictactoe", rounds=1, depth=1, progress=False)
        match = tournament.matches[0]
        table = cup.crosstable()
    for ask in (cup.bots, cup.tournament, tournament.standings, match.replay):
        with pytest.raises(LeagueError, match=r"league\.db' is closed: open it again"):
            ask()
    assert repr(tournament) == "tournament 1, whose league is closed"
    assert repr(match).startswith("match 1: ")
    assert {*table.to_dict()["bots"]} == {"deep", "chance"}


def test_handles_of_the_same_match_are_equal(cup: Any, tmp_path: Path) -> None:
    tournament = cup.tournament(1)
    assert tournament == cup.tournaments()[0]
    assert {*tournament.matches} == {*cup.matches()}
    assert tournament.matches[0] != tournament.matches[1]
    with League(cup.target) as same:
        assert same.match(1) == cup.match(1)
    assert cup.match(1) != cup.tournament(1)


def test_answers_of_several_values_are_iterated(cup: Any) -> None:
    assert [bot.name for bot in cup.bots()] == ["chance", "deep"]
    assert [table.game for table in cup.standings()] == ["tictactoe"]
    assert list(cup.health()) == ["tictactoe"]


def test_a_match_is_decoded_once(cup: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    from league.analysis import replay as loading  # noqa: PLC0415
    from league.match import replay  # noqa: PLC0415 (what is counted)

    asked = []

    def counted(*arguments: Any) -> Any:
        asked.append(arguments)
        return replay.frames_of(*arguments)

    monkeypatch.setattr(loading, "frames_of", counted)
    match = cup.match(1)
    assert len(match.moves) == len(match.replay().value.frames) - 1
    match.why()
    match.explain(bot="minimax:depth=1")
    assert len(asked) == 1
