# SPDX-License-Identifier: Apache-2.0
"""Sending samples from GNU Radio over ZeroMQ, each burst as one message.

A receiver cannot tell the difference from push_sink of gr-zeromq: messages of complex
float32 samples. But push_sink divides bursts into messages as the scheduler does. If
this process does not run for some milliseconds between two of them, the channel has
nothing to send in the middle of the burst, and the receiver cannot decode it. Here a
burst is sent as a whole.

When a flowgraph with push_sink ends, samples that the receiver has not taken yet are
lost, because its ZMQ_LINGER is 0. This one waits for the receiver.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from samara.extras import needed
from samara.phy.burst_sink import burst_sink

with needed("phy"):
    import zmq

if TYPE_CHECKING:
    from samara.phy.channel import Samples

_POLL_MS = 100
# How long the end of the flowgraph waits for a receiver that takes nothing.
_LINGER_MS = 5000


class _Socket:
    """A socket that pushes messages, and the context that it has for itself."""

    def __init__(self, endpoint: str) -> None:
        self._context: zmq.Context[zmq.Socket[bytes]] = zmq.Context()
        self._socket = self._context.socket(zmq.PUSH)
        self._socket.set(zmq.LINGER, _LINGER_MS)
        try:
            self._socket.bind(endpoint)
        except zmq.ZMQError:
            self.close()
            raise

    def can_send(self) -> bool:
        """Wait a little; tell whether somebody takes a message."""
        return bool(self._socket.poll(_POLL_MS, zmq.POLLOUT))

    def send(self, burst: Samples) -> None:
        """Send one message."""
        self._socket.send(burst.tobytes())

    def close(self) -> None:
        """Wait until the receiver has all messages, or takes no more."""
        self._socket.close()
        self._context.term()


def zmq_sink(endpoint: str, length_tag: str) -> Any:  # noqa: ANN401 - GNU Radio has no types
    """Return the block, bound to an endpoint; see `burst_sink`.

    Parameters
    ----------
    endpoint
        ipc://PATH or tcp://HOST:PORT.

    Raises
    ------
    zmq.ZMQError
        If the endpoint cannot be used.
    """
    return burst_sink("zmq_sink", _Socket(endpoint), length_tag)
