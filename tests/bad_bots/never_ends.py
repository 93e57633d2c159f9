"""Speaks a protocol up to a phase, in which it writes without end: `never_ends.py gtp start`.

It stands alone, as a program does.
"""

import itertools
import json
import os
import sys
import threading

PLAIN = {
    "uci": {"uci": "uciok", "isready": "readyok"},
    "ugi": {"ugi": "ugiok", "isready": "readyok"},
    "xboard": {"protover": "feature ping=1 usermove=1 setboard=1 done=1"},
    "gtp": {"protocol_version": "2"},
    "piskvork": {"ABOUT": 'name="endless"', "START": "OK"},
    "exec": {},
}
FIRST = {
    "uci": "uci",
    "ugi": "ugi",
    "xboard": "protover",
    "gtp": "list_commands",
    "piskvork": "ABOUT",
    "exec": "hello",
}
BEFORE_MATCH = {
    "uci": "ucinewgame",
    "ugi": "uginewgame",
    "xboard": "new",
    "gtp": "clear_board",
    "piskvork": "START",
    "exec": "match",
}
MOVE = {
    "uci": "go",
    "ugi": "go",
    "xboard": "go",
    "gtp": "genmove",
    "piskvork": "BEGIN",
    "exec": "move",
}
PHASES = {"start": FIRST, "prepare": BEFORE_MATCH, "move": MOVE}
ENDLESS = {
    "uci": "option name N{} type button\n",
    "ugi": "option name N{} type button\n",
    "xboard": 'feature option="N{} -button"\n',
    "gtp": "command_{}\n",
    "piskvork": "MESSAGE {}\n",
    "exec": "thinking of {}\n",
}


def main() -> None:
    """Answer until the phase comes."""
    protocol, phase = sys.argv[1:]
    fatal = PHASES[phase][protocol]
    for line in sys.stdin:
        number, word = words_of(protocol, line)
        head = f"={number} " if protocol == "gtp" else ""
        if word == fatal:
            threading.Thread(target=sys.stdin.read, daemon=True).start()
            begin = "feature done=0\n" if protocol == "xboard" else head
            # A move has one line, so it must not begin.
            flood("" if phase == "move" else begin, ENDLESS[protocol])
        if protocol == "exec":
            say(json.dumps({"id": number, "protocol": 1}))
        elif protocol == "gtp":
            say(head + PLAIN[protocol].get(word, "") + "\n")
        elif word == "ping":
            say(f"pong {number}")
        elif word in PLAIN[protocol]:
            say(PLAIN[protocol][word])


def words_of(protocol: str, line: str) -> tuple[str, str]:
    """Return the number of a message, if it has one, and what it asks for."""
    if protocol == "exec":
        message = json.loads(line)
        return message["id"], message["type"]
    words = line.split()
    if protocol == "gtp":
        return words[0], words[1]
    return words[-1], words[0]


def flood(head: str, text: str) -> None:
    """Write lines for ever."""
    for first in itertools.count(0, 1000):
        say(head + "".join(text.format(first + each) for each in range(1000)), end="")
        head = ""


def say(text: str, end: str = "\n") -> None:
    """Write all of a text."""
    rest = (text + end).encode()
    while rest:
        rest = rest[os.write(1, rest) :]


if __name__ == "__main__":
    main()
