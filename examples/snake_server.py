"""A Battlesnake server of the standard library alone: `python snake_server.py [HOST:PORT]`."""

import json
import random
import sys
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

STEPS = {"up": (0, 1), "down": (0, -1), "left": (-1, 0), "right": (1, 0)}


def choose(told):
    """Return a move to a free square, by preference to food, then to where most ways go on."""
    board, head = told["board"], told["you"]["head"]
    # The last part of a body moves away, unless the snake has just eaten.
    taken = {(part["x"], part["y"]) for snake in board["snakes"] for part in snake["body"][:-1]}
    food = {(part["x"], part["y"]) for part in board["food"]}

    def is_free(x, y):
        return 0 <= x < board["width"] and 0 <= y < board["height"] and (x, y) not in taken

    def worth(move):
        x, y = head["x"] + STEPS[move][0], head["y"] + STEPS[move][1]
        ways = sum(is_free(x + right, y + up) for right, up in STEPS.values())
        return is_free(x, y), bool(ways), (x, y) in food, ways, random.random()

    return max(STEPS, key=worth)


class Snake(BaseHTTPRequestHandler):
    """Answers the requests of a match."""

    protocol_version = "HTTP/1.1"
    wbufsize = -1  # An answer goes out as one.

    def do_GET(self):
        self.answer({"apiversion": "1", "author": "botleague", "color": "#2f81d6"})

    def do_POST(self):
        """Answer a move; `/start` and `/end` need no answer."""
        told = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        self.answer({"move": choose(told)} if self.path == "/move" else {})

    def answer(self, value):
        """Send an object as JSON."""
        body = json.dumps(value).encode()
        self.send_response(200)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, format, *args):
        """Print nothing for each request."""


if __name__ == "__main__":
    host, colon, port = (sys.argv[1] if sys.argv[1:] else "localhost:8000").rpartition(":")
    if not port.isdecimal():
        sys.exit("usage: python snake_server.py HOST:PORT")
    try:
        with ThreadingHTTPServer((host, int(port)), Snake) as server:
            print(f"listening at http://{host}:{port} (Ctrl-C ends)")
            server.serve_forever()
    except OSError as error:
        sys.exit(f"{host}:{port}: {error.strerror}; give another HOST:PORT")
