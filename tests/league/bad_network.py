"""A proxy on this machine that cuts, repeats and delays requests."""

import random
import threading
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from http.client import HTTPConnection, HTTPException
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

DELAY_S = 0.05

FAULTS = ("lost", "unanswered", "repeated", "delayed", "late")
"""The request is lost, its answer is lost, it comes twice, it comes late, or again later."""


class BadNetwork(ThreadingHTTPServer):
    """Passes requests on to a port; a `share` of them meets a fault drawn from `seed`."""

    daemon_threads = True
    block_on_close = False

    def __init__(self, port: int, seed: int, share: float) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        self._port, self._share = port, share
        self._source = random.Random(seed)
        self._turn = threading.Lock()
        self.faults: Counter[str] = Counter()

    @property
    def url(self) -> str:
        """The address that workers are given."""
        return f"http://127.0.0.1:{self.server_address[1]}"

    def fault(self) -> str:
        """Draw what happens to the next request, '' for nothing."""
        with self._turn:
            if self._source.random() >= self._share:
                return ""
            fault = self._source.choice(FAULTS)
            self.faults[fault] += 1
            return fault

    def passed_on(self, path: str, body: bytes, token: str) -> tuple[int, bytes]:
        """Return the status and the body of the answer to a request; raise `OSError`."""
        connection = HTTPConnection("127.0.0.1", self._port, timeout=60)
        try:
            connection.request("POST", path, body, {"Authorization": token})
            answer = connection.getresponse()
            return answer.status, answer.read()
        except HTTPException as error:
            raise OSError(str(error)) from None
        finally:
            connection.close()


class _Handler(BaseHTTPRequestHandler):
    server: BadNetwork
    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True

    def do_POST(self) -> None:
        body = self.rfile.read(int(self.headers["Content-Length"]))
        request = self.path, body, self.headers["Authorization"]
        fault = self.server.fault()
        with suppress(OSError):
            if fault == "lost":
                self.close_connection = True
                return
            if fault == "delayed":
                time.sleep(DELAY_S)
            if fault == "repeated":
                self.server.passed_on(*request)
            status, answer = self.server.passed_on(*request)
            if fault == "late":
                threading.Timer(DELAY_S, self._again, request).start()
            if fault != "unanswered":
                self.send_response(status)
                self.send_header("Content-Length", str(len(answer)))
                self.end_headers()
                self.wfile.write(answer)
                return
        self.close_connection = True

    def _again(self, *request: str) -> None:
        with suppress(OSError):
            self.server.passed_on(*request)  # type: ignore[arg-type]

    def log_message(self, format: str, *values: object) -> None:
        """Keep the output of tests clean."""


@contextmanager
def bad_network(port: int, seed: int, share: float = 0.5) -> Iterator[BadNetwork]:
    """Run a proxy in front of a port."""
    proxy = BadNetwork(port, seed, share)
    thread = threading.Thread(target=proxy.serve_forever, args=(0.01,), daemon=True)
    thread.start()
    try:
        yield proxy
    finally:
        proxy.shutdown()
        thread.join()
        proxy.server_close()
