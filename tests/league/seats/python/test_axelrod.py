"""Strategies of Axelrod-Python play unchanged, and as in its own matches."""

import json
import sys
from collections.abc import Iterator, Sequence
from importlib.util import find_spec
from itertools import combinations_with_replacement
from pathlib import Path
from typing import Any

import pytest

from bots import Bot, Clock
from games.support.game import Game, State
from games.support.moves import WireMove
from games.support.specs import find_game
from league.match.play import MatchSetup, play_match
from league.model.errors import SpecError
from league.model.records import Limits, MatchRecord, Termination
from league.registration.source_snapshot import take_snapshot
from league.seats.python.axelrod_bot import AxelrodBot, Opponent, offer_package
from league.seats.python.loading import LoadFailure, load_bot
from league.seats.python.python_seat import PythonSeat
from league.seats.seat import MoveBudget, SeatAnswer
from tests.league.seats.firstmove import FirstMove
from tests.oracles import oracle_lines
from tests.waiting import ENDLESS_S

LIMITS = Limits(move_s=ENDLESS_S, start_s=ENDLESS_S)

VARIED = (
    *("Adaptive", "Alternator", "APavlov2011", "BackStabber", "BurnBothEnds", "Calculator"),
    *("CautiousQLearner", "Cooperator", "CycleHunter", "Defector", "EvolvedFSM16", "EvolvedHMM5"),
    *("EvolvedLookerUp2_2_2", "Forgiver", "GTFT", "GoByMajority", "Golden", "Gradual", "Grudger"),
    *("Handshake", "LimitedRetaliate", "NaiveProber", "OmegaTFT", "Random", "SecondByChampion"),
    *("ShortMem", "ThueMorse", "TitForTat", "WinStayLoseShift", "ZDExtort2"),
)
"""Strategies with states, tables, Markov models and luck, some that learn or know the length."""

FIRST = (
    *("TitForTat", "FirstByTidemanAndChieruzzi", "FirstByNydegger", "FirstByGrofman"),
    *("FirstByShubik", "FirstBySteinAndRapoport", "Grudger", "FirstByDavis", "FirstByGraaskamp"),
    *("FirstByDowning", "FirstByFeld", "FirstByJoss", "FirstByTullock", "FirstByAnonymous"),
    "Random",
)
"""Those of Axelrod's first tournament, 1980, by rank."""

CALM = """
from axelrod import Action, Player

class Calm(Player):
    name = "Calm"
    classifier = {"stochastic": False, "memory_depth": 1}

    def __init__(self, patience: int = 1) -> None:
        self.patience = patience
        super().__init__()

    def strategy(self, opponent):
        provoked = opponent.defections > self.patience
        return Action.D if provoked else Action.C
"""


@pytest.fixture
def library() -> Any:
    """Return the library, of which only what a test uses is imported."""
    if find_spec("axelrod") is None:
        pytest.skip("needs the extra 'axelrod'")
    offer_package()
    return sys.modules["axelrod"]


class Strategy(FirstMove):
    """Asks a bot in this process, which has a seed of its own."""

    def __init__(self, bot: Bot, seed: int = 0) -> None:
        super().__init__()
        self.bot, self.seed = bot, seed

    def new_match(self, game: Game, seat: int, seed: int, opening: Sequence[WireMove]) -> None:
        """Begin a match."""
        self.bot.new_match(game, seat, self.seed)

    def ask(self, state: State, history: Sequence[WireMove], budget: MoveBudget) -> SeatAnswer:
        """Ask the bot."""
        move = self.bot.choose(state, Clock())
        return SeatAnswer(move, wall_ns=1_000_000, cpu_ns=None, over_ns=0)


def played(game: str, seats: Sequence[Any], seed: int = 1) -> MatchRecord:
    """Play a match."""
    setup = MatchSetup(game=find_game(game), versions=(1, 2), opening=(), limits=LIMITS, seed=seed)
    return play_match(setup, seats)


def bot_of(name: str, **options: str) -> Bot:
    """Return the bot of a strategy, loaded as its process does."""
    return load_bot(f"axelrod:{name}", options, (), None).bot


def text_of(result: Sequence[Any]) -> str:
    """Write the turns of a match of the library as a record does."""
    return " ".join(f"{first} {second}" for first, second in result)


def check_pair(library: Any, pair: tuple[str, str], turns: int, seed: int) -> None:
    """Check that a pair plays here as it does in the library, with the same seeds."""
    players = [getattr(library, name)() for name in pair]
    source = library.RandomGenerator(seed)
    seats = []
    for name, player in zip(pair, players, strict=True):
        is_random = library.Classifiers["stochastic"](player)
        seats.append(Strategy(bot_of(name), int(source.random_seed_int()) if is_random else 0))
    match = library.Match(players, turns=turns, seed=seed)
    result = match.play()
    record = played(f"dilemma?turns={turns}", seats)
    assert record.termination is Termination.RULES, record.detail
    assert record.notation == text_of(result), pair
    assert record.utilities == match.final_score()


@pytest.mark.extra
@pytest.mark.parametrize("place", range(len(VARIED)))
def test_thirty_strategies_play_as_in_the_library(library: Any, place: int) -> None:
    check_pair(library, (VARIED[place], VARIED[place - 1]), 60, seed=place)


@pytest.mark.extra
def test_some_of_the_first_tournament_play_as_in_the_library(library: Any) -> None:
    for pair in combinations_with_replacement(FIRST[::4], 2):
        check_pair(library, pair, 100, seed=1)


@pytest.mark.extra
@pytest.mark.slow
def test_the_first_tournament_is_that_of_the_library(library: Any) -> None:
    for seed, pair in enumerate(combinations_with_replacement(FIRST, 2)):
        check_pair(library, pair, 200, seed)


@pytest.mark.extra
@pytest.mark.slow
def test_eight_strategies_get_the_published_points(library: Any) -> None:
    facts = json.loads("".join(oracle_lines("iterated_dilemma.json")))
    for pair, points in facts["totals"].items():
        seats = [Strategy(bot_of(name)) for name in pair.split(" v ")]
        assert played("dilemma", seats).utilities == tuple(points), pair


@pytest.mark.extra
def test_strategies_see_what_noise_has_made_of_choices(library: Any) -> None:
    names = ("TitForTat", "Random")
    record = played("dilemma?turns=80&noise=0.2", [Strategy(bot_of(each), 7) for each in names])
    players = [getattr(library, each)() for each in names]
    for player in players:
        player.set_match_attributes(length=80, noise=0.2)
        player.set_seed(7)
    words = iter(record.notation.split())
    flipped = 0
    for chosen in zip(words, words, words, strict=True):
        choices = [players[0].strategy(players[1]), players[1].strategy(players[0])]
        assert [str(each) for each in choices] == list(chosen[:2])
        flips = ["none", "first", "second", "both"].index(chosen[2])
        flipped += flips.bit_count()
        first, second = (
            each.flip() if flips >> seat & 1 else each for seat, each in enumerate(choices)
        )
        players[0].update_history(first, second)
        players[1].update_history(second, first)
    assert 16 <= flipped <= 48, "of 160 choices"


@pytest.mark.extra
def test_a_strategy_knows_length_noise_and_payoffs(library: Any) -> None:
    bot = bot_of("TitForTat")
    assert isinstance(bot, AxelrodBot)
    bot.new_match(find_game("dilemma?turns=9&noise=0.1&temptation=7&sucker=-1"), 1, 2**40 + 3)
    attributes = bot._player.match_attributes
    assert (attributes["length"], attributes["noise"]) == (9, 0.1)
    assert attributes["game"].RPST() == (3, 1, -1, 7)
    assert bot._player._seed == 3, "the library takes seeds of 32 bits"


@pytest.mark.extra
def test_a_match_knows_nothing_of_the_one_before(library: Any) -> None:
    bots = [Strategy(bot_of("Alternator")), Strategy(bot_of("Random"), 3)]
    first, again = (played("dilemma?turns=30", bots).notation for _ in range(2))
    assert first == again
    assert "D" in first


@pytest.mark.extra
def test_options_are_those_of_the_strategy(library: Any) -> None:
    record = played("dilemma?turns=5", [Strategy(bot_of("Random", p="0")) for _ in range(2)])
    assert record.notation == " ".join(["D D"] * 5)
    with pytest.raises(LoadFailure, match=r"unknown option 'q' of Random \(known: p\)"):
        bot_of("Random", q="0")


@pytest.mark.extra
def test_strategies_that_see_more_than_a_match_are_refused(library: Any) -> None:
    with pytest.raises(
        LoadFailure, match=r"Darwin looks into .*inspects_source, manipulates_state"
    ):
        bot_of("Darwin")


@pytest.mark.extra
def test_an_opponent_has_a_history_alone(library: Any) -> None:
    C, D = library.Action.C, library.Action.D
    opponent = Opponent(library.History([C, D, D], [C, C, D]))
    assert (opponent.cooperations, opponent.defections) == (1, 2)
    assert opponent.state_distribution == {(C, C): 1, (D, C): 1, (D, D): 1}
    with pytest.raises(AttributeError, match=r"sees its opponent's history alone.*'strategy'"):
        opponent.strategy(None)


@pytest.mark.extra
def test_another_game_is_refused(library: Any) -> None:
    with pytest.raises(ValueError, match="plays dilemma, not rps"):
        bot_of("TitForTat").new_match(find_game("rps"), 0, 1)


@pytest.mark.extra
def test_a_strategy_of_a_file_plays_in_its_process(library: Any, tmp_path: Path) -> None:
    (tmp_path / "calm.py").write_text(CALM)
    version = take_snapshot("calm", str(tmp_path / "calm.py"), {"patience": "0"})
    seat = PythonSeat(version, LIMITS)
    try:
        record = played("dilemma?turns=4", [seat, Strategy(bot_of("Alternator"))])
    finally:
        seat.stop()
    assert record.notation == "C C C D D C D D"


class Hides:
    """Finds no module of the library."""

    def find_spec(self, name: str, path: object, target: object = None) -> None:
        """Say that it is not there."""
        if name == "axelrod":
            raise ModuleNotFoundError(f"No module named {name!r}", name=name)


@pytest.fixture
def no_library(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Hide the library, installed or not, and forget files of its name."""
    for name in [each for each in sys.modules if each.split(".")[0] == "axelrod"]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setattr(sys, "meta_path", [Hides(), *sys.meta_path])
    yield
    sys.modules.pop("axelrod", None)


@pytest.mark.usefixtures("no_library")
def test_without_the_library_it_is_said_how_to_get_it() -> None:
    how = r"pip install 'botleague\[axelrod\]'"
    with pytest.raises(SpecError, match=rf"^'axelrod:TitForTat' needs Axelrod-Python: {how}$"):
        take_snapshot("tft", "axelrod:TitForTat", {})
    with pytest.raises(LoadFailure, match=f"^needs Axelrod-Python: {how}$"):
        load_bot("axelrod:TitForTat", {}, (), None)


@pytest.mark.usefixtures("no_library")
@pytest.mark.parametrize("name", ["speaks.py", "axelrod.py"])
def test_a_bot_that_only_speaks_of_the_library_plays_without_it(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "path", list(sys.path))
    (tmp_path / name).write_text("# as axelrod's\ndef choose(view, clock):\n    return 1\n")
    bot = load_bot(name, {}, (name,), tmp_path).bot
    assert bot.choose(find_game("dilemma").initial(), Clock()) == 1
