# SPDX-License-Identifier: Apache-2.0
"""One running end of an IEEE 802.15.4 link, at a medium or a radio."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from itertools import zip_longest
from typing import TYPE_CHECKING, NamedTuple

from samara.errors import MisuseError
from samara.link import ieee802154
from samara.link.ieee802154 import radios, receipts
from samara.link.ieee802154.frames.acks import Identity
from samara.link.ieee802154.frames.levels import authenticates
from samara.link.ieee802154.frames.template import FrameTemplate
from samara.link.ieee802154.key_manager import KeyManager
from samara.link.ieee802154.keys import control, group, neighbours
from samara.link.ieee802154.keys.joining import JoinError
from samara.link.ieee802154.keys.table import Table
from samara.link.ieee802154.keys.timers import REPEATED_AFTER_S
from samara.link.ieee802154.mac.mac import Mac
from samara.link.ieee802154.mac.secured_acks import SecuredAcks
from samara.link.ieee802154.medium_access import access_of
from samara.link.node.carriers import Carrier
from samara.link.node.events import Alarm, Refused
from samara.link.node.link import (
    BROADCAST,
    Arrival,
    Batch,
    Link,
    LinkError,
    Transmission,
)
from samara.link.node.options import SettingError
from samara.link.node.receipt import Direction
from samara.link.node.state import CounterEndError

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from samara.link.ieee802154.frames.frame import Frame
    from samara.link.ieee802154.keys.control import Control
    from samara.link.ieee802154.keys.neighbours import SharedKey
    from samara.link.ieee802154.keys.table import Opened
    from samara.link.ieee802154.mac.mac import DeliveredFrame
    from samara.link.ieee802154.mac.outgoing import Outgoing, Sending
    from samara.link.node.end import End
    from samara.link.node.quantities import Number
    from samara.link.node.receipt import Receipt
    from samara.link.node.state import State


_ALARMS = {
    **dict.fromkeys(
        ("authentication", "unsecured", "level", "encryption-only", "mic-size"),
        Alarm.NOT_GENUINE,
    ),
    **dict.fromkeys(("no-key", "source", "legacy-security"), Alarm.NOT_GENUINE),
    **dict.fromkeys(("no-device", "own-address"), Alarm.STRANGER),
    "replay": Alarm.REPLAY,
    "group-key": Alarm.GROUP_KEY,
}
"""Kinds of refusals by the reason that the frame was refused for."""

# Between radios that do not sleep.
_ANSWER_TIME_S = 1.0


class _Outgoing(NamedTuple):
    """A frame that is ready to be sent, or on the air."""

    payload_size: int
    counter: int
    frame: Outgoing


class Ieee802154Link(Link):
    """One end, on the air: of a pair, or of a network with several neighbours."""

    kind = "ieee802154"
    answer_time_s = _ANSWER_TIME_S

    def __init__(self, end: End, state: State) -> None:
        settings = end.settings
        self._state = state
        self._template = FrameTemplate.of(settings)
        self._suite = receipts.suite_of(settings["suite"], self._template.level)
        self._table = _table_of(end, self._template, state)
        self._keys = KeyManager(
            settings,
            self._template,
            table=self._table,
            state=state,
            transmit=self._transmit,
            answer=self._answer,
            forget=self._forget,
        )
        self.key_management = self._keys
        self._lost: Counter[str | None] = Counter()
        access = access_of(settings)
        self._sleeps = access.wait_s > 0
        # The question and the answer each wait until the other end wakes up.
        self.answer_time_s = _ANSWER_TIME_S + 2 * access.wait_s
        self._identity = identity = Identity.of(settings)
        has_secured_acks = (
            self._template.version is ieee802154.Version.V2015
            and authenticates(self._template.level)
        )
        self._is_emulated = radios.is_emulated(settings)
        self._mac = Mac(
            radios.opened(settings, identity),
            identity,
            retries=settings.get("frame_retries") or 0,
            secured=SecuredAcks(self._table, identity) if has_secured_acks else None,
            access=access,
        )

    @property
    def payload_size(self) -> int:
        """Bytes of the longest payload of a frame."""
        return self._template.payload_size

    def counted(self) -> Mapping[str | None, tuple[Number, Number]]:
        """Return the counters of current keys, if frames authenticate."""
        if not authenticates(self._template.level):
            return {}
        return self._table.counted()

    def fileno(self) -> int:
        """Return a descriptor that is readable when something may have arrived."""
        return self._mac.fileno()

    def named(self, to: str | None) -> str | None:
        """Return the neighbour that a name stands for; None for the end of a pair."""
        return self._keys.named(to)

    def send(self, payload: bytes, to: str | None = None) -> Transmission:
        """Protect a frame and send it."""
        to = self.named(to)
        self._keys.check_left(to)
        return self._send(payload, to)

    def send_in_turn(
        self, payloads: Sequence[tuple[bytes, str | None]]
    ) -> Iterator[Transmission]:
        """Send payloads, each of them protected while the one before is on the air.

        That one may wait for its acknowledgement for milliseconds. As soon as it is
        there, the next frame is on the air, and what else the node has to do is done
        meanwhile. A frame that was protected and could not be sent leaves a gap in the
        counters.
        """
        started: _Outgoing | None = None
        for payload, following in zip_longest(payloads, payloads[1:]):
            if started is None and not self._can_start(payload):
                yield self.send(*payload)
                continue
            current = started or self._started(self._outgoing(*payload))
            ahead = self._outgoing_ahead(following)
            sending = self._mac.finish(current.frame)
            started = self._started_ahead(ahead)
            yield self._transmission(current.payload_size, current.counter, sending)

    def _can_start(self, payload: tuple[bytes, str | None]) -> bool:
        """Tell whether the next frame can be on the air when this one is done."""
        is_to_all = payload[1] == BROADCAST
        return self._template.asks_ack and self._mac.can_start and not is_to_all

    def _outgoing(self, payload: bytes, to: str | None) -> _Outgoing:
        to = self.named(to)
        self._keys.check_left(to)
        counter, frame = self._table.protect(payload, to)
        return _Outgoing(len(payload), counter, self._mac.prepared(frame))

    def _outgoing_ahead(
        self, payload: tuple[bytes, str | None] | None
    ) -> _Outgoing | None:
        """Protect the next payload; what is wrong with it is said at its turn."""
        if payload is None or not self._can_start(payload):
            return None
        try:
            return self._outgoing(*payload)
        except MisuseError:
            return None

    def _started(self, ready: _Outgoing) -> _Outgoing:
        self._mac.start(ready.frame)
        return ready

    def _started_ahead(self, ready: _Outgoing | None) -> _Outgoing | None:
        if ready is None:
            return None
        try:
            return self._started(ready)
        except LinkError:
            # It is said at its turn; the frame before was sent.
            return None

    def _send(self, payload: bytes, to: str | None) -> Transmission:
        if to == BROADCAST:
            counter, frame = self._table.protect_for_all(payload)
        else:
            counter, frame = self._table.protect(payload, to)
        return self._transmission(len(payload), counter, self._mac.send(frame))

    def _transmission(
        self, payload_size: int, counter: int, sending: Sending
    ) -> Transmission:
        carrier = Carrier(
            payload_size,
            sending.psdu,
            attempts=sending.attempts,
            acknowledgement=sending.acknowledgement,
            listened_s=sending.listened_s if self._sleeps else None,
        )
        return Transmission(counter, carrier, sending.time_s, sending.was_asked)

    def _transmit(self, said: Control, to: str | None) -> None:
        # What is received meanwhile must not get lost; all of this is repeated.
        try:
            self._send(control.build(said), to)
        except (LinkError, CounterEndError) as error:
            self._keys.notices.append(f"nothing can be said about keys: {error}")

    def _forget(self, name: str) -> None:
        self._lost.pop(name, None)

    def _answer(
        self, said: Control, name: str | None, key: SharedKey, extended: bytes
    ) -> None:
        """Say something to one that has a key and is no neighbour."""
        payload = control.build(said)
        try:
            frame = self._table.protect_for_stranger(payload, name, key, extended)
            self._mac.send(frame)
        except (LinkError, CounterEndError) as error:
            self._keys.notices.append(f"a newcomer was not answered: {error}")

    def receive(self, timeout_s: float) -> Batch:
        """Wait for frames, and open those that are for this node."""
        batch = Batch()
        # First: whoever sent what is there waits for its acknowledgement.
        heard = self._mac.receive(0)
        self._keys.go_on()
        if not heard and timeout_s:
            if self._keys.unsettled():
                timeout_s = min(timeout_s, REPEATED_AFTER_S)
            heard = self._mac.receive(timeout_s)
        for taken in heard:
            try:
                self._take_any(taken, batch)
            except (ieee802154.FrameError, JoinError, control.ControlError) as error:
                batch.refused.append(Refused(str(error), _alarm_of(error)))
        # Meanwhile keys may have been removed.
        batch.numbers = self._table.kept(batch.numbers)
        batch.refused += self._keys.alarms
        self._keys.alarms.clear()
        batch.notices += self._mac.notices() + self._keys.notices
        self._keys.notices.clear()
        return batch

    def _take_any(self, taken: DeliveredFrame, batch: Batch) -> None:
        """Take a frame, if it is for this node."""
        # What could not be read is read again for its error.
        frame = taken.read or ieee802154.parse(taken.heard.frame)
        if self._identity.is_addressed(frame):
            _check_type(frame)
            self._take(taken, frame.source.long, batch)
        elif self._is_to_group(frame):
            self._take_from_group(taken, batch)
        elif self._is_to_anybody(frame):
            self._take_unsecured(taken, batch)

    def _is_to_anybody(self, frame: Frame) -> bool:
        """Tell whether a frame to all is as good as one to this node alone.

        At level 0 neither proves who has sent it. Nodes of others send so what they
        have for all, such as questions for routers; those of samara have groups.
        """
        is_data = frame.type is ieee802154.FrameType.DATA
        is_open = self._template.level == 0 and is_data
        return is_open and self._identity.is_to_all(frame)

    def _take_unsecured(self, taken: DeliveredFrame, batch: Batch) -> None:
        opened = self._table.open(taken.heard.frame)
        arrival = _arrival(opened, taken, opened.lost_before, sleeps=self._sleeps)
        batch.arrivals.append(replace(arrival, to_all=True))

    def _is_to_group(self, frame: Frame) -> bool:
        is_data = frame.type is ieee802154.FrameType.DATA
        has_group = self._table.group is not None
        return has_group and is_data and self._identity.is_to_all(frame)

    def _take_from_group(self, taken: DeliveredFrame, batch: Batch) -> None:
        """Take a frame to all: every member can send it in the name of another."""
        opened = self._table.open(taken.heard.frame)
        batch.numbers.update(opened.numbers)
        if not opened.key.is_group:
            text = "a frame to all that is not secured with the key of the group"
            raise ieee802154.FrameError(text, "group-key")
        lost = opened.lost_before
        batch.arrivals.append(_arrival(opened, taken, lost, sleeps=self._sleeps))

    def _take(self, taken: DeliveredFrame, source: bytes | None, batch: Batch) -> None:
        if source is not None and self._keys.is_newcomer(source):
            self._keys.accept(taken.heard.frame, source)
            return
        try:
            opened = self._opened(taken)
        except ieee802154.FrameError:
            if self._keys.is_repeated(taken.heard.frame, source):
                return
            raise
        batch.numbers.update(opened.numbers)
        name = opened.neighbour.name
        if opened.key.is_group:
            text = "a frame to this node alone that has the key of the group"
            raise ieee802154.FrameError(text, "group-key")
        said = None
        if authenticates(self._template.level):
            self._keys.seen(opened.neighbour, opened.key)
            said = control.parse(opened.payload)
        if said is not None:
            self._lost[name] += opened.lost_before
            self._keys.take(said, name, opened.key)
            return
        lost = opened.lost_before + self._lost.pop(name, 0)
        batch.arrivals.append(_arrival(opened, taken, lost, sleeps=self._sleeps))

    def _opened(self, taken: DeliveredFrame) -> Opened:
        """Open a frame, unless it was opened as it arrived."""
        before = taken.opened
        if before is not None:
            return self._table.refreshed(before)
        return self._table.open(taken.heard.frame)

    def receipt(
        self,
        direction: Direction,
        message: bytes,
        carriers: Sequence[Carrier],
        time_s: float | None,
        answers: Sequence[int] = (),
    ) -> Receipt:
        """Return what a message cost that was sent as these frames."""
        is_sent = direction is Direction.SENT
        carried = receipts.Sent(
            direction=direction,
            message_bytes=len(message),
            frames=[carrier.encoded for carrier in carriers],
            repetitions=[
                carrier.encoded
                for carrier in carriers
                for _ in range(carrier.attempts - 1)
            ],
            acknowledgements=[
                carrier.acknowledgement
                for carrier in carriers
                if carrier.acknowledgement
            ],
            listened_s=_sum_known(carrier.listened_s for carrier in carriers),
            air_s=time_s if is_sent else None,
            delivery_s=None if is_sent else time_s,
            answers=[self._template.psdu_of(size) for size in answers],
            rssi_dbm=_worst(carrier.rssi_dbm for carrier in carriers),
            lqi=_worst(carrier.lqi for carrier in carriers),
            is_emulated=self._is_emulated,
        )
        return receipts.receipt_of(carried, self._suite)

    def close(self) -> None:
        """Leave the air."""
        try:
            self._keys.close()
            # So that acknowledgements are not taken for lost frames.
            if numbers := self._table.unsaved():
                self._state.advance(numbers)
        finally:
            self._mac.close()


def _alarm_of(error: Exception) -> Alarm:
    """Return what kind of refusal an error is."""
    if isinstance(error, JoinError):
        return error.alarm
    if isinstance(error, ieee802154.FrameError):
        return _ALARMS.get(error.reason, Alarm.OTHER)
    return Alarm.OTHER


def _check_type(frame: Frame) -> None:
    """Refuse a frame for this node that has no message.

    Raises
    ------
    FrameError
        When it is one.
    """
    if frame.type is not ieee802154.FrameType.DATA:
        kind = frame.type.name.lower()
        text = f"a {kind} frame for this node, which takes data frames only"
        raise ieee802154.FrameError(text, "type")


def _arrival(
    opened: Opened, taken: DeliveredFrame, lost: int, *, sleeps: bool
) -> Arrival:
    return Arrival(
        payload=opened.payload,
        carrier=Carrier(
            len(opened.payload),
            taken.heard.psdu,
            acknowledgement=taken.acknowledgement,
            listened_s=taken.listened_s if sleeps else None,
            rssi_dbm=taken.heard.rssi_dbm,
            lqi=taken.heard.lqi,
        ),
        source=opened.neighbour.name,
        to_all=opened.key.is_group,
        lost_before=lost,
        delivery_s=taken.heard.delivery_s,
    )


def _sum_known(values: Iterable[float | None]) -> float | None:
    known = [value for value in values if value is not None]
    return sum(known) if known else None


def _worst(values: Iterable[int | None]) -> int | None:
    return min((value for value in values if value is not None), default=None)


def _table_of(end: End, template: FrameTemplate, state: State) -> Table:
    settings = end.settings
    key_size = ieee802154.frame_cipher(settings["suite"]).key_size
    found = neighbours.stored(state, key_size)
    if settings["peer"] is not None and not found:
        if "key" not in end.keys:
            message = "the keys of this node are damaged: there is none"
            raise SettingError(message)
        found = [neighbours.of_pair(settings["peer"], end.keys["key"])]
    table = Table(settings, template, state)
    found_group = group.stored(state.records(), key_size)
    try:
        for each in found:
            table.put(each)
        if found_group is not None:
            table.put_group(found_group)
    except ieee802154.TableError as error:
        message = f"the neighbours of this node are damaged: {error}"
        raise SettingError(message) from None
    return table
