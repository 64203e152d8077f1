# SPDX-License-Identifier: Apache-2.0
"""IEEE 802.15.4: frames at every security level, over the medium."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from samara.demo import samples
from samara.demo.ieee802154 import tables as paper
from samara.demo.pair import START_S, Pair
from samara.demo.processes import ProgramError
from samara.link.ieee802154.frames.fcs import PSDU_SIZE_MAX

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from samara.demo.exchange import Chat, Exchange
    from samara.demo.processes import Supervisor
    from samara.records.tables import Table

_LINK = "ieee802154"
_EMULATION = "over an emulated medium"
_FIRST_CHANNEL = 11


class Ieee802154:
    """The payload of the link-security paper, and the longest, at all levels."""

    title = "IEEE 802.15.4 frames"
    cases = tuple(f"level {level}" for level in (5, 6, 7, 1, 2, 3, 4, 0))
    count = 2 * len(cases)

    def __init__(self, device: str) -> None:
        self._device = device

    def run(self, supervisor: Supervisor) -> Iterator[Exchange]:
        """Send both payloads at each level."""
        medium = _medium(supervisor)
        pairs = [self._pair(supervisor, level, medium) for level in paper.LEVELS]
        for pair in pairs:
            pair.wait()
            exchange = pair.send(samples.reading(paper.PAYLOAD))
            yield exchange
            added = int(exchange.sent.link_bytes - exchange.sent.message_bytes)
            yield pair.send(samples.reading(PSDU_SIZE_MAX - added))

    def chat(self, supervisor: Supervisor, case: str) -> Chat:
        """Return two nodes that are ready."""
        level = int(case.removeprefix("level "))
        pair = self._pair(supervisor, level, _medium(supervisor))
        pair.wait()
        return pair

    def _pair(self, supervisor: Supervisor, level: int, medium: str) -> Pair:
        # A channel each: they need not look at each other's frames.
        given = {
            "level": level,
            "channel": _FIRST_CHANNEL + level,
            # As the paper's header of 14 bytes has it.
            "key_id_mode": 0,
        }
        where = ("--medium", medium)
        case = f"level {level}"
        return Pair(
            supervisor,
            case,
            _LINK,
            given,
            (where, where),
            device=self._device,
            emulation=_EMULATION,
        )

    def tables(self, exchanges: Sequence[Exchange]) -> list[Table]:
        """Return the frames, and the paper's costs beside ours."""
        return paper.tables(exchanges)

    def reading(self, exchanges: Sequence[Exchange]) -> str:
        """Return in plain words what the tables say."""
        return paper.reading(exchanges)


DEMONSTRATION = Ieee802154


def _medium(supervisor: Supervisor) -> str:
    """Start the air between nodes, and return where it is."""
    said = supervisor.samara("medium", "--port", "0").wait_for_words(" port ", START_S)
    found = re.search(r"at (\S+) port (\d+)", said)
    if found is None:
        message = f"the medium did not say where it is: {said}"
        raise ProgramError(message)
    return ":".join(found.groups())
