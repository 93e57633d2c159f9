"""Matches written for other programs, and read back by them."""

import csv
import io
import json
import random
import re
from dataclasses import replace
from datetime import datetime
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

pytest.importorskip("chess", reason="needs the extra 'chess'")

import chess.pgn

from games.chess.pgn import numbered_openings
from games.chess.rules import Chess
from games.support.specs import find_game
from league import League
from league.analysis.replay import Replay
from league.interchange.export import all_exports, usual_export
from league.interchange.exports.csv import EXPORT as CSV
from league.interchange.exports.csv import cell
from league.interchange.exports.epd import EXPORT as EPD
from league.interchange.exports.pgn import EXPORT as PGN
from league.interchange.pgn.results import collect
from league.match.openings import BookFile, read_book
from league.model.errors import UnknownRowError
from league.model.records import (
    Limits,
    MatchKey,
    MatchRecord,
    MoveRecord,
    ReportRecord,
    Termination,
)
from league.model.tournament_spec import TournamentSpec
from league.store.rows import BotRef, BotSpec, MatchRow
from league.store.store import open_store
from league.tournament.create import create_tournament
from tests.league.command import league
from tests.league.matches import add_bots

TOLD = ReportRecord(depth=12, nodes=99, score=0.35, pv=())


def record_of(game: str, texts: str, opening: int = 0, **others: object) -> MatchRecord:
    """Return a match of these moves, each told as `TOLD` after 104 ms."""
    state = find_game(game).initial()
    moves = []
    for text in texts.split():
        moves.append(state.parse(text))
        state = state.play(moves[-1])
    outcome = state.outcome()
    record = MatchRecord(
        game=state.game.spec,
        versions=(1, 2),
        seed=1,
        opening=tuple(moves[:opening]),
        moves=tuple(MoveRecord(move, wall_ns=104_000_000, report=TOLD) for move in moves[opening:]),
        scores=tuple((each + 1) / 2 for each in outcome or (0.0, 0.0)),
        termination=Termination.RULES if outcome else Termination.MOVE_LIMIT,
        utilities=outcome,
        detail="" if outcome else "not over after 9 plies: a draw",
    )
    return replace(record, **others)  # type: ignore[arg-type]  # fields of the record


def replay_of(record: MatchRecord, *names: str) -> Replay:
    """Return a replay of a match that no database holds."""
    versions = tuple(BotRef(number, name, 1) for number, name in enumerate(names or ("a", "b")))
    row = MatchRow(
        id=17,
        tournament_id=3,
        key=MatchKey(4, 1),
        game=record.game,
        versions=versions,
        scores=record.scores,
        termination=record.termination,
        fault_seat=record.fault_seat,
        utilities=None,
        stand_ins=None,
        plies=len(record.moves),
        wall_ms=1,
        finished_at=1_700_000_000,
    )
    return Replay(row=row, record=record, limits=Limits(move_s=0.1))


def test_a_match_is_written_as_players_write_it() -> None:
    text = PGN.text(replay_of(record_of("chess", "f3 e5 g4 Qh4#", opening=1)))
    assert text == (
        '[Event "Tournament 3"]\n[Site "?"]\n[Date "2023.11.14"]\n[Round "5.2"]\n[White "a"]\n'
        '[Black "b"]\n[Result "0-1"]\n[PlyCount "4"]\n[Termination "normal"]\n'
        '[TimeControl "0.1/move"]\n\n'
        "1. f3 {book} 1... e5 {+0.35/12 0.104s} 2. g4 {+0.35/12 0.104s} 2... Qh4#\n"
        "{+0.35/12 0.104s} {Black won by checkmate} 0-1\n\n"
    )


@given(
    st.sampled_from(["chess", "chess?start=0", "chess?start=959", "chess?chess960=true"]),
    st.integers(0, 2**32),
    st.integers(1, 60),
    st.integers(0, 8),
)
def test_python_chess_reads_back_the_same_moves(
    spec: str, seed: int, plies: int, opening: int
) -> None:
    draw, moves = random.Random(seed), list[int]()
    first = state = find_game(spec).initial()
    while state.outcome() is None and len(moves) < plies:
        moves.append(draw.choice(state.legal_moves()))
        state = state.play(moves[-1])
    record = replace(
        record_of(spec, ""),
        opening=tuple(moves[:opening]),
        moves=tuple(MoveRecord(move, wall_ns=5, report=TOLD) for move in moves[opening:]),
    )
    game = chess.pgn.read_game(io.StringIO(PGN.text(replay_of(record))))
    assert game is not None
    assert game.errors == []
    assert game.board().fen() == first.fen()
    read = game.board()
    for move, code in zip(moves, game.mainline_moves(), strict=True):
        assert first.code(move) == code.uci()
        read.push(code)
    assert read.fen() == state.fen()


@pytest.mark.parametrize(
    ("report", "comment"),
    [
        (None, "0.104s"),
        (ReportRecord(depth=3), "0.104s"),
        (ReportRecord(score=-1.5), "-1.50 0.104s"),
        (ReportRecord(depth=20, score=1000.0, mate=3), "+M3/20 0.104s"),
        (ReportRecord(depth=20, score=-1000.0, mate=-2), "-M2/20 0.104s"),
        (ReportRecord(score=-1000.0, mate=0), "-M0 0.104s"),
    ],
)
def test_comments_hold_what_was_told(report: ReportRecord | None, comment: str) -> None:
    moves = (MoveRecord(12 | 28 << 6, wall_ns=104_000_000, report=report),)
    text = PGN.text(replay_of(replace(record_of("chess", ""), moves=moves)))
    assert f"1. e4 {{{comment}}}" in text


@pytest.mark.parametrize("termination", Termination)
def test_every_ending_is_read_back(termination: Termination) -> None:
    record = record_of("chess", "e4", termination=termination, scores=(1.0, 0.0))
    if termination.is_fault:
        record = replace(record, fault_seat=1, detail='had {not}\n "moved" \\')
    text = PGN.text(replay_of(record, 'qu"ote\\', "\x1b[2Jblack"))
    game = chess.pgn.read_game(io.StringIO(text))
    assert game is not None
    assert game.errors == []
    assert r'[White "qu\"ote\\"]' in text
    assert game.headers["Black"] == "?[2Jblack"
    assert game.headers["Result"] == "1-0"
    assert game.headers["Termination"] in {
        "normal",
        "time forfeit",
        "rules infraction",
        "abandoned",
        "adjudication",
    }
    assert "\x1b" not in text
    if termination.is_fault:
        assert f"Black loses by {termination}: had (not)?" in game.end().comment


def test_a_clock_is_never_folded() -> None:
    record = record_of("chess", " ".join(f"{file}3 {file}6" for file in "abcdefgh"))
    limits = Limits(time="1+0.001")
    text = PGN.text(replace(replay_of(record), limits=limits))
    assert text.count("[%clk 0:00:0") == 16
    assert all(len(line) < 80 for line in text.splitlines())
    assert '[TimeControl "1+0.001"]' in text


def test_another_first_position_is_a_tag() -> None:
    fen = "4k3/8/8/8/8/8/4P3/4K3 b - - 3 9"
    text = PGN.text(replay_of(record_of(f"chess?fen={fen}", "Kd8 e4")))
    assert f'[SetUp "1"]\n[FEN "{fen}"]\n' in text
    assert "9... Kd8 {+0.35/12 0.104s} 10. e4" in text
    assert 'Variant "Chess960"' not in text
    assert '[Variant "Chess960"]\n[SetUp "1"]' in PGN.text(
        replay_of(record_of("chess?start=518", "e4"))
    )


def test_the_games_format_is_taken_where_none_is_named() -> None:
    assert list(all_exports())[-1] == "json"
    assert usual_export(find_game("chess")).name == "pgn"
    assert usual_export(find_game("othello")).name == "json"
    assert usual_export(find_game("pacman")).name == "json"


def test_other_games_have_the_tags_that_rating_programs_read(tmp_path: Path) -> None:
    text = PGN.text(replay_of(record_of("tictactoe", "a1 b2 a2 b1 a3", opening=1), "Å{", "b"))
    assert text == (
        '[Event "Tournament 3"]\n[Site "?"]\n[Date "2023.11.14"]\n[Round "5.2"]\n[White "Å{"]\n'
        '[Black "b"]\n[Result "1-0"]\n[Game "tictactoe"]\n[PlyCount "5"]\n'
        '[Termination "normal"]\n[TimeControl "0.1/move"]\n\n'
        "{moves: a1 b2 a2 b1 a3} {by the rules} 1-0\n\n"
    )
    (tmp_path / "games.pgn").write_text(text * 3)
    assert collect([str(tmp_path / "games.pgn")]).scores == {("Å{", "b"): [3, 0, 0]}
    game = chess.pgn.read_game(io.StringIO(text))
    assert game is not None
    assert game.errors == []
    assert game.headers["Result"] == "1-0"
    assert list(game.mainline_moves()) == []
    lost = record_of("othello", "d3", termination=Termination.CRASH, fault_seat=0, detail="exit 1")
    assert "{Black loses by crash: exit 1}" in PGN.text(replay_of(lost)), "who begins is Black"


def test_rows_of_csv_are_read_back() -> None:
    export = CSV
    record = record_of("tictactoe", "a1 b2 a2 b1 a3", opening=1)
    head, replay = export.head(find_game("tictactoe")), replay_of(record, "=1+1", 'a,"b"\n')
    (row,) = csv.DictReader(io.StringIO(head + export.text(replay), newline=""))
    assert row["match"] == "17"
    assert row["termination"] == "rules"
    assert row["fault_seat"] == ""
    assert row["finished_at"] == "2023-11-14T22:13:20+00:00"
    assert row["bot_0"] == "'=1+1", "no spreadsheet computes it"
    assert row["bot_1"] == 'a,"b"\n'
    assert (row["score_0"], row["score_1"]) == ("1", "0")
    assert (row["time_s_0"], row["time_s_1"]) == ("0.208", "0.208")
    assert None not in row
    (unknown,) = csv.DictReader(io.StringIO(head + export.text(replace(replay, is_imported=True))))
    assert unknown["finished_at"] == unknown["wall_s"] == unknown["time_s_0"] == ""
    assert unknown["score_0"] == "1"


@pytest.mark.parametrize("sign", ["=", "+", "-", "@", "\t", "\r"])
def test_no_spreadsheet_computes_a_name(sign: str) -> None:
    """The signs are those of the OWASP page on CSV injection."""
    assert cell(f"{sign}1+1") == f"'{sign}1+1"
    assert cell(f"a{sign}1") == f"a{sign}1", "within a text the sign is harmless"


def test_an_imported_match_is_written_without_what_nobody_knows() -> None:
    record = record_of("chess", "f3 e5 g4 Qh4#", opening=4)
    text = PGN.text(replace(replay_of(record), is_imported=True))
    assert '[Date "????.??.??"]' in text
    assert "1. f3 e5 2. g4 Qh4# {Black won by checkmate} 0-1" in text
    black_first = record_of("chess?fen=4k3/8/8/8/8/8/4P3/4K3 b - - 3 9", "Kd8 e4 Kd7", opening=3)
    text = PGN.text(replace(replay_of(black_first), is_imported=True))
    assert "9... Kd8 10. e4 Kd7 {" in text


@pytest.mark.slow
def test_a_stored_tournament_is_written_whole(tmp_path: Path) -> None:
    with open_store(str(tmp_path / "league.db"), create=True) as store:
        with pytest.raises(UnknownRowError, match="no tournaments yet"):
            League.of(store).export()
        one, two = add_bots(store, "one", "two")
        for game, texts in (("chess", "f3 e5 g4 Qh4#"), ("tictactoe", "a1 b2 a2 b1")):
            row = create_tournament(
                store,
                TournamentSpec(
                    game=game, bots=["one", "two"], rounds=1, limits=Limits(move_s=1.0), seed=1
                ),
            )
            record = record_of(game, texts)
            store.matches.save(
                row.id,
                [
                    (MatchKey(0, 0), replace(record, versions=(one, two))),
                    (MatchKey(0, 1), replace(record, versions=(two, one))),
                ],
            )
        documents = [json.loads(text) for text in League.of(store).export_parts()]
    assert [each["bots"] for each in documents] == [["one", "two"], ["two", "one"]]
    assert [ply["move"] for ply in documents[0]["plies"]] == ["", "a1", "b2", "a2", "b1"]
    assert documents[0]["plies"][1]["wall_ns"] == 104_000_000
    assert documents[0]["plies"][1]["score"] == 0.35
    assert "board" not in documents[0]["plies"][1]
    league(tmp_path, "export", "1", "--pgn", "out.pgn")
    assert len(list(numbered_openings(tmp_path / "out.pgn", 3, Chess()))) == 2
    text = (tmp_path / "out.pgn").read_text()
    assert league(tmp_path, "export", "--match", "1", "--match", "2") == text
    assert text.count('[White "two"]') == text.count('[Black "two"]') == 1
    assert json.loads(league(tmp_path, "export", "--match", "1", "--json"))["game"] == "chess"
    with open_store(str(tmp_path / "league.db")) as store:
        names = [f"p{seat}" for seat in range(3)]
        versions = tuple(add_bots(store, *names))
        row = create_tournament(
            store,
            TournamentSpec(game="pacman", bots=names, rounds=1, limits=Limits(move_s=1.0), seed=1),
        )
        three = MatchRecord(
            game="pacman",
            versions=versions,
            seed=1,
            opening=(),
            moves=(),
            scores=(1.0, 0.0, 0.0),
            termination=Termination.MOVE_LIMIT,
        )
        store.matches.save(row.id, [(MatchKey(0, 0), three)])
    said = league(tmp_path, "export", "3", "--pgn", "out.pgn", code=1)
    assert "match 5 can't be written as pgn: PGN has two seats, pacman 3" in said
    assert (tmp_path / "out.pgn").read_text() == text, "an export that fails leaves the file"
    apart = ["export", "--match", "1", "--match", "5", "--as", "csv"]
    assert "match 5 of pacman has not the seats" in league(tmp_path, *apart, code=1)
    league(tmp_path, "export", "1", "--as", "csv", "--to", "out.csv")
    with (tmp_path / "out.csv").open(newline="") as file:
        assert [row["bot_0"] for row in csv.DictReader(file)] == ["one", "two"]
    assert "did you mean 'pgn'" in league(tmp_path, "export", "1", "--as", "pgm", code=1)
    assert "not both" in league(tmp_path, "export", "1", "--match", "1", code=2)
    assert "choose one format" in league(tmp_path, "export", "--json", "--pgn", "x", code=2)
    assert "can't write" in league(tmp_path, "export", "1", "--to", "no/x.pgn", code=1)


@pytest.mark.slow
def test_a_page_holds_one_match(tmp_path: Path) -> None:
    for name in ("one", "two"):
        league(tmp_path, "register", name, "random", "--no-check")
    league(tmp_path, *("run", "--game", "tictactoe", "--bots", "all", "--depth", "1", "--quiet"))
    told = league(tmp_path, "export", "--as", "html", code=1)
    assert "a file of html holds one match, not 2: --match N" in told
    league(tmp_path, "export", "--match", "1", "--html", "match.html")
    text = (tmp_path / "match.html").read_text()
    assert text.startswith("<!doctype html>")
    assert text.count("<html") == 1
    assert "one" in text
    assert "choose one format" in league(
        tmp_path, "export", "--match", "1", "--html", "x", "--json", code=2
    )


def test_a_report_is_written_in_full_if_asked_for() -> None:
    replay = replay_of(record_of("chess", "f3 e5"))
    line = tuple(each.move for each in replay.record.moves)
    report = replace(
        ReportRecord(score=0.35, depth=12, seldepth=20, nodes=999, nps=7, tbhits=3, pv=line),
        hashfull=41,
        time_ms=105,
    )
    moves = (replace(replay.record.moves[0], report=report), *replay.record.moves[1:])
    record = replace(replay.record, moves=moves)
    whole = replace(replay, record=record)
    counts = replace(PGN, nodes=True, nps=True, seldepth=True, hashfull=True, tbhits=True)
    text = replace(counts, pv=True, latency=True).text(whole)
    # In the order of fastchess; its engine was slower by its own clock than by the referee's.
    told = "latency=-0.001s, n=999, sd=20, nps=7, hashfull=41, tbhits=3"
    assert f'{{+0.35/12 0.104s, {told}, pv="f3 e5"}}' in " ".join(text.split())
    assert "n=999" not in PGN.text(whole)


def test_engines_are_named_as_they_name_themselves() -> None:
    replay = replay_of(record_of("chess", "f3 e5"))
    bots = BotSpec("uci:./sf", {}, "Stockfish 15.1", 'T. "R"'), BotSpec("greedy", {})
    text = PGN.text(replace(replay, read_bots=lambda: bots))
    assert '[EngineWhiteName "Stockfish 15.1"]\n[EngineWhiteAuthor "T. \\"R\\""]\n[Ply' in text
    assert "EngineBlack" not in text


def test_tags_are_written_by_choice() -> None:
    replay = replay_of(record_of("chess", "f3 e5", wall_ns=83_900_000_000))
    asked = replace(PGN, event='The "cup"', site="Here", times=True).text(replay)
    assert asked.startswith('[Event "The \\"cup\\""]\n[Site "Here"]\n')
    tags = dict(re.findall(r'\[(Game\w+) "([^"]*)"\]', asked))
    start, end = (
        datetime.strptime(tags[name], "%Y-%m-%dT%H:%M:%S %z")
        for name in ("GameStartTime", "GameEndTime")
    )
    assert (end - start).total_seconds() == 83
    assert end.timestamp() == replay.row.finished_at
    assert tags["GameDuration"] == "00:01:23"
    assert "GameStartTime" not in PGN.text(replay)
    named = replace(PGN, opening=True).text(replay_of(record_of("chess", "e4 e5 Nf3 Nc6 Bb5")))
    assert '[ECO "C60"]\n[Opening "Ruy Lopez"]\n' in named


def test_a_variation_is_written_up_to_the_end_of_the_match() -> None:
    replay = replay_of(record_of("chess", "f3 e5 g4 Qh4"))
    line = tuple(each.move for each in replay.record.moves)
    first = replace(replay.record.moves[0], report=ReportRecord(pv=(*line, line[0])))
    record = replace(replay.record, moves=(first, *replay.record.moves[1:]))
    text = replace(PGN, pv=True).text(replace(replay, record=record))
    assert 'pv="f3 e5 g4 Qh4#"' in " ".join(text.split())


def test_every_match_has_its_control_and_no_comment_that_tells_nothing() -> None:
    replay = replay_of(record_of("chess", "f3 e5 g4"))
    moves = tuple(replace(each, report=None, wall_ns=0) for each in replay.record.moves)
    record = replace(replay.record, moves=moves)
    bare = replace(replay, record=record, limits=Limits(depth=3))
    text = PGN.text(bare)
    assert '[TimeControl "-"]' in text
    assert "\n1. f3 e5 2. g4 {" in text
    assert '[TimeControl "?"]' in PGN.text(replace(bare, is_imported=True))


def test_the_last_position_is_a_line_that_openings_are_read_from(tmp_path: Path) -> None:
    (tmp_path / "ends.epd").write_text(EPD.text(replay_of(record_of("chess", "e4 e5 Nf3"))))
    assert (tmp_path / "ends.epd").read_text() == (
        "rnbqkbnr/pppp1ppp/8/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R b KQkq - hmvc 1; fmvn 2;\n"
    )
    file = BookFile(path=tmp_path / "ends.epd", game=find_game("chess"))
    (opening,) = read_book(file).openings
    first = find_game(opening.game).initial()
    assert first.to_move == 1
    assert first.fen().endswith(" b KQkq - 1 2")
    assert EPD.text(replay_of(record_of("connectfour", "4 4"))).startswith("7/7/7/7/3y3/3r3")
    assert "writes its positions as no text" in EPD.refusal(find_game("tree"))
