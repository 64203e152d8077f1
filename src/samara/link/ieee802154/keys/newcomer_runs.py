# SPDX-License-Identifier: Apache-2.0
"""Runs of EDHOC with newcomers, at the node that has invited them.

They are in memory alone, one for each open invitation: a newcomer whose run is not
known any more begins another one. Work is bounded: the same first message has the same
answer, another one is answered after a pause, and no frame counts twice.
"""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

from samara.link.ieee802154.keys import oscore
from samara.link.ieee802154.keys.agreeing import (
    FIRST_GENERATION,
    Ends,
    derived,
    proved,
    responder_to,
)
from samara.link.ieee802154.keys.control import EdhocAnswer, tag_of
from samara.link.ieee802154.keys.neighbours import SharedKey

if TYPE_CHECKING:
    from samara.edhoc.runs import Responder
    from samara.link.ieee802154.keys.control import EdhocJoin, EdhocProof
    from samara.link.node.state_file import Record

ANSWERED_AFTER_S = 0.5
"""Least time between two runs that begin with one invitation."""


class Agreed(NamedTuple):
    """What a run with a newcomer has led to."""

    key: SharedKey
    """The first key of messages."""
    oscore: str
    """As `Neighbour.oscore`."""


@dataclass(slots=True)
class _Run:
    extended: bytes
    message_1: bytes
    begun_s: float
    responder: Responder | None
    """None: its last message was taken, or was not genuine."""


class NewcomerRuns:
    """The runs of a running node, by the names of the records of invitations.

    Parameters
    ----------
    own
        Our extended address.
    cipher
        Of all keys.
    """

    def __init__(self, own: bytes, cipher: str) -> None:
        self._own, self._cipher = own, cipher
        self._runs: dict[str, _Run] = {}
        self._expected: dict[str, tuple[bytes, int]] = {}

    def expected(self, invitation: str, extended: bytes) -> int:
        """Return the lowest frame counter of a newcomer that is not a repetition."""
        address, counter = self._expected.get(invitation, (b"", 0))
        return counter if address == extended else 0

    def note(self, invitation: str, extended: bytes, expected: int) -> None:
        """Note the lowest frame counter that a newcomer may use from now on."""
        self._expected[invitation] = extended, expected

    def answer(
        self, invitation: str, record: Record, extended: bytes, said: EdhocJoin
    ) -> EdhocAnswer | None:
        """Return the answer to a first message; None: it comes too soon.

        Raises
        ------
        ControlError
            When that is no first message of a run.
        MissingPackageError
            When the packages for EDHOC are not installed.
        """
        run, now_s = self._runs.get(invitation), time.monotonic()
        is_same = run is not None and run.responder is not None
        if run is None or not is_same or run.message_1 != said.message_1:
            if run is not None and now_s < run.begun_s + ANSWERED_AFTER_S:
                return None
            shared, static = (bytes.fromhex(record[each]) for each in ("key", "static"))
            responder = responder_to(shared, said.message_1, static)
            run = _Run(extended, said.message_1, now_s, responder)
            self._runs[invitation] = run
        if run.responder is None or run.extended != extended:
            return None
        tag = tag_of(said.message_1)
        return EdhocAnswer(FIRST_GENERATION, tag, run.responder.message_2)

    def agreed(
        self, invitation: str, record: Record, extended: bytes, said: EdhocProof
    ) -> Agreed | None:
        """Return what a run has led to; None: it was no run of this node."""
        run = self._runs.get(invitation)
        if run is None or run.extended != extended:
            return None
        responder, run.responder = run.responder, None
        exporter = proved(responder, said.message_3)
        if exporter is None:
            return None
        ends = Ends(FIRST_GENERATION, extended, self._own, self._cipher)
        key = derived(bytes.fromhex(record["key"]), exporter, ends)
        secret = oscore.exported(exporter, has_begun=False)
        return Agreed(SharedKey(key, FIRST_GENERATION), secret)

    def forget(self, invitation: str) -> None:
        """Forget an invitation that was used."""
        self._runs.pop(invitation, None)
        self._expected.pop(invitation, None)
