"""A Connect Four bot of plain Python, without the league's package: it wins, blocks, looks ahead.

Register it:  league register plain exec:'python3 bot.py' --folder examples/connectfour \
                --game connectfour
The protocol: docs/reference/json-lines.md. A negamax search of fixed depth: what is good for one
is as bad for the other, so one function serves both.
"""

import json
import sys
import time

WON = 1000
DEPTH = 4
MARGIN_S = 0.02  # kept for the way of the answer


class Board:
    """Columns of stones, bottom first; the seats are 0 and 1."""

    def __init__(self, columns, rows, connect):
        self.width, self.height, self.connect = columns, rows, connect
        self.columns = [[] for _ in range(columns)]
        self.to_move = 0

    def open_columns(self):
        """List the columns that are not full, from the middle outwards."""
        free = [index for index in range(self.width) if len(self.columns[index]) < self.height]
        return sorted(free, key=lambda index: abs(2 * index - self.width + 1))

    def play(self, column):
        self.columns[column].append(self.to_move)
        self.to_move = 1 - self.to_move

    def undo(self, column):
        self.columns[column].pop()
        self.to_move = 1 - self.to_move

    def is_won_at(self, column):
        """Whether the topmost stone of a column is part of a row."""
        row = len(self.columns[column]) - 1
        seat = self.columns[column][row]
        for right, up in ((1, 0), (0, 1), (1, 1), (1, -1)):
            length = 1
            for sign in (1, -1):
                x, y = column + sign * right, row + sign * up
                while self.has(x, y, seat):
                    length += 1
                    x, y = x + sign * right, y + sign * up
            if length >= self.connect:
                return True
        return False

    def has(self, x, y, seat):
        """Whether a square lies on the board and holds a stone of the seat."""
        return 0 <= x < self.width and 0 <= y < len(self.columns[x]) and self.columns[x][y] == seat


def score(board, column, depth, deadline):
    """Return how good it is for the seat to move to play in a column; a quick win is best."""
    board.play(column)
    try:
        if board.is_won_at(column):
            return WON + depth
        replies = board.open_columns()
        if depth == 0 or not replies or time.monotonic() > deadline:
            return 0
        return -max(score(board, reply, depth - 1, deadline) for reply in replies)
    finally:
        board.undo(column)


def choose(question, rules):
    """Return a move of `legal`, and what was thought of it."""
    board = Board(**rules)
    for text in question["moves"]:
        board.play(int(text) - 1)
    seconds = question["seconds"]
    deadline = time.monotonic() + (seconds - MARGIN_S if seconds else 10)
    depth = min(DEPTH, question["depth"] or DEPTH)
    scores = {column: score(board, column, depth - 1, deadline) for column in board.open_columns()}
    best = max(scores, key=scores.get)  # the first of equals: the one nearest to the middle
    return str(best + 1), {"depth": depth, "score": scores[best]}


def main():
    """Answer every line of the league by one of ours, until there are no more."""
    rules = {}
    for line in sys.stdin:
        question = json.loads(line)
        answer = {"id": question["id"]}
        if question["type"] == "hello":
            answer["protocol"] = 1
        elif question["type"] == "match":
            rules = question["rules"]
        elif question["type"] == "move":
            answer["move"], answer["report"] = choose(question, rules)
        sys.stdout.write(json.dumps(answer) + "\n")
        sys.stdout.flush()  # else the answer waits in a buffer, and the league for the answer


if __name__ == "__main__":
    main()
