"""The files of a gate: Markdown and JUnit."""

import xml.etree.ElementTree as ET
from dataclasses import replace

from hypothesis import given
from hypothesis import strategies as st

from games.support.printable import printable
from league.analysis.gate import GateLine, GateResult, GateVerdict, LostMatch
from league.formats.format import SprtProgress
from league.interchange.gate_report import junit, markdown
from league.model.records import Termination
from league.ratings.elo_difference import Counts
from league.ratings.sprt import Sprt, SprtState

TEST = Sprt(-40.0, 0.0)
LINE = GateLine(opponent="main", game="chess", test=TEST, tournament=1)
WEAKER = replace(
    LINE,
    verdict=GateVerdict.WEAKER,
    trial=SprtProgress(
        SprtState.REJECTED,
        Counts((20, 30, 40, 10, 5)),
        TEST,
        ((0.0, 0.0), (105, -3.25)),
        record=(60, 50, 100),
    ),
    forfeits={Termination.CRASH: 2, Termination.TIME_FORFEIT: 1},
    failed_moves=4,
    play_s=75.0,
    lost_matches=(
        LostMatch(match=7, termination=Termination.CRASH, is_forfeit=True, detail="oops", plies=12),
        LostMatch(match=9, termination=Termination.RULES, is_forfeit=False, detail="", plies=31),
    ),
)
PASSED = replace(LINE, opponent="old", verdict=GateVerdict.NOT_WEAKER)
OPEN = replace(LINE, opponent="far", reason="its time is used up")


def result(*lines: GateLine, change: str = "new", reason: str = "") -> GateResult:
    """Return the result of a gate with these lines."""
    return GateResult(change=change, alpha=0.05, beta=0.05, lines=lines, reason=reason)


def test_the_summary_begins_with_the_verdict_and_links_to_lost_matches() -> None:
    text = markdown(result(WEAKER, PASSED), {7: "replays/match-7.html"})
    head, _, table = text.partition("\n\n")
    assert head == "## Gate: new is weaker than main"
    row = table.splitlines()[2].split(" | ")
    assert row[0] == "| main"
    assert row[2] == "weaker"
    assert row[4] == "−3.25 (−2.94 to 2.94)"
    assert row[6:10] == ["60", "50", "100", "2 crashes, 1 time forfeit"]
    assert row[10] == "1 min 15 s |"
    assert "- main, chess: the game made 4 moves for new, which failed" in text
    assert "- [match 7](<replays/match-7.html>) against main, crash after 12 plies: oops" in text
    assert "- match 9 against main, after 31 plies `league replay 9`" in text


def test_the_summary_states_the_error_rates() -> None:
    one = markdown(result(PASSED), {})
    assert (
        "a change of −40 normalized Elo against the opponent passes with a probability of at most "
        "5%, and a change of 0 normalized Elo or more against the opponent fails with at most 5%."
    ) in one
    both = result(PASSED, replace(PASSED, test=Sprt(-20.0, 0.0)))
    assert "a change as weak as H0 says against any opponent passes" in markdown(both, {})


def test_an_undecided_gate_says_why() -> None:
    text = markdown(result(PASSED, OPEN), {})
    assert text.startswith("## Gate: undecided whether new is weaker than far\n")
    assert "- far, chess: its time is used up" in text


def test_junit_has_a_case_for_each_opponent() -> None:
    suite = ET.fromstring(junit(result(WEAKER, PASSED, OPEN)))[0]  # noqa: S314 (our own)
    counts = {name: suite.get(name) for name in ("tests", "failures", "skipped")}
    assert counts == {"tests": "3", "failures": "1", "skipped": "1"}
    names = [(case.get("classname"), case.get("name"), case[0].tag) for case in suite]
    assert names == [
        ("league.gate.chess", "new is not weaker than main", "failure"),
        ("league.gate.chess", "new is not weaker than old", "system-out"),
        ("league.gate.chess", "new is not weaker than far", "skipped"),
    ]
    assert suite[2][0].get("message") == "undecided: its time is used up"


def test_a_check_that_fails_is_a_failure() -> None:
    found = result(reason="line 1\n<b>line 2</b>")
    suite = ET.fromstring(junit(found))[0]  # noqa: S314 (our own)
    assert [case[0].get("message") for case in suite] == ["new does not pass its check"]
    assert suite[0][0].text == found.reason
    text = markdown(found, {})
    assert text == ("## Gate: new does not pass its check\n\n    line 1\n    <b>line 2</b>\n")


@given(text=st.text(min_size=1, max_size=30))
def test_no_text_of_a_bot_is_markup(text: str) -> None:
    lost = LostMatch(match=1, termination=Termination.CRASH, is_forfeit=True, detail=text, plies=1)
    found = result(replace(WEAKER, opponent=text, lost_matches=(lost,)), change=text)
    suite = ET.fromstring(junit(found))[0]  # noqa: S314 (our own)
    assert suite[0].get("name") == f"{printable(text)} is not weaker than {printable(text)}"
    plain = markdown(result(replace(WEAKER, lost_matches=(lost,))), {}).count("\n")
    assert markdown(found, {}).count("\n") == plain
    assert "<" not in markdown(found, {})
