"""What is drawn of a tournament: names are text, numbers are those of the arithmetic."""

from games.support.specs import find_game
from league.analysis.follow import FollowUpdate, RatingHistory
from league.analysis.pool_statistics import Cycle
from league.analysis.standings import Cell, Standing, Standings
from league.formats.format import BracketTie, SprtProgress
from league.model.records import Limits, MatchKey, TournamentConfig
from league.ratings.elo_difference import Counts
from league.ratings.rating_curve import CurvePoint
from league.ratings.sprt import Sprt, SprtState
from league.ratings.systems.fitted import Fitted
from league.render.tournament_page import (
    TINTS,
    draw_boards,
    draw_body,
    draw_head,
    history_chart,
    tint,
)
from league.store.rows import TournamentRow
from league.tournament.live_board import MatchInPlay

HOSTILE = "<img src=x onerror=alert(1)>"
ROW = TournamentRow(
    id=7,
    config=TournamentConfig(
        game="tictactoe", entrants=(1, 2), rounds=1, seed=0, opening_plies=0, limits=Limits()
    ),
    total=None,
    played=3,
    created_at=0,
    finished_at=None,
    stop_reason="<b>stopped</b>",
)


def standing(version: int, name: str) -> Standing:
    """Return the row of a bot."""
    return Standing(
        version=version,
        bot=name,
        rank=version,
        pool=1,
        rating=1200.0,
        error=50.0,
        los=None,
        points=1.0,
        wins=1,
        draws=0,
        losses=1,
        name=name,
    )


def table_of(*rows: Standing) -> Standings:
    """Make standings by rating."""
    return Standings(game="tictactoe", system=Fitted(), rows=list(rows))


def test_names_are_text_everywhere() -> None:
    state = find_game("tictactoe").initial()
    board = MatchInPlay(key=MatchKey(0, 0), names=(HOSTILE, "bob"), state=state, plies=0, still_s=3)
    trial = SprtProgress(SprtState.UNDECIDED, Counts((1, 2, 3)), Sprt(), ((0, 0), (6, 0.5)))
    ties = (BracketTie(0, (0, 1), (1.0, 0.0), (0,)),)
    look = FollowUpdate(
        row=ROW,
        names=(HOSTILE, "bob"),
        is_in_play=True,
        is_read=True,
        expected=9,
        trial=trial,
        ties=ties,
    )
    rows = [standing(1, HOSTILE), standing(2, "bob")]
    cells = {(1, 2): Cell(1, 0, 0), (2, 1): Cell(0, 0, 1)}
    head = draw_head(look, f"{HOSTILE} leads")
    drawn = head + draw_boards([board]) + draw_body(look, table_of(*rows), cells, ())
    assert "<img src=x" not in drawn
    assert "<b>stopped" not in drawn
    assert drawn.count("&lt;img src=x onerror=alert(1)&gt;") >= 5
    assert 'class="unseen"> goes on' in drawn
    assert "Undecided" in drawn
    assert "<polyline" in drawn


def test_a_ring_is_named_below_the_standings() -> None:
    look = FollowUpdate(row=ROW, names=("ann", "bob"), is_in_play=False, is_read=True)
    table = table_of(standing(1, "ann"), standing(2, HOSTILE))
    table.cycles = [Cycle(("ann", "bob", HOSTILE), (6, 6, 6), (0, 0, 0))] * 2
    drawn = draw_body(look, table, {}, ())
    assert "ann beats bob beats &lt;img" in drawn
    assert "has 1 more): one number can" in drawn
    assert "beats" not in draw_body(look, table_of(*table.rows), {}, ())


def test_nothing_is_drawn_of_nothing() -> None:
    assert draw_boards([]) == ""
    look = FollowUpdate(row=ROW, names=("ann", "bob"), is_in_play=False, is_read=True)
    drawn = draw_body(look, table_of(), {}, ())
    assert "No match is over yet." in drawn
    assert "<table" not in drawn


def test_a_history_begins_when_all_are_on_one_scale() -> None:
    known, both = {1: (1210.0, 90.0)}, {1: (1220.0, 80.0), 2: (1180.0, 80.0)}
    marks = (CurvePoint(1, known), CurvePoint(2, {}), CurvePoint(3, both), CurvePoint(4, both))
    chart = history_chart(RatingHistory(True, marks), [standing(1, "ann"), standing(2, "bob")])
    assert chart is not None
    assert [[point.x for point in each.points] for each in chart.series] == [[3, 4], [3, 4]]
    assert (chart.unit, chart.xs) == ("rounds", ("3", "4"))


def test_every_score_has_its_tint() -> None:
    cells = [Cell(wins, 0, 10 - wins) for wins in range(11)]
    assert [tint(each) for each in cells] == [0, 0, 1, 1, 2, 2, 3, 3, 4, 4, 4]
    assert len(TINTS) == 5
