"""A player of the Tablut challenge that does what its last argument says; it stands alone.

Its arguments are its colour, seconds, the server's address, a port (0 for the usual one) and the
first of these words: `plays` the first move of a list that is legal on its board, `leaves` when it
is to move, `exits` before it connects, `floods` with an endless message, `mumbles` no JSON,
`cheats` with an illegal move, `sleeps` without a name.
"""

import json
import socket
import struct
import sys
import time

ROLE, SECONDS, HOST, PORT, MANNER = sys.argv[1:6]
STEPS = ((0, 1), (0, -1), (1, 0), (-1, 0))
COLUMNS = "abcdefghi"
CAMPS = "a4 a5 a6 b5 d1 e1 f1 e2 i4 i5 i6 h5 d9 e9 f9 e8 e5"


def main() -> None:
    """Play until the connection ends."""
    if MANNER == "exits":
        sys.exit(3)
    usual = 5800 if ROLE.upper() == "WHITE" else 5801
    server = socket.create_connection(("localhost", int(PORT) or usual))
    say(f"hello {ROLE} {SECONDS} {HOST}")
    if MANNER == "sleeps":
        time.sleep(600)
    send(server, json.dumps("me"))
    while True:
        state = json.loads(receive(server))
        if state["turn"] != ROLE.upper():
            continue
        if MANNER == "leaves":
            sys.exit(0)
        if MANNER == "floods":
            server.sendall(struct.pack(">i", 1 << 30))
        elif MANNER == "mumbles":
            send(server, "e4 to f4")
        elif MANNER == "cheats":
            send(server, json.dumps({"from": "a1", "to": "a2", "turn": "W"}))
        else:
            send(server, json.dumps(action(state["board"])))


def say(text: str) -> None:
    """Write a line."""
    sys.stdout.write(text + "\n")
    sys.stdout.flush()


def action(board: list[list[str]]) -> dict[str, str]:
    """Return a step of a pawn to a free square beside it."""
    for row in range(9):
        for column in range(9):
            if board[row][column] not in (ROLE.upper(), "KING" if ROLE.upper() == "WHITE" else ""):
                continue
            for down, right in STEPS:
                y, x = row + down, column + right
                if 0 <= y < 9 and 0 <= x < 9 and board[y][x] == "EMPTY" and name(y, x) not in CAMPS:
                    return {"from": name(row, column), "to": name(y, x), "turn": ROLE.upper()[0]}
    raise ValueError(board)


def name(row: int, column: int) -> str:
    """Return the name of a square."""
    return f"{COLUMNS[column]}{row + 1}"


def send(server: socket.socket, text: str) -> None:
    """Send a message."""
    server.sendall(struct.pack(">i", len(text.encode())) + text.encode())


def receive(server: socket.socket) -> str:
    """Return the next message; exit at the end of the connection."""
    (length,) = struct.unpack(">i", exactly(server, 4))
    return exactly(server, length).decode()


def exactly(server: socket.socket, count: int) -> bytes:
    """Return so many bytes."""
    data = b""
    while len(data) < count:
        part = server.recv(count - len(data))
        if not part:
            sys.exit(0)
        data += part
    return data


if __name__ == "__main__":
    main()
