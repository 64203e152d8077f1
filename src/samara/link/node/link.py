# SPDX-License-Identifier: Apache-2.0
"""One end of a running link, whatever carries it.

What must be durable is in the node's state: a transmit counter comes from
`State.counter`; receive counters go with what was received, in `Batch.numbers`, and the
node stores them before it hands anything on.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, ClassVar

from samara.errors import MisuseError

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from samara.link.node.carriers import Carrier
    from samara.link.node.events import Refused
    from samara.link.node.key_management import KeyManagement
    from samara.link.node.quantities import Number, Value
    from samara.link.node.receipt import Direction, Receipt

CALL_AGAIN_S = 0.2
"""How long a link may be left without a call of `Link.receive`, in seconds."""


class LinkError(MisuseError):
    """What carries the link is not there, or fails."""


class NeighbourError(MisuseError):
    """A neighbour that the link does not have, or a name that is missing."""


class LinkEndedError(LinkError):
    """All that will ever arrive has arrived: a recording is at its end."""


BROADCAST = "*"
"""All neighbours at once, where the name of one is expected."""


def other_end(link: str, to: str | None) -> None:
    """Refuse all names on a link of two ends, where the other one has none.

    Raises
    ------
    NeighbourError
        When there is a name.
    """
    if to is not None:
        message = (
            f"a link of {link} joins two nodes, and the other one has no name: leave "
            f"out {'the broadcast' if to == BROADCAST else repr(to)}"
        )
        raise NeighbourError(message)


@dataclass(frozen=True, slots=True)
class Transmission:
    """One payload on its way."""

    counter: int
    carrier: Carrier
    time_s: float
    """How long sending took by the clock."""
    asked_for_acknowledgement: bool = False
    """Whether the link of the other end was to acknowledge it."""

    @property
    def is_missed(self) -> bool:
        """Whether it was to be acknowledged by the other end's link, and was not."""
        return self.asked_for_acknowledgement and not self.carrier.acknowledgement


@dataclass(frozen=True, slots=True)
class Arrival:
    """One payload that is genuine and new."""

    payload: bytes
    carrier: Carrier
    source: str | None = None
    """The neighbour that sent it; None on a link of two ends."""
    to_all: bool = False
    """Whether it was sent to all neighbours, under a key that they share: each of them
    can send in the name of another."""
    lost_before: int = 0
    """Transmissions between the one before and this one, by their counters."""
    delivery_s: float | None = None
    """From sending to arrival by the clock, where both ends have the same."""


@dataclass(slots=True)
class Batch:
    """What arrived since the link was last asked."""

    arrivals: list[Arrival] = field(default_factory=list)
    refused: list[Refused] = field(default_factory=list)
    """Each that is not genuine, not new, or not for us."""
    notices: list[str] = field(default_factory=list)
    """What happened to the link itself."""
    numbers: dict[Number, int | Value] = field(default_factory=dict)
    """What is to be stored before any of it is handed on."""


class Link(ABC):
    """One end of a running link.

    What has a default is what not every link can do.
    """

    kind: ClassVar[str]
    """The name of the kind of link."""
    key_management: KeyManagement | None = None
    """What changes neighbours and keys while the link runs; None: nothing does."""

    @property
    @abstractmethod
    def payload_size(self) -> int:
        """Bytes of the longest payload."""

    @property
    @abstractmethod
    def answer_time_s(self) -> float:
        """How long an answer takes at most, on a quiet link."""

    @abstractmethod
    def fileno(self) -> int:
        """Return a descriptor that is readable when `receive(0)` may return something.

        A loop can wait for it together with others. It calls `receive(0)` when it is
        readable, and besides at least every `CALL_AGAIN_S`: some links notice silence,
        or must tell others that they are there. The descriptor stays the same until
        the link is closed. Whoever asks for it begins to listen.

        Raises
        ------
        LinkError
            When nothing can be received.
        """

    @property
    def ready_s(self) -> float:
        """When a payload can be sent without waiting for those before it.

        By `time.monotonic`; what has passed means now. A loop that does not want to
        wait in `send` waits until then; what is on its way out goes out in the calls
        of `receive`. Default: at any time.
        """
        return 0.0

    def named(self, to: str | None) -> str | None:
        """Return the neighbour that a name stands for; None for the other end.

        Default: as on a link of two ends, which refuses all names.

        Parameters
        ----------
        to
            Name of a neighbour, or BROADCAST. None: the only neighbour.

        Raises
        ------
        NeighbourError
            When there is no such neighbour, or None could be several.
        """
        other_end(self.kind, to)
        return None

    @abstractmethod
    def send(self, payload: bytes, to: str | None = None) -> Transmission:
        """Secure a payload and send it.

        It may still be on its way out on return: see `ready_s` and `flush`.

        Parameters
        ----------
        to
            The neighbour that it is for, or BROADCAST. None: the only neighbour.

        Raises
        ------
        NeighbourError
            When there is no such neighbour.
        StateError, CounterEndError
            When no counter could be had; nothing was sent.
        LinkError
            When it cannot be sent.
        """

    def send_in_turn(
        self, payloads: Sequence[tuple[bytes, str | None]]
    ) -> Iterator[Transmission]:
        """Send payloads in their order, one at each step.

        It is `send` for a queue: only who knows what comes next can prepare it, and
        with acknowledgements that saves the time of securing for each frame of an IPv6
        packet. A link may secure each of them while the one before is on the air: then
        the next one may be on the air already when a step returns, and who gives up in
        between has sent it, too. Default: one after the other.

        Parameters
        ----------
        payloads
            Each with the neighbour that it is for, as `send` takes them.

        Raises
        ------
        NeighbourError, StateError, CounterEndError, LinkError
            At the step of the payload that cannot be sent, as `send`.
        """
        for payload, to in payloads:
            yield self.send(payload, to)

    def flush(self) -> None:
        """Wait until all that was sent is on its way. Default: `send` has waited.

        Raises
        ------
        LinkError
            When it will not be.
        """
        return

    def delays(self) -> Sequence[str]:
        """Return why what was sent goes out much later, in words, once.

        Whoever waits for that can tell it first. Default: nothing does.
        """
        return ()

    @abstractmethod
    def receive(self, timeout_s: float) -> Batch:
        """Wait for something to arrive; return at once when it has.

        Raises
        ------
        LinkEndedError
            When all has.
        LinkError
            When nothing will.
        """

    def counted(self) -> Mapping[str | None, tuple[Number, Number]]:
        """Return the numbers that count frames, by neighbour.

        The first counts what is sent to the neighbour (`State.counter`), the second
        what it sends (`Batch.numbers`). Receive counters of a link that authenticates,
        and whose senders can leave out counters, need no durable write for each
        message: see `samara.link.node.bounds`. Default: none of them.
        """
        return {}

    @abstractmethod
    def receipt(
        self,
        direction: Direction,
        message: bytes,
        carriers: Sequence[Carrier],
        time_s: float | None,
        answers: Sequence[int] = (),
    ) -> Receipt:
        """Return what a message cost that was sent in these payloads.

        It may be asked long after, and after the link was closed: it depends on
        nothing but what it is given, and on the settings.

        Parameters
        ----------
        time_s
            By the clock, how long sending took, or the message from end to end;
            None when that is not known.
        answers
            Bytes of each payload that goes the other way to acknowledge it.
        """

    @abstractmethod
    def close(self) -> None:
        """Close what carries the link: sockets, ports and descriptors."""
