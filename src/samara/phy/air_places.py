# SPDX-License-Identifier: Apache-2.0
"""Access control of a channel: one listener and one sender for each radio.

ZeroMQ distributes pushed messages among all who pull, and a program that binds to an
ipc endpoint takes it away from the program that had it. Both would go unnoticed:
samples would be missing. An address has one channel for the same reason.

The channel admits listeners by the authentication of ZeroMQ (ZAP, RFC 27, with the
mechanism NULL, which needs no key), one for each radio. A listener that is refused
learns it from the handshake.
"""

from __future__ import annotations

import socket
from pathlib import Path
from typing import TYPE_CHECKING

from samara.extras import needed
from samara.locks import PathLock

with needed("phy"):
    import zmq
    import zmq.utils.monitor

if TYPE_CHECKING:
    from collections.abc import Sequence

_ZAP = "inproc://zeromq.zap.01"
_ADMITTED, _REFUSED = b"200", b"400"
# Steps that a new listener waits, because the previous one may just be leaving.
_GRACE_STEPS = 20
_ANSWER_MS = 1000

_TURNED_AWAY = zmq.EVENT_HANDSHAKE_FAILED_AUTH
# Admitted, refused, not a channel, no program at the endpoint.
_ANSWERS = (
    zmq.EVENT_HANDSHAKE_SUCCEEDED
    | _TURNED_AWAY
    | zmq.EVENT_HANDSHAKE_FAILED_NO_DETAIL
    | zmq.EVENT_CONNECT_RETRIED
    | zmq.EVENT_CLOSED
)


class Admission:
    """Admits one listener for each radio. Make it before the sockets of the radios."""

    def __init__(self, context: zmq.Context[zmq.Socket[bytes]]) -> None:
        self._socket = context.socket(zmq.REP)
        self._socket.set(zmq.LINGER, 0)
        self._socket.bind(_ZAP)
        self._asks: list[bytes] | None = None
        self._steps = 0

    def attend(self, listeners: Sequence[Listener]) -> None:
        """Answer requests for admission. Call it in each step.

        The ZAP domains of the sockets are the numbers of the radios.
        """
        while self._asks is not None or self._socket.poll(0):
            if self._asks is None:
                self._asks, self._steps = self._socket.recv_multipart(), 0
            listener = listeners[int(self._asks[2])]
            if not listener.look():
                listener.admit()
                self._answer(_ADMITTED, b"welcome")
            elif self._steps >= _GRACE_STEPS:
                listener.turned_away += 1
                self._answer(_REFUSED, b"the radio has a listener")
            else:
                self._steps += 1
                return

    def _answer(self, status: bytes, text: bytes) -> None:
        version, request = (self._asks or [b"1.0", b""])[:2]
        self._socket.send_multipart([version, request, status, text, b"", b""])
        self._asks = None

    def close(self) -> None:
        """Admit no more listeners."""
        self._socket.close(0)


class Listener:
    """The listener of a radio, known by the connections of a socket."""

    def __init__(self, pushes: zmq.Socket[bytes]) -> None:
        self._socket = pushes
        self._events = pushes.get_monitor_socket(
            zmq.EVENT_ACCEPTED | zmq.EVENT_HANDSHAKE_SUCCEEDED | zmq.EVENT_DISCONNECTED
        )
        self._open: set[int] = set()
        self._let_in: set[int] = set()
        self._handshake_done = False
        self.turned_away = 0
        """How often a second listener was refused."""

    def look(self) -> bool:
        """Return whether the admitted listener is still connected."""
        while self._events.poll(0):
            event = zmq.utils.monitor.recv_monitor_message(self._events)
            if event["event"] == zmq.EVENT_ACCEPTED:
                self._open.add(event["value"])
            elif event["event"] == zmq.EVENT_HANDSHAKE_SUCCEEDED:
                self._handshake_done = True
            else:
                self._open.discard(event["value"])
                self._let_in.discard(event["value"])
        return bool(self._let_in)

    def takes_samples(self) -> bool:
        """Return whether a listener is connected and its handshake is complete.

        Samples that are pushed before that are not missed by anybody.
        """
        return self.look() and self._handshake_done

    def admit(self) -> None:
        """Note that the listener which asks now is admitted.

        ZeroMQ does not say which connection belongs to it, so it may be any that is
        open. Other connections end, at the latest after 30 s without data.
        """
        self.look()
        self._let_in = set(self._open)
        self._handshake_done = False

    def close(self) -> None:
        """Stop watching the connections."""
        self._socket.disable_monitor()
        self._events.close(0)


def is_listened_at(endpoint: str) -> bool:
    """Return whether a channel refuses a listener at an endpoint.

    Without a channel nobody is refused.
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
    """Return whether a program uses an ipc endpoint, which ZeroMQ would take away.

    For other endpoints, ZeroMQ reports that as an error.
    """
    path = _path_of(endpoint)
    if path is None:
        return False
    with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as trial:
        return trial.connect_ex(str(path)) == 0


class AddressLock:
    """Reserves an ipc address for one channel.

    Raises
    ------
    BlockingIOError
        If another channel has the address.
    OSError
        If the lock cannot be made.
    """

    def __init__(self, address: str) -> None:
        path = _path_of(address)
        self._lock = PathLock(path) if path else None

    def close(self) -> None:
        """Release the address."""
        if self._lock is not None:
            self._lock.close()


def _path_of(endpoint: str) -> Path | None:
    name = endpoint.removeprefix("ipc://")
    # An abstract name (@) can be used by one program only.
    return None if name == endpoint or name.startswith("@") else Path(name)
