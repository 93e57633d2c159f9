"""Compile the search for games, so that their next match plays with it.

python -m bots.compiled connectfour 'mnk?columns=7&rows=7'
"""

import sys

from bots.compiled.ready import prepare
from games.support.specs import find_game


def main() -> None:
    """Compile for each game named, and say whether it is ready."""
    for spec in sys.argv[1:]:
        is_ready = prepare(find_game(spec))
        sys.stdout.write(f"{spec}: {'compiled' if is_ready else 'pure'}\n")


if __name__ == "__main__":
    main()
