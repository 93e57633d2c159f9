"""Tells what luck brings in the matches that a league has not stored, from its seeds.

`python luck.py DATABASE`, a program of its own: it makes all tokens, and would fill the memory of a
bot with them.
"""

import sys

from games.support.moves import draw_move
from games.support.specs import find_game
from league.match.play import chance_of
from league.store.store import open_store
from league.tournament.planner import Planner


def main(database: str) -> None:
    """Print the position after the deal of each match."""
    with open_store(database, read_only=True) as store:
        for job in Planner(store, 1).left():
            luck, state = chance_of(job.seed), find_game(job.game).initial()
            while state.chance():
                state = state.play(draw_move(state, luck))
            print(state.key())


if __name__ == "__main__":
    main(*sys.argv[1:])
