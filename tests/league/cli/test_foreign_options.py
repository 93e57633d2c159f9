"""The options of fastchess and cutechess-cli: each is in the guide, and answered with ours."""

import re
import shutil
import subprocess
from pathlib import Path

import click
import pytest

from league.cli.foreign_options import FOREIGN, GUIDE, ForeignOption, refuse_foreign
from league.cli.run import command
from tests.league.command import league
from tests.paths import DOCS, ROOT

PROGRAM = shutil.which("fastchess") or ""
TEXT = (ROOT / GUIDE).read_text(encoding="utf-8")
SIDE_BY_SIDE = (DOCS / "how-to" / "from-fastchess.md").read_text(encoding="utf-8")
ROW = re.compile(r"^\| (`[^|]+`) \|(.*)\|$", re.MULTILINE)
SAME = {"rounds", "draw", "openings", "help"}
"""Options of theirs whose names we have too."""

OURS = {
    option.lstrip("-")
    for param in command.params
    if isinstance(param, click.Option)
    for option in param.opts
}


def words(text: str) -> list[str]:
    """Return the words of a text."""
    return text.split()


# fastchess 1.8.2, in the order of its help.
FASTCHESS = words("""
version help quick concurrency force-concurrency rounds games repeat sprt tournament seeds variant
noswap reverse wait each engine draw resign maxmoves tb tbpieces tbignore50 tbadjudicate openings
srand output pgnout epdout event site ratinginterval scoreinterval report config recover
autosaveinterval compliance crc32 show-latency testEnv log use-affinity strict check-mate-pvs
startup-ms ucinewgame-ms ping-ms
""")
FASTCHESS_PARTS = words("""
cmd name args tc timemargin st nodes restart plies depth proto dir option.name file format order
plies start append seldepth nps hashfull tbhits pv timeleft latency min match_line notation
""")
# cutechess-cli 1.5.1.
CUTECHESS = words("""
engine each variant concurrency draw resign maxmoves tb tbpieces tbignore50 tournament event games
rounds sprt ratinginterval outcomeinterval debug openings bookmode pgnout epdout recover repeat
noswap reverse seeds site srand wait resultformat version help engines
""")
CUTECHESS_PARTS = words("""
conf name cmd dir stderr proto tc option.name arg initstr restart trust st timemargin book
bookdepth whitepov ponder depth nodes file format order plies start policy fi min
""")


def in_guide() -> set[str]:
    """Return all names of theirs in the tables of the guide; options have their dash."""
    cells = [found[1] for found in ROW.finditer(TEXT)]
    return {name for cell in cells for name in re.findall(r"`([^`]+)`", cell)}


@pytest.mark.parametrize("name", sorted({*FASTCHESS, *CUTECHESS}))
def test_every_option_of_theirs_is_mapped(name: str) -> None:
    assert f"-{name}" in in_guide()
    assert (name in FOREIGN) is (name not in SAME)


def test_every_part_of_theirs_is_mapped() -> None:
    known = {name.replace("option.NAME", "option.name") for name in in_guide()}
    assert {*FASTCHESS_PARTS, *CUTECHESS_PARTS} <= known


def test_the_guide_says_what_the_command_says() -> None:
    rows = {
        name: found[2]
        for found in ROW.finditer(TEXT)
        for name in re.findall(r"`-([^`]+)`", found[1])
    }
    for name, row in rows.items():
        for option in re.findall(r"--([a-z-]+)", FOREIGN.get(name, "")):
            assert f"--{option}" in row, name
    for option in re.findall(r"`--([a-z-]+)", TEXT + SIDE_BY_SIDE):
        assert option in OURS, option


@pytest.mark.skipif(not PROGRAM, reason="needs fastchess on the path")
def test_fastchess_has_no_other_options() -> None:
    run = subprocess.run([PROGRAM, "--help"], capture_output=True, text=True, check=False)
    text = re.sub(r"\x1b\[[0-9;]*m", "", run.stdout + run.stderr)
    # Each option begins a section of the help.
    _, *sections = re.split(r"^\s*[·*-] -{1,2}(?=[A-Za-z])", text, flags=re.MULTILINE)
    found = {re.split(r"[^\w-]", each, maxsplit=1)[0]: each for each in sections}
    assert found.keys() == set(FASTCHESS)
    told = "".join(found[name] for name in ("engine", "openings", "pgnout", "epdout"))
    parts = set(re.findall(r"([a-z][a-z_.]*)=", told))
    assert parts | {"depth"} == set(FASTCHESS_PARTS), "the help calls depth another word for plies"


@pytest.mark.parametrize("name", [name for name in FOREIGN if name not in OURS])
@pytest.mark.parametrize("dashes", ["-", "--"])
def test_an_option_of_theirs_is_answered_with_ours(name: str, dashes: str) -> None:
    for args in ([dashes + name, "x"], [f"{dashes}{name}=x"], ["--game", "chess", dashes + name]):
        with pytest.raises(ForeignOption, match=rf"no option {dashes}{re.escape(name)} here"):
            refuse_foreign(args, OURS)


def test_what_is_ours_is_taken() -> None:
    refuse_foreign(["--engine", "cmd=x,tc=1", "-q", "--handicap", "a=-1", "file.toml"], OURS)
    with pytest.raises(ForeignOption, match="write --rounds"):
        refuse_foreign(["-rounds", "3"], OURS)
    with pytest.raises(ForeignOption, match="'name=sf' stands alone: join the parts"):
        refuse_foreign(["--engine", "cmd=x", "name=sf"], OURS)


def test_the_answer_is_a_line(tmp_path: Path) -> None:
    for option, said in (("--tc", "--time 8+0.08"), ("-each", "--each option.Hash=16")):
        text = league(tmp_path, "run", "--game", "chess", option, "8+0.08", code=2)
        assert said in text
        assert text.count("\n") == 1
    assert list(tmp_path.iterdir()) == []


def test_a_test_of_ours_is_no_longer_than_theirs() -> None:
    *theirs, ours = re.findall(r"```sh\n(.*?)\n```", SIDE_BY_SIDE, re.DOTALL)
    assert len(theirs) == 2
    assert len(ours) < min(map(len, theirs))
