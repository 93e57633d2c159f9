"""Files that the values of an engine's options name."""

from dataclasses import replace
from pathlib import Path

import pytest

from league.model.records import Isolation, Limits
from league.seats.bot_specs import make_seat
from league.seats.engine.option_files import missing_from, named_by
from league.seats.process import isolation
from league.seats.process.environment import BotEnvironment
from league.seats.seat import SeatFault
from tests.league.seats.scripted import engine
from tests.waiting import PATIENCE_S

needs_sandbox = pytest.mark.skipif(
    bool(isolation.why_no_sandbox()), reason=isolation.why_no_sandbox() or "it works"
)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "nets").mkdir()
    (tmp_path / "nets" / "x.nnue").write_text("a net")
    (tmp_path / "wdl").mkdir()
    return tmp_path


@pytest.mark.parametrize(
    ("value", "names"),
    [
        ("nets/x.nnue", ["nets/x.nnue"]),
        ("nets:wdl", ["nets", "wdl"]),
        ("nets;wdl ; elsewhere", ["nets", "wdl"]),
        ("<empty>", []),
        ("", []),
        (".", []),
        ("true", []),
        ("x" * 5000, []),
    ],
)
def test_files_and_folders_are_found(folder: Path, value: str, names: list[str]) -> None:
    assert named_by([value], [folder]) == [folder / name for name in names]


@pytest.mark.parametrize(
    ("option", "value", "missing"),
    [
        ("EvalFile", "nets/y.nnue", "nets/y.nnue"),
        ("EvalFile", "y.nnue", "y.nnue"),
        ("SyzygyPath", "nets:dtz/3-4", "dtz/3-4"),
        ("SyzygyPath", "nets;wdl", ""),
        ("EvalFile", "nets/x.nnue", ""),
        ("EvalFile", "<empty>", ""),
        ("Style", "Solid", ""),
        ("Version", "1.5", ""),
        ("Server", "http://127.0.0.1/x.bin", ""),
        ("Debug Log File", "sf.log", ""),
    ],
)
def test_a_path_that_leads_nowhere_is_told(
    folder: Path, option: str, value: str, missing: str
) -> None:
    assert missing_from(option, value, [folder]) == missing


UCI = [
    (
        "^uci$",
        "option name EvalFile type string default inner.nnue\n"
        "option name Style type combo default a/b var a/b var c/d\nuciok",
    ),
    ("^isready", "readyok"),
]
UGI = [("^ugi$", UCI[0][1].replace("uciok", "ugiok")), UCI[1]]
XBOARD = [
    (
        "^protover",
        'feature option="EvalFile -file inner.nnue" option="Style -combo *a/b /// c/d" done=1',
    ),
    (r"^ping (\d+)", r"pong \1"),
]


@pytest.mark.slow
@pytest.mark.parametrize(("protocol", "script"), [("uci", UCI), ("ugi", UGI), ("xboard", XBOARD)])
def test_an_engine_whose_file_is_missing_does_not_start(
    folder: Path, protocol: str, script: list[tuple[str, str]]
) -> None:
    limits = Limits(start_s=PATIENCE_S)
    seat = make_seat(engine(protocol, script, {"EvalFile": "nets/y.nnue"}, folder), limits)
    try:
        with pytest.raises(SeatFault, match=r"EvalFile=nets/y\.nnue: there is no 'nets/y\.nnue'"):
            seat.start()
    finally:
        seat.stop()
    good = {"EvalFile": "nets/x.nnue", "Style": "c/d"}
    seat = make_seat(engine(protocol, script, good, folder), limits)
    try:
        seat.start()
        assert "nets/x.nnue" in seat.log
    finally:
        seat.stop()


ENGINE = """#!/bin/sh
while read line; do
  set -- $line
  case "$1" in
    uci) echo "option name EvalFile type string default <empty>"; echo uciok ;;
    setoption) cat "$5" >&2 ;;
    isready) echo readyok ;;
    quit) exit 0 ;;
  esac
done
"""


@pytest.mark.slow
@needs_sandbox
@pytest.mark.parametrize("home", ["bin", "eng"])
@pytest.mark.parametrize("net", ["nets/x.nnue", "../far/x.nnue", "{0}/far/x.nnue"])
def test_a_file_of_an_option_is_seen_in_the_sandbox(tmp_path: Path, home: str, net: str) -> None:
    for place in (home, "m/nets", "far"):
        (tmp_path / place).mkdir(parents=True)
    program = tmp_path / home / "e.sh"
    program.write_text(ENGINE)
    program.chmod(0o755)
    for place in ("m/nets", "far"):
        (tmp_path / place / "x.nnue").write_text("the net\n")
    options = {"EvalFile": net.format(tmp_path)}
    version = replace(engine("uci", [], options, tmp_path / "m"), spec=f"uci:../{home}/e.sh")
    limits = Limits(start_s=PATIENCE_S, isolation=Isolation.SANDBOX)
    environment = BotEnvironment(hidden=(tmp_path / "m" / "league.db",))
    seat = make_seat(version, limits, environment)
    try:
        seat.start()
        assert "the net" in seat.output
    finally:
        seat.stop()
