"""A Connect Four bot that speaks UGI and needs nothing but Python: alpha-beta, deeper and deeper.

Register it with: league register mine "ugi:python3 ugi_bot.py" --game connectfour
"""

import queue
import sys
import threading
import time

COLUMNS, ROWS = 7, 6
HEIGHT = ROWS + 1  # a bit above each column that no disc takes keeps rows from wrapping
BOTTOMS = [1 << HEIGHT * column for column in range(COLUMNS)]
TOPS = [bottom << ROWS - 1 for bottom in BOTTOMS]
FULL = sum(bottom * ((1 << ROWS) - 1) for bottom in BOTTOMS)
CENTRE_FIRST = sorted(range(COLUMNS), key=lambda column: abs(column - COLUMNS // 2))
WEIGHTS = [(((1 << ROWS) - 1) * BOTTOMS[column], 3 - abs(column - 3)) for column in range(COLUMNS)]
WIN = 10_000
PEEK = 1024


class Stopped(Exception):
    """The search must end now."""


class Position:
    """The discs of the seat to move, those of the other, and who it is."""

    def __init__(self, mine=0, theirs=0, seat=0):
        self.mine, self.theirs, self.seat = mine, theirs, seat

    @classmethod
    def read(cls, board, mover):
        """Read rows from the top, `r` the first seat and `y` the second."""
        discs = {"r": 0, "y": 0}
        for row, signs in enumerate(board.split("/")):
            column = 0
            for sign in signs:
                if sign.isdigit():
                    column += int(sign)
                else:
                    discs[sign] |= BOTTOMS[column] << ROWS - 1 - row
                    column += 1
        if mover == "r":
            return cls(discs["r"], discs["y"], 0)
        return cls(discs["y"], discs["r"], 1)

    def columns(self):
        stones = self.mine | self.theirs
        return [column for column in CENTRE_FIRST if not stones & TOPS[column]]

    def play(self, column):
        stones = self.mine | self.theirs
        disc = (stones + BOTTOMS[column] | stones) ^ stones
        return Position(self.theirs, self.mine | disc, 1 - self.seat)

    def is_lost(self):
        return has_four(self.theirs)

    def is_full(self):
        return (self.mine | self.theirs) == FULL

    def result(self):
        if self.is_lost():
            return "p2win" if self.seat == 0 else "p1win"
        return "draw" if self.is_full() else "none"


def has_four(discs):
    """Whether four of the discs stand in a row."""
    for step in (1, HEIGHT - 1, HEIGHT, HEIGHT + 1):
        pairs = discs & discs >> step
        if pairs & pairs >> 2 * step:
            return True
    return False


class Search:
    """One search: until its time, depth or nodes are spent, or it is told to stop."""

    def __init__(self, commands, seconds=None, depth=None, nodes=None):
        self.commands = commands
        self.begin = time.monotonic()
        self.end = None if seconds is None else self.begin + seconds
        self.depth = depth or COLUMNS * ROWS
        self.most = nodes
        self.nodes = 0
        self.best = {}  # the best column of each position, for the next round

    def run(self, position):
        """Return the best column found; tell of each depth as it is done."""
        answer = position.columns()[0]
        try:
            for depth in range(1, self.depth + 1):
                score = self.value(position, depth, 0, -WIN, WIN)
                answer = self.best[position.mine, position.theirs]
                self.tell(position, depth, score)
                if abs(score) > WIN - 100:
                    break
        except Stopped:
            pass
        return answer

    def value(self, position, depth, ply, low, high):
        self.count()
        if position.is_lost():
            return ply - WIN
        if position.is_full():
            return 0
        if depth == 0:
            return sum(
                weight * ((position.mine & mask).bit_count() - (position.theirs & mask).bit_count())
                for mask, weight in WEIGHTS
            )
        key = position.mine, position.theirs
        columns = position.columns()
        if key in self.best:
            columns.sort(key=lambda column: column != self.best[key])
        top = -WIN
        for column in columns:
            score = -self.value(position.play(column), depth - 1, ply + 1, -high, -low)
            if score > top:
                top, self.best[key] = score, column
            low = max(low, score)
            if low >= high:
                break
        return top

    def count(self):
        self.nodes += 1
        if self.most and self.nodes > self.most:
            raise Stopped
        if self.nodes % PEEK == 0:
            if self.end and time.monotonic() > self.end:
                raise Stopped
            self.peek()

    def peek(self):
        """Heed the only three commands that may come during a search."""
        while not self.commands.empty():
            command = self.commands.get()
            if command == "isready":
                say("readyok")
            elif command in ("stop", "quit"):
                if command == "quit":
                    self.commands.put("quit")
                raise Stopped

    def tell(self, position, depth, score):
        spent = time.monotonic() - self.begin
        if abs(score) > WIN - 100:
            plies = WIN - abs(score)
            worth = f"mate {plies if score > 0 else -plies}"
        else:
            worth = f"cp {score}"
        line = []
        while len(line) < depth and (position.mine, position.theirs) in self.best:
            column = self.best[position.mine, position.theirs]
            line.append("abcdefg"[column])
            position = position.play(column)
        nps = int(self.nodes / max(spent, 1e-6))
        say(
            f"info depth {depth} score {worth} time {int(spent * 1000)} nodes {self.nodes} "
            f"nps {nps} pv {' '.join(line)}".rstrip()
        )


def say(text):
    """Write a line at once, not when a buffer is full."""
    sys.stdout.write(text + "\n")
    sys.stdout.flush()


def read_position(words):
    """Read `startpos` or `fen BOARD MOVER NUMBER`, then `moves` and the columns' letters."""
    position = Position.read(*words[1:3]) if words[0] == "fen" else Position()
    if "moves" in words:
        for move in words[words.index("moves") + 1 :]:
            position = position.play("abcdefg".index(move))
    return position


def limits(words, seat, most_depth):
    """Return what a `go` line allows: seconds, depth, nodes."""
    given = dict(zip(words[::2], words[1::2], strict=False))
    seconds = None
    if "movetime" in given:
        # Some of it, so that the answer is on its way in time.
        seconds = int(given["movetime"]) / 1000 * 0.9
    elif "p1time" in given:
        mine = f"p{seat + 1}"
        left, added = int(given[f"{mine}time"]), int(given.get(f"{mine}inc", 0))
        seconds = (left / 25 + added / 2) / 1000
    depth, nodes = (int(given.get(name, 0)) for name in ("depth", "nodes"))
    return seconds, min(depth or most_depth, most_depth), nodes


def main():
    """Heed one command after another until `quit`, or until the runner is gone."""
    commands = queue.SimpleQueue()

    def listen():
        for line in sys.stdin:
            commands.put(line.strip())
        commands.put("quit")

    threading.Thread(target=listen, daemon=True).start()
    position, most_depth = Position(), COLUMNS * ROWS
    while (command := commands.get()) != "quit":
        first, *rest = command.split() or [""]
        if first == "ugi":
            say("id name Four in a row")
            say("id author botleague")
            say(f"option name MaxDepth type spin default {most_depth} min 1 max {most_depth}")
            say("ugiok")
        elif first == "isready":
            say("readyok")
        elif first == "setoption" and rest[:3:2] == ["name", "value"]:
            if rest[1].lower() == "maxdepth":
                most_depth = int(rest[3])
        elif first == "uginewgame":
            position = Position()
        elif first == "position":
            position = read_position(rest)
        elif first == "query":
            answers = {
                "p1turn": str(position.seat == 0).lower(),
                "gameover": str(position.result() != "none").lower(),
                "result": position.result(),
            }
            say(f"response {answers[rest[0]]}")
        elif first == "go":
            search = Search(commands, *limits(rest, position.seat, most_depth))
            say(f"bestmove {'abcdefg'[search.run(position)]}")


if __name__ == "__main__":
    main()
