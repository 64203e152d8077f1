# SPDX-License-Identifier: Apache-2.0
"""One node: its radio, its medium access, its frames and what secures them."""

from __future__ import annotations

import operator
from dataclasses import dataclass, replace
from functools import reduce
from typing import TYPE_CHECKING, TypeVar

import numpy as np

from samara.energy.frames import Secured
from samara.energy.medium_access import Hop
from samara.energy.parts import Part, Parts
from samara.energy.security import NONE
from samara.energy.transceiver import RadioTimes
from samara.errors import MisuseError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from samara.energy.copies import Copies
    from samara.energy.medium_access import MediumAccess
    from samara.energy.quantity import Value
    from samara.energy.security import Security
    from samara.energy.transceiver import Transceiver

_Summed = TypeVar("_Summed")
_ONCE = RadioTimes(copies=1)
_OF_SECURITY = (Part.SECURITY, Part.CIPHER, Part.COUNTER)


@dataclass(frozen=True, slots=True)
class Node:
    """Energies of a node for a message on one hop, in joules."""

    radio: Transceiver
    mac: MediumAccess
    frame_bytes: Value
    """Of a frame without security, with its check sequence."""
    security: Security = NONE
    controller_sleep_w: Value = 0.0
    more: tuple[Secured, ...] = ()
    """The other frames of a message that takes several, the last one at the end."""
    plain: tuple[Secured, ...] = ()
    """All frames of the same message without security, where they are not the same
    ones."""

    def hop(self, frame_bytes: Value | None = None) -> Hop:
        """Return the hop of a frame with security, of a message's first by default.

        Parameters
        ----------
        frame_bytes
            Without security.
        """
        plain = self.frame_bytes if frame_bytes is None else frame_bytes
        return self._secured_hop(plain, self.security.of(frame_bytes))

    def _secured_hop(self, frame_bytes: Value, security: Security) -> Hop:
        """Return the hop of a frame, and of its acknowledgement, with security."""
        ack_bytes = self.mac.ack_bytes + self._ack.added_bytes
        return Hop(self.radio, frame_bytes + security.added_bytes, ack_bytes)

    def _plain_hop(self, frame_bytes: Value) -> Hop:
        return Hop(self.radio, frame_bytes, self.mac.ack_bytes)

    @property
    def _ack(self) -> Security:
        """What secures an acknowledgement."""
        size = self.mac.ack_bytes
        return self.security.of(size) if self.mac.secures_acks else NONE

    def _frames(self, frame_bytes: Value | None) -> list[tuple[Hop, Security, int]]:
        """Return the hops of all frames of a message, or of one that is told."""
        first = Secured(
            self.frame_bytes if frame_bytes is None else frame_bytes,
            self.security.of(frame_bytes),
        )
        return [
            (
                self._secured_hop(each.frame_bytes, each.security),
                each.security,
                each.count,
            )
            for each in (first, *(self.more if frame_bytes is None else ()))
        ]

    @property
    def frame_count(self) -> int:
        """How many frames a message takes."""
        return sum(count for _, _, count in self._frames(None))

    def times(
        self, action: Callable[[Hop], _Summed], frame_bytes: Value | None = None
    ) -> _Summed:
        """Return what an action of the medium access takes, for all of a message.

        Parameters
        ----------
        frame_bytes
            Of a control frame, in place of the message.
        """
        frames = self._frames(frame_bytes)
        # A number, or the times of a radio: both can be multiplied.
        found: _Summed = _sum(
            operator.mul(action(hop), count) for hop, _, count in frames
        )
        return found

    def each(self, of: Callable[[Hop], Value]) -> list[Value]:
        """Return what is true of each frame of a message."""
        return [of(hop) for hop, _, _ in self._frames(None)]

    def service_s(self, frame_bytes: Value | None = None) -> Value:
        """Return how long a node cannot begin with another message."""
        return self.times(self.mac.service_s, frame_bytes)

    def _radio_j(
        self, times: Callable[[Hop], RadioTimes], frame_bytes: Value | None
    ) -> Parts:
        """Return what the radio takes, what is due to longer frames apart."""
        if frame_bytes is not None:
            plain: tuple[Secured, ...] = (Secured(frame_bytes),)
        else:
            plain = self.plain or (Secured(self.frame_bytes), *self.more)
        without = _sum(
            times(self._plain_hop(each.frame_bytes)).energy_j(self.radio) * each.count
            for each in plain
        )
        secured = self.times(times, frame_bytes).energy_j(self.radio)
        return without + Parts({Part.SECURITY: secured.total - without.total})

    def send(self, frame_bytes: Value | None = None) -> Parts:
        """Return what sending a message takes, or a frame of so many bytes."""
        return self._radio_j(self.mac.send, frame_bytes) + _sum(
            (security.sending(self.mac.send(hop)) + self._ack.receiving()) * count
            for hop, security, count in self._frames(frame_bytes)
        )

    def receive(self, frame_bytes: Value | None = None) -> Parts:
        """Return what receiving a message takes, besides waiting for it."""
        return self._radio_j(self.mac.receive, frame_bytes) + _sum(
            (security.receiving() + self._ack.sending(_ONCE)) * count
            for _, security, count in self._frames(frame_bytes)
        )

    def overhear(self, frame_bytes: Value | None = None) -> Parts:
        """Return what a message costs that is for a neighbour."""
        opened = _sum(
            security.overhearing(self.mac.overhear(hop), self.mac.air_s(hop)) * count
            for hop, security, count in self._frames(frame_bytes)
        )
        radio_j = self._radio_j(self.mac.overhear, frame_bytes)
        return _gathered(radio_j, Part.OVERHEAR) + opened

    def broadcast(self, frame_bytes: Value) -> Parts:
        """Return what sending a control frame to all neighbours takes."""
        times = self.mac.broadcast(self.hop(frame_bytes))
        radio_j = self._radio_j(self.mac.broadcast, frame_bytes)
        secured = self.security.of(frame_bytes)
        return _gathered(radio_j, Part.CONTROL) + secured.sending(times)

    def receive_broadcast(self, frame_bytes: Value) -> Parts:
        """Return what receiving a control frame takes that is for all."""
        radio_j = self._radio_j(self.mac.receive_broadcast, frame_bytes)
        secured = self.security.of(frame_bytes)
        return _gathered(radio_j, Part.CONTROL) + secured.receiving()

    def send_control(self, frame_bytes: Value) -> Parts:
        """Return what sending a control frame to the next node takes."""
        return _gathered(self.send(frame_bytes), Part.CONTROL)

    def receive_control(self, frame_bytes: Value) -> Parts:
        """Return what receiving a control frame takes."""
        return _gathered(self.receive(frame_bytes), Part.CONTROL)

    def idle_w(self) -> Parts:
        """Return what waiting for frames takes, in watts."""
        waiting_w: Parts = self.mac.idle(self.hop()).energy_j(self.radio)
        waiting_w = waiting_w + Parts({Part.LISTEN: self.mac.beside_w})
        if (requests := self.mac.requests) is None:
            return waiting_w
        size = requests.frame_bytes
        times = requests.times(self.hop(size))
        sealed_j = self.security.of(size).sending(times)
        request_j = self._radio_j(requests.times, size) + sealed_j
        return waiting_w + request_j * requests.per_s

    def idle_sending(self) -> Value:
        """Return for which share of the time a node sends while it waits."""
        share = self.mac.idle(self.hop()).transmit_s
        if (requests := self.mac.requests) is None:
            return share
        request = requests.times(self.hop(requests.frame_bytes))
        return share + request.transmit_s * requests.per_s

    def sent_blind(self) -> Copies | None:
        """Return what is sent of a message without listening first, if anything.

        The frames of a message that takes several follow one another.
        """
        copies = self.mac.sent_blind(self.hop())
        return copies and replace(copies, air_s=self.times(self.mac.air_s))

    def requesting(self) -> Value:
        """Return for which share of the time a node's requests take the medium."""
        if (requests := self.mac.requests) is None:
            return 0.0
        times = requests.times(self.hop(requests.frame_bytes))
        return times.on_s * requests.per_s

    def met_share(self) -> Value:
        """Return the share of its receiver's schedule that it has without messages."""
        return self.mac.met_share(self.hop())

    def beacons_w(self) -> Parts:
        """Return what the beacons of each neighbour take beside, in watts."""
        return self.mac.beacons(self.hop()).energy_j(self.radio)

    def sleep_w(self) -> Parts:
        """Return what it draws at all times, in watts."""
        return Parts({Part.SLEEP: self.radio.sleep_w + self.controller_sleep_w})

    def message(self, interval_s: Value, *, received: bool = False) -> Parts:
        """Return what a message costs who sends it, with all until the next one.

        Parameters
        ----------
        interval_s
            From one message to the next: waiting and sleeping are shared among
            the messages.
        received
            Whether it is told for who receives it.

        Raises
        ------
        MisuseError
            When the next message comes before one is sent.
        """
        needed_s = np.median(self.service_s())
        if needed_s > np.min(interval_s):
            raise MisuseError(too_often(float(np.min(interval_s)), float(needed_s)))
        times = self.times(self.mac.receive if received else self.mac.send)
        active = self.receive() if received else self.send()
        waiting = self.idle_w() * (interval_s - times.on_s)
        return active + waiting + self.sleep_w() * interval_s

    def latency_s(self, frame_bytes: Value | None = None) -> Value:
        """Return the mean time of a hop, from making a message to its delivery.

        It is sealed, waits for the receiver, is sent and opened. Of several frames,
        each is sealed when the one before is over.
        """
        frames = self._frames(frame_bytes)
        last, security, _ = frames[-1]
        sealed_s = _sum(each.seal_s * count for _, each, count in frames)
        before_s = self.service_s(frame_bytes) - self.mac.service_s(last)
        if sum(count for _, _, count in frames) == 1:
            before_s = 0.0
        return sealed_s + before_s + self.mac.latency_s(last) + security.open_s


def _sum(values: Iterable[_Summed]) -> _Summed:
    """Return the sum of one or more numbers, times or energies."""
    return reduce(operator.add, values)


def too_often(interval_s: float, needed_s: float) -> str:
    """Return that messages come faster than they are sent, as an error's text."""
    return (
        f"a message every {interval_s:g} s cannot be sent: nodes need {needed_s:.3g} s "
        "for each with this medium access; give a longer interval, quicker settings of "
        "the medium access (--help lists them), or another medium access"
    )


def _gathered(energy_j: Parts, part: Part) -> Parts:
    """Return the same as one part, but for what is security's."""
    apart, rest = energy_j.split(_OF_SECURITY)
    return Parts({part: rest.total}) + apart
