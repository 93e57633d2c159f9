"""Time controls in their grammar, and the clocks that follow them."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from games.support.errors import OptionError
from league.match.clocks import Clocks
from league.model.records import Limits
from league.model.time_control import TimeControl, read_handicap, read_move_time, read_span
from league.seats.seat import MoveBudget
from league.seats.time_management import move_time_s

seconds = st.floats(0.001, 1e5).map(lambda value: round(value, 9))
moves = st.none() | st.integers(1, 9999)
controls = st.builds(TimeControl, seconds, st.just(0.0) | seconds, moves) | st.builds(
    TimeControl, seconds, seconds, moves, st.just(True)
)


@pytest.mark.parametrize(
    ("text", "control"),
    [
        ("10+0.1", TimeControl(10, 0.1)),
        ("60", TimeControl(60)),
        ("40/60+0.5", TimeControl(60, 0.5, 40)),
        ("5m + 3s", TimeControl(300, 3)),
        ("100ms+10ms", TimeControl(0.1, 0.01)),
        ("1h", TimeControl(3600)),
        (" 40/5M ", TimeControl(300, 0, 40)),
        (".5+0", TimeControl(0.5)),
        ("1:30+1", TimeControl(90, 1)),
        ("40/1:30:00 + 30s", TimeControl(5400, 30, 40)),
        ("0:00.5", TimeControl(0.5)),
        ("60d2", TimeControl(60, 2, is_delay=True)),
        ("40/1m d 500ms", TimeControl(60, 0.5, 40, is_delay=True)),
        ("60d0", TimeControl(60)),
        ("Kaggle", TimeControl(60, 2, is_delay=True)),
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
        "1:5",
        "1:75",
        ":30",
        "1:30m",
        "0:00",
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


@given(controls)
def test_a_control_survives_writing(control: TimeControl) -> None:
    assert TimeControl.read(str(control)) == control


@given(controls, st.floats(0.001, 1000))
def test_a_scaled_control_survives_too(control: TimeControl, factor: float) -> None:
    scaled = control.scaled(factor)
    assert TimeControl.read(str(scaled)) == scaled


@given(st.text("0123456789.+/dmsh in", max_size=12))
def test_any_text_is_a_control_or_refused(text: str) -> None:
    try:
        control = TimeControl.read(text)
    except OptionError:
        return
    assert control.base_s > 0
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
    clock = left
    for done in range(60):
        moves = None if to_go is None else to_go - done % to_go
        budget = MoveBudget(
            move_s=move_s, left_s=(clock,), increments_s=(increment,), moves_to_go=moves
        )
        pace = move_time_s(budget)
        assert pace is not None
        assert 0 < pace < clock
        assert move_s is None or pace <= move_s
        clock += increment - pace
        if moves == 1:
            clock += left


def test_without_clocks_the_time_of_the_move_is_the_pace() -> None:
    assert move_time_s(MoveBudget()) is None
    assert move_time_s(MoveBudget(move_s=2)) == 2
