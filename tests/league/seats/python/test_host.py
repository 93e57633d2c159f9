"""The process of a Python bot."""

import subprocess
import sys


def test_a_bot_starts_without_the_other_bots_and_games() -> None:
    """There is a process for each bot of each worker: what it imports is imported many times."""
    code = (
        "import sys, league.seats.python.host\n"
        "from games.support.specs import find_game\n"
        "from league.seats.python.loading import load_bot\n"
        "find_game('connectfour')\n"
        "load_bot('random', {}, (), None)\n"
        "unwanted = ('bots.mcts', 'games.othello', 'importlib.metadata', 'numpy', 'sqlalchemy')\n"
        "print([name for name in unwanted if name in sys.modules])"
    )
    found = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert found.stdout == "[]\n"
