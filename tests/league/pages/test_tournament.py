"""What is drawn of a tournament: names are text, numbers are those of the arithmetic."""

from games import catalogue
from league.following import Look, RatingHistory
from league.inplay import MatchInPlay
from league.pages.tournament import TINTS, draw_boards, draw_body, draw_head, history_chart, tint
from league.ratings.counts import Counts
from league.ratings.course import Mark
from league.records import Limits, MatchKey, TournamentConfig
from league.schedules.contract import Tie, Trial
from league.standings import Cell, Standing
from league.store import TournamentRow

HOSTILE = "<img src=x onerror=alert(1)>"
ROW = TournamentRow(
    7, TournamentConfig("tictactoe", (1, 2), 1, 0, 0, Limits()), None, 3, 0, None, "<b>stopped</b>"
)


def standing(version: int, name: str) -> Standing:
    """Return the row of a bot."""
    return Standing(version, name, version, 1, 1200.0, 50.0, None, 1.0, 1, 0, 1, name=name)


def test_names_are_text_everywhere() -> None:
    state = catalogue.find("tictactoe").initial()
    board = MatchInPlay(MatchKey(0, 0), (HOSTILE, "bob"), state, 0, 3)
    trial = Trial("undecided", Counts((1, 2, 3)), (-2.9, 2.9), ((0, 0), (6, 0.5)))
    ties = (Tie(0, (0, 1), (1.0, 0.0), (0,)),)
    look = Look(
        *(ROW, (HOSTILE, "bob"), True, True),
        says=f"{HOSTILE} leads",
        expected=9,
        trial=trial,
        ties=ties,
    )
    rows = [standing(1, HOSTILE), standing(2, "bob")]
    cells = {(1, 2): Cell(1, 0, 0, 1.0), (2, 1): Cell(0, 0, 1, 0.0)}
    drawn = draw_head(look) + draw_boards([board]) + draw_body(look, rows, cells, ())
    assert "<img src=x" not in drawn
    assert "<b>stopped" not in drawn
    assert drawn.count("&lt;img src=x onerror=alert(1)&gt;") >= 5
    assert 'class="unseen"> goes on' in drawn
    assert "Undecided" in drawn
    assert "<polyline" in drawn


def test_nothing_is_drawn_of_nothing() -> None:
    assert draw_boards([]) == ""
    drawn = draw_body(Look(ROW, ("ann", "bob"), False, True), [], {}, ())
    assert "No match is over yet." in drawn
    assert "<table" not in drawn


def test_a_history_begins_when_all_are_on_one_scale() -> None:
    known, both = {1: (1210.0, 90.0)}, {1: (1220.0, 80.0), 2: (1180.0, 80.0)}
    marks = (Mark(1, known), Mark(2, {}), Mark(3, both), Mark(4, both))
    chart = history_chart(RatingHistory(True, marks), [standing(1, "ann"), standing(2, "bob")])
    assert chart is not None
    assert [[point.x for point in each.points] for each in chart.series] == [[3, 4], [3, 4]]
    assert (chart.unit, chart.xs) == ("rounds", ("3", "4"))


def test_every_score_has_its_tint() -> None:
    cells = [Cell(wins, 0, 10 - wins, float(wins)) for wins in range(11)]
    assert [tint(each) for each in cells] == [0, 0, 1, 1, 2, 2, 3, 3, 4, 4, 4]
    assert len(TINTS) == 5
