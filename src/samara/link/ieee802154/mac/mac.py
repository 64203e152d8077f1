# SPDX-License-Identifier: Apache-2.0
"""Medium access of IEEE 802.15.4: acknowledgements, retransmissions, duplicates.

A frame that asks for an acknowledgement is sent again, byte for byte, until one
arrives or macMaxFrameRetries is used up. Its frame counter is the same each time: a
nonce never has two contents. A frame that is for this node and asks for it is
acknowledged as a radio does it: when check sequence and addresses are right, before
anything is known of its security. A secured frame of 2015 is opened first; then all
frames are opened as they arrive. What was retransmitted is handed on once.

A frame can be started and finished in two calls: between them the layer above makes the
next one while this one is on the air, as a radio with a buffer lets it.

The clock is a parameter, so that tests can let their own time pass.
"""

from __future__ import annotations

import time
from collections import OrderedDict, deque
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple, Protocol

from samara.errors import FrameError
from samara.link.ieee802154.air.channel import air_time_s
from samara.link.ieee802154.frames import acks
from samara.link.ieee802154.frames.fcs import FCS_SIZE
from samara.link.ieee802154.frames.frame import Frame, FrameType, Version, parse
from samara.link.ieee802154.limits import RETRIES
from samara.link.ieee802154.mac.ack_timer import AckTimer
from samara.link.ieee802154.mac.outgoing import Outgoing, Sending
from samara.link.ieee802154.mac.ready_event import ReadyEvent
from samara.link.ieee802154.medium_access.always_listening import AlwaysListening

if TYPE_CHECKING:
    from collections.abc import Callable

    from samara.link.ieee802154.air.zep_radio import ReceivedFrame
    from samara.link.ieee802154.frames.acks import Identity
    from samara.link.ieee802154.keys.table import Opened
    from samara.link.ieee802154.medium_access import MediumAccess

WAITING_MAX = 256
"""Frames that wait to be taken; more are not acknowledged, and lost."""

# After so long a frame is not a retransmission but a replay.
_DUPLICATE_AGE_S = 2.0
# Frames of each sender that are recognised when they come again: the last one, and
# those before it in case that one overtook them.
_FRAMES_OF_SENDER = 4
# Senders and neighbours that are remembered.
_SENDERS_MAX = 64
_NEIGHBOURS_MAX = 64


class Radio(Protocol):
    """What the MAC needs of a radio."""

    def send(self, frame: bytes) -> tuple[bytes, float]:
        """Send a frame, and return when it has left."""
        ...

    def transmit(self, frame: bytes, first_s: float | None = None) -> bytes:
        """Hand a frame to the air; return it with its check sequence.

        Parameters
        ----------
        first_s
            When its first attempt was sent, in seconds since 1970. Default: now.
        """
        ...

    def acknowledge(self, answer: bytes) -> bytes:
        """Send an acknowledgement, unless the radio does so by itself.

        Returns
        -------
        bytes
            The acknowledgement with its check sequence.
        """
        ...

    def is_unanswered(self, frame: bytes) -> bool:
        """Tell whether a frame that was sent is known to get no acknowledgement."""
        ...

    def receive(self, timeout_s: float) -> list[ReceivedFrame]:
        """Wait for frames; return at once when there are some."""
        ...

    def notices(self) -> list[str]:
        """Return what happened to the radio since the last call."""
        ...

    def fileno(self) -> int:
        """Return a descriptor that is readable when frames can be received."""
        ...

    def close(self) -> None:
        """Leave the air."""
        ...


class Secured(Protocol):
    """Secures and opens enhanced acknowledgements (2015) of secured frames."""

    def opened(self, heard: ReceivedFrame, read: Frame) -> Opened | None:
        """Open a frame that has arrived; None when it is not genuine, or not for us."""
        ...

    def answer(self, read: Frame, opened: Opened) -> bytes | None:
        """Return the acknowledgement of a frame that was opened, if it gets one."""
        ...

    def is_answer(self, acknowledgement: bytes, sent: bytes) -> bool:
        """Tell whether an acknowledgement is genuine and answers a frame."""
        ...


class DeliveredFrame(NamedTuple):
    """A frame for the layer above, and how it was acknowledged."""

    heard: ReceivedFrame
    acknowledgement: bytes = b""
    """With its check sequence; empty when none was sent."""
    listened_s: float = 0.0
    """How long a radio that sleeps otherwise was on before the frame began."""
    read: Frame | None = None
    """What the frame says; None when it cannot be read."""
    opened: Opened | None = None
    """What it was opened to as it arrived; None when it is to be opened yet."""


class Mac:
    """Sends and takes frames by a radio.

    Parameters
    ----------
    radio
        Carries the frames.
    identity
        The addresses of this node.
    retries
        How often a frame that is not acknowledged is sent again.
    secured
        Handles acknowledgements of secured frames of 2015. Default: such frames are not
        acknowledged.
    access
        When the radio hears, and how a frame is sent. Default: the radio is always on.
    clock
        Returns the time in seconds.
    """

    def __init__(
        self,
        radio: Radio,
        identity: Identity,
        *,
        retries: int = RETRIES,
        secured: Secured | None = None,
        access: MediumAccess | None = None,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._access = access or AlwaysListening()
        self._receiver = self._access.receiver(clock())
        self._radio, self._identity, self._clock = radio, identity, clock
        self._retries, self._secured = retries, secured
        self._inbox: deque[DeliveredFrame] = deque()
        self._ready: ReadyEvent | None = None
        self._notices: list[str] = []
        self._timers: OrderedDict[str, AckTimer] = OrderedDict()
        self._latest: OrderedDict[str, deque[_Latest]] = OrderedDict()
        self._under_way: Outgoing | None = None
        self.duplicates = 0
        """Retransmissions that were acknowledged, and not handed on again."""
        self.overflowed = 0
        """Frames that were lost because too many waited."""

    # ---- sending ----

    def send(self, frame: bytes) -> Sending:
        """Send a frame; if it asks for an acknowledgement, until that is there.

        Raises
        ------
        LinkError
            When there is no medium.
        """
        self._settle_what_is_under_way()
        read = parse(frame)
        wants_ack = acks.wants_ack(read)
        if self._access.is_repeating:
            return self._repeated_until_acknowledged(frame, wants_ack=wants_ack)
        if not wants_ack:
            psdu, time_s = self._radio.send(frame)
            return Sending(psdu, time_s)
        outgoing = self._prepared(frame, read)
        self.start(outgoing)
        return self.finish(outgoing)

    @property
    def can_start(self) -> bool:
        """Whether `start` can be used: not by a node that repeats each frame."""
        return not self._access.is_repeating

    def prepared(self, frame: bytes) -> Outgoing:
        """Return a frame that asks for an acknowledgement, ready for `start`."""
        return self._prepared(frame, parse(frame))

    def _prepared(self, frame: bytes, read: Frame) -> Outgoing:
        return Outgoing(frame, self._timer_of(str(read.destination)))

    def start(self, outgoing: Outgoing) -> None:
        """Send a frame once that was prepared.

        It is on the air on return. `finish` waits for the acknowledgement and repeats
        the frame; an acknowledgement that arrives in `receive` counts, too. One frame
        is under way at a time: what is sent before `finish` was called waits until this
        one is settled.

        Raises
        ------
        LinkError
            When there is no medium.
        """
        self._settle_what_is_under_way()
        outgoing.begins(self._clock(), time.time())
        self._attempt(outgoing)
        self._under_way = outgoing

    def finish(self, outgoing: Outgoing) -> Sending:
        """Wait until a frame that was started is acknowledged, or given up.

        Raises
        ------
        LinkError
            When there is no medium.
        """
        self._settle(outgoing)
        return outgoing.sending()

    def _attempt(self, outgoing: Outgoing) -> None:
        """Put a frame on the air, for the first time or again."""
        sent_s = self._clock()
        psdu = self._radio.transmit(outgoing.frame, outgoing.first_s)
        outgoing.was_sent(psdu, sent_s + air_time_s(len(psdu)))

    def _settle(self, outgoing: Outgoing) -> None:
        """Repeat a frame until it is acknowledged or given up."""
        try:
            while not outgoing.is_settled:
                found = self._awaited(
                    outgoing.frame, outgoing.until_s, stops_early=True
                )
                self._note_answer(outgoing, found)
                if not found and outgoing.attempts > self._retries:
                    outgoing.was_given_up(self._clock())
                elif not found:
                    self._attempt(outgoing)
        finally:
            # Nobody waits for it any more.
            if self._under_way is outgoing:
                self._under_way = None

    def _note_answer(self, outgoing: Outgoing | None, found: bytes) -> None:
        if found and outgoing is not None:
            outgoing.was_answered(found, self._clock())

    def _settle_what_is_under_way(self) -> None:
        if self._under_way is not None:
            self._settle(self._under_way)

    def _repeated_until_acknowledged(self, frame: bytes, *, wants_ack: bool) -> Sending:
        """Repeat a frame until it is acknowledged, or everybody has woken up."""
        access = self._access
        start_s, first_s = self._clock(), time.time()
        psdu, acknowledgement, attempts = b"", b"", 0
        air_s = air_time_s(len(frame) + FCS_SIZE)
        for _ in range(1 + self._retries if wants_ack else 1):
            train_s = self._clock()
            while self._clock() - train_s < access.repeats_for_s(air_s):
                sent_s = self._clock()
                psdu = self._radio.transmit(frame, first_s)
                attempts += 1
                until_s = sent_s + air_s + access.gap_s
                acknowledgement = self._awaited(frame if wants_ack else None, until_s)
                if acknowledgement:
                    break
            if acknowledgement:
                break
        time_s = self._clock() - start_s
        return Sending(
            psdu,
            time_s,
            attempts,
            acknowledgement,
            was_asked=wants_ack,
            listened_s=max(time_s - attempts * air_s, 0.0),
        )

    def _awaited(
        self, frame: bytes | None, until_s: float, *, stops_early: bool = False
    ) -> bytes:
        """Wait for the acknowledgement of a frame; return it, or nothing.

        Parameters
        ----------
        stops_early
            Whether to wait no longer once the radio knows that none will come.
        """
        found = b""
        left_s = until_s - self._clock()
        while True:
            # What has come meanwhile counts also when the time is over.
            for heard in self._radio.receive(max(left_s, 0.0)):
                # A radio that waits for an answer is on.
                found = self._take(heard, frame) or found
            self._notices += self._radio.notices()
            left_s = until_s - self._clock()
            if found or left_s <= 0:
                return found
            if stops_early and frame is not None and self._radio.is_unanswered(frame):
                return b""

    def _timer_of(self, neighbour: str) -> AckTimer:
        timer = self._timers.setdefault(neighbour, AckTimer())
        if len(self._timers) > _NEIGHBOURS_MAX:
            self._timers.popitem(last=False)
        return timer

    # ---- receiving ----

    def receive(self, timeout_s: float) -> list[DeliveredFrame]:
        """Wait for frames for the layer above; return at once when there are some."""
        if not self._inbox:
            for heard in self._radio.receive(timeout_s):
                self._take_if_awake(heard)
        taken = list(self._inbox)
        self._inbox.clear()
        if self._ready is not None:
            self._ready.clear()
        return taken

    def fileno(self) -> int:
        """Return a descriptor that is readable when `receive` has something."""
        if self._ready is None:
            self._ready = ReadyEvent(self._radio.fileno())
            if self._inbox:
                self._ready.set()
        return self._ready.fileno()

    def notices(self) -> list[str]:
        """Return what happened to the radio since the last call."""
        notices = self._notices + self._radio.notices()
        self._notices = []
        return notices

    def close(self) -> None:
        """Leave the air."""
        if self._ready is not None:
            self._ready.close()
            self._ready = None
        self._radio.close()

    def _take_if_awake(self, heard: ReceivedFrame) -> None:
        """Take a frame, unless the radio was asleep."""
        if self._receiver is None:
            outgoing = self._under_way
            sent = None if outgoing is None else outgoing.frame
            self._note_answer(outgoing, self._take(heard, sent))
            return
        end_s = self._clock()
        start_s = end_s - air_time_s(len(heard.psdu))
        listened_s = self._receiver.hears(start_s, end_s)
        if listened_s is not None:
            self._take(heard, listened_s=listened_s)

    def _take(
        self, heard: ReceivedFrame, sent: bytes | None = None, listened_s: float = 0.0
    ) -> bytes:
        """Take a frame; return it if it is the acknowledgement of what was sent."""
        try:
            read = parse(heard.frame)
        except FrameError:
            # Said by the layer above, which reads it again.
            self._put(DeliveredFrame(heard, listened_s=listened_s))
            return b""
        if read.type is FrameType.ACKNOWLEDGEMENT:
            is_ours = sent is not None and self._answers(read, heard.frame, sent)
            return heard.psdu if is_ours else b""
        if acks.wants_ack(read) and self._identity.is_addressed(read):
            self._take_and_acknowledge(heard, read, listened_s)
        elif not (self._access.is_repeating and self._is_heard_again(heard, read)):
            self._put_opened(DeliveredFrame(heard, listened_s=listened_s, read=read))
        return b""

    def _is_heard_again(self, heard: ReceivedFrame, read: Frame) -> bool:
        """Tell whether a frame to all has been heard before, and remember it."""
        sender, now_s = str(read.source), self._clock()
        if self._repeated(sender, heard.psdu, now_s) is not None:
            self.duplicates += 1
            return True
        self._remember(sender, _Latest(heard.psdu, b"", now_s))
        return False

    def _answers(self, read: Frame, acknowledgement: bytes, sent: bytes) -> bool:
        if read.security is None:
            return acks.belongs_to(acknowledgement, sent)
        return self._secured is not None and self._secured.is_answer(
            acknowledgement, sent
        )

    def _take_and_acknowledge(
        self, heard: ReceivedFrame, read: Frame, listened_s: float
    ) -> None:
        sender, now_s = str(read.source), self._clock()
        latest = self._repeated(sender, heard.psdu, now_s)
        if latest is not None:
            # The acknowledgement was lost. The same one again: what secured it is
            # used for the same content.
            self.duplicates += 1
            self._radio.acknowledge(latest.answer)
            return
        if len(self._inbox) >= WAITING_MAX:
            self.overflowed += 1
            return
        opened = self._opened(heard, read)
        answer = self._answer(read, opened)
        psdu = b""
        if answer is not None:
            psdu = self._radio.acknowledge(answer)
            self._remember(sender, _Latest(heard.psdu, answer, now_s))
        self._put(DeliveredFrame(heard, psdu, listened_s, read, opened))

    def _repeated(self, sender: str, psdu: bytes, now_s: float) -> _Latest | None:
        """Return the frame of a sender that this one repeats, or None."""
        known = self._latest.get(sender, ())
        return next((each for each in known if each.is_repeated(psdu, now_s)), None)

    def _remember(self, sender: str, latest: _Latest) -> None:
        frames = self._latest.setdefault(sender, deque(maxlen=_FRAMES_OF_SENDER))
        frames.append(latest)
        self._latest.move_to_end(sender)
        if len(self._latest) > _SENDERS_MAX:
            self._latest.popitem(last=False)

    def _opened(self, heard: ReceivedFrame, read: Frame) -> Opened | None:
        return None if self._secured is None else self._secured.opened(heard, read)

    def _answer(self, read: Frame, opened: Opened | None) -> bytes | None:
        if read.version is not Version.V2015 or read.security is None:
            return acks.unsecured_answer_to(read)
        if self._secured is None or opened is None:
            return None
        return self._secured.answer(read, opened)

    def _put_opened(self, taken: DeliveredFrame) -> None:
        """Put a frame that asks for nothing; what finds no room is not opened."""
        if taken.read is not None and len(self._inbox) < WAITING_MAX:
            taken = taken._replace(opened=self._opened(taken.heard, taken.read))
        self._put(taken)

    def _put(self, taken: DeliveredFrame) -> None:
        if len(self._inbox) >= WAITING_MAX:
            self.overflowed += 1
        else:
            self._inbox.append(taken)
            if self._ready is not None:
                self._ready.set()


@dataclass(frozen=True, slots=True)
class _Latest:
    """A recent frame of a sender that was acknowledged, or strobed to all."""

    psdu: bytes
    answer: bytes
    at_s: float

    def is_repeated(self, psdu: bytes, now_s: float) -> bool:
        """Tell whether a frame is a retransmission of it.

        Its bytes are compared, not its sequence number alone: a sender that was
        restarted may use the same number for something else.
        """
        return psdu == self.psdu and now_s - self.at_s <= _DUPLICATE_AGE_S
