r"""A program that answers lines by a script; it stands alone, to start quickly.

Its argument is a JSON list of [pattern, answer]: the first pattern that a line matches gives the
answer, in which `\1` stands for the pattern's first group. An answer `EXIT 3` ends the program,
`SLEEP 0.5` makes it wait before what follows; each is a line of its own.
"""

import json
import re
import sys
import time


def main() -> None:
    """Answer until the input ends."""
    script = [(re.compile(pattern), answer) for pattern, answer in json.loads(sys.argv[1])]
    for line in sys.stdin:
        for pattern, answer in script:
            if found := pattern.search(line.rstrip("\n")):
                say(found.expand(answer))
                break


def say(text: str) -> None:
    """Write the lines of an answer, and do what some of them tell."""
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
    main()
