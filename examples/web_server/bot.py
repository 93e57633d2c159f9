"""A web server that plays any game at random: `python bot.py [PORT]`."""

import json
import random
import sys
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer


class Bot(BaseHTTPRequestHandler):
    """Answers /hello, /match and /move."""

    protocol_version = "HTTP/1.1"
    wbufsize = -1  # An answer goes out as one.

    def do_GET(self):
        self.reply({})  # The league asks GET / to recognise servers of Battlesnake.

    def do_POST(self):
        question = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        answer = {"protocol": 1} if question["type"] == "hello" else {}
        if question["type"] == "move":
            answer = {"move": random.choice(question["legal"]), "report": {"text": "a guess"}}
        self.reply(answer)

    def reply(self, answer):
        body = json.dumps(answer).encode()
        self.send_response(200)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)


if __name__ == "__main__":
    port = int(sys.argv[1]) if sys.argv[1:] else 8000
    print(f"listening at http://localhost:{port}")
    ThreadingHTTPServer(("localhost", port), Bot).serve_forever()
