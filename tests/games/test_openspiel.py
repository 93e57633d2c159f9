"""OpenSpiel's games: the contract in each, what is refused, and our own games against theirs."""

import copy
import dataclasses
import json
import pickle
import random
import resource
import sys
import xml.etree.ElementTree as ET
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from bots.support.bot import Clock
from bots.support.specs import BOTS, make_bot
from games.openspiel import rules, trial
from games.openspiel.drawing import fit, plain
from games.openspiel.rules import FAMILY, Entry, OpenSpielGame, OpenSpielState
from games.support.drawing import draw_lines
from games.support.errors import GameError, MoveError, OptionError, UnknownNameError
from games.support.game import CHANCE, Game, Move, State
from games.support.moves import decode_move, draw_move, encode_move, replay
from games.support.specs import find_game
from games.support.view_contract import Told, check_next_views, check_views
from league.match.openings import DrawnOpenings
from tests.bots.test_every_bot import FOR_SECRETS
from tests.examples import slow
from tests.league.command import league

pytestmark = pytest.mark.extra

pyspiel = pytest.importorskip("pyspiel")

PLIES = 60
VARIANTS = (
    "openspiel:chess?chess960=True",
    "openspiel:chinese_checkers?players=6",
    "openspiel:dots_and_boxes?utility_margin=True",
    "openspiel:go?board_size=5&komi=0.5",
    "openspiel:hex?board_size=3&swap=True",
    "openspiel:maedn?players=4",
    "openspiel:nim?pile_sizes=1;2",
    "openspiel:pig?players=4&winscore=20",
    "openspiel:yacht?num_dice=2&players=3",
)
OPEN = [name for name in FAMILY.names() if not find_game(name).has_secrets]
SECRET = [name for name in FAMILY.names() if name not in OPEN]
every_game = pytest.mark.parametrize("spec", [*OPEN, *VARIANTS])


def walk(spec: str, seed: int, plies: int = PLIES) -> list[State]:
    """Return the positions of a random match of at most `plies` plies."""
    source = random.Random(seed)
    states = [find_game(spec).initial()]
    while len(states) <= plies and states[-1].outcome() is None:
        states.append(states[-1].play(draw_move(states[-1], source)))
    return states


def check_texts(state: State) -> None:
    """Check that each move's text is its own, and is read back in any case."""
    moves = state.legal_moves()
    texts = [state.text(move) for move in moves]
    assert len({text.strip().lower() for text in texts}) == len(moves)
    assert all(text.isprintable() and text == text.strip() and text for text in texts)
    for move in random.Random(0).sample(moves, min(3, len(moves))):
        assert state.parse(f"  {state.text(move).upper()} ") == move
        assert decode_move(state, encode_move(state, move)) == move


def check_drawings(state: State) -> None:
    """Check that a position can be shown as text and as SVG."""
    lines = state.render().splitlines()
    assert lines
    assert max(map(len, lines)) <= 80
    assert all(line.isprintable() for line in lines)
    root = ET.fromstring(state.svg())  # noqa: S314 (drawn by ourselves)
    assert root.tag == "{http://www.w3.org/2000/svg}svg"
    assert "prefers-color-scheme: dark" in state.svg()


@every_game
@pytest.mark.parametrize("seed", [1, *slow(2)])
def test_a_walk_keeps_the_contract(spec: str, seed: int) -> None:
    states = walk(spec, seed)
    game = states[0].game
    for state in states:
        if state.outcome() is not None:
            continue
        moves = state.legal_moves()
        assert moves
        assert len(set(moves)) == len(moves)
        assert all(type(move) is int for move in moves)
        luck = state.chance()
        if state.to_move == CHANCE:
            assert game.has_chance
            assert [move for move, _ in luck] == list(moves)
            assert sum(probability for _, probability in luck) == pytest.approx(1)
            continue
        assert luck == ()
        assert 0 <= state.to_move < game.seats
    for state in states[:: max(1, len(states) // 4)]:
        check_drawings(state)
        if state.outcome() is None:
            check_texts(state)
        for twin in (copy.deepcopy(state), pickle.loads(pickle.dumps(state))):  # noqa: S301 (our own)
            assert twin == state
            assert hash(twin) == hash(state)
            assert twin.render() == state.render()
            assert twin.to_move == state.to_move
            assert twin.outcome() == state.outcome()
            assert twin.legal_moves() == state.legal_moves()


@pytest.mark.parametrize("spec", SECRET)
def test_views_of_games_with_secrets_keep_the_contract(spec: str) -> None:
    told: Told = {}
    source = random.Random(0)
    states = walk(spec, 1, 16)
    for state in states[:: max(1, len(states) // 6)]:
        check_drawings(state)
        check_views(state, told, source)
        if state.outcome() is None:
            move = source.choice(state.legal_moves())
            check_next_views(state, move)
            assert state.parse(state.text(move)) == move
    twin = pickle.loads(pickle.dumps(states[-1]))  # noqa: S301 (our own)
    assert twin == states[-1]
    assert [twin.view(seat) for seat in range(twin.game.seats)] == [
        states[-1].view(seat) for seat in range(twin.game.seats)
    ]


def test_a_game_that_tells_a_seat_too_little_is_refused() -> None:
    for name in ("dou_dizhu", "gin_rummy"):
        with pytest.raises(GameError, match="tells a seat too little"):
            find_game(f"openspiel:{name}")


@every_game
def test_a_match_ends_within_the_bounds(spec: str) -> None:
    states = walk(spec, 3, 700)
    game = states[0].game
    outcome = states[-1].outcome()
    if outcome is None:
        return
    low, high = game.utility_bounds
    assert len(outcome) == game.seats
    assert all(low <= utility <= high for utility in outcome)
    assert sum(outcome) == pytest.approx(0)
    moves = list(states[-1].key())  # type: ignore[call-overload]  # the history
    assert replay(states[0], moves) == states[-1]
    with pytest.raises(MoveError, match="is over"):
        replay(states[0], [*moves, moves[0]])
    with pytest.raises(MoveError, match="is over"):
        states[-1].parse("x")


@every_game
def test_a_move_leaves_the_position_as_it_was(spec: str) -> None:
    state = walk(spec, 4, 9)[-2]
    before = (state.key(), state.to_move, tuple(state.legal_moves()), state.render())
    children = [state.play(move) for move in state.legal_moves()[:40]]
    assert before == (state.key(), state.to_move, tuple(state.legal_moves()), state.render())
    assert state not in children
    assert len(set(children)) == len(children)


@every_game
def test_the_spec_names_the_game(spec: str) -> None:
    game = find_game(spec)
    assert game.spec == spec
    assert find_game(game.spec) == game
    assert hash(find_game(game.spec)) == hash(game)
    assert pickle.loads(pickle.dumps(game)) == game  # noqa: S301 (our own)
    assert copy.deepcopy(game) == game
    assert game.seats == len(game.sides) == len(game.seat_names) == len(set(game.sides)) >= 2
    assert game.title.isprintable()
    assert game.title
    low, high = game.utility_bounds
    assert low < high
    assert set(game.values) == {each.name for each in game.options}


@every_game
def test_nonsense_is_no_move(spec: str) -> None:
    state = find_game(spec).initial()
    for wire in (None, 3.5, True, [1], "", "zz", -9, 10**30, 10**5000, "9" * 5000, "x" * 9999):
        with pytest.raises(MoveError) as caught:
            decode_move(state, wire)
        assert len(str(caught.value)) < 400
        assert str(caught.value).isprintable()


def test_texts_that_only_capitals_tell_apart_carry_their_number() -> None:
    state: Any = find_game("openspiel:banqi").initial()
    while "Reveal:e (" not in (texts := " ".join(map(state.text, state.legal_moves()))):
        state = state.play(draw_move(state, random.Random(1)))
    assert "Reveal:E (" in texts
    moves = {state.text(move): move for move in state.legal_moves()}
    lower = next(text for text in moves if text.startswith("Reveal:e ("))
    assert state.parse("Reveal:e") == moves[lower]
    assert state.parse("Reveal:E") != moves[lower]
    with pytest.raises(MoveError, match=r"illegal move 'reveal:e'"):
        state.parse("reveal:e")


class _Odd:
    """A position as OpenSpiel could give it, with texts that a terminal would trip over."""

    texts: tuple[str, ...] = ("a", "A\n", "", "b\x1b[1mc", "a (0)")

    def legal_actions(self) -> list[int]:
        return list(range(len(self.texts)))

    def action_to_string(self, player: int, move: int) -> str:
        return self.texts[move]

    def current_player(self) -> int:
        return 0


def test_odd_texts_become_distinct_and_fit_to_print() -> None:
    position = rules._position(FAMILY.find("hex"), _Odd())
    texts = [position.text(move) for move in position.legal_moves()]
    assert texts == ["a (0)", "A (1)", "(2)", "bc (3)", "a (0) (4)"]
    assert [position.parse(text) for text in texts] == [0, 1, 2, 3, 4]
    assert position.parse("2") == 2
    assert position.parse("bc") == 3


def test_a_number_that_is_another_moves_text_is_read_as_the_text() -> None:
    class Digits(_Odd):
        texts = ("1", "0")

    position = rules._position(FAMILY.find("hex"), Digits())
    assert [position.parse("0"), position.parse("1")] == [1, 0]


def test_drawings_are_made_to_fit() -> None:
    assert fit("") == "(nothing to show)"
    assert fit("\n\n a\tb\x07c \n") == " a      b c"
    assert fit("\x1b[31mred\x1b[0m") == "red"
    assert [len(line) for line in fit("x" * 170).splitlines()] == [80, 80, 10]
    assert plain(" a\n b\x00") == "a b"
    assert "&lt;a&gt;" in draw_lines("t", "<a>")


@pytest.mark.parametrize(
    ("given", "spec"),
    [
        ("hex?board_size=11", "hex"),
        ("hex?board_size=7&num_cols=7&num_rows=7", "hex?board_size=7"),
        # Without `num_cols` the board would be 7 wide.
        ("hex?num_cols=11&board_size=7", "hex?board_size=7&num_cols=11"),
        ("hex?swap=yes", "hex?swap=True"),
        ("go?komi=7.5", "go"),
        ("go?board_size=9&max_game_length=162", "go?board_size=9"),
        ("mnk?k=4&m=15", "mnk?k=4"),
        ("nim?pile_sizes=1;3;5;7", "nim"),
    ],
)
def test_a_spec_is_canonical(given: str, spec: str) -> None:
    game = find_game(f"openspiel:{given}")
    assert game.spec == f"openspiel:{spec}"
    assert game == find_game(f"openspiel:{spec}")


def test_values_include_what_follows_from_others() -> None:
    game = find_game("openspiel:hex?board_size=7")
    assert game.values["num_cols"] == 7
    assert game.with_options({"num_cols": "5"}).spec == "openspiel:hex?board_size=7&num_cols=5"
    assert game.with_options({"board_size": "11"}).spec == "openspiel:hex"
    kinds = {each.name: each.kind for each in game.options}
    assert kinds["board_size"] is int
    assert kinds["swap"] is bool
    assert kinds["string_rep"] is str


@pytest.mark.parametrize(
    ("spec", "text"),
    [
        ("hex?size=7", r"unknown option 'size' of game openspiel:hex \(known: board_size, "),
        ("hex?bord_size=7", r"did you mean 'board_size'"),
        ("mancala?x=1", r"it has none"),
        ("antichess?fen=x", r"unknown option 'fen'"),
        ("hex?board_size=x", r"board_size='x': expected a whole number"),
        ("hex?board_size=3.5", r"expected a whole number"),
        ("hex?swap=perhaps", r"expected yes or no"),
        ("pig?players=0", r"players='0': expected a whole number from 2 to 10"),
        ("pig?players=1", r"from 2 to 10"),
        ("yacht?players=1", r"from 2 to 10"),
        ("chinese_checkers?players=5", r"players=5: CHECK"),
        ("amazons?board_size=7", r"no openspiel:amazons with board_size=7: CHECK"),
        ("backgammon?scoring_type=x", r"Unrecognized scoring_type parameter: x"),
        ("hex?board_size=99999999999", r"expected a number of 32 bits"),
        ("hex?board_size=0", r"no move|without a move"),
        ("hex?num_cols=1", r"positions without a move that are not over"),
        ("checkers?rows=1", r"over before the first move"),
        ("breakthrough?columns=50", r"OpenSpiel can't write its moves"),
        ("y?board_size=-1", r"OpenSpiel crashes"),
        ("connect_four?rows=0", r"OpenSpiel crashes"),
        ("yacht?dice_sides=100", r"takes too much memory"),
    ],
)
def test_bad_parameters_are_refused_and_end_no_process(
    spec: str, text: str, capfd: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(OptionError, match=text):
        find_game(f"openspiel:{spec}")
    assert capfd.readouterr() == ("", "")


def test_a_text_that_no_spec_can_hold_is_refused() -> None:
    with pytest.raises(OptionError, match="no & and no blanks"):
        FAMILY.find("nim").with_options({"pile_sizes": "1&2"})


def test_a_trial_goes_on_where_the_system_refuses_its_limits(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """MacOS bounds no address space: setrlimit(2) fails there."""

    def refuse(which: int, limits: tuple[int, int]) -> None:
        raise ValueError("current limit exceeds maximum limit")

    monkeypatch.setattr(resource, "setrlimit", refuse)
    trial._limit(resource.RLIMIT_AS, 1 << 30)


def test_a_trial_that_fails_by_chance_is_made_again(monkeypatch: pytest.MonkeyPatch) -> None:
    with monkeypatch.context() as patched:
        patched.setattr("games.openspiel.trial._PATIENCE_S", 0.001)
        with pytest.raises(OptionError, match=r"did not get going within 0.001 s"):
            find_game("openspiel:hex?board_size=4")
    with monkeypatch.context() as patched:
        patched.setattr(sys, "executable", "/nowhere/python")
        with pytest.raises(OptionError, match=r"no process to try it in: No such file"):
            find_game("openspiel:hex?board_size=4")
    assert find_game("openspiel:hex?board_size=4").spec == "openspiel:hex?board_size=4"


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("2048", "one seat"),
        ("gin_rummy", "tells a seat too little"),
        ("mfg_garnet", "mean field"),
        ("misere", "needs parameters"),
        ("efg_game", "needs parameters"),
        ("quoridor", "known faults, says OpenSpiel"),
    ],
)
def test_what_can_not_be_played_says_why(name: str, text: str) -> None:
    with pytest.raises(GameError, match=f"^game 'openspiel:{name}' can't be played here: {text}$"):
        find_game(f"openspiel:{name}")


@pytest.mark.parametrize(
    ("field", "value", "text"),
    [
        ("chance_mode", "SAMPLED_STOCHASTIC", "sampled chance"),
        ("utility", "IDENTICAL", "all seats win together"),
    ],
)
def test_kinds_that_openspiel_may_bring_are_refused(field: str, value: str, text: str) -> None:
    names = ("chance_mode", "dynamics", "information", "utility")
    real = FAMILY.find("hex").loaded.get_type()
    kind = {name: type("", (), {"name": getattr(real, name).name}) for name in names}
    kind[field] = type("", (), {"name": value})
    plain_fields = {"short_name": "x", "default_loadable": True, "max_num_players": 2}
    assert rules._why_not(type("", (), {**kind, **plain_fields})) == text


def test_an_unknown_name_gets_a_suggestion() -> None:
    with pytest.raises(UnknownNameError, match=r"unknown OpenSpiel game 'hexx' .*mean 'hex'"):
        find_game("openspiel:hexx")
    with pytest.raises(UnknownNameError, match=r"unknown OpenSpiel game '' \(known: amazons, "):
        find_game("openspiel:")


def test_the_survey_tells_of_every_game() -> None:
    survey = rules.survey()
    assert [each.name for each in survey] == [
        f"openspiel:{kind.short_name}" for kind in pyspiel.registered_games()
    ]
    by_name = {each.name: each for each in survey}
    assert by_name["openspiel:pig"] == Entry("openspiel:pig", "Pig", (2, 10), True, "")
    assert FAMILY.names() == tuple(each.name for each in survey if each.is_playable)
    for each in survey:
        if each.is_playable:
            assert find_game(each.name).name == each.name
        else:
            with pytest.raises(GameError, match="can't be played here"):
                find_game(each.name)


def test_bounds_are_finite_and_apart() -> None:
    assert rules._bounds(float("-inf"), float("inf")) == (-1e9, 1e9)
    assert rules._bounds(2.0, 2.0) == (1.0, 3.0)
    assert rules._bounds(-3.0, 1.0) == (-3.0, 1.0)


def test_short_games_and_those_with_luck_open_without_random_plies() -> None:
    assert find_game("openspiel:backgammon").opening_plies == 0
    assert find_game("openspiel:chess?chess960=True").opening_plies == 0
    assert find_game("openspiel:nim?pile_sizes=1;2").opening_plies == 0
    assert find_game("openspiel:nim").opening_plies == 2


def test_without_the_package_it_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    rules.survey.cache_clear()
    monkeypatch.setitem(sys.modules, "pyspiel", None)
    text = r"^game 'openspiel:hex' needs open_spiel: pip install 'botleague\[openspiel\]'$"
    with pytest.raises(GameError, match=text):
        find_game("openspiel:hex")
    assert FAMILY.names() == ()


def same_numbers(state: State, other: Any) -> dict[int, Move]:
    """Return OpenSpiel's moves with ours where both have the same numbers."""
    return {move: move for move in state.legal_moves()}


def same_texts(state: State, other: Any) -> dict[int, Move]:
    """Return OpenSpiel's moves with ours that are written alike."""
    texts = {state.text(move): move for move in state.legal_moves()}
    return {move: texts.pop(other.action_to_string(move), None) for move in other.legal_actions()}


SAME_RULES = (
    ("tictactoe", "tic_tac_toe", same_numbers, 20_000),
    ("connectfour", "connect_four", same_numbers, 20_000),
    (
        "connectfour?columns=5&rows=4&connect=3",
        "connect_four(columns=5,rows=4,x_in_row=3)",
        same_numbers,
        20_000,
    ),
    ("othello", "othello", same_numbers, 20_000),
    ("chess", "chess", same_texts, 3000),
)
"""Our game, OpenSpiel's, how our moves are found there, and in how many positions."""


@pytest.mark.parametrize(("spec", "name", "moves_of", "wanted"), SAME_RULES)
@pytest.mark.parametrize("share", [0.1, *slow(1.0)])
def test_our_games_have_openspiels_rules(
    spec: str,
    name: str,
    moves_of: Callable[[State, Any], dict[int, Move]],
    wanted: int,
    share: float,
) -> None:
    if spec == "chess":
        pytest.importorskip("chess")
    # In OpenSpiel's chess White, who begins, is player 1.
    order = -1 if spec == "chess" else 1
    source = random.Random(11)
    ours = find_game(spec)
    their_game = pyspiel.load_game(name)
    positions = ends = 0
    while positions < share * wanted or not ends:
        state, other = ours.initial(), their_game.new_initial_state()
        while True:
            positions += 1
            outcome = state.outcome()
            assert other.is_terminal() == (outcome is not None)
            if outcome is not None:
                assert outcome == tuple(other.returns())[::order]
                ends += 1
                break
            assert (state.to_move, 1 - state.to_move)[::order][0] == other.current_player()
            moves = moves_of(state, other)
            assert sorted(moves) == other.legal_actions()
            assert sorted(moves.values()) == sorted(state.legal_moves())
            action = source.choice(other.legal_actions())
            other.apply_action(action)
            state = state.play(moves[action])


@pytest.mark.parametrize("name", [name for name in BOTS.names() if name not in FOR_SECRETS])
@pytest.mark.parametrize(
    "spec",
    [
        "openspiel:tic_tac_toe",
        "openspiel:hex?board_size=5",
        "openspiel:pig?winscore=12",
        "openspiel:pig?players=4&winscore=12",
        "openspiel:backgammon?max_player_turns=6",
    ],
)
def test_bots_play_to_the_end(name: str, spec: str) -> None:
    game = find_game(spec)
    bot = make_bot(name, {})
    bot.new_match(game, 0, 1)
    source = random.Random(5)
    state = game.initial()
    while state.outcome() is None:
        asked = state.to_move == 0
        move = bot.choose(state, Clock(depth=1)) if asked else draw_move(state, source)
        assert move in state.legal_moves()
        state = state.play(move)


@pytest.mark.parametrize("plies", [0, 1, 2, 3])
def test_openings_may_end_where_luck_moves(plies: int) -> None:
    game = find_game("openspiel:backgammon")
    drawn = DrawnOpenings(game, plies, seed=1)
    openings = [drawn[number].moves for number in range(5)]
    assert [len(opening) for opening in openings] == [plies] * 5
    assert len(set(openings)) == (5 if plies else 1)


def test_a_search_sees_a_win() -> None:
    game = find_game("openspiel:tic_tac_toe")
    state = replay(game.initial(), [0, 3, 1, 4])
    for name in ("minimax", "alphabeta", "iterative"):
        bot = make_bot(name, {})
        bot.new_match(game, 0, 1)
        assert bot.choose(state, Clock(depth=3)) == 2


def test_the_command_lists_them(tmp_path: Path) -> None:
    said = league(tmp_path, "games", "--all")
    ready, rest = said.split("can't, and why not")
    assert "connectfour" in ready
    for each in rules.survey():
        shown = each.name if each.is_playable else each.name.removeprefix("openspiel:")
        part = ready if each.is_playable else rest
        line = next(line for line in part.splitlines() if line.split()[:1] == [shown])
        assert line.rstrip().endswith(each.why_not or ("yes" if each.has_chance else "no"))
    assert max(len(line.rstrip()) for line in said.splitlines()) <= 80
    told = json.loads(league(tmp_path, "games", "--all", "--json"))
    assert len(told["openspiel"]) == len(rules.survey())
    assert told["games"] == json.loads(league(tmp_path, "games", "--json"))
    assert "takes no NAME" in league(tmp_path, "games", "hex", "--all", code=2)
    assert "a parameter of OpenSpiel's" in league(tmp_path, "games", "openspiel:hex")


def test_a_position_is_of_its_game() -> None:
    small, large = FAMILY.find("hex").with_options({"board_size": "5"}), FAMILY.find("hex")
    assert isinstance(small, OpenSpielGame)
    assert isinstance(small, Game)
    assert dataclasses.is_dataclass(small)
    assert isinstance(small.initial(), OpenSpielState)
    assert small.initial() != large.initial()
    assert small.position("a1 b2").legal_moves() == small.initial().play(0).play(6).legal_moves()
