"""What is drawn of a tournament: names are text, numbers are those of the arithmetic."""

import re
from collections.abc import Mapping
from dataclasses import replace
from typing import Any
from urllib.parse import unquote

import pytest

from games.support.specs import find_game
from league.analysis.crosstable import Cell
from league.analysis.follow import FollowUpdate, RatingHistory
from league.analysis.outlook import Outlook
from league.analysis.pool_statistics import Cycle
from league.analysis.standing_columns import columns_of
from league.analysis.standing_rows import Standing
from league.analysis.standings import Standings
from league.formats.format import BracketTie, SprtProgress, TableOrder
from league.formats.knockout import Knockout
from league.formats.schedule import EXHAUSTED
from league.formats.table import PointsTable
from league.model.records import IMPORT, Limits, MatchKey, Termination, TournamentConfig
from league.model.tiebreak import Tiebreak
from league.ratings.elo_difference import Counts
from league.ratings.rating_curve import CurvePoint
from league.ratings.sprt import Sprt, SprtState
from league.ratings.systems.fitted import Fitted
from league.render.rating_history_chart import history_chart
from league.render.tournament_headline import headline
from league.render.tournament_page import (
    TINTS,
    draw_boards,
    draw_body,
    draw_head,
    keep_places,
    tint,
)
from league.render.tournament_view import NewestMatches, SlowParts
from league.store.rows import BotRef, MatchRow, TournamentRow, TournamentState
from league.tournament.live_board import MatchInPlay, newest_position
from tests.league.matches import match_row

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


def body_of(
    look: FollowUpdate, table: Standings, cells: Mapping[tuple[int, int], Cell] | None = None
) -> dict[str, str]:
    """Draw a tournament without matches to list."""
    matches: list[MatchRow] = []
    return draw_body(look, table, cells or {}, NewestMatches(matches), SlowParts.of(look, table))


def look_of(format: str = "roundrobin", **known: Any) -> FollowUpdate:
    """Return what was read of a tournament of some bots."""
    names = known.pop("names", ("ann", "bob"))
    entrants = tuple(range(1, len(names) + 1))
    row = replace(ROW, config=replace(ROW.config, format=format, entrants=entrants))
    known = {"is_in_play": False, "is_read": True} | known
    return FollowUpdate(row=row, names=names, **known)


def test_names_are_text_everywhere() -> None:
    state = find_game("tictactoe").initial()
    board = MatchInPlay(
        key=MatchKey(5, 1),
        game="tictactoe",
        names=(HOSTILE, "bob"),
        state=state,
        plies=0,
        moved_at_ms=3,
    )
    path = ((0, 0), (6, 0.5), (12, 0.75))
    trial = SprtProgress(SprtState.UNDECIDED, Counts((1, 2, 3)), Sprt(), path)
    look = look_of("sprt", names=(HOSTILE, "bob"), is_in_play=True, expected=9, trial=trial)
    look = replace(look, troubles=(f"{HOSTILE} is suspended.",))
    rows = [standing(1, HOSTILE), standing(2, "bob")]
    cells = {(1, 2): Cell(1, 0, 0), (2, 1): Cell(0, 0, 1)}
    test = body_of(look, table_of(*rows), cells)
    ties = (BracketTie(0, (0, 1), (1.0, 0.0), (0,)),)
    cup = body_of(look_of("knockout", names=(HOSTILE, "bob"), ties=ties), table_of(*rows), cells)
    drawn = (
        draw_head(look, 2.0) + draw_boards(7, [board]) + "".join([*test.values(), *cup.values()])
    )
    assert "<img src=x" not in drawn
    assert "<b>stopped" not in drawn
    assert drawn.count("&lt;img src=x onerror=alert(1)&gt;") >= 7
    assert 'class="unseen"> is the champion' in drawn
    assert "Undecided after 6 matches" in test["outcome"]
    assert '>bob</a>: <span class="nowrap">6 matches</span>' in test["outcome"]
    assert re.search(r'href="/versus/\S+/bob\?game=tictactoe">compare<', test["outcome"])
    assert 'class="llr even"' in test["outcome"]
    assert '"bounds":[{' in test["course"]
    assert 'href="/tournaments/7/live/5/1"' in drawn
    assert "7,200 an hour" in drawn
    assert "about 5 s left" in drawn


def test_a_ring_is_named_below_the_standings() -> None:
    table = table_of(standing(1, "ann"), standing(2, HOSTILE))
    table = replace(table, cycles=[Cycle(("ann", "bob", HOSTILE), (6, 6, 6), (0, 0, 0))] * 2)
    drawn = body_of(look_of(), table)["table"]
    assert "ann beats bob beats &lt;img" in drawn
    assert "has 1 more): one number can" in drawn
    assert "beats" not in body_of(look_of(), table_of(*table.rows))["table"]


def test_nothing_is_drawn_of_nothing() -> None:
    assert draw_boards(7, []) == ""
    drawn = body_of(look_of(), table_of())
    assert "No match is over yet." in drawn["outcome"]
    assert "<table" not in "".join(drawn.values())


def board(encounter: int) -> MatchInPlay:
    """Return a match in play."""
    return MatchInPlay(
        key=MatchKey(encounter, 0),
        game="tictactoe",
        names=("ann", "bob"),
        state=find_game("tictactoe").initial(),
        plies=encounter,
        moved_at_ms=3,
    )


def test_boards_keep_their_places_between_two_matches() -> None:
    one, two, three, four = map(board, range(1, 5))
    assert keep_places([], [one, two]) == [one, two]
    assert keep_places([one, two], [two]) == [one, two]
    assert keep_places([one, two], [three, two]) == [three, two]
    assert keep_places([one, two], []) == [one, two]
    assert keep_places([one], [three, one, four]) == [one, three, four]
    drawn = draw_boards(7, [one, two], {one.key}, is_in_play=True)
    assert drawn.count(">over<") == 1
    assert drawn.count("data-moved") == 1
    assert "Between two matches." in draw_boards(7, [], is_in_play=True)
    assert 'id="in-play"' in draw_boards(7, [], is_in_play=True)


def test_a_board_in_play_marks_the_last_move() -> None:
    game = find_game("tictactoe")
    state, marks = newest_position(game, (4, 0))
    assert state == game.initial().play(4).play(0)
    (x, y) = marks[0]
    moved = replace(board(1), state=state, marks=marks)
    assert f'x="{x - 20}" y="{y - 20}"' in unquote(draw_boards(7, [moved])).partition("last")[2]
    assert newest_position(game, ()) == (game.initial(), ())
    assert "last" not in unquote(draw_boards(7, [board(1)]))


def test_a_rate_has_a_comma() -> None:
    assert ">3,735 an hour<" in draw_head(look_of(is_in_play=True), 3735 / 3600)
    assert ">12.6k an hour<" in draw_head(look_of(is_in_play=True), 3.5)


def test_a_history_begins_when_all_are_on_one_scale() -> None:
    known, both = {1: (1210.0, 90.0)}, {1: (1220.0, 80.0), 2: (1180.0, 80.0)}
    marks = (CurvePoint(1, known), CurvePoint(2, {}), *(CurvePoint(each, both) for each in (3, 4)))
    rows = [standing(1, "ann"), standing(2, "bob")]
    # Two points are no chart.
    assert history_chart(RatingHistory(True, marks), rows) is None
    chart = history_chart(RatingHistory(True, (*marks, CurvePoint(5, both))), rows)
    assert chart is not None
    assert (chart.x_name, chart.x) == ("round", [3, 4, 5])
    assert [list(each.values) for each in chart.lines] == [[1220.0] * 3, [1180.0] * 3]
    halves = dict.fromkeys((1, 2), (1350.5, 223.5))
    chart = history_chart(
        RatingHistory(True, tuple(CurvePoint(each, halves) for each in (1, 2, 3))), rows
    )
    assert chart is not None
    # The table says the same.
    assert chart.lines[0].values[0] == int(f"{1350.5:.0f}")
    assert chart.lines[0].errors[0] == int(f"{223.5:.0f}")


def test_lines_of_the_same_values_are_one_line() -> None:
    rated = {1: (1300.0, 50.0), 2: (1200.0, 80.0), 3: (1200.4, 80.0), 4: (1200.0, 81.0)}
    marks = tuple(CurvePoint(each, rated) for each in (1, 2, 3))
    rows = [standing(number, name) for number, name in enumerate(("ann", "bob", "cy", "di"), 1)]
    chart = history_chart(RatingHistory(True, marks), rows)
    assert chart is not None
    assert [line.name for line in chart.lines] == ["ann", "bob and cy", "di"]
    assert [line.short for line in chart.lines] == ["", "2 bots", ""]


def test_a_history_says_why_a_line_begins_late() -> None:
    rated = {number: (1200.0 + number, 50.0) for number in (1, 2, 3)}
    early = {1: rated[1], 2: rated[2]}
    rows = [standing(number, f"bot{number}") for number in rated]
    reason = "A line begins where"
    for first, is_said in ((rated, False), (early, True), ({}, True)):
        marks = tuple(CurvePoint(each, rated if each > 1 else first) for each in (1, 2, 3, 4))
        look = look_of(history=RatingHistory(True, marks))
        assert (reason in body_of(look, table_of(*rows))["history"]) == is_said


def test_the_rounds_name_the_bot_without_an_opponent() -> None:
    names = ("ann", "bob", "cy")
    ties = (BracketTie(0, (0, 1), (2.0, 0.0)), BracketTie(1, (2, 0), (1.0, 1.0)))
    rows = [standing(number, name) for number, name in enumerate(names, 1)]
    drawn = body_of(look_of("ladder", names=names, ties=ties), table_of(*rows))["rounds"]
    assert re.findall("Without an opponent: (.*?)<", drawn) == ["bob", "cy"]


def test_every_score_has_its_tint() -> None:
    cells = [Cell(wins, 0, 10 - wins) for wins in range(11)]
    assert [tint(each) for each in cells] == [0, 0, 1, 1, 2, 2, 3, 3, 4, 4, 4]
    assert len(TINTS) == 5


def test_a_headline_has_half_points_and_minus_signs() -> None:
    assert headline("deep wins with 14.5 points") == "deep wins with 14½ points"
    assert headline("a@0.5 points wins with 0.5 points") == "a@½ points wins with ½ points"
    assert headline("v1.5 wins with 3 points") == "v1.5 wins with 3 points"
    figures = "undecided between -20 and 0 Elo, bot-1 against bot-2: LLR -2.26 (-2.94 to 2.94)"
    assert headline(figures) == "undecided between −20 and 0 Elo, bot-1 against bot-2"


def test_a_verdict_of_a_test_has_minus_signs_and_says_why_it_ended() -> None:
    path = ((0, 0), (6, -3.0))
    test = Sprt(elo0=-20, elo1=0)
    rows = [standing(1, "ann"), standing(2, "bob")]
    trial = SprtProgress(SprtState.REJECTED, Counts((3, 2, 1)), test, path)
    drawn = body_of(look_of("sprt", names=("ann", "bob"), trial=trial), table_of(*rows))
    assert ">ann fails: evidence favours −20 " in drawn["outcome"]
    trial = SprtProgress(SprtState.UNDECIDED, Counts((3, 2, 1)), test, path)
    table = table_of(*rows)
    table = replace(table, outlook=Outlook(says=f"undecided; {EXHAUSTED}"))
    drawn = body_of(look_of("sprt", names=("ann", "bob"), trial=trial), table)
    assert f"after 6 matches: {EXHAUSTED}<" in drawn["outcome"]


def test_a_box_of_a_test_is_about_the_matches_that_count() -> None:
    counts = Counts((0, 0, 7, 0, 9))
    test = Sprt(elo0=0, elo1=80, alpha=0.05, beta=0.1)
    path = ((0, 0), (16, 3.16))
    trial = SprtProgress(
        SprtState.ACCEPTED, counts, test, path, record=(25, 0, 7), late=32, batch=16
    )
    body = body_of(look_of("sprt", trial=trial), table_of(standing(1, "ann"), standing(2, "bob")))
    assert "only after every 16 pairs of matches" in body["course"]
    drawn = body["outcome"]
    told = re.sub("<.*?>", "", drawn)
    assert "ann against bob: 32 matches · W 25 · L 7 · D 0" in told
    assert "elo0 0 · elo1 80 normalized Elo · alpha 0.05 · beta 0.1" in told
    assert "32 more matches finished after the decision and do not count." in told
    assert "Pentanomial: pairs of matches" in drawn
    assert "encounter" not in drawn


def test_a_crosstable_shows_everybody() -> None:
    rows = [standing(number, f"bot{number}") for number in range(1, 61)]
    cells = {(one, other): Cell(1, 1, 0) for one in range(1, 61) for other in range(1, 61)}
    drawn = body_of(look_of(), table_of(*rows), cells)["cross"]
    assert drawn.count('data-key="x') == 60 * 60
    assert "1½</td>" in drawn
    # Thousands of links would be in the way of the keys.
    assert "/versus/" not in drawn
    assert "/versus/" in body_of(look_of(), table_of(*rows[:5]), cells)["cross"]


def test_a_crosstable_keeps_its_order_for_a_while() -> None:
    rows = [standing(1, "ann"), standing(2, "bob")]
    look, cells = look_of(), {(1, 2): Cell(1, 0, 0), (2, 1): Cell(0, 0, 1)}
    slow = SlowParts.of(look, table_of(*rows))
    again = draw_body(
        look, table_of(*rows[::-1], standing(3, "eve")), cells, NewestMatches([]), slow
    )
    names = [
        again["cross"].index(f'</span> <a href="/bots/{name}') for name in ("ann", "bob", "eve")
    ]
    assert names == sorted(names)


def test_the_bars_of_ratings_have_a_heading_and_a_scale() -> None:
    rows = [standing(1, "ann"), standing(2, "bob")]
    look = look_of()
    head = re.compile(
        r'^<th data-key="sbars" .*>95% interval.*<span>(\S+)</span></span></th>$', re.MULTILINE
    )
    found = head.search(body_of(look, table_of(*rows))["table"])
    assert found is not None
    # As the bars, the scale stays for a while.
    slow = SlowParts.of(look, table_of(*rows))
    higher = [replace(each, rating=each.rating + 500) for each in rows]
    again = head.search(draw_body(look, table_of(*higher), {}, NewestMatches([]), slow)["table"])
    assert again is not None
    assert again[1] == found[1]


def test_a_ladder_tells_who_climbed() -> None:
    ties = (BracketTie(0, (0, 1), (0.5, 1.5)), BracketTie(1, (0, 2), (0.0, 2.0)))
    table = table_of(standing(2, "bob"), standing(3, "cid"), standing(1, "ann"))
    table = replace(table, outlook=Outlook(order=TableOrder.PLACES))
    drawn = body_of(look_of("ladder", names=("ann", "bob", "cid"), ties=ties), table)["table"]
    moves = re.findall(r'data-key="s\d+m"><span class="(\w+)">([^<]+)<', drawn)
    assert moves == [("won", "▲ 1"), ("won", "▲ 1"), ("lost", "▼ 2")]
    assert drawn.count("last round") == 2
    assert "the opponent's current place" in drawn
    assert "counts places gained and lost since the start" in re.sub("<.*?>", "", drawn)


def test_challengers_are_marked() -> None:
    table = table_of(standing(1, "ann"), standing(2, "bob"), standing(3, "cid"))
    look = look_of("gauntlet:challengers=2", names=("ann", "bob", "cid"))
    assert body_of(look, table)["table"].count("challenger</span>") == 2
    look = look_of("gauntlet", names=("ann", "bob", "cid"))
    assert body_of(look, table)["table"].count("challenger</span>") == 1


def test_a_sequential_test_has_no_podium_while_its_matches_are_being_read() -> None:
    table = table_of(standing(1, "ann"), standing(2, "bob"))
    table = replace(table, outlook=Outlook(says="evidence favours 5 Elo over 0"))
    drawn = body_of(look_of("sprt:elo1=5", is_read=False), table)["outcome"]
    assert "Evidence favours 5 Elo over 0" in drawn
    assert "podium" not in drawn
    assert "podium" in body_of(look_of(is_read=False), table)["outcome"]
    table = replace(table, outlook=Outlook())
    assert "Not decided yet" in body_of(look_of("sprt", is_read=False), table)["outcome"]


@pytest.mark.parametrize("format", ["knockout", "ladder"])
def test_ratings_are_no_outcome_of_places_while_the_matches_are_being_read(format: str) -> None:
    table = table_of(standing(1, "ann"), standing(2, "bob"))
    table = replace(table, outlook=Outlook(order=TableOrder.PLACES))
    drawn = body_of(look_of(format, is_read=False), table)
    assert ">Not decided yet</h2>" in drawn["outcome"]
    assert "1200" not in drawn["outcome"] + drawn["table"]
    table = replace(table, outlook=Outlook(order=TableOrder.PLACES, says="ann is first"))
    drawn = body_of(look_of(format, is_read=False), table)
    assert ">ann is first</h2>" in drawn["outcome"]
    assert "podium" not in drawn["outcome"]
    ties = (BracketTie(0, (0, 1), (1.5, 0.5), (0,)),)
    drawn = body_of(look_of(format, ties=ties), table)
    assert "podium" in drawn["outcome"]
    assert "Standings" in drawn["table"]


def test_a_sequential_test_has_a_chart_from_its_first_result_and_no_standings() -> None:
    trial = SprtProgress(SprtState.UNDECIDED, Counts((0, 0, 1)), Sprt(), ((0, 0), (1, 0.1)))
    table = table_of(standing(1, "ann"), standing(2, "bob"))
    drawn = body_of(look_of("sprt", trial=trial), table)
    assert "data-chart" in drawn["course"]
    assert (drawn["table"], drawn["cross"], drawn["history"]) == ("", "", "")


def test_bots_that_share_the_third_place_share_the_podium() -> None:
    rows = [standing(number, f"bot{number}") for number in range(1, 6)]
    rows[3] = replace(rows[3], rank=3)
    assert body_of(look_of(), table_of(*rows))["outcome"].count('data-key="podium') == 4
    rows[4] = replace(rows[4], rank=3)
    assert body_of(look_of(), table_of(*rows))["outcome"].count('data-key="podium') == 3


def test_the_standings_lead_to_the_pairings_of_a_bot_and_of_a_round() -> None:
    rows = [standing(number, name) for number, name in ((1, "ann"), (2, "bob"), (3, "cid"))]
    cells = {(1, 2): Cell(1, 0, 1), (2, 1): Cell(1, 0, 1), (1, 3): Cell(2, 0, 0)}
    ties = (BracketTie(0, (1, 0), (1.0, 1.0)), BracketTie(1, (0, 2), (2.0, 0.0)))
    look = look_of("swiss", names=("ann", "bob", "cid"), ties=ties)
    drawn = body_of(look, table_of(*rows), cells)
    found = re.findall(r'class="(\w+)" href="([^"]+)" title="([^"]+)"', drawn["table"])
    assert found[0] == (
        "drawn",
        "/matches?tournament=7&amp;bot=bob&amp;opponent=ann",
        "Round 1, against bob",
    )
    assert [kind for kind, *_ in found] == ["drawn", "won", "drawn", "lost"]
    # A round without an opponent keeps its place.
    assert re.findall(r'title="([^"]+)"><small></small><b>–<', drawn["table"]) == [
        "Round 2, without an opponent",
        "Round 1, without an opponent",
    ]
    assert "the opponent's current rank" in drawn["table"]
    assert '<a href="/matches?tournament=7&amp;bot=ann">2</a>' in drawn["table"]
    for number in (1, 2):
        assert f'href="#round{number}"' in drawn["table"]
        assert f'id="round{number}"' in drawn["rounds"]
    # The rounds tell what a crosstable would.
    assert drawn["cross"] == ""
    many = tuple(replace(ties[0], round=number) for number in range(20))
    drawn = body_of(
        look_of("swiss", names=("ann", "bob", "cid"), ties=many), table_of(*rows), cells
    )
    assert "#round" not in drawn["table"]
    assert "Crosstable" in drawn["cross"]


def test_matches_tell_their_endings_where_the_game_has_a_word() -> None:
    table = table_of(standing(1, "ann"), standing(2, "bob"))

    def drawn(matches: list[MatchRow], endings: dict[int, str]) -> str:
        slow = SlowParts.of(look_of(), table)
        return draw_body(look_of(), table, {}, NewestMatches(matches, endings), slow)["matches"]

    two = [match_row(1), match_row(2)]
    assert "Ended by" not in drawn(two, {})
    assert "Ended by" not in drawn(two, {1: "", 2: ""})
    assert drawn(two, {1: "a row", 2: "a row"}).count(">a row</td>") == 2
    words = drawn(two, {1: "<row>", 2: ""})
    assert ">&lt;row&gt;</td>" in words
    assert ">rules</td>" in words
    late = drawn([match_row(1, Termination.TIME_FORFEIT)], {})
    assert '<span class="fault">time forfeit of bob</span>' in late


def test_a_challenger_has_a_verdict_and_no_podium() -> None:
    table = table_of(standing(1, "ann"), standing(2, HOSTILE), standing(3, "cid"))
    cells = {(1, 2): Cell(0, 1, 3), (1, 3): Cell(2, 0, 2), (2, 1): Cell(3, 1, 0)}
    drawn = body_of(look_of("gauntlet", names=("ann", HOSTILE, "cid")), table, cells)
    assert "ann scored 2½ of 8 against 2 opponents (31.2%, −137 Elo)" in drawn["outcome"]
    assert "podium" not in drawn["outcome"]
    even = body_of(look_of("gauntlet"), table, {(1, 2): Cell(1, 0, 1)})
    assert "(50.0%, +0 Elo)" in even["outcome"]
    # The table of its opponents says all.
    assert drawn["table"] == ""
    assert "1200" in drawn["outcome"]
    # A rating that nobody can rely on is none.
    assert "Too few matches" not in drawn["outcome"]
    first, second, third = table.rows
    table = table_of(first, replace(second, error=449.6), third)
    vague = body_of(look_of("gauntlet", names=("ann", HOSTILE, "cid")), table, cells)["outcome"]
    assert vague.count('title="Too few matches for a rating: ±450"') == 1
    assert ">±450<" not in vague
    # The hardest opponent is first.
    assert re.findall(r'data-key="met1-(\d)"', drawn["outcome"]) == ["2", "3"]
    assert "<img src=x" not in drawn["outcome"]
    assert drawn["cross"] == ""


def test_imported_matches_have_a_page() -> None:
    drawn = body_of(look_of(IMPORT), table_of(standing(1, "ann"), standing(2, "bob")))
    assert "ann is first" in drawn["outcome"]
    assert "Standings" in drawn["table"]


def test_several_challengers_have_standings_of_their_own() -> None:
    table = table_of(standing(1, "ann"), standing(2, "bob"), standing(3, "cid"))
    cells = {(1, 2): Cell(4, 0, 0), (3, 2): Cell(2, 0, 2)}
    look = look_of("gauntlet:challengers=2", names=("ann", "cid", "bob"))
    look = replace(look, row=replace(look.row, config=replace(look.row.config, entrants=(1, 3, 2))))
    drawn = body_of(look, table, cells)["table"]
    assert re.findall(r'class="num rank">(\d)', drawn) == ["1", "2"]
    assert ">bob<" not in drawn


def test_a_headline_says_who_is_first() -> None:
    rows = [standing(number, f"bot{number}") for number in (1, 2, 3)]
    by_rating = table_of(*rows)
    # A phone has one line for all of these.
    told = re.sub("<.*?>", "", body_of(look_of(), by_rating)["table"])
    assert "1200 ±50\n+1 =0 −1\n" in told
    assert ">bot1 is first with 1200 ±50</h2>" in body_of(look_of(), by_rating)["outcome"]
    by_rating = replace(by_rating, overlaps=[(1, (1, 2, 3))])
    drawn = body_of(look_of(), by_rating)["outcome"]
    assert ">bot1 is first with 1200 ±50</h2>" in drawn
    assert ">Not statistically separated from bot2 and bot3<" in drawn
    rows[1] = replace(rows[1], ties=1)
    drawn = body_of(look_of(), replace(by_rating, rows=rows))["outcome"]
    assert ">bot1 and bot2 are first with 1200 ±50 each</h2>" in drawn
    assert ">Not statistically separated from bot3<" in drawn
    rows = [replace(row, total=total) for row, total in zip(rows, (2.5, 1.0, 0.0), strict=True)]
    by_points = table_of(*rows)
    by_points = replace(by_points, outlook=Outlook(order=TableOrder.POINTS))
    look = look_of(is_in_play=True)
    assert ">bot1 leads with 2½ points<" in body_of(look, by_points)["outcome"]
    rows[1] = replace(rows[1], total=2.5)
    decided = PointsTable(tiebreaks=(Tiebreak.BUCHHOLZ,), rows=(), decided=Tiebreak.BUCHHOLZ)
    by_points = replace(by_points, rows=rows, outlook=replace(by_points.outlook, table=decided))
    drawn = body_of(look, by_points)["outcome"]
    assert ">bot1 leads with 2½ points, ahead of bot2 by Buchholz<" in drawn
    rows[1] = replace(rows[1], rank=1)
    by_points = replace(by_points, rows=rows)
    assert "bot1 and bot2 lead with 2½ points each" in body_of(look, by_points)["outcome"]


def test_a_tie_break_that_decides_nothing_has_no_column() -> None:
    rows = [standing(1, "ann"), standing(2, "bob")]
    values = ((1.0, 2.0), (1.0, 12398.25))
    rows = [replace(row, total=1.0, tiebreaks=own) for row, own in zip(rows, values, strict=True)]
    table = table_of(*rows)
    breaks = (Tiebreak.DIRECT, Tiebreak.BUCHHOLZ)
    points_table = PointsTable(tiebreaks=breaks, rows=())
    table = replace(table, outlook=Outlook(order=TableOrder.POINTS, table=points_table))
    drawn = body_of(look_of(), table)["table"]
    assert ">12398.25<" in drawn
    points = columns_of(rows, (), table.outlook)[2:5]
    assert [each.text(rows[1], 0) for each in points] == ["1", "1", "12398.25"]
    assert ">DE<" not in drawn
    assert drawn.count('t1" class="num quiet more"') == 2


def test_an_empty_crosstable_is_not_shown() -> None:
    rows = [standing(number, f"bot{number}") for number in range(1, 7)]
    met = {(1, 2): Cell(1, 0, 0), (2, 1): Cell(0, 0, 1)}
    look = look_of("ladder")
    assert body_of(look, table_of(*rows), met)["cross"] == ""
    # It will be filled.
    assert "Crosstable" in body_of(look_of(), table_of(*rows), met)["cross"]
    met |= {(one, 6): Cell(1, 0, 0) for one in range(1, 7)}
    assert "Crosstable" in body_of(look, table_of(*rows), met)["cross"]


def test_a_tournament_that_was_stopped_tells_how_to_go_on() -> None:
    look = replace(look_of(), expected=24)
    drawn = draw_head(look)
    assert "stopped at 3 of 24" in drawn
    assert "league resume 7" in drawn
    # As in the lists, it is stopped only if there is a reason.
    look = replace(look, row=replace(look.row, stop_reason=""))
    assert ">unfinished at 3 of 24<" in draw_head(look)


def test_an_open_tournament_whose_matches_are_all_played_tells_how_to_close_it() -> None:
    look = look_of()
    look = replace(look, row=replace(look.row, total=3), expected=3)
    drawn = draw_head(look)
    assert ">all 3 matches played<" in drawn
    assert "close it with <code>league resume 7</code>" in drawn
    assert "stopped at" not in drawn
    assert "<progress" not in drawn
    assert look.row.status == "all played"
    rows = [standing(1, "ann"), standing(2, "bob")]
    table = table_of(replace(rows[0], total=2.0), replace(rows[1], total=1.0))
    table = replace(
        table, outlook=Outlook(order=TableOrder.POINTS, table=PointsTable(tiebreaks=(), rows=()))
    )
    assert ">ann wins with 2 points<" in body_of(look, table)["outcome"]
    look = replace(look, is_in_play=True)
    assert ">in play<" in draw_head(look)
    assert ">ann leads with" in body_of(look, table)["outcome"]


def test_a_tie_leads_to_its_matches_by_names_without_versions() -> None:
    rows = [replace(standing(1, "ann v2"), name="ann"), replace(standing(2, "bob"), name="bob")]
    look = look_of("knockout", names=("ann v2", "bob"), ties=(BracketTie(0, (0, 1), (), ()),))
    drawn = body_of(look, table_of(*rows))["course"]
    assert drawn.count('href="/matches?tournament=7&amp;bot=ann&amp;opponent=bob"') == 2
    # So does one that nobody has played yet.
    rows[1] = replace(rows[1], rank=0)
    drawn = body_of(look, table_of(*rows))["course"]
    assert drawn.count('href="/matches?tournament=7&amp;bot=ann&amp;opponent=bob"') == 2


def test_a_level_tie_says_what_decided() -> None:
    rows = [standing(1, "ann"), standing(2, "bob"), standing(3, "cid")]
    ties = (BracketTie(0, (1, 2), (2.0, 2.0), (1,)), BracketTie(1, (0, 1), (2.0, 0.0), (0,)))
    names = ("ann", "bob", "cid")
    drawn = body_of(look_of("knockout", names=names, ties=ties), table_of(*rows))["course"]
    # Once in the tree, and once in the list of rounds for phones.
    assert drawn.count(">by seed<") == 2
    # The first has a bye, and is the champion: the final tells it, without a column more.
    assert drawn.count(">bye<") == 1
    assert drawn.count('ann<span class="unseen"> is the champion</span>') == 2
    assert drawn.count('bob<span class="unseen"> goes on</span>') == 2
    assert drawn.count("<h3>Final</h3>") == 2
    assert "Champion</h3>" not in drawn
    by_lot = body_of(look_of("knockout:decide=lot", names=names, ties=ties), table_of(*rows))
    assert ">by lot<" in by_lot["course"]
    assert "goes to the better seed" not in by_lot["course"]


def test_a_bracket_and_its_table_show_the_seeds() -> None:
    rows = [standing(number, name) for number, name in enumerate("abcd", 1)]
    ties = (
        BracketTie(0, (0, 3), (0.0, 2.0), (3,)),
        BracketTie(0, (1, 2), (2.0, 0.0), (1,)),
        # The fourth seed has the place of the first, and that decides.
        BracketTie(1, (3, 1), (2.0, 2.0), (3,)),
    )
    look = look_of("knockout", names=tuple("abcd"), ties=ties)
    drawn = body_of(look, table_of(*rows))
    for part in ("course", "table"):
        said = re.sub(r"<[^>]*>", "", drawn[part])
        assert all(f"({seed}) {name}" in said for seed, name in enumerate("abcd", 1))
    assert drawn["course"].count(">by seed: the winner counts as seed 1<") == 2
    assert drawn["course"].count("A tie that is level after its replays goes to the better") == 1
    assert ">by seed<" not in drawn["course"]
    of_draw = look_of("knockout:seeding=drawn", names=tuple("abcd"), ties=ties)
    seeds = Knockout(seeding="drawn").seeds(4, of_draw.row.config.seed)
    said = re.sub(r"<[^>]*>", "", body_of(of_draw, table_of(*rows))["table"])
    assert seeds != [0, 1, 2, 3]
    assert all(f"({seed}) {'abcd'[each]}" in said for seed, each in enumerate(seeds, 1))
    assert "(1)" not in body_of(look_of(names=tuple("abcd")), table_of(*rows))["table"]


@pytest.mark.parametrize(("rounds", "folded"), [(8, ""), (40, "Rounds 1 to 36")])
def test_of_many_rounds_the_earlier_ones_are_folded(rounds: int, folded: str) -> None:
    ties = tuple(BracketTie(number, (0, 1), (1.0, 1.0)) for number in range(rounds))
    drawn = body_of(look_of("swiss", ties=ties), table_of(standing(1, "ann"), standing(2, "bob")))
    shown, _, rest = drawn["rounds"].partition('<div class="earlier">')
    assert re.findall(r"<summary>(Rounds .*?)<", shown) == ([folded] if folded else [])
    numbers = re.findall(r'id="round(\d+)"', shown), re.findall(r'id="round(\d+)"', rest)
    assert list(map(len, numbers)) == ([4, rounds - 4] if folded else [rounds, 0])


@pytest.mark.parametrize(
    ("format", "headings"),
    [
        ("roundrobin", ["Rating history"]),
        ("swiss", ["Rounds", "Rating history"]),
        ("knockout", ["Bracket"]),
        ("sprt", []),
    ],
)
def test_parts_keep_a_place_while_the_matches_are_being_read(
    format: str, headings: list[str]
) -> None:
    table = table_of(standing(1, "ann"), standing(2, "bob"))
    drawn = "".join(body_of(look_of(format, is_read=False), table).values())
    assert re.findall(r"<h2[^>]*>(.*?)</h2>\n<p class=\"quiet\">Reading the", drawn) == headings
    drawn = "".join(body_of(look_of(format), table).values())
    assert "Reading the" not in drawn


def test_a_crosstable_tells_of_how_many_matches_its_points_are() -> None:
    rows = [standing(number, f"bot{number}") for number in (1, 2, 3)]
    cells = {
        (one, other): Cell(1, 1, 0) for one in (1, 2, 3) for other in (1, 2, 3) if one != other
    }
    over = replace(look_of(), row=replace(look_of().row, state=TournamentState.FINISHED))
    even = body_of(over, table_of(*rows), cells)["cross"]
    assert even.count('title="1½ of 2: +1 =1 −0"') == 6
    assert "<small>" not in even
    # More are to come.
    assert "1½<small>/2</small>" in body_of(look_of(), table_of(*rows), cells)["cross"]
    cells[1, 2], cells[2, 1] = Cell(2, 1, 1), Cell(1, 1, 2)
    uneven = body_of(over, table_of(*rows), cells)["cross"]
    assert uneven.count("2½<small>/4</small>") == 1
    assert uneven.count("1½<small>/2</small>") == 4
    assert "does not add up" not in even + uneven
    three = replace(
        match_row(1),
        game="pacman",
        versions=tuple(BotRef(number, f"bot{number}", 1) for number in (1, 2, 3)),
        scores=(0.0, 1.0, 1.0),
    )
    slow = SlowParts.of(look_of(), table_of(*rows))
    drawn = draw_body(look_of(), table_of(*rows), cells, NewestMatches([three]), slow)["cross"]
    assert "A match of 3 bots counts for each two of them that are opponents" in drawn
