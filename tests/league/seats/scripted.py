r"""A program that answers lines by a script, to play any engine and any fault.

Its argument is a JSON list of [pattern, answer]: the first pattern that a line matches gives the
answer, in which `\1` stands for the pattern's first group. An answer `EXIT 3` ends the program,
`SLEEP 0.5` makes it wait before what follows; each is a line of its own.
"""

import json
import re
import shlex
import sys
import time
from pathlib import Path

from league.records import BotVersion


def engine(
    protocol: str, script: list[tuple[str, str]], options: dict[str, str] | None = None
) -> BotVersion:
    """Return the version of a bot that speaks `protocol` by `script`."""
    words = [sys.executable, "-B", str(Path(__file__)), json.dumps(script)]
    return BotVersion("scripted", f"{protocol}:{shlex.join(words)}", options or {}, folder="/")


def _main() -> None:
    script = [(re.compile(pattern), answer) for pattern, answer in json.loads(sys.argv[1])]
    for line in sys.stdin:
        for pattern, answer in script:
            if found := pattern.search(line.rstrip("\n")):
                _say(found.expand(answer))
                break


def _say(text: str) -> None:
    for line in text.split("\n"):
        word, _, rest = line.partition(" ")
        if word == "EXIT":
            sys.exit(int(rest))
        elif word == "SLEEP":
            time.sleep(float(rest))
        else:
            sys.stdout.write(line + "\n")
            sys.stdout.flush()


if __name__ == "__main__":
    _main()
