"""A provider of chat completions whose model plays at random: `python model_server.py [PORT]`."""

import json
import random
import re
import sys
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer


def answer_to(prompt):
    """Return the answer of the model: one of the legal moves that the prompt lists."""
    listed = re.search(r"^Legal moves: (.*)$", prompt, re.MULTILINE)
    return json.dumps({"move": random.choice(listed[1].split(", "))})


class Provider(BaseHTTPRequestHandler):
    """Answers `POST /v1/chat/completions`."""

    protocol_version = "HTTP/1.1"
    wbufsize = -1  # An answer goes out as one.

    def do_POST(self):
        """Answer one request with one choice, and count words as tokens."""
        asked = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        prompt = asked["messages"][-1]["content"]
        text = answer_to(prompt)
        usage = {"prompt_tokens": len(prompt.split()), "completion_tokens": len(text.split())}
        message = {"role": "assistant", "content": text}
        choice = {"index": 0, "message": message, "finish_reason": "stop"}
        told = {"model": asked["model"], "choices": [choice], "usage": usage}
        body = json.dumps(told).encode()
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, format, *args):
        """Print nothing for each request."""


if __name__ == "__main__":
    port = int(sys.argv[1]) if sys.argv[1:] else 8001
    with ThreadingHTTPServer(("localhost", port), Provider) as server:
        print(f"listening at http://localhost:{port}/v1")
        server.serve_forever()
