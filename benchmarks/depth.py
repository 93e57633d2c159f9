"""How often a search beats itself with two plies less: `python -m benchmarks.depth [SPEC ...]`.

Two matches from each drawn opening, each bot once in each seat; equal moves are the first, as by
default. The compiled search plays where there is one.
"""

import sys

from bots.support.bot import Bot, Clock
from bots.support.specs import make_bot
from games.support.game import State
from games.support.specs import find_game
from league.match.openings.drawn import DrawnOpenings

OPENINGS = 20
PLIES_MAX = 300
GAMES = (
    ("tictactoe", (3, 1)),
    ("connectfour", (3, 1), (4, 2), (6, 4)),
    ("othello", (3, 1), (4, 2), (5, 3)),
    ("mnk?columns=7&rows=7&connect=4", (3, 1), (4, 2)),
    ("breakthrough", (3, 1), (4, 2), (5, 3)),
    ("tablut", (3, 1), (4, 2)),
    ("chess", (3, 1)),
)


def won_by(bots: tuple[Bot, ...], state: State) -> float:
    """Play a match; return the first seat's utility, 0 for one that is too long."""
    for seat, bot in enumerate(bots):
        bot.new_match(state.game, seat, 1)
    for _ in range(PLIES_MAX):
        outcome = state.outcome()
        if outcome is not None:
            return outcome[0]
        state = state.play(bots[state.to_move].choose(state, Clock()))
    return 0


def counts(spec: str, deep: int, shallow: int) -> tuple[int, int, int]:
    """Count the deeper search's wins, draws and losses."""
    game = find_game(spec)
    order = "game" if spec == "chess" else "given"
    bots = [make_bot("alphabeta", {"depth": str(each), "order": order}) for each in (deep, shallow)]
    openings = DrawnOpenings(game, game.opening_plies, seed=1)
    found = [0, 0, 0]
    for number in range(OPENINGS):
        state = game.initial()
        for wire in openings[number].moves:
            state = state.play(wire)
        for seats, sign in ((bots, 1), (bots[::-1], -1)):
            worth = sign * won_by(tuple(seats), state)
            found[0 if worth > 0 else 1 if worth == 0 else 2] += 1
    return found[0], found[1], found[2]


def main() -> None:
    """Print the table."""
    print("| game | depths | won | drawn | lost |")
    print("| --- | --- | ---: | ---: | ---: |")
    for spec, *pairs in GAMES:
        if not sys.argv[1:] or spec in sys.argv[1:]:
            for deep, shallow in pairs:
                told = " | ".join(map(str, counts(spec, deep, shallow)))
                print(f"| `{spec}` | {deep} against {shallow} | {told} |", flush=True)


if __name__ == "__main__":
    main()
