"""Hypothesis strategies: positions that random play reaches."""

import random

from hypothesis import strategies as st

from games.support.errors import GameError
from games.support.game import CHANCE, State
from games.support.moves import draw_move
from games.support.specs import GAMES, find_game
from tests.paths import EXAMPLES

SPECS = (
    "tictactoe",
    "connectfour",
    "connectfour?columns=5&rows=4&connect=3",
    "connectfour?columns=4&rows=4&connect=4",
    "connectfour?columns=9&rows=7&connect=5",
    "connectfour?columns=3&rows=1&connect=2",
    "connectfour?columns=1&rows=3&connect=2",
    "connectfour?columns=2&rows=2&connect=9",
    "othello?score=discs",
    "pacman?layout=medium&stop=yes&rounds=30",
    "pacman?ghosts=1&scared=7",
    "tree?file=chance",
    "tree?file=ghosts",
    "tree?file=horizon",
    "tree?file=three-seats",
    "tree?file=tied",
    "tablut?first=black&escape=corner&repetitions=2&armed=no",
    "mnk?columns=3&rows=3&connect=3",
    "mnk?columns=6&rows=5&connect=4&swap=True",
    "mnk?columns=7&rows=7&connect=5&overline=False",
    "breakthrough?columns=5&rows=5",
    "breakthrough?columns=2&rows=4",
)

SECRET_SPECS = ("dilemma?turns=4&noise=0.2", "rps?rounds=3", "snakes?snakes=2&turns=9")
"""Games with secrets, which searches of whole positions refuse."""


SHORT_WALKS = {"chess": 40, "mnk": 40}
"""The longest walk in plies in games whose rules are slow, or that have hundreds of moves."""


def walk(spec: str, seed: int, plies: int) -> list[State]:
    """Return the positions of a random match of at most `plies` plies, the first one included."""
    source = random.Random(seed)
    states: list[State] = [find_game(spec).initial()]
    while len(states) <= plies and states[-1].outcome() is None:
        states.append(states[-1].play(draw_move(states[-1], source)))
    return states


def walks(spec: str, plies: int = 200) -> st.SearchStrategy[list[State]]:
    """Draw random matches of a game."""
    most = min(plies, SHORT_WALKS.get(spec.partition("?")[0], plies))
    return st.builds(walk, st.just(spec), st.integers(0, 2**32), st.integers(0, most))


def positions(spec: str, plies: int = 200) -> st.SearchStrategy[State]:
    """Draw positions of a game, decided ones too."""
    return walks(spec, plies).map(lambda states: states[-1])


def open_positions(spec: str, plies: int = 200) -> st.SearchStrategy[State]:
    """Draw positions of a game that are not over, and where a seat moves."""
    return walks(spec, plies).map(_last_open)


def _last_open(states: list[State]) -> State:
    """Return the last position of a walk where a seat moves, or the first one after luck."""
    state, source = states[-1], random.Random(0)
    if not any(map(_is_open, states)):
        while not _is_open(state):
            state = state.play(draw_move(state, source))
        return state
    return next(filter(_is_open, reversed(states)))


def _is_open(state: State) -> bool:
    return state.outcome() is None and state.to_move != CHANCE


OWN_GAME = str(EXAMPLES / "nim.py")
"""The documentation's example of a user's own game."""

OWN_GAMES = (OWN_GAME, str(EXAMPLES / "pig.py"), str(EXAMPLES / "auction.py"))
"""All of them; the second has three seats and a die, the third has secrets."""


def playable() -> list[str]:
    """List the specs above, those of the catalogue that can be played, and users' own."""
    here = (name for name in GAMES.names() if _is_playable(name))
    return sorted({*SPECS, *SECRET_SPECS, *here, *OWN_GAMES})


def searchable() -> list[str]:
    """List those of `playable` in which a search sees everything."""
    return [spec for spec in playable() if not find_game(spec).has_secrets]


def _is_playable(name: str) -> bool:
    try:
        find_game(name)
    except GameError:
        return False
    return True
