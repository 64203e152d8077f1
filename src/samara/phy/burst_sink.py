# SPDX-License-Identifier: Apache-2.0
"""A block for GNU Radio that hands over each burst as a whole.

GNU Radio's scheduler divides a stream as it likes. A receiver of parts has nothing to
send in the middle of a burst if this process does not run for some milliseconds.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Protocol

import numpy as np

from samara.phy.tuning import RadioError

if TYPE_CHECKING:
    from collections.abc import Mapping

    from numpy.typing import NDArray

    from samara.phy.channel import Samples

_DONE = -1  # as GNU Radio understands it: nothing more will come


class Outlet(Protocol):
    """What takes bursts."""

    def can_send(self) -> bool:
        """Wait a little; tell whether a burst would be taken."""
        ...

    def send(self, burst: Samples) -> None:
        """Take a burst.

        Raises
        ------
        RadioError
            If it was not sent as it should be.
        """
        ...

    def close(self) -> None:
        """Release what is held."""
        ...


class _Burst:
    """The samples of one message that are there, and how many are missing."""

    def __init__(self) -> None:
        self.parts: list[Samples] = []
        self.missing = 0
        """Samples until the burst is complete; 0 outside of bursts."""

    def next_part(self, available: int, begins: Mapping[int, int]) -> int:
        """Return how many samples belong together, up to the next burst.

        Parameters
        ----------
        begins
            Lengths of bursts by the places where they begin, outside of a burst.
        """
        if not self.missing:
            first = min(begins, default=available)
            if first:
                return first
            self.missing = begins[first]
        return min(self.missing, available)

    def add(self, samples: Samples) -> None:
        """Add samples, no more than are missing if a burst has begun."""
        self.missing -= min(len(samples), self.missing)
        # Copied, because GNU Radio uses the memory again.
        self.parts.append(samples.copy())


def burst_sink(name: str, outlet: Outlet, length_tag: str) -> Any:  # noqa: ANN401 - GNU Radio has no types
    """Return the block. It closes the outlet at the end of its flowgraph.

    After an error of the outlet the flowgraph ends, and the block's `failure` is the
    error.

    Parameters
    ----------
    length_tag
        Name of the stream tag on the first sample of a burst that has the number of
        its samples. Samples that belong to no burst are sent as they come.
    """
    # Loaded when a radio is opened.
    import pmt  # noqa: PLC0415
    from gnuradio import gr  # noqa: PLC0415

    class Sink(gr.sync_block):  # type: ignore[misc] # GNU Radio has no types
        def __init__(self) -> None:
            super().__init__(name, in_sig=[np.complex64], out_sig=None)
            self._length_tag = pmt.intern(length_tag)
            self._burst = _Burst()
            self.failure: RadioError | None = None

        def work(
            self,
            input_items: list[NDArray[np.complex64]],
            output_items: list[NDArray[np.complex64]],
        ) -> int:
            del output_items
            burst = self._burst
            available = len(input_items[0])
            begins = {} if burst.missing else self._begins(available)
            count = burst.next_part(available, begins)
            completes = count >= burst.missing
            # Without a receiver nothing is taken, so that the sender notices.
            if completes and not outlet.can_send():
                return 0
            burst.add(input_items[0][:count])
            return self._hand_over(count) if completes else count

        def _hand_over(self, count: int) -> int:
            burst = np.concatenate(self._burst.parts)
            self._burst.parts.clear()
            try:
                outlet.send(burst)
            except RadioError as error:
                self.failure = error
                return _DONE
            return count

        def _begins(self, available: int) -> dict[int, int]:
            """Return the lengths of bursts by the places where they begin."""
            tags = self.get_tags_in_window(0, 0, available, self._length_tag)
            here = self.nitems_read(0)
            return {tag.offset - here: pmt.to_long(tag.value) for tag in tags}

        def stop(self) -> bool:
            outlet.close()
            return True

    return Sink()
