"""Time controls in their grammar, and the clocks that follow them."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from games.support.errors import OptionError
from league.match.clocks import Clocks
from league.model.records import Limits
from league.model.time_control import (
    PERIODS_MAX,
    Period,
    SeatClock,
    TimeControl,
    read_handicap,
    read_move_time,
    read_span,
)
from league.seats.seat import MoveBudget
from league.seats.time_management import move_time_s

seconds = st.floats(0.001, 1e5).map(lambda value: round(value, 9))
rounded = st.integers(1, 99).map(float)


def periods_of(moves: st.SearchStrategy[int | None]) -> st.SearchStrategy[Period]:
    """Return periods with and without increment or delay; round numbers may look like a clock's."""
    spans = seconds | rounded
    return st.builds(Period, spans, st.just(0.0) | spans, moves) | st.builds(
        Period, spans, spans, moves, st.just(True)
    )


def controls_of(counts: st.SearchStrategy[int]) -> st.SearchStrategy[TimeControl]:
    """Return time controls whose periods have so many moves."""
    before = st.lists(periods_of(counts), max_size=PERIODS_MAX - 1)
    periods = st.builds(lambda some, last: (*some, last), before, periods_of(st.none() | counts))
    return st.builds(TimeControl, periods)


hourglasses = st.builds(lambda span: TimeControl((Period(span),), is_hourglass=True), seconds)
controls = controls_of(st.integers(1, 9999)) | hourglasses


def single(
    base_s: float, increment_s: float = 0.0, moves: int | None = None, *, is_delay: bool = False
) -> TimeControl:
    """Return a control of one period."""
    return TimeControl((Period(base_s, increment_s, moves, is_delay),))


LONG = (Period(7200, 0, 40), Period(3600, 0, 20))


@pytest.mark.parametrize(
    ("text", "control"),
    [
        ("10+0.1", single(10, 0.1)),
        ("60", single(60)),
        ("40/60+0.5", single(60, 0.5, 40)),
        ("5m + 3s", single(300, 3)),
        ("100ms+10ms", single(0.1, 0.01)),
        ("1h", single(3600)),
        (" 40/5M ", single(300, 0, 40)),
        (".5+0", single(0.5)),
        ("1:30+1", single(90, 1)),
        ("40/1:30:00 + 30s", single(5400, 30, 40)),
        ("0:00.5", single(0.5)),
        ("60d2", single(60, 2, is_delay=True)),
        ("40/1m d 500ms", single(60, 0.5, 40, is_delay=True)),
        ("60d0", single(60)),
        ("Kaggle", single(60, 2, is_delay=True)),
        ("40/60:20/30", TimeControl((Period(60, 0, 40), Period(30, 0, 20)))),
        ("40/60+0.5:900+5", TimeControl((Period(60, 0.5, 40), Period(900, 5)))),
        ("40/7200:20/3600:900+30", TimeControl((*LONG, Period(900, 30)))),
        ("40/2h : 20/1:00:00 : 15:00 + 30s", TimeControl((*LONG, Period(900, 30)))),
        ("40/1:30:20/30", TimeControl((Period(90, 0, 40), Period(30, 0, 20)))),
        ("40/60d2:1m", TimeControl((Period(60, 2, 40, is_delay=True), Period(60)))),
        # Minutes and seconds, as in fastchess and cutechess-cli.
        ("40/60:30", single(3630, 0, 40)),
        ("40/60:30s", TimeControl((Period(60, 0, 40), Period(30)))),
        ("hg60", TimeControl((Period(60),), is_hourglass=True)),
        ("*1:30", TimeControl((Period(90),), is_hourglass=True)),
    ],
)
def test_what_testers_write(text: str, control: TimeControl) -> None:
    assert TimeControl.read(text) == control
    assert TimeControl.read(str(control)) == control


@pytest.mark.parametrize(
    "text",
    [
        "",
        "x",
        "0",
        "0+1",
        "0/10",
        "10+",
        "-1",
        "1/2/3",
        "+1",
        "١",
        "1e9",
        "9" * 400,
        "481h",
        ":30",
        "0:00",
        "40/60:",
        "40/60::20/30",
        "40/60:0",
        "40/60:0/30",
        "40/60:20/30:x",
        "40/60:481h",
        "hg",
        "hg0",
        "hgkaggle",
        "1+481h",
        "60d",
        "60d2d2",
        "60d2+1",
        "d2",
        "kaggle+1",
    ],
)
def test_what_is_no_time_control(text: str) -> None:
    with pytest.raises(OptionError, match=r"is not a time control: write 10\+0.1"):
        TimeControl.read(text)


@pytest.mark.parametrize(
    ("text", "wrong"),
    [
        ("60:40/30", "may have no number of moves, and '60' has none"),
        (
            "40/60:10s+5:20/30",
            "only the last period may have no number of moves",
        ),
        ("1:5", "write 40/60:30s, or 1:05 for minutes and seconds"),
        ("1:75", "and '1' has none"),
        ("1:30m", "and '1' has none"),
        ("hg60+1", "an hourglass has only a time: write hg60"),
        ("hg40/60", "an hourglass has only a time: write hg60"),
        ("*60d2", "an hourglass has only a time: write hg60"),
        ("hg40/60:20/30", "an hourglass has only a time: write hg60"),
        (":".join(["1/1"] * 10), "it has 10 periods, and at most 9 are allowed"),
    ],
)
def test_what_is_wrong_with_a_time_control(text: str, wrong: str) -> None:
    with pytest.raises(OptionError, match=re.escape(f"{text!r} is not a time control: ")) as error:
        TimeControl.read(text)
    assert wrong in str(error.value)


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("40/1:00:20/30", "40/60:20/30"),
        ("40/60:30s", "40/60:30"),
        ("40/2h:1h+30s", "40/7200:3600+30"),
        ("5m+3s", "300+3"),
        ("hg3m", "*180"),
    ],
)
def test_what_the_standard_of_pgn_has(text: str, told: str) -> None:
    assert TimeControl.read(text).pgn == told


@given(controls)
def test_a_control_survives_writing(control: TimeControl) -> None:
    assert TimeControl.read(str(control)) == control


@given(controls, st.floats(0.001, 1000))
def test_a_scaled_control_survives_too(control: TimeControl, factor: float) -> None:
    scaled = control.scaled(factor)
    assert TimeControl.read(str(scaled)) == scaled


@given(st.text("0123456789.+/:dmshg* in", max_size=16))
def test_any_text_is_a_control_or_refused(text: str) -> None:
    try:
        control = TimeControl.read(text)
    except OptionError:
        return
    assert all(period.base_s > 0 for period in control.periods)
    assert TimeControl.read(str(control)) == control


@pytest.mark.parametrize(
    ("text", "span"), [("50ms", 0.05), ("2s", 2), ("1.5", 1.5), ("10m", 600), ("1 h", 3600)]
)
def test_spans(text: str, span: float) -> None:
    assert read_span(text) == span


@pytest.mark.parametrize("text", ["", "0", "0.0000000001", "-1s", "1d", "1+1", "40/1", "9" * 400])
def test_what_is_no_span(text: str) -> None:
    with pytest.raises(OptionError, match="is not a time: write 50ms"):
        read_span(text)


def test_a_long_time_for_a_move_needs_its_unit() -> None:
    assert [read_move_time(text) for text in ("50ms", "50s", "10", "0.1")] == [0.05, 50, 10, 0.1]
    for text in ("50", "10.5"):
        with pytest.raises(OptionError, match=f"without a unit: write {text}ms or {text}s"):
            read_move_time(text)


def test_handicaps() -> None:
    assert read_handicap("mine=0.5") == ("mine", 0.5)
    assert read_handicap(" a=b = 2") == ("a=b", 2)
    for text in ("mine", "=1", "mine=", "mine=0", "mine=-1", "mine=x", "mine=nan", "mine=1001"):
        with pytest.raises(OptionError, match=r"is not a handicap: write NAME=0\.5"):
            read_handicap(text)


def test_a_clock_runs_down_and_gets_its_increment() -> None:
    clocks = Clocks([Limits(time="10+0.5")] * 2)
    clocks.spend(0, 2_000_000_000)
    assert clocks.budget(0).left_s == (8.5, 10)
    assert clocks.budget(0).increments_s == (0.5, 0.5)
    assert clocks.budget(1).limit_s == 10
    # Late, but within the grace.
    clocks.spend(0, 8_520_000_000)
    assert clocks.budget(0).limit_s == 0.5


def test_the_first_seconds_of_each_move_are_free() -> None:
    clocks = Clocks([Limits(time="kaggle")])
    assert clocks.budget(0).limit_s == 62
    for spent_s, left_s in ((1.0, 62.0), (2.0, 62.0), (5.0, 59.0), (0.5, 59.0), (58.5, 2.5)):
        clocks.spend(0, int(spent_s * 1e9))
        assert clocks.budget(0).limit_s == left_s
    # Late, but within the grace: the next move has its own time again.
    for _ in range(2):
        clocks.spend(0, 2_520_000_000)
        assert clocks.budget(0).limit_s == 2


def test_sessions_give_their_time_again() -> None:
    clocks = Clocks([Limits(time="2/10")])
    assert clocks.budget(0).moves_to_go == 2
    clocks.spend(0, 4_000_000_000)
    assert (clocks.budget(0).moves_to_go, clocks.budget(0).limit_s) == (1, 6)
    clocks.spend(0, 1_000_000_000)
    assert (clocks.budget(0).moves_to_go, clocks.budget(0).limit_s) == (2, 15)


def test_a_period_follows_another() -> None:
    clocks = Clocks([Limits(time="2/10+1:1/5:20s+2")])
    seen = []
    for _ in range(5):
        budget = clocks.budget(0)
        seen.append((budget.limit_s, *budget.increments_s, budget.moves_to_go))
        clocks.spend(0, 3_000_000_000)
    # 10 s; 2 s less; that, and the next 5 s; that, and 20 s without an end; their increment.
    assert seen == [(10, 1, 2), (8, 1, 1), (11, 0, 1), (28, 2, None), (27, 2, None)]


def test_a_delay_is_that_of_the_period() -> None:
    clocks = Clocks([Limits(time="1/10d2:1/10:10sd3")])
    seen = []
    for _ in range(4):
        seen.append(clocks.budget(0).limit_s)
        clocks.spend(0, 4_000_000_000)
    # 10 + 2; 8 + 10; 14 + 10 + 3; 23 + 3.
    assert seen == [12, 18, 27, 26]


def test_an_hourglass_gives_the_time_to_the_opponent() -> None:
    clocks = Clocks([Limits(time="hg10"), Limits(time="hg20", grace_s=5.0)])
    clocks.spend(0, 4_000_000_000)
    assert clocks.budget(1).left_s == (6, 24)
    # Late, but within the grace: no more than it had.
    clocks.spend(1, 25_000_000_000)
    assert clocks.budget(0).left_s == (30, 0)
    assert clocks.budget(0).increments_s == (0, 0)


def by_hand(control: TimeControl, spent: list[float]) -> list[tuple[float, int | None]]:
    """Return what a clock has before each move, and its moves to go, from the rules move by move.

    The time for the match and the free time of the move are counted apart.
    """
    *before, last = control.periods
    begins = [(period, left) for period in before for left in range(period.moves or 0, 0, -1)]
    while len(begins) < len(spent):
        begins += [(last, left) for left in range(last.moves, 0, -1)] if last.moves else [(last, 0)]
    left, told, is_new = 0.0, [], True
    for (period, to_go), took in zip(begins, spent, strict=False):
        free = period.increment_s if period.is_delay else 0.0
        left += period.base_s if is_new else 0.0
        told.append((left + free, to_go or None))
        left = max(0.0, left - max(0.0, took - free))
        left += 0.0 if period.is_delay else period.increment_s
        is_new = to_go == 1
    return told


@given(
    controls_of(st.integers(1, 6)),
    st.lists(st.integers(0, 200_000_000_000), min_size=1, max_size=40),
)
def test_a_clock_is_as_counted_by_hand(control: TimeControl, walls_ns: list[int]) -> None:
    clocks = Clocks([Limits(time=str(control)), Limits(time="1h")])
    expected = by_hand(control, [wall_ns / 1e9 for wall_ns in walls_ns])
    for wall_ns, (left_s, to_go) in zip(walls_ns, expected, strict=True):
        budget = clocks.budget(0)
        assert budget.left_s == pytest.approx((left_s, 3600), abs=1e-6)
        assert budget.moves_to_go == to_go
        clocks.spend(0, wall_ns)


@given(st.lists(st.integers(0, 40_000_000_000), max_size=40), seconds, seconds)
def test_the_sand_of_an_hourglass_stays(walls_ns: list[int], mine: float, theirs: float) -> None:
    clocks = Clocks([Limits(time=f"hg{mine:f}"), Limits(time=f"hg{theirs:f}")])
    total = sum(clocks.budget(0).left_s)
    for ply, wall_ns in enumerate(walls_ns):
        before = clocks.budget(0).left_s
        clocks.spend(ply % 2, wall_ns)
        after = clocks.budget(0).left_s
        assert sum(after) == pytest.approx(total, abs=1e-6)
        assert after[ply % 2] == pytest.approx(max(0.0, before[ply % 2] - wall_ns / 1e9), abs=1e-6)


def test_without_a_control_a_budget_stays() -> None:
    clocks = Clocks([Limits(move_s=0.1, nodes=5)])
    before = clocks.budget(0)
    clocks.spend(0, 90_000_000)
    assert clocks.budget(0) is before
    assert (before.limit_s, before.left_s, clocks.left_s(0)) == (0.1, (), None)


def test_the_shorter_of_two_limits_holds() -> None:
    clocks = Clocks([Limits(move_s=2.0, time="3", grace_s=0.5)])
    assert (clocks.budget(0).limit_s, clocks.budget(0).is_by_clock) == (2, False)
    clocks.spend(0, 2_000_000_000)
    assert (clocks.budget(0).limit_s, clocks.budget(0).is_by_clock) == (1, True)
    assert clocks.budget(0).allowed_s == 1.5


def test_a_handicap_takes_time_and_nodes() -> None:
    limits = Limits(move_s=1, nodes=1000, time="40/60+1", depth=5)
    assert limits.scaled(0.5) == Limits(move_s=0.5, nodes=500, time="40/30+0.5", depth=5)
    assert limits.scaled(1) is limits
    assert limits.by_seat(2) == (limits, limits)
    assert limits.by_seat(2, (1, 0.5)) == (limits, limits.scaled(0.5))


@pytest.mark.parametrize(
    "limits",
    [Limits(move_s=1), Limits(depth=1), Limits(nodes=1), Limits(depth_rounds=1), Limits(time="1")],
)
def test_any_limit_is_one(limits: Limits) -> None:
    assert Limits().is_free
    assert not limits.is_free


@given(
    st.floats(0.01, 1000),
    st.floats(0, 10),
    st.none() | st.integers(1, 40),
    st.none() | st.floats(0.01, 10),
)
def test_a_paced_bot_never_runs_out(
    left: float, increment: float, to_go: int | None, move_s: float | None
) -> None:
    clock = SeatClock.of(single(left, increment, to_go))
    for _ in range(60):
        budget = MoveBudget(
            move_s=move_s, left_s=(clock.left_s,), increments_s=(increment,), clock=clock
        )
        pace = move_time_s(budget)
        assert pace is not None
        assert 0 < pace < clock.left_s
        assert move_s is None or pace <= move_s
        clock = clock.after(pace)


def test_without_clocks_the_time_of_the_move_is_the_pace() -> None:
    assert move_time_s(MoveBudget()) is None
    assert move_time_s(MoveBudget(move_s=2)) == 2
