"""The server that a player of the Tablut challenge connects to, as a program that stands alone.

It runs beside the player, in the sandbox too, and passes on what the seat says by lines of JSON:

    {"words": [...], "port": 5800}   starts a player, ends the last one; `{port}` asks for any port
    {"state": {...}}                 is a message for the player

It answers {"name": "..."} and {"action": "..."}, the player's first message and the others, and
{"fault": "..."} when no other can come. A message is four bytes of length, the highest first, and
text in UTF-8 (Server.java and StreamUtils.java of the competition's server, University of Bologna).
"""

import contextlib
import ctypes
import errno
import fcntl
import json
import os
import selectors
import signal
import socket
import struct
import subprocess
from collections.abc import Callable
from pathlib import Path

HOST = "127.0.0.1"
MESSAGE_MAX = 1 << 16
LOOK_S = 0.1
"""Interval between looks at whether the player still runs."""

_NEW_USER, _NEW_NETWORK = 0x10000000, 0x40000000
_SET_FLAGS, _UP = 0x8914, 1
"""SIOCSIFFLAGS and IFF_UP of netdevice(7)."""

_DEATH_SIGNAL = 1
"""PR_SET_PDEATHSIG of prctl(2)."""

_LIBC = ctypes.CDLL(None)
"""Loaded here because loading between fork and exec is unsafe."""

_CHUNK = 65536


class PlayerGone(Exception):
    """The player sends no more messages; the text says why."""


class Relay:
    """One player at a time, and the seat."""

    def __init__(self) -> None:
        self._selector = selectors.DefaultSelector()
        self._selector.register(0, selectors.EVENT_READ)
        self._lines = b""
        self._player: subprocess.Popen[bytes] | None = None
        self._server: socket.socket | None = None
        self._connection: socket.socket | None = None
        self._frames = b""
        self._kind = "name"

    def run(self) -> None:
        """Pass messages on until the seat closes the input."""
        tell({"ready": "alone" if own_network() else "shared"})
        while True:
            for key, _ in self._selector.select(LOOK_S if self._player else None):
                if key.fd == 0 and not self._hear_seat():
                    self._end_player()
                    return
                if key.fd != 0:
                    self._try(self._accept if key.fileobj is self._server else self._hear_player)
            # Of a player that has connected, its end is the end of the connection.
            if self._player and not self._connection and self._player.poll() is not None:
                self._try(self._hear_end)

    def _hear_seat(self) -> bool:
        """Do what the seat's lines say; return False at the end of the input."""
        data = os.read(0, _CHUNK)
        *lines, self._lines = (self._lines + data).split(b"\n")
        for line in lines:
            message = json.loads(line)
            if "words" in message:
                self._end_player()
                self._try(self._start, message["words"], message["port"])
            else:
                # As compact as the server's, which some players take for granted.
                text = json.dumps(message["state"], separators=(",", ":"))
                self._try(self._send, text.encode())
        return bool(data)

    def _try(self, step: Callable[..., None], *values: object) -> None:
        try:
            step(*values)
        except PlayerGone as gone:
            self._end_player()
            tell({"fault": str(gone)})

    def _start(self, words: list[str], port: int) -> None:
        self._server = server = socket.socket()
        server.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        is_free = any("{port}" in word for word in words)
        try:
            server.bind((HOST, 0 if is_free else port))
        except OSError as error:
            told = "is taken" if error.errno == errno.EADDRINUSE else f"can't be had ({error})"
            raise PlayerGone(
                f"found no server: port {port} {told}; if it can be given another, write {{port}} "
                "into its command"
            ) from None
        server.listen(1)
        self._selector.register(server, selectors.EVENT_READ)
        number = str(server.getsockname()[1])
        try:
            self._player = subprocess.Popen(  # noqa: S603 (a list, no shell: the bot's own command)
                [word.replace("{port}", number) for word in words],
                stdin=subprocess.DEVNULL,
                # Its output is its log.
                stdout=2,
                start_new_session=True,
                preexec_fn=_die_with_relay,
            )
        except OSError as error:
            raise PlayerGone(f"can't be started: {error.strerror}") from None

    def _accept(self) -> None:
        if self._server is None:
            return
        self._connection, _ = self._server.accept()
        self._connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self._close(self._server)
        self._server = None
        self._selector.register(self._connection, selectors.EVENT_READ)
        self._frames, self._kind = b"", "name"

    def _send(self, text: bytes) -> None:
        if self._connection is None:
            raise PlayerGone("is not connected")
        try:
            self._connection.sendall(struct.pack(">i", len(text)) + text)
        except OSError:
            raise PlayerGone("closed its connection") from None

    def _hear_player(self) -> None:
        if self._connection is None:
            return
        try:
            data = self._connection.recv(_CHUNK)
        except OSError:
            data = b""
        self._frames += data
        while len(self._frames) >= 4:
            (length,) = struct.unpack(">i", self._frames[:4])
            if not 0 <= length <= MESSAGE_MAX:
                raise PlayerGone(f"announced a message of {length} bytes")
            if len(self._frames) < 4 + length:
                break
            text = self._frames[4 : 4 + length].decode("utf-8", "replace")
            self._frames = self._frames[4 + length :]
            tell({self._kind: text})
            self._kind = "action"
        if not data:
            self._hear_end()

    def _hear_end(self) -> None:
        status = None
        if self._player:
            with contextlib.suppress(subprocess.TimeoutExpired):
                status = self._player.wait(LOOK_S)
        if status is None:
            raise PlayerGone("closed its connection")
        if status < 0:
            raise PlayerGone(f"was ended by signal {-status}")
        raise PlayerGone(f"exited with status {status}")

    def _end_player(self) -> None:
        for end in (self._server, self._connection):
            if end is not None:
                self._close(end)
        self._server = self._connection = None
        if self._player:
            with contextlib.suppress(ProcessLookupError, PermissionError):
                os.killpg(self._player.pid, signal.SIGKILL)
            self._player.wait()
            self._player = None

    def _close(self, end: socket.socket) -> None:
        self._selector.unregister(end)
        end.close()


def _die_with_relay() -> None:
    """Have the kernel end this process with the relay, whose group it has left."""
    if prctl := getattr(_LIBC, "prctl", None):
        prctl(_DEATH_SIGNAL, signal.SIGKILL)


def tell(message: dict[str, str]) -> None:
    """Write a line for the seat."""
    os.write(1, json.dumps(message).encode() + b"\n")


def own_network() -> bool:
    """Move this process into a network namespace of its own, where every port is free.

    Returns False where the kernel allows none. A sandbox has one already, and allows no other.
    """
    unshare = getattr(_LIBC, "unshare", None)
    user, group = os.geteuid(), os.getegid()
    if unshare is None or unshare(_NEW_USER | _NEW_NETWORK):
        return False
    # Where the league has made /proc read-only, the player has no user number of its own.
    with contextlib.suppress(OSError):
        Path("/proc/self/setgroups").write_text("deny")
        Path("/proc/self/uid_map").write_text(f"{user} {user} 1")
        Path("/proc/self/gid_map").write_text(f"{group} {group} 1")
    with socket.socket() as end:
        fcntl.ioctl(end, _SET_FLAGS, struct.pack("16sh", b"lo", _UP) + bytes(14))
    return True


if __name__ == "__main__":
    Relay().run()
