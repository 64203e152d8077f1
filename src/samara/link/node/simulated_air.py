# SPDX-License-Identifier: Apache-2.0
"""What is between the nodes of a lab: it stands for the air and for radios."""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from samara.errors import MisuseError

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from pathlib import Path

_LOOK_S = 0.1


@dataclass(frozen=True, slots=True)
class AirPlan:
    """What a lab needs of the air."""

    settings: Mapping[str, Any]
    """Of the first node: what all nodes have in common."""
    neighbours: Sequence[tuple[bytes, bytes]]
    """Link addresses of nodes that hear each other; no others do."""
    folder: Path
    """Where the air may have files."""
    nodes: int = 2
    """Numbered from 1."""
    loss: float = 0.0
    """The probability that a receiver misses a frame."""
    seed: int = 0
    capture: Path | None = None
    """A pcap file for all that is on the air."""


class SimulatedAir:
    """The air of a lab: here, of a link that needs no process to carry it."""

    name = "the air"
    """In error messages."""

    def __init__(self, plan: AirPlan) -> None:
        self.plan = plan

    def run(
        self, report: Callable[[dict[str, Any]], None], is_over: Callable[[], bool]
    ) -> None:
        """Carry what nodes send until told to stop, in a process of its own.

        Parameters
        ----------
        report
            Called once when nodes can start, with what `address_options` needs, and
            once at the end, with statistics.
        is_over
            Asked several times a second.
        """
        report({})
        while not is_over():
            time.sleep(_LOOK_S)
        report({})

    def address_options(self, ready: Mapping[str, Any], node: int) -> Mapping[str, Any]:
        """Return the options that say where the link of a node is.

        Parameters
        ----------
        ready
            What `run` has reported first.
        node
            Its number.
        """
        del ready, node
        return {}

    def steer(self, line: bytes) -> None:
        """Hand the process a line of control; it reports the answer.

        Raises
        ------
        MisuseError
            When this air cannot be changed while it runs.
        """
        del line
        message = f"{self.name} of this link cannot be changed while it runs"
        raise MisuseError(message)
