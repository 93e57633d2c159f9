"""`league sprt` and `league power`, which need no league."""

import json
import math
from pathlib import Path

import pytest
from click.testing import CliRunner

from games.support.options import options_of
from league.cli import sprt
from league.cli.main import cli
from league.cli.sprt import TEST_OPTIONS
from league.formats.sprt import Sequential
from league.interchange.documents.document import json_text
from league.ratings.elo_difference import Counts
from league.ratings.sprt import Model, Sprt
from league.ratings.sprt_results import standing
from tests.league.command import league


def test_what_counts_prove(tmp_path: Path) -> None:
    counts = "223,9863,20279,1000,10037,246"
    arguments = ("sprt", "--counts", counts, "--elo0", "0.5", "--elo1", "2.5")
    text = league(tmp_path, *arguments, "--model", "logistic")
    assert "LLR    −3.07  of −2.94 to 2.94, logistic Elo [0.5, 2.5]" in text
    assert "state  evidence favours 0.5 logistic Elo over 2.5" in text
    found = json.loads(league(tmp_path, *arguments, "--model", "logistic", "--json"))
    assert found["llr"] == pytest.approx(-3.07, rel=0.01)
    assert found["state"] == "rejected"
    assert found["matches"] == 2 * sum(map(int, counts.split(",")))
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("model", [Model.NORMALIZED, Model.LOGISTIC])
@pytest.mark.parametrize(
    "numbers", [(3, 20, 60, 25, 5), (7, 0, 0, 1, 0), (20, 5, 10)], ids=["five", "few", "three"]
)
def test_counts_that_a_run_shows_give_the_ratio_that_it_shows(
    tmp_path: Path, numbers: tuple[int, ...], model: Model
) -> None:
    test = Sprt(model=model)
    counts = Counts(numbers) if len(numbers) == 5 else Counts.of_matches(*numbers)
    line = standing(test, counts)
    shown = line[line.index("[", line.index("nomial")) : line.rindex("]") + 1]
    answer = league(tmp_path, "sprt", "--counts", shown, "--model", model, "--json")
    assert json.loads(answer)["llr"] == pytest.approx(test.llr(counts))
    bare = league(tmp_path, "sprt", "--counts", shown.strip("[]").replace(" ", ""), "--json")
    assert json.loads(bare)["matches"] == counts.total * counts.matches_each


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (["--counts", "1,2"], "write W,L,D or LL,LD,WL,DD,WD,WW or the 5 counts of"),
        (["--counts", "1,2,3,4"], "write W,L,D or LL,LD,WL,DD,WD,WW or the 5 counts of"),
        (["--counts", "1,2,-3"], "write W,L,D or LL,LD,WL,DD,WD,WW or the 5 counts of"),
        (["--counts", "0,0,0"], "no matches"),
        (["--counts", "1,2,3", "--elo0", "5"], "elo0 5 must be less than elo1 5"),
        (["--counts", "1,2,3,4,5,6", "--model", "bayesian"], "single matches"),
        (["--counts", f"{10**20},1,1"], "expected at most 1,000,000,000"),
    ],
)
def test_mistakes(arguments: list[str], told: str) -> None:
    found = CliRunner().invoke(cli, ["sprt", *arguments])
    assert found.exit_code == 2
    assert told in found.output


def not_json(text: str) -> None:
    raise AssertionError(f"{text} is not JSON")


@pytest.mark.parametrize("model", Model)
@pytest.mark.parametrize("counts", ["155,68,0", "4250,0,0", "0,1,0", "0,0,7", f"5,{10**6},0"])
def test_any_counts_are_answered(tmp_path: Path, counts: str, model: str) -> None:
    arguments = ("sprt", "--counts", counts, "--model", model)
    assert "LLR" in league(tmp_path, *arguments)
    found = json.loads(league(tmp_path, *arguments, "--json"), parse_constant=not_json)
    alike = counts.split(",").count("0") == 2
    assert (found["nelo"] is None) == alike


def test_options_are_those_of_the_format() -> None:
    options = {option.name: option for option in sprt.command.params}
    for declared in options_of(Sequential):
        if declared.name in TEST_OPTIONS:
            assert options[declared.name].default == declared.default


def test_infinities_are_null() -> None:
    value = {"list": [math.inf, 1.5, math.nan], "text": "NaN"}
    told = json.loads(json_text(value, indent=2), parse_constant=not_json)
    assert told == {"list": [None, 1.5, None], "text": "NaN"}


def test_how_many_matches_it_takes(tmp_path: Path) -> None:
    found = json.loads(league(tmp_path, "power", "5", "--json"))
    half = json.loads(league(tmp_path, "power", "2.5", "--json"))
    assert half["fixed"] == pytest.approx(4 * found["fixed"], rel=0.01)
    assert found["sequential"]["true difference 5"] < found["fixed"]
    assert "52,255 matches" in league(tmp_path, "power", "5")
    logistic = league(tmp_path, "power", "5", "--model", "logistic")
    assert logistic.startswith("to see 5 logistic Elo, 30% draws,")
    assert "36,584 matches" in logistic
    assert CliRunner().invoke(cli, ["power", "0"]).exit_code == 2
