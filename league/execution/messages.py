"""Length-prefixed messages between the runner and its workers."""

import socket
import struct
from collections.abc import Iterator
from contextlib import suppress

_LENGTH = struct.Struct("!Q")
_CHUNK = 1 << 18


class MessageStream:
    """A non-blocking, buffered message stream: a stalled worker must not block the runner."""

    def __init__(self, end: socket.socket) -> None:
        end.setblocking(False)
        self._end = end
        self._received = bytearray()
        self._to_send = bytearray()

    def fileno(self) -> int:
        """Return the file descriptor, for a selector."""
        return self._end.fileno()

    @property
    def has_to_send(self) -> bool:
        """Whether unsent data is buffered."""
        return bool(self._to_send)

    def send(self, message: bytes) -> None:
        """Send a message or buffer what does not fit; raise `OSError` if the peer closed."""
        self._to_send += _LENGTH.pack(len(message))
        self._to_send += message
        self.flush()

    def flush(self) -> None:
        """Send buffered data as far as possible; raise `OSError` if the peer closed."""
        with suppress(BlockingIOError):
            while self._to_send:
                sent = self._end.send(memoryview(self._to_send)[:_CHUNK])
                del self._to_send[:sent]

    def receive(self) -> Iterator[bytes]:
        """Yield the complete messages; raise `EOFError` at the end of the stream."""
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
        """Close this end."""
        self._end.close()


def read_message(end: socket.socket) -> bytes:
    """Wait for the next message; raise `EOFError` at the end of the stream."""
    (size,) = _LENGTH.unpack(_read(end, _LENGTH.size))
    return _read(end, size)


def write_message(end: socket.socket, message: bytes) -> None:
    """Send a message, waiting until it is written; raise `OSError` if the peer closed."""
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
