# SPDX-License-Identifier: Apache-2.0
"""What can be changed of a medium while it runs: the actions of `--control`."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Annotated

from samara.link.ieee802154.air.topology import address_of
from samara.records import Field, Record, record_class
from samara.records.parameters import Between, Parameter, Request, request_class
from samara.steering import Action, Next

if TYPE_CHECKING:
    from collections.abc import Iterator

    from samara.link.ieee802154.air.medium import Medium


@record_class
class MediumMissed(Record):
    """Receivers missed frames, or got them out of order, since the last such line."""

    lost: Annotated[int, Field("Frames that a receiver missed.")]
    reordered: Annotated[int, Field("Frames that were held back.")]


@request_class
class Conditions(Request):
    """What happens to all frames; what is not given stays as it was."""

    loss: Annotated[
        float | None,
        Parameter(
            help="Probability that a receiver misses a frame.",
            values=Between(0, 1),
            default_text="as it is",
        ),
    ] = None
    delay: Annotated[
        float | None,
        Parameter(
            help="Additional delay of each frame in seconds.",
            values=Between(0, 60),
            default_text="as it is",
        ),
    ] = None


@request_class
class Mover(Request):
    """A node that is moved."""

    node: Annotated[
        str,
        Parameter(help="Address of the node: 4 hex digits (short) or 16 (extended)."),
    ] = ""


@request_class
class Pair(Request):
    """Two nodes that are to hear each other."""

    node: Annotated[
        str, Parameter(help="Address of one: 4 hex digits (short) or 16 (extended).")
    ] = ""
    other: Annotated[str, Parameter(help="Address of the other.")] = ""


class Steering:
    """Changes a medium that runs, and tells what its receivers miss."""

    def __init__(self, medium: Medium) -> None:
        self._medium = medium
        self._lost = self._reordered = 0

    def actions(self) -> dict[str, Action]:
        """Return what a line can ask for."""
        return {
            "set": Action(Conditions, self._set),
            "lose": Action(Next, self._lose),
            "reorder": Action(Next, self._reorder),
            "move_away": Action(Mover, self._move_away),
            "move_back": Action(Mover, self._move_back),
            "join": Action(Pair, self._join),
        }

    def news(self) -> Iterator[MediumMissed]:
        """Yield what was missed since the last call."""
        now = self._medium.statistics
        lost, reordered = now.lost - self._lost, now.reordered - self._reordered
        self._lost, self._reordered = now.lost, now.reordered
        if lost or reordered:
            yield MediumMissed(lost, reordered)

    def _set(self, wanted: Conditions) -> str:
        old = self._medium.conditions
        loss = old.loss if wanted.loss is None else wanted.loss
        delay_s = old.delay_s if wanted.delay is None else wanted.delay
        self._medium.change(replace(old, loss=loss, delay_s=delay_s))
        return (
            f"A receiver misses {loss:.3g} of all frames; the delay is {delay_s:g} s."
        )

    def _move_away(self, wanted: Mover) -> str:
        node = address_of(wanted.node, "node")
        self._medium.move_away(node)
        return f"Nobody hears {node} any more, and it hears nobody."

    def _move_back(self, wanted: Mover) -> str:
        node = address_of(wanted.node, "node")
        self._medium.move_back(node)
        return f"{node} is back where it was."

    def _join(self, wanted: Pair) -> str:
        node = address_of(wanted.node, "node")
        other = address_of(wanted.other, "other")
        self._medium.join(node, other)
        return f"{node} and {other} hear each other."

    def _lose(self, wanted: Next) -> str:
        self._medium.lose(wanted.count)
        return f"The next {wanted.count} frames are lost."

    def _reorder(self, wanted: Next) -> str:
        self._medium.reorder(wanted.count)
        return (
            f"Each of the next {wanted.count} frames arrives after the one that follows"
            " it, or 0.1 s late if none does."
        )
