# SPDX-License-Identifier: Apache-2.0
"""Secured enhanced acknowledgements (2015) of a running node.

An acknowledgement is secured with the current key of the two neighbours. Its frame
counter is the next one of that key, reserved durably as for every frame: no nonce is
used twice, whenever the node is killed. The sequence number, which is all that ties it
to a frame in the standard, is the same for every 256th frame. Its payload is therefore
the frame counter of the frame that it answers. That counter is never used again, so
that an acknowledgement which is played again, or was withheld, confirms nothing else.

Only what is genuine and new is acknowledged: the frame is opened before, and the layer
above gets what was opened then. All frames are therefore opened in the order in which
they arrive, also those that ask for nothing: behind a later one they would be replays.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from samara.errors import FrameError
from samara.link.ieee802154.frames import acks
from samara.link.ieee802154.frames.frame import FrameType, parse
from samara.link.ieee802154.keys.neighbours import CURRENT
from samara.link.node.quantities import COUNTER_LIMIT

if TYPE_CHECKING:
    from samara.link.ieee802154.air.zep_radio import ReceivedFrame
    from samara.link.ieee802154.frames.acks import Identity
    from samara.link.ieee802154.frames.frame import Frame
    from samara.link.ieee802154.keys.table import Opened, Table

KEPT = 65_536
"""The last counter values, which acknowledgements do not get: messages, and the
agreement on new keys, come first."""


class SecuredAcks:
    """Answers secured frames, and judges answers; see `samara.link.ieee802154.mac.mac`.

    Parameters
    ----------
    table
        The neighbours, their keys and counters.
    identity
        The addresses of this node.
    """

    def __init__(self, table: Table, identity: Identity) -> None:
        self._table, self._identity = table, identity

    def opened(self, heard: ReceivedFrame, read: Frame) -> Opened | None:
        """Open a frame that has arrived; None when it is not for this node, or not yet.

        A newcomer is not known before the layer above has taken its request to join.
        """
        source = read.source.long
        is_known = source is None or self._table.is_known(source)
        is_data = read.type is FrameType.DATA
        if not (is_known and is_data and self._identity.is_addressed(read)):
            return None
        try:
            return self._table.open(heard.frame)
        except FrameError:
            # Said by the layer above, which opens it again.
            return None

    def answer(self, read: Frame, opened: Opened) -> bytes | None:
        """Return the acknowledgement of a frame that was opened, if it gets one."""
        name = opened.neighbour.name
        if opened.key.is_group or opened.key.role != CURRENT:
            # The current key sends; the other end repeats what it says about keys.
            return None
        if COUNTER_LIMIT - self._table.counter(name).next <= KEPT:
            return None
        return self._table.protect_answer(read, name)

    def is_answer(self, acknowledgement: bytes, sent: bytes) -> bool:
        """Tell whether an acknowledgement is genuine and answers a frame."""
        if not acks.belongs_to(acknowledgement, sent):
            return False
        frame = parse(sent)
        return self._table.is_answer(
            acknowledgement, frame.destination, acks.confirmation_of(frame)
        )
