"""Games with secrets: what their seats see, and that they see nothing else."""

import random
from collections import Counter, defaultdict
from collections.abc import Hashable, Iterator, Mapping

import pytest
from hypothesis import given
from hypothesis import strategies as st

from games.kuhn import KuhnState
from games.phantom_tictactoe import PhantomState
from games.rps import RpsState
from games.support.contract import BrokenError
from games.support.errors import GameError
from games.support.game import CHANCE, State
from games.support.specs import find_game
from games.support.trial import try_out
from games.support.view import Events, HiddenState, TogetherState, View
from games.support.view_contract import Told, check_next_views, check_views
from tests.examples import examples
from tests.strategies import playable, walks

SECRET = [spec for spec in playable() if find_game(spec).has_secrets]
specs = pytest.mark.parametrize("spec", SECRET)
few = examples(100, quick=4)


def test_there_are_games_with_secrets() -> None:
    assert {"kuhn", "rps", "goofspiel", "phantom_tictactoe", "dilemma"} <= set(SECRET)


@specs
@given(st.data())
@few
def test_a_walk_keeps_the_contract_of_views(spec: str, data: st.DataObject) -> None:
    told: Told = {}
    source = random.Random(0)
    for _ in range(2):
        states = data.draw(walks(spec))
        for state in states:
            check_views(state, told, source)
            if state.outcome() is None:
                check_next_views(state, random.Random(1).choice(state.legal_moves()))


@specs
@given(st.data())
@few
def test_a_view_is_of_no_use_beyond_what_it_tells(spec: str, data: st.DataObject) -> None:
    for state in data.draw(walks(spec))[:-1]:
        for seat in state.movers():
            view = state.view(seat)
            assert isinstance(view, View)
            with pytest.raises(GameError, match=r"hides a part of the position.*view\.sample"):
                view.play(view.legal_moves()[0])
            assert not hasattr(view, "sealed")
            assert view.legal_moves() == tuple(_choices(state, seat))
            for move in view.legal_moves():
                assert view.parse(view.text(move)) == move


def _choices(state: State, seat: int) -> tuple[object, ...]:
    assert isinstance(state, HiddenState)
    return tuple(state.choices(seat))


@specs
@given(st.data())
@few
def test_the_public_sees_no_more_than_any_seat(spec: str, data: st.DataObject) -> None:
    for state in data.draw(walks(spec)):
        assert isinstance(state, HiddenState)
        for seat in range(state.game.seats):
            told = iter(state.events(seat))
            assert all(each in told for each in state.events(None)), "in the same order"


SYMMETRIC = ["rps", "rps?rounds=3", "goofspiel", "goofspiel?cards=3"]
"""Games whose rules treat all seats alike. Kuhn poker and phantom tic-tac-toe do not: there the
first seat moves first, which is worth something.
"""


@pytest.mark.parametrize("spec", SYMMETRIC)
@given(st.randoms(use_true_random=False))
@few
def test_renaming_the_seats_renames_the_results(spec: str, source: random.Random) -> None:
    state: State = find_game(spec).initial()
    twin = state
    names = source.sample(range(state.game.seats), state.game.seats)
    while state.outcome() is None:
        if state.to_move == CHANCE:
            luck = source.choice(state.legal_moves())
            state, twin = state.play(luck), twin.play(luck)
            continue
        movers = state.movers()
        moves = {seat: source.choice(_choices(state, seat)) for seat in movers}
        renamed = {names[seat]: move for seat, move in moves.items()}
        assert {*twin.movers()} == {*renamed}
        for seat in movers:
            assert _choices(twin, names[seat]) == _choices(state, seat)
        state, twin = _after(state, moves), _after(twin, renamed)
    for values, others in ((state.outcome(), twin.outcome()), (state.placing(), twin.placing())):
        assert values is not None
        assert others is not None
        assert tuple(others[name] for name in names) == values


def _after(state: State, moves: Mapping[int, object]) -> State:
    """Return the position after one move of each mover."""
    for seat in state.movers():
        state = state.play(moves[seat])
    return state


def positions(state: State) -> Iterator[HiddenState]:
    """Yield all positions that follow."""
    assert isinstance(state, HiddenState)
    yield state
    if state.outcome() is None:
        for move in state.legal_moves():
            yield from positions(state.play(move))


SMALL = ["kuhn", "rps?rounds=1", "goofspiel?cards=2"]


@pytest.mark.parametrize("spec", SMALL)
def test_each_position_that_agrees_with_a_view_is_drawn(spec: str) -> None:
    agreeing: defaultdict[View, set[Hashable]] = defaultdict(set)
    for state in positions(find_game(spec).initial()):
        # Seats are asked before any choice is sealed.
        if state.outcome() is None and not getattr(state, "sealed", ()):
            for seat in state.movers():
                agreeing[state.view(seat)].add(state.key())
    source = random.Random(3)
    for view, keys in agreeing.items():
        assert {view.sample(source).key() for _ in range(60)} == keys


def test_phantom_positions_are_drawn_that_agree() -> None:
    start = find_game("phantom_tictactoe").initial()
    source = random.Random(5)
    seen = start.play(4).play(4).play(0).view(0)
    assert isinstance(seen, View)
    drawn = Counter(seen.sample(source).key() for _ in range(300))
    assert all(start.play(4).play(move).view(0) == seen for move in range(9) if move != 4)
    # Eight squares at once, or seven after the one that is taken.
    assert len(drawn) == 16


@pytest.mark.parametrize("spec", SMALL)
def test_who_may_not_know_a_thing_is_told_nothing_of_it(spec: str) -> None:
    told: Told = {}
    for state in positions(find_game(spec).initial()):
        check_views(state, told, random.Random(0))


def test_payoffs_of_kuhn_by_the_cards() -> None:
    start = find_game("kuhn").initial()
    dealt = start.play(2).play(0)
    lines = {(0, 0): 1, (0, 1, 0): -1, (0, 1, 1): 2, (1, 0): 1, (1, 1): 2}
    for bets, chips in lines.items():
        state = dealt
        for bet in bets:
            assert state.outcome() is None
            state = state.play(bet)
        assert state.outcome() == (chips, -chips)


@pytest.mark.parametrize(
    ("spec", "name"),
    [
        ("kuhn", "kuhn_poker"),
        ("phantom_tictactoe", "phantom_ttt"),
        ("goofspiel?cards=4", "goofspiel(num_cards=4)"),
    ],
)
def test_openspiel_plays_the_same(spec: str, name: str) -> None:
    pyspiel = pytest.importorskip("pyspiel")
    theirs = pyspiel.load_game(name)
    if theirs.get_type().dynamics == pyspiel.GameType.Dynamics.SIMULTANEOUS:
        theirs = pyspiel.convert_to_turn_based(theirs)
    shift = 1 if spec.startswith("goofspiel") else 0
    for seed in range(30):
        source = random.Random(seed)
        state, raw = find_game(spec).initial(), theirs.new_initial_state()
        while state.outcome() is None:
            moves = state.legal_moves()
            move = source.choice(moves)
            state = state.play(move)
            if raw.is_terminal():
                # There the last cards, of which nobody has a choice, are played at once.
                assert len(moves) == 1
                continue
            assert sorted(raw.legal_actions()) == [each - shift for each in moves]
            raw.apply_action(move - shift)
        assert raw.is_terminal()
        assert tuple(raw.returns()) == state.outcome()


class Peeks(KuhnState):
    """A deal whose drawing shows the other seat's card."""

    def drawn(self, seat: int | None) -> str:
        """Draw all."""
        return self.render()


class Forgets(KuhnState):
    """A deal in which a seat forgets the first bet."""

    def events(self, seat: int | None) -> Events:
        """Leave out the first bet once there is another."""
        told = super().events(seat)
        return told[:1] + told[2:] if len(told) > 2 else told


class Shows(RpsState):
    """A round in which the second seat may not choose what the first one chose."""

    def choices(self, seat: int) -> tuple[int, ...]:
        """Leave out what is sealed."""
        return tuple(move for move in (0, 1, 2) if move not in self.sealed)


class Opens(PhantomState):
    """A board on which everybody may try only squares that are free."""

    def legal_moves(self) -> tuple[int, ...]:
        """List the free squares."""
        taken = self.squares(0) | self.squares(1)
        return tuple(square for square in super().legal_moves() if square not in taken)


@pytest.mark.parametrize(
    ("spec", "kind", "fault"),
    [
        ("kuhn", Peeks, "the same events .* but another drawing"),
        ("kuhn", Forgets, "events are only added"),
        ("rps?rounds=1", Shows, "sees that another one has chosen"),
        ("phantom_tictactoe", Opens, "the same events .* but another list of moves"),
    ],
)
def test_a_game_that_tells_too_much_is_caught(
    spec: str, kind: type[HiddenState], fault: str
) -> None:
    with pytest.raises(BrokenError, match=fault):
        _try_views(find_game(spec).initial(), kind)


def _try_views(first: State, kind: type[HiddenState]) -> None:
    """Check random matches of another class of positions."""
    told: Told = {}
    source = random.Random(2)
    for _ in range(200):
        state = _as(first, kind)
        while state.outcome() is None:
            move = source.choice(state.legal_moves())
            check_next_views(state, move)
            check_views(state, told, source)
            state = _as(state.play(move), kind)


def _as(state: State, kind: type[HiddenState]) -> HiddenState:
    """Return the same position as one of another class."""
    twin = object.__new__(kind)
    for name in ("game", "cards", "bets", "tries", "rounds", "sealed", "to_move"):
        if hasattr(state, name) and not isinstance(getattr(kind, name, None), property):
            setattr(twin, name, getattr(state, name))
    return twin


def test_games_without_secrets_show_everything() -> None:
    state = find_game("connectfour").initial()
    assert state.view(1) is state
    assert state.movers() == (0,)


def test_a_choice_is_sealed_until_all_have_chosen() -> None:
    state = find_game("rps").initial()
    assert isinstance(state, TogetherState)
    sealed = state.play(1)
    assert state.movers() == (0, 1)
    assert sealed.movers() == (1,)
    assert sealed.view(1) == state.view(1)
    assert sealed.play(0).view(0).events == ("paper rock",)
    assert state != sealed


@pytest.mark.parametrize("spec", ["kuhn", "goofspiel"])
def test_a_trial_of_a_game_looks_at_its_views(spec: str, monkeypatch: pytest.MonkeyPatch) -> None:
    assert try_out(find_game(spec)) > 0
    monkeypatch.setattr("games.kuhn.KuhnState.drawn", lambda self, seat: repr(self.cards))
    monkeypatch.setattr("games.goofspiel.GoofspielState.drawn", lambda self, seat: str(self.sealed))
    with pytest.raises(GameError, match=r"can't be played: .*the same events .* but another"):
        try_out(find_game(spec))
