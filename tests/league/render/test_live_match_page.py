"""A match in play: what both bots told, and who is better by it."""

from games.support.specs import find_game
from league.model.live_ply import LivePly
from league.model.records import Limits, ReportRecord
from league.render.live_match_page import (
    LiveGame,
    LiveSeat,
    LiveState,
    draw_live_move,
    draw_live_state,
    score_told,
)

HOSTILE = "<img src=x onerror=alert(1)>"


def live(*seats: str, limits: Limits = Limits()) -> LiveGame:  # noqa: B008 (frozen)
    """Return a match of Connect Four that has not begun."""
    colours = ("red", "yellow")
    return LiveGame(
        game=find_game("connectfour"),
        seats=[LiveSeat(name, colour) for name, colour in zip(seats, colours, strict=True)],
        limits=[limits, limits],
    )


def told(wire: int, score: float | None = None, ms: int = 5, **known: object) -> LivePly:
    """Return a move with what its bot told."""
    report = ReportRecord(score=score, **known)  # type: ignore[arg-type]
    return LivePly(wire, ms * 1_000_000, report)


def test_bots_tell_what_they_think() -> None:
    match = live("ann", HOSTILE)
    assert match.take((LivePly(3), told(3, 0.5, depth=4, nodes=12_345, pv=(3, 2, 99)))) == 0
    second = match.seats[1]
    assert (second.score, second.depth, second.nodes) == ("+0.5", "4", "12.3k")
    # The line ends where the rules refuse it.
    assert second.line == "4 3"
    assert second.used_s == 0.005
    state = LiveState(moved_at_ms=17, is_in_play=True)
    drawn = draw_live_state(match, state)
    assert "<img src=x" not in drawn
    assert "4 3" in drawn
    assert 'data-way="up" data-moved="17"' in drawn
    item = draw_live_move(match.frames[2])
    assert "\n" not in item
    assert ">5.0 ms<" in item
    assert ">+0.5<" in item


def test_a_bar_shows_who_is_better_in_each_bots_unit() -> None:
    match = live("ann", "bob")
    assert match.advantage is None
    assert 'data-key="eval"' not in draw_live_state(
        match, LiveState(moved_at_ms=0, is_in_play=True)
    )
    match.take((told(3, 200.0),))
    first = match.advantage
    assert first is not None
    assert first > 0.7
    match.take((*match.plies, told(3, 0.5)))
    assert match.advantage is not None
    assert match.advantage == 1 - first
    match.take((*match.plies, told(3, 0.0)))
    assert match.advantage == 0.5
    match.take((*match.plies, told(3, 9999.0, mate=3)))
    assert match.advantage is not None
    assert match.advantage < 0.05
    match.take((*match.plies, told(3, float("nan"))))
    assert match.advantage < 0.05


def test_clocks_are_those_of_the_match() -> None:
    limits = Limits(time="60+2")
    match = live("ann", "bob", limits=limits)
    match.take((LivePly(3), told(3, ms=1000), told(2, ms=500)))
    assert [seat.left_s for seat in match.seats] == [61.5, 61.0]
    drawn = draw_live_state(match, LiveState(moved_at_ms=17, is_in_play=True))
    assert 'data-clock="61.00" data-way="down" data-moved="17"' in drawn
    over = draw_live_state(
        match, LiveState(moved_at_ms=17, is_in_play=False, match=8, ending="1 – 0")
    )
    assert "data-moved" not in over
    assert 'href="/matches/8">' in over
    assert "1 – 0" in over


def test_a_match_goes_on_or_begins_again() -> None:
    match = live("ann", "bob")
    bare = tuple(map(LivePly, (3, 3, 2)))
    assert match.take(bare) == 0
    assert match.take((*bare, LivePly(1))) == 3
    # What it costs is known as soon as somebody watches.
    rich = tuple(told(each.wire, ms=1) for each in match.plies if isinstance(each.wire, int))
    assert match.take(rich) == 0
    assert [round(seat.used_s, 3) for seat in match.seats] == [0.002, 0.002]
    assert match.take(rich[:1]) == 0
    assert len(match.frames) == 2


def test_scores_are_short() -> None:
    scores = {0.354: "+0.354", -0.35449: "-0.354", 397.724: "+398", 0.0: "0", -123456.0: "-123456"}
    assert {score: score_told(ReportRecord(score=score)) for score in scores} == scores
    assert score_told(ReportRecord(score=1000.0, mate=-2)) == "#-2"
    assert score_told(ReportRecord()) == ""
