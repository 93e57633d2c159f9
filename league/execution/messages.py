"""Messages between the runner and its workers: bytes with their length before them."""

import socket
import struct
from collections.abc import Iterator
from contextlib import suppress

_LENGTH = struct.Struct("!Q")
_CHUNK = 1 << 18


class MessageStream:
    """One end of a stream of messages that never waits.

    What can't be written yet is kept, and what has come is kept until it is a whole message: a
    worker that is stopped in the middle of a message must not stop the runner.
    """

    def __init__(self, end: socket.socket) -> None:
        end.setblocking(False)
        self._end = end
        self._received = bytearray()
        self._to_send = bytearray()

    def fileno(self) -> int:
        """Return the descriptor, for a selector."""
        return self._end.fileno()

    @property
    def has_to_send(self) -> bool:
        """Whether something waits to be written."""
        return bool(self._to_send)

    def send(self, message: bytes) -> None:
        """Write a message, or keep what can't be written yet; raise `OSError` at a closed end."""
        self._to_send += _LENGTH.pack(len(message))
        self._to_send += message
        self.flush()

    def flush(self) -> None:
        """Write what was kept, as far as possible; raise `OSError` at a closed end."""
        with suppress(BlockingIOError):
            while self._to_send:
                sent = self._end.send(memoryview(self._to_send)[:_CHUNK])
                del self._to_send[:sent]

    def receive(self) -> Iterator[bytes]:
        """Yield the messages that are whole by now; raise `EOFError` at the end of the stream."""
        is_ended = False
        try:
            while data := self._end.recv(_CHUNK):
                self._received += data
            is_ended = True
        except BlockingIOError:
            pass
        except OSError:
            is_ended = True
        while len(self._received) >= _LENGTH.size:
            (size,) = _LENGTH.unpack_from(self._received)
            end = _LENGTH.size + size
            if len(self._received) < end:
                break
            message = bytes(self._received[_LENGTH.size : end])
            del self._received[:end]
            yield message
        if is_ended:
            raise EOFError

    def close(self) -> None:
        """Let the end go."""
        self._end.close()


def read_message(end: socket.socket) -> bytes:
    """Wait for the next message of a stream; raise `EOFError` where none comes any more."""
    (size,) = _LENGTH.unpack(_read(end, _LENGTH.size))
    return _read(end, size)


def write_message(end: socket.socket, message: bytes) -> None:
    """Write a message, and wait until it is written; raise `OSError` at a closed end."""
    end.sendall(_LENGTH.pack(len(message)))
    end.sendall(message)


def _read(end: socket.socket, size: int) -> bytes:
    data = bytearray()
    while len(data) < size:
        more = end.recv(min(_CHUNK, size - len(data)))
        if not more:
            raise EOFError
        data += more
    return bytes(data)
