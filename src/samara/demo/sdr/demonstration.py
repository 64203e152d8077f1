# SPDX-License-Identifier: Apache-2.0
"""Software-defined radio: the paper's messages, encrypted below the modulation."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from samara.demo import samples
from samara.demo.pair import START_S, Pair
from samara.demo.sdr import tables as paper

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from samara.demo.exchange import Chat, Exchange
    from samara.demo.processes import Program, Supervisor
    from samara.records.tables import Table

_LINK = "sdr"
_EMULATION = "through a simulated channel"
_CASE = "physical layer"
_RATE = 500e3
"""Samples a second: half of what the link does, for machines with much else to do."""
_EBN0_DB = 8.0
_LISTENER = 2
"""The number of the eavesdropper's radio."""
_OVERHEARD_S = 3.0
"""What a burst gets to be overheard."""
_QUIET_S = 0.3
"""Without a burst for so long, none is under way."""


class Sdr:
    """The five messages of the paper, with somebody listening."""

    title = "Software-defined radio"
    cases = (_CASE,)
    count = len(paper.SIZES)

    def __init__(self, device: str) -> None:
        self._device = device
        self._overheard: list[paper.Overheard] = []

    def run(self, supervisor: Supervisor) -> Iterator[Exchange]:
        """Send the five messages; an eavesdropper hears the same samples."""
        radio = _channel(supervisor)
        listener = supervisor.samara(
            *("phy", "eavesdrop", "--json", "--radio", radio),
            *("--number", str(_LISTENER), "--rate", str(_RATE)),
        )
        listener.wait_for_words("listens", START_S)
        pair = self._pair(supervisor, radio)
        pair.wait()
        for size in paper.SIZES:
            # Bursts of a first word, or of a message that was sent again.
            while listener.line_or_none(_QUIET_S) is not None:
                pass
            exchange = pair.send(samples.reading(size), paper.RUNS)
            heard = list(_heard(listener, exchange.sent.packets))
            self._overheard.append(paper.compared(exchange, heard))
            yield exchange

    def chat(self, supervisor: Supervisor, case: str) -> Chat:
        """Return two nodes that are ready."""
        del case  # there is one
        pair = self._pair(supervisor, _channel(supervisor))
        pair.wait()
        return pair

    def _pair(self, supervisor: Supervisor, radio: str) -> Pair:
        given = {"radio": radio, "rate": _RATE}
        return Pair(
            supervisor,
            _CASE,
            _LINK,
            given,
            ((), ()),
            device=self._device,
            emulation=_EMULATION,
        )

    def tables(self, exchanges: Sequence[Exchange]) -> list[Table]:
        """Return the paper's table beside ours, and what was overheard."""
        return paper.tables(exchanges, self._overheard)

    def reading(self, exchanges: Sequence[Exchange]) -> str:
        """Return in plain words what the tables say."""
        return paper.reading(exchanges, self._overheard)


DEMONSTRATION = Sdr


def _channel(supervisor: Supervisor) -> str:
    """Start the air between three radios, and return what to call it."""
    address = f"ipc://{supervisor.folder}/air"
    program = supervisor.samara(
        *("channel", "--json", "--radios", "3", "--address", address),
        *("--rate", str(_RATE), "--ebn0", str(_EBN0_DB)),
    )
    program.line(START_S)
    return f"zmq:{address}"


def _heard(listener: Program, bursts: int) -> Iterator[bytes]:
    """Return what the eavesdropper made of the last bursts."""
    for _ in range(bursts):
        line = listener.line_or_none(_OVERHEARD_S)
        if line is None:
            return
        yield bytes.fromhex(json.loads(line)["hex"])
