# SPDX-License-Identifier: Apache-2.0
"""What a node has received from another with one key, and what of it is durable.

The standard accepts rising frame counters only. With a window, a frame that was
overtaken by up to 64 others is accepted, too; a counter is lost when it leaves the
window and no frame with it has arrived. The window is stored with the receive counter
it belongs to. Beside another one, as after an interruption, it is empty.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from samara.link.ieee802154.security import Opened, Security
    from samara.link.node.state import State

_WORD = 0xFFFF_FFFF
_WORD_BITS = 32


def window_names(name: str) -> tuple[str, str, str]:
    """Return the numbers of a window: its two words, and the counter it is below.

    Parameters
    ----------
    name
        The name of the receive counter.
    """
    missing = f"{name}, missing"
    return f"{missing} 1 to 32", f"{missing} 33 to 64", f"{missing} below"


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
    name
        The name of the number.
    """

    def __init__(
        self,
        security: Security,
        device: int,
        key: int,
        state: State,
        name: str,
        *,
        late: bool,
    ) -> None:
        self._security, self._place = security, (device, key)
        self._name, self._late = name, late
        self._next = state.get(name) or 0
        self.is_unsaved = False
        """Whether an acknowledgement has raised the counter since it was stored."""
        security.set_receive_counter(*self._place, self._next)
        low, high, below = (state.get(each) or 0 for each in self._window_names)
        if late and below == self._next:
            security.set_missing(*self._place, low | high << _WORD_BITS)

    @property
    def _window_names(self) -> tuple[str, str, str]:
        return window_names(self._name)

    def lost_by(self, opened: Opened) -> int:
        """Return how many frames were lost, as a frame shows that was opened."""
        before, self._next = self._next, self._security.receive_counter(*self._place)
        if self._late:
            return opened.lost
        # Levels without a MIC have no counters.
        return max(self._next - before - 1, 0)

    def note_answer(self) -> None:
        """Take note that a secured acknowledgement was opened.

        What is missing in front of it is not told as lost: after an interruption of
        the other end, these may be values that it left unused.
        """
        self._next = self._security.receive_counter(*self._place)
        self.is_unsaved = True

    def numbers(self) -> dict[str, int]:
        """Return what is to be stored before anything is handed on."""
        self.is_unsaved = False
        if not self._late:
            return {self._name: self._next}
        missing = self._security.missing(*self._place)
        words = missing & _WORD, missing >> _WORD_BITS
        window = zip(self._window_names, (*words, self._next), strict=True)
        return {self._name: self._next, **dict(window)}
