"""Snakes against matches of the official engine, and what must hold for any match.

The head of `snakes_official.txt.gz` says how its matches were made.
"""

import gzip
import random
import re
from collections import Counter
from functools import cache
from itertools import permutations
from pathlib import Path
from typing import NamedTuple
from zlib import crc32

import pytest
from hypothesis import given
from hypothesis import strategies as st

from games.snakes import MOVES, Snake, Snakes, SnakesState
from games.snakes.placing import SPAWN_SHARE, snake_places
from games.snakes.rules import DOWN, LEFT, RIGHT, UP, Luck
from games.snakes.snake import write_point, write_turn
from games.support.game import CHANCE
from games.support.specs import find_game
from games.support.view import View
from tests.examples import examples
from tests.strategies import walk

RECORDED = Path(__file__).with_name("snakes_official.txt.gz")
WORD = re.compile(r"(?P<moves>\w+?)(?P<out>(/\d\w+)*)\+(?P<food>[\d,]*)=(?P<sum>\w{4})")
TEXTS = [
    line
    for line in gzip.decompress(RECORDED.read_bytes()).decode().splitlines()
    if not line.startswith("#")
]


class Turn(NamedTuple):
    """A turn as the official engine played it: the causes by seat, and '' for no new food."""

    moves: str
    out: dict[int, str]
    food: str
    checksum: int


def turns_of(words: list[str]) -> list[Turn]:
    """Read the turns of a recorded match."""
    found = filter(None, map(WORD.fullmatch, words))
    turns = [
        Turn(
            moves=each["moves"],
            out={int(part[0]): part[1:] for part in each["out"].split("/")[1:]},
            food=each["food"],
            checksum=int(each["sum"], 16),
        )
        for each in found
    ]
    assert len(turns) == len(words)
    return turns


def write_position(state: SnakesState, extra: str = "") -> str:
    """Write the food, and of each snake the health and the body, or what took it out and when."""
    food = [*map(write_point, state.food), *filter(None, [extra])]
    parts = [" ".join(food)]
    for snake in state.snakes:
        told = (snake.health, *map(write_point, snake.body)) if snake.body else snake[2:]
        parts.append(" ".join(map(str, told)))
    return ";".join(parts)


def started(size: str, heads: list[str], food: list[str]) -> SnakesState:
    """Return the first position of a recorded match, in which luck placed what it did there."""
    width, height = size.split("x")
    state = find_game(f"snakes?snakes={len(heads)}&width={width}&height={height}").initial()
    placed = iter([*heads, *food])
    while state.to_move == CHANCE:
        state = state.play(state.parse(next(placed)))
    assert isinstance(state, SnakesState)
    # The food in the centre of a square board is not luck's.
    assert [write_point(each) for each in state.food] == food
    return state


@cache
def follow(line: str) -> tuple[int, int]:
    """Play a recorded match, compare each position, and return two counts.

    They are how often luck was free to place food or not, and how often it did.
    """
    size, heads, food, *words = line.split()
    state = started(size, heads.split("/"), food.split("/"))
    free = spawned = 0
    for number, turn in enumerate(turns_of(words), 1):
        assert state.outcome() is None
        before = state.living
        for letter in turn.moves:
            state = state.play("udlr".index(letter))
        causes = {seat: state.snakes[seat].cause for seat in before}
        assert {seat: cause for seat, cause in causes.items() if cause} == turn.out
        if state.luck is Luck.FOOD:
            move = number_of(state, turn.food)
            assert state.is_legal(move)
            free += state.is_legal(state.game.no_food)
            spawned += state.is_legal(state.game.no_food) and bool(turn.food)
            state = state.play(move)
            extra = ""
        else:
            # The engine still places food when a match is over, and luck has no move then.
            extra = turn.food
            assert not extra or state.outcome()
        assert crc32(write_position(state, extra).encode()) & 0xFFFF == turn.checksum, number
    assert state.outcome() is not None
    return free, spawned


def number_of(state: SnakesState, food: str) -> int:
    """Return luck's move that places this food, '' for none."""
    x, _, y = food.partition(",")
    return int(x) + state.game.width * int(y) if food else state.game.no_food


@pytest.mark.parametrize("line", TEXTS, ids=range(len(TEXTS)))
def test_a_match_goes_as_in_the_official_engine(line: str) -> None:
    follow(line)


def test_food_comes_as_often_as_in_the_official_engine() -> None:
    free, spawned = map(sum, zip(*map(follow, TEXTS), strict=True))
    assert free > 5_000
    deviation = (SPAWN_SHARE * (1 - SPAWN_SHARE) * free) ** 0.5
    assert abs(spawned - SPAWN_SHARE * free) < 3 * deviation


def test_the_recorded_matches_have_every_death_and_number_of_seats() -> None:
    causes, seats = Counter[str](), set()
    for line in TEXTS:
        _, heads, _, *words = line.split()
        seats.add(len(heads.split("/")))
        for turn in turns_of(words):
            causes.update(turn.out.values())
    assert seats == set(range(2, 9))
    assert min(causes[each] for each in ("hunger", "wall", "itself", "body", "head")) >= 10


def placed(*snakes: Snake, food: tuple[tuple[int, int], ...] = ((0, 10),)) -> SnakesState:
    """Return a position with these snakes, all to move."""
    game = Snakes(snakes=len(snakes))
    told = (write_turn(5, food, snakes, game.seat_names),)
    return SnakesState(game, snakes, food, 5, told)


def along(x: int, y: int, length: int, *, step: tuple[int, int], health: int = 50) -> Snake:
    """Return a snake with its head at x, y, and the rest of it in steps away from there."""
    return Snake(tuple((x + part * step[0], y + part * step[1]) for part in range(length)), health)


def played(state: SnakesState, *moves: int) -> SnakesState:
    """Return the position after one move of each snake."""
    for move in moves:
        state = state.play(move)
    return state


def causes(state: SnakesState) -> list[str]:
    """Return what took out each snake."""
    return [snake.cause for snake in state.snakes]


WEST, EAST, SOUTH = (-1, 0), (1, 0), (0, -1)


@pytest.mark.parametrize(
    ("lengths", "out"), [((3, 3), ["head", "head"]), ((4, 3), ["", "head"]), ((3, 5), ["head", ""])]
)
def test_the_longer_snake_wins_head_to_head(lengths: tuple[int, int], out: list[str]) -> None:
    state = placed(along(4, 4, lengths[0], step=WEST), along(6, 4, lengths[1], step=EAST))
    assert causes(played(state, RIGHT, LEFT)) == out


def test_the_square_that_a_tail_leaves_is_free_unless_its_snake_has_just_eaten() -> None:
    chaser = along(4, 4, 3, step=WEST)
    runner = along(7, 4, 3, step=WEST)
    assert causes(played(placed(chaser, runner), RIGHT, RIGHT)) == ["", ""]
    fed = runner._replace(body=(*runner.body, runner.body[-1]))
    assert causes(played(placed(chaser, fed), RIGHT, RIGHT)) == ["body", ""]


def test_a_meal_comes_before_hunger_and_a_head_to_head_is_between_fed_snakes() -> None:
    hungry = along(4, 4, 3, step=WEST, health=1)
    far = along(9, 9, 3, step=SOUTH)
    assert causes(played(placed(hungry, far), RIGHT, LEFT)) == ["hunger", ""]
    fed = played(placed(hungry, far, food=((5, 4), (0, 0))), RIGHT, LEFT)
    assert (fed.snakes[0].health, len(fed.snakes[0].body), fed.food) == (100, 4, ((0, 0),))
    meeting = placed(hungry, along(6, 4, 3, step=EAST), food=((5, 4), (0, 0)))
    met = played(meeting, RIGHT, LEFT)
    assert causes(met) == ["head", "head"]
    assert met.food == ((0, 0),)


def test_a_snake_that_starves_or_leaves_the_board_stops_nobody() -> None:
    long = along(0, 4, 6, step=EAST)
    other = along(3, 6, 3, step=(0, 1))
    after = played(placed(long, other, along(9, 9, 3, step=SOUTH)), LEFT, DOWN, LEFT)
    assert causes(after) == ["wall", "", ""]
    starving = placed(
        long._replace(health=1), along(3, 5, 3, step=(0, 1)), along(9, 9, 3, step=SOUTH)
    )
    assert causes(played(starving, UP, DOWN, LEFT)) == ["hunger", "", ""]


@pytest.mark.parametrize(
    ("out", "utilities", "lived"),
    [
        ((3, 5, 5, 0), (-1 / 3, -1 / 3, -1 / 3, 1), (3, 5, 5, 6)),
        ((3, 5, 5, 1), (-1 / 2, 1 / 2, 1 / 2, -1 / 2), (3, 5, 5, 1)),
        ((5, 5, 5, 5), (0, 0, 0, 0), (5, 5, 5, 5)),
    ],
)
def test_places_follow_from_the_turns_lived(
    out: tuple[int, ...], utilities: tuple[float, ...], lived: tuple[int, ...]
) -> None:
    state = placed(
        *(Snake((), 0, "wall", turn) if turn else along(4, 4, 3, step=WEST) for turn in out)
    )
    assert state.outcome() == utilities
    assert state.placing() == lived


def test_those_that_live_when_the_turns_are_over_draw() -> None:
    game = find_game("snakes?snakes=3&turns=2")
    state = game.initial()
    source = random.Random(2)
    while state.outcome() is None:
        moves = state.legal_moves()
        assert isinstance(state, SnakesState)
        # The first snake leaves the board at once or in the second turn, the others live on.
        state = state.play(
            source.choice(moves) if state.to_move == CHANCE else _edge(state, state.to_move)
        )
    assert isinstance(state, SnakesState)
    assert causes(state) == ["wall", "", ""]
    assert state.outcome() == (-1, 0.5, 0.5)


def _edge(state: SnakesState, seat: int) -> int:
    """Return the way to the nearer side edge for the first snake, away from there for others."""
    is_left = state.snakes[seat].head[0] < 5
    return LEFT if is_left == (seat == 0) else RIGHT


def test_starts_are_as_likely_as_on_the_standard_map() -> None:
    """All 8 places first, then the group of the first until it is full."""
    assert len(snake_places(11, 11, [])) == 8
    assert set(snake_places(11, 11, [(1, 1)])) == {(1, 9), (9, 1), (9, 9)}
    assert set(snake_places(11, 11, [(1, 1), (1, 9), (9, 1), (9, 9)])) == {
        (1, 5), (5, 1), (5, 9), (9, 5),
    }  # fmt: skip
    assert set(snake_places(11, 11, [(5, 1)])) == {(1, 5), (5, 9), (9, 5)}


def test_a_snake_goes_straight_on_for_a_bot_that_fails() -> None:
    state = find_game("snakes?snakes=2").position("1,1 9,9 0,2 10,8")
    assert isinstance(state, SnakesState)
    assert state.stand_in(0) == UP
    for ways in permutations((LEFT, RIGHT, UP, DOWN), 2):
        after = played(state, *ways)
        assert (after.stand_in(0), after.stand_in(1)) == ways


def open_state(seed: int, plies: int, seats: int) -> SnakesState:
    """Return a position of a random match where snakes move."""
    states = [
        state
        for state in walk(f"snakes?snakes={seats}", seed, plies + 2 * seats + 2)
        if isinstance(state, SnakesState)
        and state.outcome() is None
        and state.to_move != CHANCE
        and not state.sealed
    ]
    return states[-1]


drawn_states = st.builds(open_state, st.integers(0, 2**32), st.integers(0, 100), st.integers(2, 8))


@given(drawn_states, st.data())
@examples(100, quick=25)
def test_renamed_seats_have_renamed_results(state: SnakesState, data: st.DataObject) -> None:
    seats = range(state.game.seats)
    moves = {seat: data.draw(st.sampled_from(range(4))) for seat in state.living}
    order = data.draw(st.permutations(seats))
    renamed = SnakesState(
        state.game, tuple(state.snakes[seat] for seat in order), state.food, state.turn, state.told
    )
    after = played(state, *(moves[seat] for seat in state.living))
    other = played(renamed, *(moves[order[seat]] for seat in renamed.living))
    assert other.snakes == tuple(after.snakes[seat] for seat in order)
    assert other.food == after.food
    assert other.luck == after.luck
    for before, now in ((after.outcome(), other.outcome()), (after.placing(), other.placing())):
        assert now == (before and tuple(before[seat] for seat in order))


@given(drawn_states)
@examples(100, quick=25)
def test_a_view_has_the_whole_position(state: SnakesState) -> None:
    for seat in state.movers():
        view = state.view(seat)
        assert isinstance(view, View)
        assert view.sample(random.Random(0)) == state
        assert view.cells() == state.cells()
    sealed = state.play(UP)
    assert sealed.events(None) == state.events(None)
    assert sealed.render() == state.render()


def test_moves_are_written_in_words() -> None:
    state = find_game("snakes?snakes=2").position("1,1 9,9 0,2 10,8")
    assert [state.text(move) for move in state.legal_moves()] == list(MOVES)
