# SPDX-License-Identifier: Apache-2.0
"""Who hears whom on the medium, and how much of it is lost, by directed link.

Nodes are named by their addresses: the short one as 4 hex digits, the extended one as
16. A node is known by what its hello says, and by the sources of the frames it sends.
"""

from __future__ import annotations

import csv
import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Self

from samara.errors import ArgumentError, MisuseError
from samara.units import SHARE

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from pathlib import Path

Names = frozenset[str]
"""The addresses that a node has shown, each as hex digits."""

_COLUMNS = ("sender", "receiver")
_LOSS = "loss"
_ADDRESS = re.compile("[0-9a-f]{4}|[0-9a-f]{16}")


@dataclass(frozen=True, slots=True)
class Topology:
    """The links of a medium.

    Parameters
    ----------
    links
        The probability that the receiver misses a frame of the sender, by the two;
        None: as for all frames (`Conditions.loss`).
    is_whole
        Whether nodes hear each other only where `links` says so.
    """

    links: Mapping[tuple[str, str], float | None] = field(default_factory=dict)
    is_whole: bool = False

    def __post_init__(self) -> None:
        for (sender, receiver), loss in self.links.items():
            if sender == receiver:
                message = f"the node {sender} cannot have a link to itself"
                raise MisuseError(message)
            if loss is not None and not 0 <= loss <= 1:
                message = (
                    f"the loss from {sender} to {receiver} is a probability, 0 to 1"
                )
                raise MisuseError(message)

    @classmethod
    def read(cls, path: Path) -> Self:
        """Read a topology from a CSV file.

        Its first line is ``sender,receiver`` or ``sender,receiver,loss``; each other
        one is a directed link. Lines that begin with ``#`` are comments.

        Raises
        ------
        MisuseError
            When a line is not such a link; the text names it.
        OSError
            When the file cannot be read.
        """
        with path.open(newline="", encoding="utf-8", errors="replace") as file:
            lines = [
                (number, line)
                for number, line in enumerate(file, 1)
                if line.strip() and not line.startswith("#")
            ]
        rows = csv.reader(line for _, line in lines)
        links: dict[tuple[str, str], float | None] = {}
        header = tuple(cell.strip() for cell in next(rows, ()))
        if header not in (_COLUMNS, (*_COLUMNS, _LOSS)):
            message = (
                f"{path}: the first line of a topology must be sender,receiver or "
                "sender,receiver,loss"
            )
            raise MisuseError(message)
        for (number, _), row in zip(lines[1:], rows, strict=True):
            where = f"{path}, line {number}"
            if not len(_COLUMNS) <= len(row) <= len(header):
                message = f"{where}: {len(row)} columns; expected {len(header)}"
                raise MisuseError(message)
            sender, receiver, *loss = (cell.strip() for cell in row)
            link = (address_of(sender, where), address_of(receiver, where))
            if link in links:
                message = f"{where}: the link {':'.join(link)} is there twice"
                raise MisuseError(message)
            links[link] = _probability(loss[0], where) if loss and loss[0] else None
        return cls(links, is_whole=True)

    def with_losses(self, given: Iterable[str]) -> Self:
        """Return this topology with losses given as ``SENDER:RECEIVER=P``.

        Raises
        ------
        MisuseError
            When one has another form, or names a link that a file leaves out.
        """
        links = dict(self.links)
        for text in given:
            where = f"--loss-of {text}"
            ends, equals, loss = text.partition("=")
            sender, colon, receiver = ends.partition(":")
            if not (colon and equals):
                message = f"{where}: expected SENDER:RECEIVER=P, such as 12ab:34cd=0.2"
                raise MisuseError(message)
            link = (address_of(sender, where), address_of(receiver, where))
            if self.is_whole and link not in links:
                message = f"{where}: the topology has no such link"
                raise MisuseError(message)
            links[link] = _probability(loss, where)
        return type(self)(links, self.is_whole)

    def joined(self, one: str, other: str) -> Self:
        """Return this topology, with a link from each of two nodes to the other."""
        added = dict.fromkeys(((one, other), (other, one)))
        return type(self)({**added, **self.links}, self.is_whole)

    def loss(self, sender: Names, receiver: Names, usual: float) -> float | None:
        """Return the probability that a frame is missed; None: it is out of reach.

        Parameters
        ----------
        usual
            The probability where no link says another.
        """
        for a in sorted(sender):
            for b in sorted(receiver):
                if (a, b) in self.links:
                    loss = self.links[a, b]
                    return usual if loss is None else loss
        return None if self.is_whole else usual


def address_of(text: str, where: str) -> str:
    """Return an address as hex digits in lower case.

    Raises
    ------
    MisuseError
        When it is none.
    """
    digits = text.strip().lower()
    if not _ADDRESS.fullmatch(digits):
        message = (
            f"{where}: {text!r} is no address: give 4 hex digits (short) or 16 "
            "(extended)"
        )
        raise MisuseError(message)
    return digits


def _probability(text: str, where: str) -> float:
    try:
        value = SHARE.parse(text)
    except ArgumentError:
        value = -1.0
    if not 0 <= value <= 1:
        message = f"{where}: {text!r} is no probability, 0 to 1 or 0% to 100%"
        raise MisuseError(message)
    return value
