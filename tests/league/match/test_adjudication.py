"""What the bots agree on ends a match, and nothing less does."""

import random
from collections.abc import Sequence
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from games.support.errors import OptionError
from games.support.game import State
from games.support.moves import WireMove
from games.support.specs import find_game
from league.match.adjudication import (
    Adjudicated,
    Adjudicator,
    draw_rule,
    win_rule,
    written_draw,
    written_win,
)
from league.match.play import MatchSetup, play_match
from league.model.records import (
    NO_ADJUDICATION,
    Adjudication,
    DrawRule,
    Limits,
    MatchRecord,
    ReportRecord,
    Termination,
    WinRule,
)
from league.seats.seat import MoveBudget, SeatAnswer
from tests.league.seats.firstmove import FirstMove

GAME = find_game("connectfour")
PACMAN = find_game("pacman")
LIMITS = Limits(move_s=0.1)
Told = Sequence[float | ReportRecord | None]


def told(score: float | ReportRecord | None) -> ReportRecord | None:
    """Return a report of a score."""
    return ReportRecord(score=score) if isinstance(score, (int, float)) else score


def heard(
    adjudication: Adjudication, scores: Told, spec: str = "connectfour"
) -> tuple[int, Adjudicated] | None:
    """Let the seats tell `scores` in turn; return the ply of the verdict, and it."""
    game = find_game(spec)
    judge = Adjudicator(adjudication, game, None)
    for ply, score in enumerate(scores):
        verdict = judge.hear(ply % game.seats, told(score), ply + 1, game.initial())
        if verdict:
            return ply + 1, verdict
    return None


def test_only_rules_about_scores_make_reports_end_a_match() -> None:
    assert not Adjudicator(NO_ADJUDICATION, GAME, None).hears
    assert Adjudicator(Adjudication(win=win_rule("score=6,moves=2")), GAME, None).hears
    assert Adjudicator(Adjudication(draw=draw_rule("score=0.1,moves=2")), GAME, None).hears


def test_one_side_resigns_by_itself() -> None:
    told = [None, -7.0, None, -7.0]
    assert heard(Adjudication(win=win_rule("score=6,moves=2")), told) is None
    one_sided = Adjudication(win=win_rule("score=6,moves=2,twosided=no"))
    assert heard(one_sided, [9.0, 9.0, 9.0, 9.0]) is None
    verdict = heard(one_sided, told)
    assert verdict is not None
    assert (verdict[0], verdict[1].scores) == (4, (1.0, 0.0))
    assert verdict[1].detail == "Yellow said -6 or less for 2 moves each"
    assert win_rule(written_win(WinRule(6.0, 2, is_one_sided=True))).is_one_sided


class Teller(FirstMove):
    """Plays the first legal move, or one that is drawn, and tells one score after another."""

    def __init__(self, scores: Told, seed: int | None = None) -> None:
        super().__init__()
        self.scores = list(scores)
        self.luck = None if seed is None else random.Random(seed)

    def ask(self, state: State, history: Sequence[WireMove], budget: MoveBudget) -> SeatAnswer:
        """Tell the next score, the last one again and again."""
        answer = super().ask(state, history, budget)
        score = self.scores.pop(0) if len(self.scores) > 1 else self.scores[0]
        wire = self.luck.choice(state.legal_moves()) if self.luck else answer.wire
        return answer._replace(wire=wire, report=told(score))


def played(adjudication: Adjudication, *scores: Told) -> MatchRecord:
    """Play a match of Connect Four between bots that tell these scores."""
    seats = [Teller(each) for each in scores]
    judge = Adjudicator(adjudication, GAME, None)
    return play_match(
        MatchSetup(game=GAME, versions=(1, 2), opening=(), limits=LIMITS, seed=1),
        seats,
        judge=judge,
    )


@pytest.mark.parametrize(
    ("text", "rule"),
    [
        ("score=0.1,moves=8,after=80", DrawRule(0.1, 8, 80)),
        ("score=0.1,moves=8,move=40,reset=yes", DrawRule(0.1, 8, move=40, is_reset=True)),
        (" moves=1 , score=0 ", DrawRule(0.0, 1)),
    ],
)
def test_rules_of_draws_are_read(text: str, rule: DrawRule) -> None:
    assert draw_rule(text) == rule
    assert draw_rule(written_draw(rule)) == rule


def test_rules_of_wins_are_read() -> None:
    assert win_rule("score=6,moves=4") == WinRule(6.0, 4)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", "--win '' lacks score="),
        ("score=6", "--win 'score=6' lacks moves="),
        ("moves=6", "lacks score="),
        ("scor=6,moves=1", r"unknown option 'scor' of --win \(did you mean 'score'\?\)"),
        ("score=6,moves=1,after=3", "unknown option 'after' of --win"),
        ("score=0,moves=1", "score='0': expected a number from 0.001"),
        ("score=nan,moves=1", "score='nan': expected a number"),
        ("score=inf,moves=1", "score='inf': expected a number"),
        ("score=6,moves=0", "moves='0': expected a whole number from 1"),
        ("score=600,movecount=3", "--win has no movecount=: write moves=8"),
        ("score=6,score=7", "'score' is given twice"),
        ("6", "'6': expected name=value"),
    ],
)
def test_other_rules_are_refused(text: str, expected: str) -> None:
    with pytest.raises(OptionError, match=expected):
        win_rule(text)


@pytest.mark.parametrize(
    ("scores", "ply"),
    [
        ((0.1, -0.1, 0, 0.1), 4),
        # Somebody saw more in it, and it begins again.
        ((0.1, -0.1, 0.2, 0.1, 0, 0, 0), 7),
        # Who tells nothing never agrees.
        ((0, None, 0, None, 0, None), None),
        ((0, ReportRecord(), 0, ReportRecord()), None),
        # One has said so often enough, the other not.
        ((0, 0, 0, 9, 0, 0, 0, 0), 8),
        # A mate is told whatever its score.
        ((0, ReportRecord(score=0, mate=1)) * 5, None),
    ],
)
def test_a_draw_takes_both(scores: Told, ply: int | None) -> None:
    found = heard(Adjudication(DrawRule(0.1, 2)), scores)
    assert (found[0] if found else None) == ply
    if found:
        text = "all bots said 0.1 or less either way for 2 moves each: a draw"
        assert found[1] == Adjudicated((0.5, 0.5), text)


def test_a_draw_has_its_time() -> None:
    found = heard(Adjudication(DrawRule(0, 1, after=6)), [0] * 9)
    text = "all bots said 0 or less either way for one move each after ply 6: a draw"
    assert found == (6, Adjudicated((0.5, 0.5), text))


FIRST = Adjudicated((1.0, 0.0), "Red said 6 or more and Yellow -6 or less for 2 moves each")
SECOND = Adjudicated((0.0, 1.0), "Yellow said 6 or more and Red -6 or less for 2 moves each")


@pytest.mark.parametrize(
    ("scores", "expected"),
    [
        ((6, -6, 7, -8), (4, FIRST)),
        ((-6, 6, -7, 8), (4, SECOND)),
        ((6, -5.99, 6, -6, 6, -6), (6, FIRST)),
        # Both think that they win, or that they lose.
        ((9, 9) * 5, None),
        ((-9, -9) * 5, None),
        ((9, None) * 5, None),
        # They change their minds, and have said so but once.
        ((9, -9, -9, 9, 9, -9), None),
        ((ReportRecord(score=5, mate=3), ReportRecord(score=-5, mate=-3)) * 2, (4, FIRST)),
    ],
)
def test_a_win_takes_both(scores: Told, expected: tuple[int, Adjudicated] | None) -> None:
    assert heard(Adjudication(win=WinRule(6, 2)), scores) == expected


@pytest.mark.parametrize(
    ("scores", "expected"),
    [
        ((9, -9, -9), (1.0, 0.0, 0.0)),
        ((-9, 9, 9), (0.0, 1.0, 1.0)),
        ((9, -9, 0), None),
        ((-9, 9, None), None),
    ],
)
def test_every_seat_of_a_side_has_its_say(scores: Told, expected: tuple[float, ...] | None) -> None:
    """Pacman against two ghosts."""
    assert PACMAN.sides == (0, 1, 1)
    found = heard(Adjudication(win=WinRule(6, 2)), [*scores, *scores], "pacman")
    assert (found[1].scores if found else None) == expected
    assert found is None or found[0] == 6


@given(
    st.lists(st.none() | st.sampled_from([-7.0, -6.0, -1.0, 0.0, 1.0, 6.0, 7.0]), max_size=24),
    st.integers(1, 3),
    st.integers(0, 12),
    st.booleans(),
)
def test_a_verdict_is_what_the_last_moves_of_both_say(
    scores: list[float | None], moves: int, after: int, is_draw: bool
) -> None:
    def agree(mine: list[float | None], low: float, high: float) -> bool:
        last = mine[-moves:]
        return len(last) == moves and all(
            score is not None and low <= score <= high for score in last
        )

    def settled(ply: int) -> tuple[float, float] | None:
        one, two = scores[:ply:2], scores[1:ply:2]
        if is_draw:
            level = agree(one, -1, 1) and agree(two, -1, 1)
            return (0.5, 0.5) if level and ply >= after else None
        if agree(one, 6, 9) and agree(two, -9, -6):
            return (1.0, 0.0)
        return (0.0, 1.0) if agree(two, 6, 9) and agree(one, -9, -6) else None

    expected = next(
        ((ply, found) for ply in range(1, len(scores) + 1) if (found := settled(ply))), None
    )
    rules = (
        Adjudication(DrawRule(1, moves, after)) if is_draw else Adjudication(win=WinRule(6, moves))
    )
    verdict = heard(rules, scores)
    assert (verdict and (verdict[0], verdict[1].scores)) == expected


def test_a_match_ends_by_what_its_bots_agree_on() -> None:
    record = played(Adjudication(win=WinRule(6, 2)), [1, 6, 7], [-6, -7])
    assert record.termination is Termination.ADJUDICATED
    assert (record.scores, record.utilities, record.fault_seat) == ((1.0, 0.0), None, None)
    assert record.detail == FIRST.detail
    assert len(record.moves) == 5
    assert record.moves[-1].report == ReportRecord(score=7)


def test_the_rules_come_first() -> None:
    """Three moves in each of two columns and a fourth: the one that moved first has won."""
    usual = played(NO_ADJUDICATION, [0], [0])
    plies = len(usual.moves)
    assert usual.termination is Termination.RULES
    rules = Adjudication(DrawRule(0, 1, after=plies))
    assert played(rules, [0], [0]).termination is Termination.RULES
    rules = Adjudication(DrawRule(0, 1, after=plies - 1))
    assert played(rules, [0], [0]).termination is Termination.ADJUDICATED


def test_what_settles_a_match_comes_before_the_move_limit() -> None:
    seats = [Teller([0]), Teller([0])]
    judge = Adjudicator(Adjudication(DrawRule(0, 2)), GAME, None)
    limits = replace(LIMITS, max_plies=4)
    record = play_match(
        MatchSetup(game=GAME, versions=(1, 2), opening=(), limits=limits, seed=1),
        seats,
        judge=judge,
    )
    assert record.termination is Termination.ADJUDICATED


AT_MOVE_15 = "4k3/4p3/8/8/8/8/4P3/4K3 w - - 10 15"
"""A position at move 15."""


def drawn_at(
    rule: str, moves: str, scores: Sequence[float | None], fen: str = AT_MOVE_15
) -> int | None:
    """Play moves from a position, tell a score after each; return the ply of the draw."""
    pytest.importorskip("chess")
    game = find_game(f"chess?fen={fen}")
    judge, state = Adjudicator(Adjudication(draw=draw_rule(rule)), game, None), game.initial()
    for ply, (text, score) in enumerate(zip(moves.split(), scores, strict=True), 1):
        seat, state = state.to_move, state.play(state.parse(text))
        if judge.hear(seat, told(score), ply, state):
            return ply
    return None


SHUFFLE = "Kd2 Kd7 Kd3 Kd6 Ke3 Ke6"


@pytest.mark.parametrize(
    ("rule", "moves", "ply"),
    [
        ("score=0,moves=1,move=14", SHUFFLE, 2),
        ("score=0,moves=1,move=16", SHUFFLE, 4),
        ("score=0,moves=1,after=6", SHUFFLE, 6),
        ("score=0,moves=2,move=14", "Kd2 Kd7 e4 Kd6 Ke3 Ke6", 4),
        ("score=0,moves=2,move=14,reset=yes", "Kd2 Kd7 e4 Kd6 Ke3 Ke6", 6),
    ],
)
def test_a_draw_goes_by_the_move_numbers_of_the_opening(rule: str, moves: str, ply: int) -> None:
    assert drawn_at(rule, moves, [0.0] * 6) == ply


class Tables:
    """Tablebases that know one result of every position."""

    def __init__(self, *utilities: float) -> None:
        self.utilities = utilities

    def probe(self, state: State) -> tuple[float, ...]:
        """Return the result."""
        return self.utilities


@pytest.mark.parametrize(
    ("results", "settled"), [("", [1, 1, 1]), ("wins", [1, 0, 1]), ("draws", [0, 1, 0])]
)
def test_tables_settle_the_results_that_they_are_asked_for(
    results: str, settled: list[int]
) -> None:
    rules = Adjudication(tablebases="tables", table_results=results)
    for utilities, is_settled in zip(((1.0, -1.0), (0.0, 0.0), (-1.0, 1.0)), settled, strict=True):
        judge = Adjudicator(rules, GAME, Tables(*utilities))
        assert (judge.look_up(GAME.initial()) is not None) is bool(is_settled)


class ForeignCount:
    """The count of fastchess (`DrawTracker` in match.hpp), by its own names."""

    def __init__(self, move_number: int, move_count: int, score: float) -> None:
        self.move_number, self.move_count, self.score = move_number, move_count, score
        self.draw_moves = 0

    def is_draw(self, score: float | None, halfmoves: int, fullmoves: int) -> bool:
        """Count a move; whether the match is a draw now."""
        if halfmoves == 0:
            self.draw_moves = 0
        is_level = score is not None and abs(score) <= self.score
        self.draw_moves = self.draw_moves + 1 if is_level else 0
        return fullmoves - 1 >= self.move_number and self.draw_moves >= self.move_count * 2


@given(
    luck=st.randoms(use_true_random=False),
    number=st.integers(1, 30),
    move=st.integers(0, 40),
    moves=st.integers(1, 5),
    plies=st.integers(0, 60),
)
def test_draws_are_at_the_same_ply_as_in_fastchess(
    luck: random.Random, number: int, move: int, moves: int, plies: int
) -> None:
    pytest.importorskip("chess")
    start = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR"
    game = find_game(f"chess?fen={start} {luck.choice('wb')} KQkq - 0 {number}")
    rule = draw_rule(f"score=0.2,moves={moves},move={move},reset=yes")
    ours = Adjudicator(Adjudication(draw=rule), game, None)
    theirs, state = ForeignCount(move, moves, 0.2), game.initial()
    for ply in range(1, plies + 1):
        if state.outcome() is not None:
            break
        seat, state = state.to_move, state.play(luck.choice(state.legal_moves()))
        score = luck.choice((0.0, 0.1, -0.2, 0.0, -0.1, 0.2, 0.3, None))
        _, _, _, _, halfmoves, fullmoves = state.fen().split()
        expected = theirs.is_draw(score, int(halfmoves), int(fullmoves))
        assert (ours.hear(seat, told(score), ply, state) is not None) is expected
        if expected:
            break
