"""A match in play: what both bots told, and who is better by it."""

import re

import pytest

from games.support.moves import encode_move
from games.support.specs import find_game
from league.model.live_ply import LivePly
from league.model.records import Limits, ReportRecord
from league.render.live_match_page import (
    LiveGame,
    LivePhase,
    LiveSeat,
    LiveState,
    chance_told,
    draw_live_move,
    draw_live_state,
    result_told,
)
from league.render.match_charts import outlook_chart

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
    assert (second.score, second.depth, second.nodes) == ("+0.50", "4", "12.3k")
    # The line ends where the rules refuse it.
    assert second.line == "4 3"
    assert second.used_s == 0.005
    state = LiveState(moved_at_ms=17)
    drawn = draw_live_state(match, state)
    assert "<img src=x" not in "".join(drawn.values())
    assert "</span> 4 3</p>" in drawn["told"]
    assert 'data-way="up" data-moved="17"' in drawn["stage"]
    assert '<b>+0.50</b> <span class="view-chance">(73% to win)</span>' in drawn["told"]
    assert ">depth 4 · 12.3k nodes<" in drawn["told"]
    assert "&lt;img src=x onerror=alert(1)&gt;</span>: <b>4</b> · 5.0 ms<" in drawn["told"]
    item = draw_live_move(match, match.frames[2])
    assert "\n" not in item
    assert ">5.0 ms<" in item
    assert 'data-key="ply2" class="seat1"' in item
    longer = (told(1), told(2, 0.9, depth=6, seldepth=11))
    match.take((*match.plies, *longer))
    assert ">depth/selective 6/11<" in draw_live_state(match, state)["told"]
    # A forced move tells nothing of its own.
    match.take((*match.plies, told(2), told(2, 0.9, depth=0, nodes=1)))
    assert (second.score, second.depth, second.nodes) == ("+0.90", "6/11", "")


def test_moves_of_the_opening_are_named_once_the_first_bot_has_moved() -> None:
    match = live("ann", "bob")
    bare = (LivePly(3), LivePly(2))
    assert match.take(bare) == 0
    # They may also be moves of bots whom nobody watched.
    assert "opening" not in draw_live_move(match, match.frames[1])
    assert match.take((*bare, told(3))) == 0, "the list is drawn again"
    items = [draw_live_move(match, each) for each in match.frames[1:]]
    assert [item.endswith("<small>opening</small></li>") for item in items] == [True, True, False]
    assert 'class="seat0 opening"' in items[0]


def test_chess_has_a_number_for_each_row() -> None:
    pytest.importorskip("chess", reason="needs the extra 'chess'")
    match = LiveGame(
        game=find_game("chess"),
        seats=[LiveSeat("ann", "white"), LiveSeat("bob", "black")],
        limits=[Limits(), Limits()],
    )
    state, plies = match.game.initial(), []
    for text in ("e4", "e5", "Nf3"):
        move = state.parse(text)
        plies.append(LivePly(encode_move(state, move), 5_000_000))
        state = state.play(move)
    match.take(tuple(plies))
    items = [draw_live_move(match, each) for each in match.frames[1:]]
    numbers = [re.findall(r"<small>(.*?)</small> <span>", item) for item in items]
    assert numbers == [["1"], [], ["2"]]


def test_a_bar_shows_the_mean_of_both_views() -> None:
    match = live("ann", "bob")
    assert match.advantage is None
    drawn = draw_live_state(match, LiveState(moved_at_ms=0))
    assert 'data-key="eval"' not in drawn["stage"]
    # Each bot has a unit of its own: both see a good position for themselves.
    match.take((told(3, 200.0),))
    assert match.advantage is not None
    assert match.advantage > 0.7
    stage = draw_live_state(match, LiveState(moved_at_ms=17))["stage"]
    assert f">{100 * match.advantage:.0f}%</span>" in stage
    match.take((*match.plies, told(3, 0.5)))
    assert match.advantage == 0.5
    match.take((*match.plies, told(3, 0.0)))
    assert match.advantage < 0.4
    # A proven win counts alone, until its bot tells another score.
    match.take((*match.plies, told(3, 9999.0, mate=3)))
    assert match.advantage == 0.0
    assert "sees a win" in draw_live_state(match, LiveState(moved_at_ms=0))["told"]
    match.take((*match.plies, told(3, float("nan"))))
    assert match.advantage == 0.0


def test_points_are_no_chances() -> None:
    game = find_game("pacman?layout=small")
    seats = [LiveSeat(f"bot{seat}", "red") for seat in range(game.seats)]
    match = LiveGame(game=game, seats=seats, limits=[Limits()] * game.seats)
    state = match.frames[0].state
    wire = encode_move(state, state.legal_moves()[0])
    match.take((LivePly(wire, 5, ReportRecord(score=35.0)),))
    assert match.advantage is None
    drawn = draw_live_state(match, LiveState(moved_at_ms=0))["told"]
    assert "<b>score +35</b>" in drawn
    assert "to win" not in drawn


def test_clocks_are_those_of_the_match() -> None:
    limits = Limits(time="60+2")
    match = live("ann", "bob", limits=limits)
    match.take((LivePly(3), told(3, ms=1000), told(2, ms=500)))
    assert [seat.left_s for seat in match.seats] == [61.5, 61.0]
    drawn = draw_live_state(match, LiveState(moved_at_ms=17))
    assert 'data-clock="61.00" data-way="down" data-moved="17"' in drawn["stage"]
    over = draw_live_state(
        match,
        LiveState(
            moved_at_ms=17,
            phase=LivePhase.FINISHED,
            match=8,
            ending="ann (Red) won",
            scores=(1.0, 0.0),
            has_next=True,
        ),
        5,
    )
    assert "data-moved" not in over["stage"]
    assert 'class="score won">1<' in over["stage"]
    assert 'href="/matches/8">' in over["head"]
    assert 'href="/tournaments/5/live">' in over["head"]
    assert "ann (Red) won · 3 plies" in over["head"]


def test_one_phase_is_told_at_a_time() -> None:
    match = live("ann", "bob")
    match.take((told(3),))
    for phase in LivePhase:
        drawn = draw_live_state(match, LiveState(moved_at_ms=17, phase=phase))
        said = [each for each in LivePhase if f">{each}</span>" in drawn["head"]]
        assert said == [phase]
        is_live = phase is LivePhase.LIVE
        # The lit chip, the turn and the running clock end together.
        assert ('class="tag live"' in drawn["head"]) == is_live
        assert (">to move<" in drawn["stage"]) == is_live
        assert ("data-moved" in drawn["stage"]) == is_live
        assert ("about to be stored" in drawn["head"]) == (phase is LivePhase.ENDED)


def test_the_chances_are_charted_as_in_a_replay() -> None:
    match = live("ann", HOSTILE)
    match.take((told(3, 2.0), told(3, 0.0)))
    # Two points are better read as text.
    assert draw_live_state(match, LiveState(moved_at_ms=0))["chart"].strip() == ""
    match.take((*match.plies, told(2, -2.0), told(2, 0.0)))
    chart = outlook_chart(match)
    assert chart.title == "Chance of Red to win, by each bot's own scores"
    assert list(chart.x) == [1, 2, 3, 4]
    first, second = chart.lines
    assert list(first.values) == [73.11, None, 26.89, None]
    assert list(second.values) == [None, 50.0, None, 50.0]
    assert [line.colour for line in chart.lines] == ["red", "yellow"]
    drawn = draw_live_state(match, LiveState(moved_at_ms=0))["chart"]
    assert '"values":[73.11,null,26.89,null]' in drawn
    assert "<img src=x" not in drawn
    # Its table would be sent again with each move.
    assert "<table" not in drawn


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
    seat = LiveSeat("ann", "red")
    scores = {0.354: "+0.35", -0.35449: "−0.35", 397.724: "+398", 0.0: "0", -123456.0: "−123456"}
    assert {score: seat.told(ReportRecord(score=score)) for score in scores} == scores
    assert seat.told(ReportRecord(score=1000.0, mate=-2)) == "#−2"
    assert seat.told(ReportRecord()) == ""
    # Scores of one bot have one number of decimals.
    seat.scores.append(2.66)
    assert [seat.told(ReportRecord(score=score)) for score in (0.9, 1.0, -0.001)] == [
        "+0.90",
        "+1.00",
        "0.00",
    ]


@pytest.mark.parametrize(
    ("scores", "how", "told"),
    [
        ((1.0, 0.0), "White won by checkmate", "ann (White) won by checkmate"),
        ((0.0, 1.0), "Black won: the king is taken", "bob (Black) won: the king is taken"),
        ((0.0, 1.0), "Black won", "bob (Black) won"),
        ((1.0, 0.0), "crash: bob exited", "ann (White) won: crash: bob exited"),
        ((0.5, 0.5), "draw by stalemate", "Draw by stalemate"),
    ],
)
def test_the_winner_is_named(scores: tuple[float, float], how: str, told: str) -> None:
    assert result_told(("ann", "bob"), ("White", "Black"), scores, how) == told


def test_chances_are_told_in_percent() -> None:
    assert [chance_told(each) for each in (0.614, 0.9996, 0.0)] == [
        "61% to win",
        "sees a win",
        "sees a loss",
    ]
