"""Chess engines in a league, from their registration to the end of a tournament."""

import json
import os
import re
from pathlib import Path

import pytest

from league.cli.engine_option import read_engine
from league.model.errors import CheckError, SetupError
from league.model.number_format import numbers, told_score
from league.model.records import Adjudication, DrawRule, Limits, ReportRecord, WinRule
from league.model.tournament_spec import TournamentSpec
from league.registration.register import register
from league.store.store import open_store
from league.tournament.create import create_tournament
from league.tournament.remarks import remarks
from tests.league.command import both, league
from tests.promises import on_linux


@pytest.mark.slow
def test_registration_holds_the_options_against_the_engine(tmp_path: Path, plain: Path) -> None:
    with open_store(str(tmp_path / "league.db"), create=True) as store:
        options = {"Seed": "5", "Wipe": ""}
        found = register(store, "good", f"uci:{plain}", options=options).version
        assert (found.title, found.author) == ("Plain", "botleague")
        assert store.bots.get("good").games == ("chess",)
        for options, games, said in (
            ({"Sed": "5"}, [], r"offers no option 'Sed' \(did you mean 'Seed'\?\)"),
            ({"Talk": "maybe"}, [], "expected true or false"),
            ({}, ["othello"], "uci plays chess alone, not othello"),
            ({}, ["chess?chess960=true"], "offers no option UCI_Chess960"),
        ):
            with pytest.raises(CheckError, match=said):
                register(store, "bad", f"uci:{plain}", options=options, games=games)
        assert [bot.name for bot in store.bots.all()] == ["good"]
    said = league(tmp_path, "register", "bad", f"uci:{plain}", "--option", "Sed=1", code=1)
    assert said == f"league: 'uci:{plain}' offers no option 'Sed' (did you mean 'Seed'?)\n"


@pytest.mark.slow
def test_a_tournament_with_a_bad_engine_is_played_to_its_end(tmp_path: Path, plain: Path) -> None:
    with open_store(str(tmp_path / "league.db"), create=True) as store:
        late = {"Fault": "late", "At": "2"}
        for name, options in (("good", {"Talk": "true"}), ("bad", late)):
            register(store, name, f"uci:{plain}", options=options, is_checked=False)
        register(store, "python", "greedy", options={}, games=["chess"], is_checked=False)
        with pytest.raises(SetupError, match="registered for chess, not for othello"):
            create_tournament(
                store,
                TournamentSpec(
                    game="othello",
                    bots=["good", "python"],
                    rounds=1,
                    limits=Limits(depth=1),
                    seed=1,
                ),
            )
        with pytest.raises(SetupError, match="bot 'good' can't play: uci engines need a limit"):
            create_tournament(
                store,
                TournamentSpec(
                    game="chess", bots=["good", "python"], rounds=1, limits=Limits(), seed=1
                ),
            )
    run = ("run", "--game", "chess", "--bots", "all", "--move-time", "100ms", "--max-plies", "30")
    # The others answer at once, on a busy machine in a while.
    patient = ("--handicap", "good=1000", "--handicap", "python=1000", "--start-time", "1h")
    league(tmp_path, *run, *patient, "--seed", "3", "--json", "--workers", "1")
    found = json.loads(league(tmp_path, "matches", "--json"))
    assert len(found) == 6
    lost = [each for each in found if each["termination"] == "time forfeit"]
    assert [each["bots"][each["fault_seat"]] for each in lost] == ["bad"] * 4
    why = league(tmp_path, "why", str(lost[0]["match"]))
    assert re.search(r"it (moved \d+\.\d+ s after it was|did not move when) told to stop", why)
    assert re.search(
        r"> position startpos moves .*\n(  > isready\n)?"
        r"  > go movetime 100\n(  < readyok\n)?  > stop\n",
        why,
    )
    text = league(tmp_path, "export", "--pgn", "-")
    assert text.count('[Termination "time forfeit"]') == 4
    assert "{+0.25/1 " in text


@pytest.mark.parametrize(
    ("report", "score", "told"),
    [
        (ReportRecord(score=0.35, depth=12), "+0.35", "depth 12, score +0.35"),
        (ReportRecord(score=1000.0, mate=3), "#3", "score #3"),
        (ReportRecord(score=-1000.0, mate=-2), "#\N{MINUS SIGN}2", "score #\N{MINUS SIGN}2"),
        (ReportRecord(), "", ""),
        (
            ReportRecord(depth=9, seldepth=20, nodes=50_000, nps=2_000_000, tbhits=7),
            "",
            "depth 9/20, nodes 50.0k, 2.0M a second, 7 from tables",
        ),
    ],
)
def test_what_engines_tell_is_written_in_few_characters(
    report: ReportRecord, score: str, told: str
) -> None:
    assert (told_score(report), numbers(report)) == (score, told)


@pytest.mark.slow
def test_one_command_registers_engines_and_writes_what_they_play(
    tmp_path: Path, plain: Path
) -> None:
    (tmp_path / "book.epd").write_text("4k3/8/8/8/8/8/4P3/4K3 w - -\n7k/8/8/8/8/8/P7/K7 w - -\n")
    engines = (
        *("--engine", f"cmd={plain},name=new,option.Seed=1,option.Talk=true,nodes=7"),
        *("--engine", f"cmd={plain},name=base,tc=1:00:00+1"),
    )
    limits = ("--max-plies", "12", "--start-time", "1h", "--grace", "1h", "--workers", "1")
    run = ("run", *engines, *limits, "--rounds", "2", "--openings", "book.epd")
    files = ("--pgn", "games.pgn", "--epd", "ends.epd", "--pgn-with", "nodes,pv")
    core = str(min(os.sched_getaffinity(0)))
    _, said = both(tmp_path, *run, *files, "--engine-log", "engines.log", "--cpus", core)
    assert "limits: grace 3600s, cap 60s, start-time 3600s, memory 1024M, max-plies 12," in said
    assert "new has nodes=7, base has time=3600+1" in said
    pgn = (tmp_path / "games.pgn").read_text()
    assert pgn.count("[Event ") == 4
    assert pgn.count('[TimeControl "?"]\n[WhiteTimeControl ') == 4
    assert "n=20" in pgn
    for colour in ("White", "Black"):
        tags = f'[Engine{colour}Name "Plain"]\n[Engine{colour}Author "botleague"]\n'
        assert pgn.count(tags) == 4
    whole = league(tmp_path, "export", "--pgn", "-", "--pgn-with", "nodes,pv")
    assert sorted(pgn.split("\n\n")) == sorted(whole.split("\n\n"))
    assert len((tmp_path / "ends.epd").read_text().splitlines()) == 4
    log = (tmp_path / "engines.log").read_text()
    assert re.search(r"new\[[0-9]+\] > go nodes 7\n", log)
    assert re.search(r"base\[[0-9]+\] > go wtime 3600000 btime 3600000 winc ", log)
    league(tmp_path, *run, *files, "--append", "--quiet")
    assert (tmp_path / "games.pgn").read_text().startswith(pgn)
    assert (tmp_path / "games.pgn").read_text().count("[Event ") == 8
    league(tmp_path, *run, "--pgn", "games.pgn", "--quiet")
    assert (tmp_path / "games.pgn").read_text().count("[Event ") == 4
    assert league(tmp_path, "bots", "base").count("uci:") == 1


@pytest.mark.parametrize(
    ("engine", "code", "said"),
    [
        ("name=x", 2, "expected cmd=PROGRAM"),
        ("cmd=x,hash=16", 2, "unknown 'hash' of an engine"),
        ("cmd=x,tc=1:5", 2, "is not a time control"),
        ("cmd=x,tc=60:40/30", 2, "only the last period may have no number of moves"),
        ("cmd=x,st=50", 2, "write 50ms or 50s"),
        ("cmd=x name=y", 2, "write a comma, not a space, before 'name='"),
        ("cmd=x,fast", 2, "'fast': expected KEY=VALUE"),
        ("cmd=x,restart=often", 2, "expected one of never, match"),
        ("cmd=x,proto=xbord", 2, "proto=xbord: expected uci or xboard"),
        ("cmd=./none", 1, "no program './none' in"),
        ("cmd=x,isolation=strong", 2, "expected one of none, limits, sandbox"),
    ],
)
def test_an_engine_that_is_none_stores_nothing(
    tmp_path: Path, engine: str, code: int, said: str
) -> None:
    bots = ("--game", "chess", "--bots", "random")
    assert said in league(tmp_path, "run", *bots, "--engine", engine, code=code)
    if code == 1:
        assert league(tmp_path, "bots", "--json").strip() == "[]"


@pytest.mark.slow
@on_linux("the kernel bounds the memory of a process")
def test_an_engine_starts_under_the_limits_of_the_run_and_says_why_it_does_not(
    tmp_path: Path,
) -> None:
    program = tmp_path / "tells"
    program.write_text("#!/bin/sh\necho can reserve $(ulimit -d) KB >&2\nexit 1\n")
    program.chmod(0o755)
    run = ("run", "--engine", "cmd=./tells", "--engine", "cmd=./tells,name=b", "--depth", "1")
    for memory, told in (("3G", str(8 * 3 << 20)), ("512M", str(8 << 19))):
        bounds = ("--isolation", "limits", "--memory", memory)
        said = league(tmp_path, *run, *bounds, code=1)
        assert said == (f"league: 'uci:./tells' exited with status 1\n  | can reserve {told} KB\n")


def test_words_of_an_engine() -> None:
    found = read_engine("cmd=/usr/bin/my-engine,args='--a b',proto=xboard,option.P='1,2',plies=4")
    assert (found.name, found.spec) == ("my-engine", "xboard:/usr/bin/my-engine --a b")
    assert (found.options, found.limits, found.folder) == ({"P": "1,2"}, "depth=4", None)
    found = read_engine("cmd=./e,name=Stockfish dev-20240709,tc=inf,nodes=9")
    assert (found.name, found.limits) == ("Stockfish dev-20240709", "nodes=9")
    each = "option.Hash=16,option.Threads=2,tc=8+0.08,memory=2G"
    found = read_engine("cmd=./e,option.Hash=8,tc=inf,timemargin=70,isolation=none", each)
    assert found.options == {"Hash": "8", "Threads": "2"}
    assert found.limits == "memory=2G,grace=70ms,isolation=none"
    for theirs, ours in (("on", "match"), ("off", "never"), ("match", "match")):
        assert read_engine(f"cmd=./e,restart={theirs}").limits == f"restart={ours}"
    assert read_engine("cmd=./e,restart=auto", "restart=on").limits == ""


def test_a_program_with_an_ending_has_a_name() -> None:
    assert read_engine("cmd=./engine.py").name == "engine"
    assert read_engine("cmd=./stockfish-15.1").name == "stockfish-15.1"


@pytest.mark.slow
def test_engines_of_a_refused_tournament_are_taken_back(tmp_path: Path, plain: Path) -> None:
    with open_store(str(tmp_path / "league.db"), create=True) as store:
        register(store, "old", f"uci:{plain}", options={"Seed": "5"}, is_checked=False)
    engines = (f"--engine=cmd={plain},name=old", f"--engine=cmd={plain},name=new")
    said = league(tmp_path, "run", *engines, "--nodes", "1", "--openings", "none.epd", code=1)
    assert "none.epd" in said
    league(tmp_path, "run", *engines, "--engine=cmd=./none", "--nodes", "1", code=1)
    with open_store(str(tmp_path / "league.db")) as store:
        assert [(bot.name, len(bot.versions)) for bot in store.bots.all()] == [("old", 1)]


def test_scores_in_centipawns_are_warned_of(tmp_path: Path, plain: Path) -> None:
    with open_store(str(tmp_path / "league.db"), create=True) as store:
        register(store, "one", f"uci:{plain}", options={}, is_checked=False)
        register(store, "two", "greedy", options={}, games=["chess"], is_checked=False)
        for rules, count in (
            (Adjudication(draw=DrawRule(20.0, 8), win=WinRule(600.0, 3)), 2),
            (Adjudication(draw=DrawRule(0.2, 8), win=WinRule(6.0, 3)), 0),
        ):
            spec = TournamentSpec(
                game="chess", bots=["one", "two"], limits=Limits(nodes=1), adjudication=rules
            )
            found = remarks(store, spec, create_tournament(store, spec))
            assert sum("centipawns" in line for line in found) == count


def test_an_engine_does_not_take_the_name_of_another_kind_of_bot(
    tmp_path: Path, plain: Path
) -> None:
    with open_store(str(tmp_path / "league.db"), create=True) as store:
        register(store, "mine", "random", options={}, is_checked=False)
    said = league(tmp_path, "run", "--engine", f"cmd={plain},name=mine,nodes=1", code=1)
    assert "name 'mine' is in use by a bot made from 'random'" in said
