# SPDX-License-Identifier: Apache-2.0
"""The serial radio: the paper's messages in its framings and in ours."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from samara.demo.pair import START_S, Pair
from samara.demo.rfserial import tables as paper

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from samara.demo.exchange import Chat, Exchange
    from samara.demo.processes import Supervisor
    from samara.records.tables import Table

_LINK = "rf-serial"
_EMULATION = "through emulated modems"
_BAUD = 115_200
"""The paper's rate, in bit/s."""
_TIMEOUT_MS = 100
"""How long the paper's modems wait for the rest of a packet."""


class RfSerial:
    """The ten messages of the paper, framed four ways."""

    title = "RF serial modems"
    cases = ("sealed", "plain", "cbc-hex", "cbc-hex-padded")
    count = len(paper.FRAMINGS) * len(paper.SIZES)

    def __init__(self, device: str) -> None:
        self._device = device

    def run(self, supervisor: Supervisor) -> Iterator[Exchange]:
        """Send the ten messages in each framing."""
        pairs = [self._pair(supervisor, framing) for framing in paper.FRAMINGS]
        for pair in pairs:
            pair.wait()
            for size in paper.SIZES:
                yield pair.send(paper.message(size))

    def chat(self, supervisor: Supervisor, case: str) -> Chat:
        """Return two nodes that are ready."""
        pair = self._pair(supervisor, case)
        pair.wait()
        return pair

    def _pair(self, supervisor: Supervisor, framing: str) -> Pair:
        """Start two modems, and a node at each."""
        modem = supervisor.samara(
            *("modem", "--json", "--baud", str(_BAUD)),
            *("--timeout-ms", str(_TIMEOUT_MS)),
        )
        ports = json.loads(modem.line(START_S))["ports"]
        first, second = (("--port", str(port)) for port in ports)
        given = {"framing": framing, "baud": _BAUD, "modem_timeout_ms": _TIMEOUT_MS}
        return Pair(
            supervisor,
            framing,
            _LINK,
            given,
            (first, second),
            device=self._device,
            emulation=_EMULATION,
        )

    def tables(self, exchanges: Sequence[Exchange]) -> list[Table]:
        """Return the paper's tables with ours beside them."""
        return paper.tables(exchanges)

    def reading(self, exchanges: Sequence[Exchange]) -> str:
        """Return in plain words what the tables say."""
        return paper.reading(exchanges)


DEMONSTRATION = RfSerial
