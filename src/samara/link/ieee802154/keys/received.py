# SPDX-License-Identifier: Apache-2.0
"""What a node has received from another with one key, and what of it is durable.

The standard accepts rising frame counters only. With a window, a frame that was
overtaken by up to 64 others is accepted, too; a counter is lost when it leaves the
window and no frame with it has arrived. The window is stored with the receive counter
it belongs to. Without one, as after a power failure, nothing below is missing.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from samara.link.node.quantities import WINDOW_SIZE, Value

if TYPE_CHECKING:
    from samara.link.ieee802154.frames.security import Opened, Security
    from samara.link.node.quantities import Number
    from samara.link.node.state import State

# Acknowledgements that came after something that is missing; of more, the number.
_ANSWERS_MAX = 1024


class Received:
    """The receive counter of a device and key, and the window below it.

    Parameters
    ----------
    security
        The tables; with `late`, they have windows.
    device, key
        Places in the tables.
    state
        Where the counter was stored, or not yet.
    number
        Which number it is.
    """

    def __init__(
        self,
        security: Security,
        device: int,
        key: int,
        state: State,
        number: Number,
        *,
        late: bool,
    ) -> None:
        self._security, self._place = security, (device, key)
        self._number, self._late = number, late
        self._next = state.get(number) or 0
        self._answers: set[int] = set()
        self._answers_left_out = 0
        self.is_unsaved = False
        """Whether an acknowledgement has raised the counter since it was stored."""
        security.set_receive_counter(*self._place, self._next)
        missing = state.window(number)
        if late and missing is not None:
            security.set_missing(*self._place, missing)

    def count_lost(self, opened: Opened) -> int:
        """Return how many frames were lost, as a frame shows that was opened."""
        before, counter = self._next, self._security.receive_counter(*self._place)
        self._next = counter if self._late else max(before, counter)
        if self._late:
            left = counter - WINDOW_SIZE
            return max(opened.lost - self._answers_below(left), 0)
        # Levels without a MIC have no counters.
        lost = max(counter - before - 1 - self._answers_below(counter), 0)
        self._go_on()
        return lost

    def note_answer(self, counter: int) -> None:
        """Take note of the counter of an acknowledgement: it is not lost.

        Frames with lower counters may come later: an acknowledgement overtakes those
        that wait for the air or are repeated.
        """
        self._answers.add(counter)
        if len(self._answers) > _ANSWERS_MAX:
            self._answers.discard(min(self._answers))
            self._answers_left_out += 1
        self._go_on()

    def _go_on(self) -> None:
        """Count acknowledgements as received that follow what was received."""
        while not self._late and self._next in self._answers:
            self._answers.discard(self._next)
            self._next += 1
            self.is_unsaved = True

    def _answers_below(self, end: int) -> int:
        """Return how many acknowledgements had counters below one, and forget them."""
        below = {each for each in self._answers if each < end}
        self._answers -= below
        left_out, self._answers_left_out = self._answers_left_out, 0
        return len(below) + left_out

    def numbers(self) -> dict[Number, Value]:
        """Return what is to be stored before anything is handed on."""
        self.is_unsaved = False
        missing = self._security.missing(*self._place) if self._late else None
        return {self._number: Value(self._next, missing)}
