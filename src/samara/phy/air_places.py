# SPDX-License-Identifier: Apache-2.0
"""Who may join a channel: one listener and one sender a radio, one channel an address.

ZeroMQ shares what is pushed among all who pull, and takes an ipc endpoint away
from whoever had it. Both would go unnoticed: samples would be missing.

A channel lets listeners in by ZeroMQ's authentication (ZAP, RFC 27, with the
mechanism NULL, which asks for no key): one a radio. Who is turned away learns
it from the handshake.
"""

from __future__ import annotations

import fcntl
import os
import socket
from pathlib import Path
from typing import TYPE_CHECKING

from samara.extras import needed

with needed("phy"):
    import zmq
    import zmq.utils.monitor

if TYPE_CHECKING:
    from collections.abc import Sequence

_ZAP = "inproc://zeromq.zap.01"
_WELCOME, _TAKEN = b"200", b"400"
# Steps that a listener waits for the one before it, who may just be leaving.
_GRACE_STEPS = 20
_ANSWER_MS = 1000

_TURNED_AWAY = zmq.EVENT_HANDSHAKE_FAILED_AUTH
# Let in, turned away, not a channel, nobody there.
_ANSWERS = (
    zmq.EVENT_HANDSHAKE_SUCCEEDED
    | _TURNED_AWAY
    | zmq.EVENT_HANDSHAKE_FAILED_NO_DETAIL
    | zmq.EVENT_CONNECT_RETRIED
    | zmq.EVENT_CLOSED
)


class Door:
    """Lets one listener a radio in; to be made before the radios' sockets."""

    def __init__(self, context: zmq.Context[zmq.Socket[bytes]]) -> None:
        self._socket = context.socket(zmq.REP)
        self._socket.set(zmq.LINGER, 0)
        self._socket.bind(_ZAP)
        self._asks: list[bytes] | None = None
        self._steps = 0

    def attend(self, listeners: Sequence[Listener]) -> None:
        """Answer who asks to be let in; to be called in each step.

        Domains of the sockets are the numbers of the listeners' radios.
        """
        while self._asks is not None or self._socket.poll(0):
            if self._asks is None:
                self._asks, self._steps = self._socket.recv_multipart(), 0
            listener = listeners[int(self._asks[2])]
            if not listener.look():
                listener.let_in()
                self._answer(_WELCOME, b"welcome")
            elif self._steps >= _GRACE_STEPS:
                listener.turned_away += 1
                self._answer(_TAKEN, b"the radio has a listener")
            else:
                self._steps += 1
                return

    def _answer(self, status: bytes, text: bytes) -> None:
        version, request = (self._asks or [b"1.0", b""])[:2]
        self._socket.send_multipart([version, request, status, text, b"", b""])
        self._asks = None

    def close(self) -> None:
        """Let nobody in any more."""
        self._socket.close(0)


class Listener:
    """Who takes a radio's samples from a socket, by the socket's connections."""

    def __init__(self, pushes: zmq.Socket[bytes]) -> None:
        self._socket = pushes
        self._events = pushes.get_monitor_socket(
            zmq.EVENT_ACCEPTED | zmq.EVENT_HANDSHAKE_SUCCEEDED | zmq.EVENT_DISCONNECTED
        )
        self._open: set[int] = set()
        self._let_in: set[int] = set()
        self._shook_hands = False
        self.turned_away = 0
        """How often somebody else wanted the samples, too."""

    def look(self) -> bool:
        """Tell whether who was let in is still there."""
        while self._events.poll(0):
            event = zmq.utils.monitor.recv_monitor_message(self._events)
            if event["event"] == zmq.EVENT_ACCEPTED:
                self._open.add(event["value"])
            elif event["event"] == zmq.EVENT_HANDSHAKE_SUCCEEDED:
                self._shook_hands = True
            else:
                self._open.discard(event["value"])
                self._let_in.discard(event["value"])
        return bool(self._let_in)

    def takes_samples(self) -> bool:
        """Tell whether who was let in is there, and its handshake is over.

        What is pushed before that has nowhere to go, and nobody misses it.
        """
        return self.look() and self._shook_hands

    def let_in(self) -> None:
        """Take note that who asks now is let in.

        Which connection is that one's is not told: whichever is open may be.
        Those of others end, at the latest when they have said nothing for 30 s.
        """
        self.look()
        self._let_in = set(self._open)
        self._shook_hands = False

    def close(self) -> None:
        """Look no more."""
        self._socket.disable_monitor()
        self._events.close(0)


def is_listened_at(endpoint: str) -> bool:
    """Tell whether a channel turns listeners away at an endpoint.

    A channel that is not there turns nobody away.
    """
    with zmq.Context() as context:
        trial = context.socket(zmq.PULL)
        trial.set(zmq.LINGER, 0)
        events = trial.get_monitor_socket(_ANSWERS)
        trial.connect(endpoint)
        answered = bool(events.poll(_ANSWER_MS))
        event = (
            zmq.utils.monitor.recv_monitor_message(events)["event"] if answered else 0
        )
        trial.disable_monitor()
        events.close(0)
        trial.close(0)
        return event == _TURNED_AWAY


def is_bound(endpoint: str) -> bool:
    """Tell whether a program has an ipc endpoint, which ZeroMQ would take away.

    Of other endpoints ZeroMQ tells that itself.
    """
    path = _path_of(endpoint)
    if path is None:
        return False
    with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as trial:
        return trial.connect_ex(str(path)) == 0


class AddressLock:
    """Keeps other channels from an ipc address, by a locked file beside it.

    Raises
    ------
    BlockingIOError
        When another channel has the address.
    OSError
        When the file cannot be made.
    """

    def __init__(self, address: str) -> None:
        path = _path_of(address)
        self._path = path.with_name(path.name + ".lock") if path else None
        self._file = -1 if self._path is None else _locked(self._path)

    def close(self) -> None:
        """Give the address back."""
        if self._path is not None and self._file >= 0:
            self._path.unlink(missing_ok=True)
            os.close(self._file)
            self._file = -1


def _path_of(endpoint: str) -> Path | None:
    name = endpoint.removeprefix("ipc://")
    # Abstract names (@) are given to one program only.
    return None if name == endpoint or name.startswith("@") else Path(name)


def _locked(path: Path) -> int:
    while True:
        file = os.open(path, os.O_CREAT | os.O_RDWR | os.O_CLOEXEC, 0o600)
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            # Who had it before may have removed it meanwhile.
            if path.exists() and path.stat().st_ino == os.fstat(file).st_ino:
                return file
        except BaseException:
            os.close(file)
            raise
        os.close(file)
