# SPDX-License-Identifier: Apache-2.0
"""A block for GNU Radio that sends samples over ZeroMQ, each burst as one message.

A receiver cannot tell the difference from push_sink of gr-zeromq: messages of complex
float32 samples. But push_sink divides bursts into messages as the scheduler does. If
this process does not run for some milliseconds between two of them, the channel has
nothing to send in the middle of the burst, and the receiver cannot decode it. This
block sends a burst as a whole.

When a flowgraph with push_sink ends, samples that the receiver has not taken yet are
lost, because its ZMQ_LINGER is 0. This block waits for the receiver.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from samara.extras import needed

with needed("phy"):
    import zmq

if TYPE_CHECKING:
    from numpy.typing import NDArray

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

    def send(self, parts: list[Samples]) -> None:
        """Send one message."""
        self._socket.send(np.concatenate(parts).tobytes())

    def close(self) -> None:
        """Wait until the receiver has all messages, or takes no more."""
        self._socket.close()
        self._context.term()


class _Burst:
    """The samples of one message that are there, and how many are missing."""

    def __init__(self) -> None:
        self.parts: list[Samples] = []
        self.missing = 0
        """Samples until the burst is complete; 0 outside of bursts."""

    def begins(self, length: int) -> None:
        """Note that a burst of so many samples begins."""
        self.missing = length

    def add(self, samples: Samples) -> None:
        """Add samples, no more than are missing if a burst has begun."""
        self.missing -= min(len(samples), self.missing)
        # Copied, because GNU Radio uses the memory again.
        self.parts.append(samples.copy())


def zmq_sink(endpoint: str, length_tag: str) -> Any:  # noqa: ANN401, C901 - GNU Radio has no types; the class within counts
    """Return the block, bound to an endpoint.

    Parameters
    ----------
    endpoint
        ipc://PATH or tcp://HOST:PORT.
    length_tag
        Name of the stream tag on the first sample of a burst that has the number of
        its samples. Samples that belong to no burst are sent as they come.

    Raises
    ------
    zmq.ZMQError
        If the endpoint cannot be used.
    """
    # Loaded when a radio is opened.
    import pmt  # noqa: PLC0415
    from gnuradio import gr  # noqa: PLC0415

    class Sink(gr.sync_block):  # type: ignore[misc] # GNU Radio has no types
        def __init__(self) -> None:
            super().__init__("zmq_sink", in_sig=[np.complex64], out_sig=None)
            self._length_tag = pmt.intern(length_tag)
            self._burst = _Burst()
            self._socket = _Socket(endpoint)

        def work(
            self,
            input_items: list[NDArray[np.complex64]],
            output_items: list[NDArray[np.complex64]],
        ) -> int:
            del output_items
            burst = self._burst
            count = self._next_part(len(input_items[0]))
            completes = count >= burst.missing
            # Without a receiver nothing is taken, so that the sender notices.
            if completes and not self._socket.can_send():
                return 0
            burst.add(input_items[0][:count])
            if completes:
                self._socket.send(burst.parts)
                burst.parts.clear()
            return count

        def _next_part(self, available: int) -> int:
            """Return how many samples belong together, up to the next burst."""
            if self._burst.missing:
                return min(self._burst.missing, available)
            tags = self.get_tags_in_window(0, 0, available, self._length_tag)
            begins = {
                tag.offset - self.nitems_read(0): pmt.to_long(tag.value) for tag in tags
            }
            first = min(begins, default=available)
            if first:
                return first
            self._burst.begins(begins[first])
            return min(self._burst.missing, available)

        def stop(self) -> bool:
            self._socket.close()
            return True

    return Sink()
