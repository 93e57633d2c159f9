"""Matches that were played elsewhere: taken in from PGN, counted, verified, never played on."""

import json
import re
from dataclasses import replace
from pathlib import Path

import pytest

pytest.importorskip("chess", reason="needs the extra 'chess'")

from games.support.errors import InputError
from league.analysis.replay import load_replay
from league.analysis.standings import standings
from league.analysis.verify import verify
from league.interchange import import_pgn
from league.interchange.export_matches import written
from league.interchange.import_pgn import GAME_MAX, Imported, import_file
from league.interchange.import_text import import_notes
from league.interchange.pgn.sections import TAG_MAX
from league.model.errors import NameInUseError, SetupError
from league.model.records import IMPORTED, BotVersion, Limits, Termination
from league.model.tournament_spec import TournamentSpec
from league.registration.register import register
from league.store.bots import BotTable
from league.store.rows import BotRow, TournamentState
from league.store.store import Store, open_store
from league.tournament.create import create_tournament
from league.tournament.stored import unfinished
from tests.league.command import league
from tests.league.matches import add_bots

FOREIGN = "Đoàn O'Kelly (64-bit)"
FEN = "4k3/8/8/8/8/8/4P3/4K3 b - - 3 9"


def pgn(white: str, black: str, result: str, moves: str, **tags: str) -> str:
    """Write one game."""
    more = "".join(f'[{name} "{text}"]\n' for name, text in tags.items())
    return (
        f'[Event "x"]\n[White "{white}"]\n[Black "{black}"]\n[Result "{result}"]\n{more}\n'
        f"{moves} {result}\n\n"
    )


MATE = pgn(FOREIGN, "Doe, J.", "0-1", "1. f3 e5 2. g4 {hm} (2. a3 Kxh8) Qh4# $1")
FORFEIT = pgn("Doe, J.", "mine", "1-0", "1. e4 e5 2. Nf3", Termination="Time forfeit")
AGREED = pgn("mine", "Doe, J.", "1/2-1/2", "9... Kd8 10. e4", SetUp="1", FEN=FEN)
GOOD = MATE + FORFEIT + AGREED


@pytest.fixture
def store(tmp_path: Path) -> "Store":
    """Return an empty league."""
    return open_store(str(tmp_path / "league.db"), create=True)


def take(store: Store, text: str, game: str = "chess", **names: str) -> Imported:
    """Import a text from a file of its own."""
    path = Path(store.target).with_name("games.pgn")
    path.write_text(text)
    return import_file(store, str(path), game, names)


def test_matches_count_as_they_were_played(store: Store) -> None:
    (mine,) = add_bots(store, "mine")
    told = take(store, GOOD)
    assert (told.tournament, told.added, told.read) == (1, 3, 3)
    assert (told.new, told.known) == ([FOREIGN, "Doe, J."], ["mine v1"])
    assert not told.left_out
    row = store.tournaments.get(1)
    assert (row.state, row.total, row.played) == (TournamentState.FINISHED, 3, 3)
    assert len(row.config.entrants) == 3
    rows = {each.bot: each for each in standings(store, "chess").rows}
    assert (rows["Doe, J."].wins, rows["Doe, J."].draws) == (2, 1)
    assert rows["mine"].version == mine
    assert rows["mine"].forfeits == {Termination.TIME_FORFEIT: 1}
    mate, forfeit, agreed = (load_replay(store, number) for number in (1, 2, 3))
    assert [frame.move for frame in mate.frames] == ["", "f3", "e5", "g4", "Qh4#"]
    assert mate.record.notation == "f3 e5 g4 Qh4#"
    assert mate.record.termination is Termination.RULES
    assert mate.record.utilities == (-1.0, 1.0)
    assert forfeit.record.fault_seat == 1
    assert agreed.record.termination is Termination.ADJUDICATED
    assert agreed.record.game == f"chess?fen={FEN}"
    assert agreed.ending == "0.5 – 0.5, adjudicated: as its file says"
    assert verify(store) == (3, [])


def test_an_import_of_the_same_file_adds_nothing(store: Store) -> None:
    take(store, GOOD)
    before = store.tournaments.get(1)
    again = take(store, GOOD)
    assert again.is_known
    assert store.tournaments.get(1) == before
    assert (again.tournament, again.added) == (1, 0)
    assert len(store.matches.numbers()) == 3
    other = take(store, GOOD + MATE)
    assert (other.tournament, other.added) == (2, 4), "another file is another tournament"
    assert (other.new, other.known) == ([], [])


def test_an_import_that_another_process_has_just_done_adds_nothing(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    take(store, GOOD)
    # This process looked before the other one had finished.
    before = store.tournaments.get(1)
    looked = replace(before, state=TournamentState.OPEN)
    monkeypatch.setattr(import_pgn, "_row", lambda *values: looked)
    again = take(store, GOOD)
    assert (again.tournament, again.added, again.is_known) == (1, 0, True)
    assert store.tournaments.get(1) == before
    assert len(store.matches.numbers()) == 3


def test_an_import_that_was_interrupted_goes_on(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("league.interchange.import_pgn.BATCH", 2)

    def stop(done: int) -> None:
        if done == 3:
            raise KeyboardInterrupt

    path = Path(store.target).with_name("games.pgn")
    path.write_text(GOOD)
    with pytest.raises(KeyboardInterrupt):
        import_file(store, str(path), "chess", {}, stop)
    assert store.tournaments.get(1).state is TournamentState.OPEN
    assert verify(store) == (2, [])
    with pytest.raises(InputError, match="no unfinished tournament"):
        unfinished(store, None)
    told = take(store, GOOD)
    assert (told.tournament, told.added, told.read) == (1, 1, 3)
    assert store.tournaments.get(1).state is TournamentState.FINISHED
    assert len(store.tournaments.get(1).config.entrants) == 3


@pytest.mark.parametrize(
    ("text", "kind", "reason"),
    [
        (pgn("a", "b", "1-0", "1. e4 e5 2. Ke3"), "illegal", "line 16: ply 3: illegal san: 'Ke3'"),
        (
            pgn("a", "b", "1-0", "1. f3 e5 2. g4 Qh4#"),
            "illegal",
            "result 1-0, which contradicts the final",
        ),
        (pgn("a", "b", "1-0", "1. e4", FEN="8/8/8/8 w - - 0 1"), "illegal", "line 16: "),
        (pgn("a", "b", "1-0", "1. e4", Variant="Atomic"), "illegal", "the variant 'Atomic'"),
        (pgn("a", "b", "*", "1. e4"), "unfinished", ""),
        (pgn("a", "b", "5-0", "1. e4"), "unknown result", "unknown result '5-0'"),
        (pgn("a", "?", "1-0", "1. e4"), "without two names", ""),
        (pgn("a", "a", "1-0", "1. e4"), "without two names", ""),
        (
            pgn("a", "b", "1-0", "1. e4").replace('[Result "1-0"]\n', ""),
            "unreadable",
            "unreadable tag Res",
        ),
        (
            pgn("a", "b", "1-0", "1. Nf3 Nf6 2. Ng1 Ng8 " * 2 + "1. e4"),
            "illegal",
            "ply 9: the match is over, draw by threefold repetition",
        ),
    ],
)
def test_what_does_not_hold_is_left_out(store: Store, text: str, kind: str, reason: str) -> None:
    told = take(store, MATE + FORFEIT + text)
    assert told.added == 2
    assert told.left_out == {kind: 1}
    assert len(told.reasons) == bool(reason)
    assert reason in "".join(told.reasons)
    assert "a" not in {bot.name for bot in store.bots.all()}, "who has no matches is no bot"


def test_names_are_given_and_checked_before_anything_is_written(store: Store) -> None:
    add_bots(store, "mine")
    with pytest.raises(NameInUseError, match="'MINE' differs from 'mine' only by case: say which"):
        take(store, pgn("MINE", "b", "1-0", "1. e4"))
    with pytest.raises(NameInUseError, match="99 characters, at most 80 fit"):
        take(store, pgn("x", "b", "1-0", "1. e4"), x="x" * 99)
    with pytest.raises(InputError, match=r"unknown name in .* 'nine'"):
        take(store, GOOD, nine="mine")
    with pytest.raises(SetupError, match="expected games in PGN with names, found none"):
        take(store, "nothing")
    with pytest.raises(SetupError, match="PGN has two seats, pacman"):
        take(store, GOOD, game="pacman")
    assert not store.tournaments.all()
    assert [bot.name for bot in store.bots.all()] == ["mine"]
    told = take(store, pgn("MINE", "b \t c", "1-0", "1. e4"), MINE="mine")
    assert told.new == ["b c"]
    assert told.known == ["mine v1"]


BAD = ("../../x<script>", "b\x1b[2J", "a\u202eb", "x" * 99, "..", "[red]")


@pytest.mark.parametrize("name", BAD)
def test_games_under_bad_names_are_left_out_unless_they_get_another(
    store: Store, name: str
) -> None:
    text = MATE + pgn(name, "b", "1-0", "1. e4")
    told = take(store, text)
    assert (told.added, told.left_out, "b" in told.new) == (1, {"badly named": 1}, False)
    (reason,) = told.reasons
    assert " line 8: bad name " in reason
    assert "rename it with --as" in reason
    assert reason.isprintable()
    assert take(store, text + MATE, **{name: "good"}).new == ["good", "b"]


def test_an_import_of_which_nothing_counts_is_shown(store: Store, tmp_path: Path) -> None:
    assert take(store, pgn("a/b", "c", "1-0", "1. e4")).added == 0
    assert 'format = "import"' in league(tmp_path, "tournaments", "1")


def test_a_bad_name_that_the_league_has_already_goes_on(store: Store) -> None:
    store.bots.register(BotVersion("<old>", IMPORTED))
    assert take(store, pgn("<old>", "b", "1-0", "1. e4")).new == ["b"]


def test_what_is_too_long_is_left_out(store: Store) -> None:
    event = pgn("a", "b", "1-0", "1. e4").replace('"x"', f'"{"y" * (TAG_MAX + 1)}"')
    told = take(
        store,
        event
        + pgn("a" * (TAG_MAX + 1), "c", "1-0", "1. e4")
        + pgn("a", "d", "1-0", f"1. e4 {{{'z' * GAME_MAX}}}")
        + pgn("a", "e", "1-0", "1. e4"),
    )
    assert (told.added, told.new) == (2, ["a", "b", "e"])
    assert told.left_out == {"unreadable": 1, "too long": 1}
    assert "line 8: unreadable tag White" in told.reasons[0]
    assert "at most 1,048,576 are read" in told.reasons[1]


def test_bots_are_looked_up_once_for_all_games(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    looks: list[None] = []
    bots = BotTable.all

    def counted(self: BotTable, include_retired: bool = False) -> tuple[BotRow, ...]:
        looks.append(None)
        return bots(self, include_retired)

    monkeypatch.setattr(BotTable, "all", counted)
    monkeypatch.setattr(BotTable, "get", None)
    told = take(store, "".join(pgn(f"a{n}", f"b{n}", "1-0", "1. e4") for n in range(9)))
    assert (told.added, len(told.new), len(looks)) == (9, 18, 1)


def test_bots_of_results_alone_are_never_played(store: Store, tmp_path: Path) -> None:
    add_bots(store, "mine", "other")
    take(store, MATE)
    row = create_tournament(
        store, TournamentSpec(game="chess", bots=["all"], rounds=1, limits=Limits(depth=1), seed=1)
    )
    assert len(row.config.entrants) == 2
    with pytest.raises(SetupError, match=re.escape(f"bot {FOREIGN!r} has only imported results")):
        create_tournament(
            store,
            TournamentSpec(
                game="chess", bots=["mine", FOREIGN], rounds=1, limits=Limits(depth=1), seed=1
            ),
        )
    said = league(tmp_path, "run", "--game", "chess", "--bots", "Doe, J.", "--depth", "1", code=1)
    assert "Traceback" not in said
    take(store, pgn("mine", "newcomer", "1-0", "1. e4"))
    version, is_new, _ = register(store, "newcomer", "random", options={}, is_checked=False)
    assert (version.number, is_new) == (2, True)
    assert store.bots.get("newcomer").versions[0].spec == IMPORTED
    assert take(store, pgn("newcomer", "mine", "1-0", "1. e4")).known == ["newcomer v2", "mine v1"]
    store.bots.retire("Doe, J.")
    assert take(store, pgn("Doe, J.", "mine", "1-0", "1. d4")).added == 1


def test_damage_is_found(store: Store) -> None:
    take(store, GOOD)
    from sqlalchemy import text  # noqa: PLC0415 (only here, to damage)

    with store.writing() as connection:
        connection.execute(text("UPDATE match SET scores = '1,0' WHERE id = 1"))
    _, findings = verify(store)
    assert [(each.match, each.text.split(" in its row")[0]) for each in findings] == [
        (
            None,
            "tournament 1: 2 totals are not those of its matches: 'league ratings recompute'",
        ),
        (1, "scores (1.0, 0.0)"),
    ]


@pytest.mark.slow
def test_other_games_come_back_as_they_were_written(store: Store, tmp_path: Path) -> None:
    for name in ("one", "two"):
        league(tmp_path, "register", name, "random", "--no-check")
    league(
        *(tmp_path, "run", "--game", "connectfour", "--bots", "all", "--rounds", "2"),
        *("--depth", "1", "--quiet", "--seed", "3"),
    )
    league(tmp_path, "export", "1", "--pgn", "out.pgn")
    said = league(tmp_path, "import", "out.pgn", "--game", "connectfour", "--as", "two=twin")
    assert "tournament 2: 4 matches from out.pgn" in said
    assert "new bots with results only: twin" in said
    before, after = (
        list(written(store, store.matches.numbers(number), "json")) for number in (1, 2)
    )
    for one, other in zip(before, after, strict=True):
        was, now = json.loads(one), json.loads(other)
        assert [ply["move"] for ply in was["plies"]] == [ply["move"] for ply in now["plies"]]
        assert was["scores"] == now["scores"]
    assert verify(store) == (8, [])
    text = pgn("one", "three", "1-0", "")
    assert take(store, text, "connectfour").added == 1, "results alone"
    on = pgn("one", "three", "1-0", "{moves: a1 b1 a2 b2 a3 b3}")
    assert "ply 6: the match is over" in take(store, on, "tictactoe").reasons[0]


def test_no_game_is_loaded_because_a_file_names_it(store: Store, tmp_path: Path) -> None:
    (tmp_path / "evil.py").write_text("import pathlib\npathlib.Path(__file__ + '.ran').touch()\n")
    text = pgn("one", "two", "1-0", "", Game=f"{tmp_path}/evil.py:Game")
    assert take(store, text, "connectfour").left_out == {"illegal": 1}
    assert not (tmp_path / "evil.py.ran").exists()


@pytest.mark.slow
def test_the_commands_say_what_an_import_is(tmp_path: Path) -> None:
    (tmp_path / "a.pgn").write_text(GOOD + pgn("a", "b", "*", "1. e4"))
    assert "left out" not in league(tmp_path, "import", "a.pgn", "--game", "chess")
    found = json.loads(league(tmp_path, "import", "a.pgn", "--game", "chess", "--json"))
    assert found[0]["is_known"]
    assert "already: nothing to add" in league(tmp_path, "import", "a.pgn", "--game", "chess")
    assert "3 of them were imported" in league(tmp_path, "db", "verify")
    assert "ran out of time at ply 4" in league(tmp_path, "why", "2")
    assert "To play that move again" not in league(tmp_path, "why", "2")
    assert "Doe, J." in league(tmp_path, "replay", "2", "--plain")
    assert "by Doe, J." in league(tmp_path, "replay", "2", "--plain", "--ply", "1")
    stats = json.loads(league(tmp_path, "stats", "--json"))
    assert "the first position" in str(stats), "whole matches are no openings"
    assert "Nf3" not in str(stats)
    assert 'format = "import"' in league(tmp_path, "tournaments", "1")
    for arguments, text in (
        (["resume", "1"], "there is nothing to play"),
        (["tournament", "extend", "1", "--rounds", "1"], "nothing can be added"),
        (["run", "--again", "1"], "it can't be held again"),
        (["repro", "2"], "no bot of this league moved in it"),
        (["play", "chess", "--against", FOREIGN], "has only imported results"),
        (["run", "--game", "chess", "--bots", "all"], "left out, known by imported results"),
    ):
        assert text in league(tmp_path, *arguments, code=1), arguments
    assert "write NAME=BOT" in league(
        tmp_path, "import", "a.pgn", "--game", "chess", "--as", "x", code=2
    )


@pytest.mark.parametrize(
    "variant",
    [
        *("Fischer Random", "fischerrandom", "FischerRandom", "Fischer-Random", "Fischerandom"),
        *("Classical", "Normal", "standard", "From Position", "from-position", "Chess 960"),
    ],
)
def test_the_names_of_chess_are_known(store: Store, variant: str) -> None:
    told = take(store, pgn("a", "b", "1-0", "1. e4", Variant=variant))
    assert (told.added, told.left_out.total()) == (1, 0)


CONFLICT = pgn("a", "b", "1-0", "1. e4") + pgn("a", "b", "1-0", "1. d4").replace("d4 1-0", "d4 *")


def test_a_result_that_the_moves_contradict_is_named(store: Store) -> None:
    told = take(store, CONFLICT)
    (conflict,) = told.conflicts
    assert "game 2 (line 8): the tag Result is '1-0', and the moves end with '*'" in conflict
    assert any(note.startswith("warning: ") for note in import_notes(told))
    assert told.added == 2
    assert not take(store, GOOD).conflicts


def test_a_strict_import_adds_nothing_of_a_contradiction(store: Store) -> None:
    path = Path(store.target).with_name("games.pgn")
    path.write_text(CONFLICT)
    with pytest.raises(SetupError, match=r"game 2 \(line 8\).*leave --strict out"):
        import_file(store, str(path), "chess", {}, is_strict=True)
    assert not store.tournaments.all()
