# SPDX-License-Identifier: Apache-2.0
"""What securing frames costs a node: bytes, computing, and durable counters.

The code of the link counts bytes on encoded frames; cycles are those of the bench
(`samara.energy.cryptography`). A `Security` joins them, with where in the medium
access the work is done.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from enum import StrEnum
from functools import lru_cache
from typing import TYPE_CHECKING, Any

import numpy as np

from samara.bench.results import Operation
from samara.energy import coprocessor
from samara.energy.controller_power import board_of
from samara.energy.cryptography import Build, Work, cycles_of
from samara.energy.parts import Part, Parts
from samara.energy.quantity import Quantity, nominal
from samara.figure import Origin

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from samara.energy.catalogue import Controller
    from samara.energy.controller_power import Board
    from samara.energy.quantity import Draw, Value
    from samara.energy.transceiver import RadioTimes


class Sealing(StrEnum):
    """How often a frame that is repeated is sealed."""

    ONCE = "once"
    """All copies are the same."""
    EVERY_COPY = "every-copy"
    """Each has a frame counter of its own."""


@dataclass(frozen=True, slots=True)
class Security:
    """What security adds to a hop.

    The default is no security: nothing is added.
    """

    name: str = "none"
    added_bytes: Value = 0
    """Bytes that security adds to a frame: security header, counter, tag."""
    seal_j: Value = 0.0
    open_j: Value = 0.0
    seal_s: Value = 0.0
    open_s: Value = 0.0
    counter_j: Value = 0.0
    """Durable writes of the frame counter at each end, for each number used."""
    sealing: Sealing = Sealing.ONCE
    opens_before_filter: bool = False
    """Whether frames for others are opened too, to learn that they are."""
    of_sizes: Mapping[Any, Security] = field(default_factory=dict, compare=False)
    """The same for control frames, by their bytes without security."""

    def of(self, frame_bytes: Value | None) -> Security:
        """Return what secures a frame of this size; a message's when it is None."""
        return self if frame_bytes is None else self.of_sizes.get(frame_bytes, self)

    def sending(self, times: RadioTimes) -> Parts:
        """Return what sealing takes, in joules, for a frame sent like this."""
        count = times.copies if self.sealing is Sealing.EVERY_COPY else 1.0
        return Parts(
            {Part.CIPHER: count * self.seal_j, Part.COUNTER: count * self.counter_j}
        )

    def receiving(self) -> Parts:
        """Return what opening a frame takes, in joules.

        The receiver keeps its counter as durably as the sender: a replay would pass
        after a reset otherwise.
        """
        return Parts({Part.CIPHER: self.open_j, Part.COUNTER: self.counter_j})

    def overhearing(self, times: RadioTimes, frame_s: Value) -> Parts:
        """Return what is opened of a frame for others that is heard like this."""
        if not self.opens_before_filter:
            return Parts()
        whole_frames = times.receive_s / frame_s
        return Parts({Part.CIPHER: whole_frames * self.open_j})


NONE = Security()
"""Frames are not secured."""


def side_by_side(securities: Sequence[Security]) -> Security:
    """Return what secures the same frames in several ways, as one with arrays.

    The last axis of its values is the ways, behind that of draws.

    Parameters
    ----------
    securities
        They add the same number of bytes, and do not differ in how often they seal.
    """
    first = securities[0]
    taken = {
        name: np.stack(
            np.broadcast_arrays(*(getattr(each, name) for each in securities)), axis=-1
        )
        for name in ("seal_j", "open_j", "seal_s", "open_s", "counter_j")
    }
    of_sizes = {
        size: side_by_side([each.of_sizes[size] for each in securities])
        for size in first.of_sizes
    }
    return replace(first, of_sizes=of_sizes, **taken)


@dataclass(frozen=True, slots=True)
class CounterStore:
    """How a frame counter is kept.

    Parameters
    ----------
    reserved
        How many numbers one durable write reserves; at least one. After a reset,
        those that are left are skipped: a sender does not use them, a receiver does
        not accept them.
    """

    controller: Controller
    reserved: int = 1000

    def __post_init__(self) -> None:
        if self.reserved < 1:
            message = f"a write reserves at least one number, not {self.reserved}"
            raise ValueError(message)


@dataclass(frozen=True, slots=True)
class Call:
    """One call of a suite, by its name in the bench, and its sizes."""

    suite: str
    message_bytes: int
    ad_bytes: int
    """Bytes that are authenticated only."""
    build: Build | None = None
    """Default: the one that takes the fewest cycles."""


_TOLERANCES = {Origin.MEASURED: 0.0, Origin.PUBLISHED: 0.0, Origin.ESTIMATED: 0.05}
"""Of cycles, by their origin."""


# Few of the thousands of calls that `samara advise` weighs differ in it.
@lru_cache(maxsize=256)
def _doubt(origin: Origin, source: str) -> Quantity:
    """Return the factor by which cycles of an origin may be wrong."""
    tolerance = _TOLERANCES.get(origin, 0.5)
    return Quantity(1.0, tolerance, source, checked=origin is not Origin.ASSUMED)


def _drawn(work: Work, draw: Draw, board: Board | None) -> tuple[Value, Value]:
    """Return seconds and joules of some work, on a board or on its device's own."""
    if (core := coprocessor.named(work.device)) is not None:
        return core.taken(work, draw)
    cycles = cycles_of(work)
    doubt = _doubt(cycles.origin, cycles.source)
    name = f"{work.device}.{work.suite}.{work.operation}.{work.message_bytes}"
    factor = draw(f"{name}.{work.ad_bytes}", doubt)
    board = board or board_of(work.device)
    seconds = factor * cycles.value / board.clock_hz
    return seconds, seconds * board.active_w(draw)


def measured(
    device_name: str,
    calls: Sequence[Call],
    added_bytes: int,
    *,
    counters: CounterStore | None = None,
    draw: Draw = nominal,
    board: Board | None = None,
    **how: bool | Sealing,
) -> Security:
    """Return security as the bench has measured it on a device, or as a core does it.

    Parameters
    ----------
    device_name
        A device of the bench, or a core beside one (`samara.energy.coprocessor`).
    calls
        What is done with one frame; several when a message takes several.
    added_bytes
        How much longer the encoded frame is than the same without security.
    counters
        How the frame counter is kept; None leaves that out.
    board
        Clock and current, where they are not those of the device.
    how
        `sealing` and `opens_before_filter` of `Security`.

    Raises
    ------
    NotMeasuredError
        When the bench has no results to tell it from (the text has the command), or
        the core does not compute the suite.
    samara.crypto.UnknownNameError
        When there is no such device.
    """
    totals: dict[Operation, tuple[Value, Value]] = {}
    for operation in (Operation.SEAL, Operation.OPEN):
        seconds: Value = 0.0
        joules: Value = 0.0
        for call in calls:
            work = Work(
                device_name,
                call.suite,
                operation,
                call.message_bytes,
                call.ad_bytes,
                call.build,
            )
            one_s, one_j = _drawn(work, draw, board)
            seconds, joules = seconds + one_s, joules + one_j
        totals[operation] = seconds, joules
    return Security(
        name=f"{calls[0].suite} on {device_name}",
        added_bytes=added_bytes,
        seal_s=totals[Operation.SEAL][0],
        seal_j=totals[Operation.SEAL][1],
        open_s=totals[Operation.OPEN][0],
        open_j=totals[Operation.OPEN][1],
        counter_j=(
            counter_j(coprocessor.host_of(device_name), counters, draw, board)
            if counters
            else 0.0
        ),
        **how,  # type: ignore[arg-type] # the two fields that are named above
    )


def counter_j(
    device_name: str,
    counters: CounterStore,
    draw: Draw = nominal,
    board: Board | None = None,
) -> Value:
    """Return what keeping the frame counter costs for each number that is used."""
    drawn = counters.controller.draw(draw)
    active_w = (board or board_of(device_name)).active_w(draw)
    return drawn["write_s"] * active_w / counters.reserved
