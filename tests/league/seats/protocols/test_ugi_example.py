"""The example bot, spoken to as any other runner of UGI would."""

import random
import subprocess
import sys
from collections.abc import Iterator

import pytest

from games.support.game import State
from games.support.specs import find_game
from tests.paths import EXAMPLES
from tests.processes import computed_s
from tests.strategies import walk
from tests.waiting import PATIENCE_S

BOT = EXAMPLES / "connectfour" / "ugi_bot.py"
GAME = find_game("connectfour")


class Runner:
    """What cutegames does: it knows no rules, and asks the program for all of them."""

    def __init__(self) -> None:
        self.process = subprocess.Popen(
            [sys.executable, "-I", str(BOT)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            bufsize=1,
        )

    def send(self, line: str) -> None:
        """Send a line."""
        assert self.process.stdin is not None
        self.process.stdin.write(line + "\n")

    def wait(self, first: str) -> list[str]:
        """Return the words after `first` of the next line that it begins."""
        assert self.process.stdout is not None
        for line in self.process.stdout:
            words = line.split()
            if words[:1] == [first]:
                return words[1:]
        raise AssertionError(f"no {first!r}")

    def ask(self, question: str) -> str:
        """Return the one word of the response to a query."""
        self.send(f"query {question}")
        (answer,) = self.wait("response")
        return answer


@pytest.fixture
def runner() -> Iterator[Runner]:
    """Greet the program as the specification has it, and see it leave when told to."""
    runner = Runner()
    runner.send("ugi")
    assert runner.wait("id")[0] == "name"
    assert runner.wait("id")[0] == "author"
    assert runner.wait("option")[:4] == ["name", "MaxDepth", "type", "spin"]
    assert runner.wait("ugiok") == []
    runner.send("isready")
    assert runner.wait("readyok") == []
    runner.send("uginewgame")
    yield runner
    runner.send("quit")
    assert runner.process.wait(PATIENCE_S) == 0
    for pipe in (runner.process.stdin, runner.process.stdout):
        assert pipe is not None
        pipe.close()


def result_of(state: State) -> str:
    """Return the result as a program tells it."""
    outcome = state.outcome()
    if outcome is None:
        return "none"
    return "draw" if outcome[0] == 0 else "p1win" if outcome[0] > 0 else "p2win"


def check_queries(runner: Runner, state: State) -> None:
    """Compare what it says of the rules with our own."""
    assert runner.ask("p1turn") == str(state.to_move == 0).lower()
    assert runner.ask("gameover") == str(state.outcome() is not None).lower()
    assert runner.ask("result") == result_of(state)


def test_a_runner_without_rules_plays_a_match_with_it(runner: Runner) -> None:
    state: State = GAME.initial()
    moves: list[str] = []
    while True:
        line = " moves " + " ".join(moves) if moves else ""
        runner.send(f"position startpos{line}")
        check_queries(runner, state)
        if runner.ask("gameover") == "true":
            break
        runner.send(["go depth 3", "go nodes 300", "go movetime 20"][len(moves) % 3])
        (move,) = runner.wait("bestmove")
        moves.append(move)
        state = state.play(state.decode(move))
    assert result_of(state) != "none"


def test_its_rules_are_ours_in_random_positions(runner: Runner) -> None:
    for seed in range(60):
        states = walk("connectfour", seed, 42)
        for state in random.Random(seed).sample(states, 3):
            runner.send(f"position fen {state.fen()}")
            check_queries(runner, state)
        runner.send(f"position fen {states[-1].fen()}")
        check_queries(runner, states[-1])


def test_a_search_without_end_is_stopped(runner: Runner) -> None:
    runner.send("position fen 7/7/7/7/7/7 r 1 moves d d d")
    runner.send("go infinite")
    runner.wait("info")
    runner.send("isready")
    assert runner.wait("readyok") == []
    before_s = computed_s(runner.process.pid)
    runner.send("stop")
    (move,) = runner.wait("bestmove")
    assert computed_s(runner.process.pid) - before_s < 1.0
    assert GAME.position("444").decode(move) in range(7)


@pytest.mark.parametrize("times", ["p1time 500 p2time 99000 p1inc 10 p2inc 10", "movetime 50"])
def test_its_own_clock_is_the_one_it_heeds(runner: Runner, times: str) -> None:
    runner.send("position startpos")
    before_s = computed_s(runner.process.pid)
    runner.send(f"go {times}")
    runner.wait("bestmove")
    assert computed_s(runner.process.pid) - before_s < 0.5


def test_what_wins_is_found_and_told(runner: Runner) -> None:
    runner.send("position startpos moves d e d e d e")
    runner.send("go depth 6")
    words = runner.wait("info")
    assert words[words.index("mate") + 1] == "1"
    assert words[words.index("pv") + 1] == "d"
    assert runner.wait("bestmove") == ["d"]
