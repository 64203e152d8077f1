# SPDX-License-Identifier: Apache-2.0
"""The neighbours of a running node in the tables of C, with their durable counters.

Each key has one transmit counter, which the state has by the neighbour and the key's
generation: two keys never share one, and a key never has two.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from samara.link.ieee802154.frames.frame import FrameError, build
from samara.link.ieee802154.frames.levels import ENCRYPTION_ONLY, authenticates
from samara.link.ieee802154.frames.security import Role, Security, TableError
from samara.link.ieee802154.keys.group import numbers_of
from samara.link.ieee802154.keys.neighbours import (
    CURRENT,
    EXPECTED,
    NEIGHBOURS_MAX,
    NEXT,
    PREVIOUS,
    SENT,
    Neighbour,
    SharedKey,
    record_name,
)
from samara.link.ieee802154.keys.received import Received
from samara.link.node.link import NeighbourError
from samara.link.node.members import Change
from samara.link.node.quantities import Value
from samara.link.node.state import KEYS_REPLACED

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from samara.link.ieee802154.frames.frame import Address, Frame
    from samara.link.ieee802154.frames.template import FrameTemplate
    from samara.link.ieee802154.keys.group import Group
    from samara.link.node.quantities import Number
    from samara.link.node.state import Counter, State
    from samara.link.node.state_file import Record

_ROLES = {CURRENT: Role.CURRENT, NEXT: Role.NEXT, PREVIOUS: Role.PREVIOUS}
_KEYS_EACH = len(_ROLES)
# Those of neighbours are the places of their devices.
_GROUP_FAMILY = 0xFF
_NOTHING = Change()


@dataclass(frozen=True, slots=True)
class Opened:
    """A frame of a neighbour, genuine and new."""

    payload: bytes
    neighbour: Neighbour
    key: SharedKey
    lost_before: int
    numbers: dict[Number, Value]
    """What is to be stored before it is handed on."""


class Table:
    """The neighbours of a node, by name.

    Parameters
    ----------
    settings
        Those of the node, checked.
    template
        Of its frames.
    state
        Has the counters.
    """

    def __init__(
        self, settings: Mapping[str, Any], template: FrameTemplate, state: State
    ) -> None:
        self.neighbours: dict[str | None, Neighbour] = {}
        self._counted: dict[str | None, tuple[Number, Number]] | None = None
        self._template, self._state = template, state
        self._cipher = settings["suite"]
        self._pan = int(settings["pan"], 16)
        self._own = bytes.fromhex(settings["own"]["extended"])
        # Nodes that were made before it could be chosen do not.
        self._takes_late = bool(settings.get("late_frames"))
        room = 1 if settings["peer"] else NEIGHBOURS_MAX
        self._security = Security(
            self._own,
            self._pan,
            keys=_KEYS_EACH * (room + 1),
            devices=room,
            late=self._takes_late,
        )
        # Before devices are added: a device begins with the level required of all.
        self._security.require(template.level)
        self._devices: dict[int, str | None] = {}
        self._keys: dict[int, tuple[str | None, int]] = {}
        self._received: dict[tuple[int, int], Received] = {}
        self._trials: dict[str | None, tuple[SharedKey, Security]] = {}
        self.group: Group | None = None
        """The group that the node is in, if it is in one."""
        self._group_keys: dict[int, int] = {}

    def store(
        self,
        *after: Neighbour | Group,
        numbers: Mapping[Number, int | Value] = MappingProxyType({}),
        change: Change = _NOTHING,
    ) -> None:
        """Store neighbours and the group in one durable write, and only then use them.

        The counters of keys that they have no more are removed by the same write.

        Parameters
        ----------
        after
            What they are from now on. One neighbour can be given as it is after each
            of several steps: the last one is stored, and the tables take all of them.
        numbers
            Numbers that are stored with them.
        change
            Other records, and other numbers that are removed.

        Raises
        ------
        StateError
            When it could not be stored; then nothing is used.
        """
        last = {each.record_name: each for each in after}
        records: dict[str, Record | None] = {**change.records}
        records |= {name: each.as_record() for name, each in last.items()}
        if record_name(None) in last:
            # The first key of a pair is there.
            records[KEYS_REPLACED] = {"by": record_name(None)}
        gone = [number for each in last.values() for number in self._gone_in(each)]
        self._state.store(numbers, records, forgotten=[*change.forgotten, *gone])
        for each in after:
            if isinstance(each, Neighbour):
                self.put(each)
            else:
                self.put_group(each)

    def _gone_in(self, after: Neighbour | Group) -> Sequence[Number]:
        """Return the numbers of keys that are in the tables, and not in this."""
        kept = {each.generation for each in after.keys}
        if not isinstance(after, Neighbour):
            before = self.group.keys if self.group is not None else ()
            gone = [each for each in before if each.generation not in kept]
            return numbers_of(gone, self.neighbours)
        known = self.neighbours.get(after.name)
        keys = known.keys if known is not None else ()
        gone = [each for each in keys if each.generation not in kept]
        return [number for each in gone for number in each.numbers(after.name)]

    def put_group(self, group: Group) -> None:
        """Add the group, or change its keys as they were stored.

        All neighbours use each of its keys, with counters of their own.
        """
        places = {generation: at for at, generation in self._group_keys.items()}
        before = self.group
        if (
            before
            and before.has_next
            and before.newest.generation == (group.current.generation)
        ):
            # What was current is previous, and counters stay as they are.
            self._security.rotate(_GROUP_FAMILY)
        wanted = {key.generation: key for key in group.keys}
        for generation in places.keys() - wanted.keys():
            place = places[generation]
            self._security.remove_key(place)
            del self._group_keys[place]
        for generation in sorted(wanted.keys() - places.keys()):
            self._add_group(wanted[generation])
        self.group = group

    def _add_group(self, key: SharedKey) -> None:
        place = self._security.add_key(
            key.key,
            self._template.with_key(key.index).key_id,
            cipher=self._cipher,
            role=_ROLES[key.role],
            family=_GROUP_FAMILY,
        )
        self._group_keys[place] = key.generation
        for device, name in self._devices.items():
            self._received[device, place] = self._receiving(
                device, place, key.number(EXPECTED, name)
            )

    def _receive_in_group(self, device: int, name: str | None) -> None:
        for place, key in self._group_places():
            if (device, place) not in self._received:
                self._received[device, place] = self._receiving(
                    device, place, key.number(EXPECTED, name)
                )

    def _group_places(self) -> Iterator[tuple[int, SharedKey]]:
        keys = self.group.keys if self.group is not None else ()
        by_generation = {key.generation: key for key in keys}
        for place, generation in self._group_keys.items():
            yield place, by_generation[generation]

    def _receiving(self, device: int, place: int, number: Number) -> Received:
        late = self._takes_late
        return Received(self._security, device, place, self._state, number, late=late)

    def put(self, neighbour: Neighbour) -> None:
        """Add a neighbour, or change its keys as they were stored.

        Raises
        ------
        samara.errors.TableError
            When the table is full, or another one has its address.
        """
        device = self._security.add_device(
            neighbour.extended, pan=self._pan, short=neighbour.short
        )
        self._devices[device] = neighbour.name
        places = {
            key[1]: at for at, key in self._keys.items() if key[0] == neighbour.name
        }
        before = self.neighbours.get(neighbour.name)
        next_before = before and before.with_role(NEXT)
        if next_before and next_before.generation == neighbour.current.generation:
            # What was current is previous, and what was previous is gone.
            self._security.rotate(device)
            gone = before and before.with_role(PREVIOUS)
            if gone:
                del self._keys[places.pop(gone.generation)]
        wanted = {key.generation: key for key in neighbour.keys}
        kept = {
            key.generation
            for key in (before.keys if before else ())
            if key.generation in wanted and key.key == wanted[key.generation].key
        }
        # Also a key whose place another one of its generation takes.
        for generation in places.keys() - kept:
            place = places.pop(generation)
            self._security.remove_key(place)
            del self._keys[place]
        for generation in sorted(wanted.keys() - places.keys()):
            self._add(neighbour.name, wanted[generation], device)
        self.neighbours[neighbour.name] = neighbour
        self._counted = None
        self._receive_in_group(device, neighbour.name)

    def remove(self, name: str | None) -> None:
        """Remove a neighbour with its keys."""
        device = next(at for at, each in self._devices.items() if each == name)
        for place in [at for at, key in self._keys.items() if key[0] == name]:
            self._security.remove_key(place)
            del self._keys[place]
        self._security.remove_device(device)
        # Who takes the place begins with counters of its own.
        self._received = {
            at: each for at, each in self._received.items() if at[0] != device
        }
        del self._devices[device], self.neighbours[name]
        self._counted = None

    def counted(self) -> Mapping[str | None, tuple[Number, Number]]:
        """Return the counters of each neighbour's current key.

        The first counts what is sent with it, the second what is received.
        """
        if self._counted is None:
            keys = {name: of.current for name, of in self.neighbours.items()}
            self._counted = {
                name: (key.number(SENT, name), key.number(EXPECTED, name))
                for name, key in keys.items()
            }
        return self._counted

    def _add(self, name: str | None, key: SharedKey, device: int) -> None:
        mode = self._template.key_id.mode
        place = self._security.add_key(
            key.key,
            self._template.with_key(key.index).key_id,
            cipher=self._cipher,
            role=_ROLES[key.role],
            family=device,
            # Implicit keys of several neighbours are told apart by the sender alone.
            device=device if mode == 0 or name is not None else None,
            encryption_only=self._template.level == ENCRYPTION_ONLY,
        )
        self._keys[place] = (name, key.generation)
        self._received[device, place] = self._receiving(
            device, place, key.number(EXPECTED, name)
        )

    def group_counter(self, key: SharedKey) -> Counter:
        """Return the transmit counter of a key of the group."""
        return self._state.counter(key.number(SENT, None))

    def counter(self, to: str | None) -> Counter:
        """Return the transmit counter of the key that a neighbour is sent to with."""
        return self._state.counter(self.neighbours[to].current.number(SENT, to))

    def protect(self, payload: bytes, to: str | None) -> tuple[int, bytes]:
        """Return the counter and the bytes of a frame to a neighbour."""
        neighbour = self.neighbours[to]
        template = self._template.to(neighbour.short, neighbour.extended)
        if neighbour.is_joining:
            template = template.from_extended(self._own)
        counter = self.counter(to).take()
        frame = template.with_key(neighbour.current.index).frame(payload, counter)
        if frame.security is None:
            return counter, build(frame)
        self._security.set_transmit_counter(self._place(neighbour), counter)
        return counter, self._security.protect(frame)

    def protect_for_all(self, payload: bytes) -> tuple[int, bytes]:
        """Return the counter and the bytes of a frame to the group."""
        if self.group is None:
            message = "this node is in no group"
            raise NeighbourError(message)
        key = self.group.current
        place = next(at for at, each in self._group_places() if each == key)
        counter = self.group_counter(key).take()
        template = self._template.to_all().with_key(key.index)
        self._security.set_transmit_counter(place, counter)
        return counter, self._security.protect(template.frame(payload, counter))

    def _place(self, neighbour: Neighbour) -> int:
        wanted = (neighbour.name, neighbour.current.generation)
        return next(place for place, key in self._keys.items() if key == wanted)

    def is_known(self, extended: bytes) -> bool:
        """Return whether a neighbour has this address."""
        return self._security.device(extended) is not None

    def open(self, frame: bytes) -> Opened:
        """Open a frame that is for this node.

        Raises
        ------
        FrameError
            When it is not genuine, not new, or not of a neighbour.
        """
        opened = self._security.open(frame)
        payload = opened.frame.payload
        if opened.device is None or opened.key is None:
            # Level 0: only pairs have it.
            only = next(iter(self.neighbours.values()))
            return Opened(payload, only, only.current, 0, {})
        name = self._devices[opened.device]
        neighbour = self.neighbours[name]
        received = self._received[opened.device, opened.key]
        in_group = dict(self._group_places()).get(opened.key)
        if in_group is not None:
            key = in_group
        else:
            generation = self._keys[opened.key][1]
            key = next(each for each in neighbour.keys if each.generation == generation)
        lost = received.count_lost(opened)
        numbers = received.numbers() if authenticates(opened.level) else {}
        return Opened(payload, neighbour, key, lost, numbers)

    def protect_answer(self, frame: Frame, to: str | None) -> bytes:
        """Return the secured acknowledgement of a frame that a neighbour has sent."""
        neighbour = self.neighbours[to]
        template = self._template.to(neighbour.short, neighbour.extended)
        counter = self.counter(to).take()
        self._security.set_transmit_counter(self._place(neighbour), counter)
        return self._security.protect(
            template.with_key(neighbour.current.index).answer_to(frame)
        )

    def is_answer(self, frame: bytes, address: Address, confirmed: bytes) -> bool:
        """Tell whether a secured acknowledgement is genuine and confirms something.

        Its counter does not count as received in the tables of C: a frame with a lower
        one may still come, since nothing waits longer than a frame that is repeated.

        Parameters
        ----------
        address
            Of the neighbour.
        confirmed
            What it has to contain.
        """
        for name, neighbour in self.neighbours.items():
            if address.short == neighbour.short or address.long == neighbour.extended:
                return bool(confirmed) and self._confirms(frame, name, confirmed)
        return False

    def _confirms(self, frame: bytes, name: str | None, confirmed: bytes) -> bool:
        neighbour = self.neighbours[name]
        trial = self._trials.get(name)
        if trial is None or trial[0] != neighbour.current:
            trial = neighbour.current, self._trial_of(neighbour)
            self._trials[name] = trial
        try:
            opened = trial[1].open(frame)
        except FrameError:
            return False
        device = self._security.device(neighbour.extended)
        if device is not None:
            received = self._received[device, self._place(neighbour)]
            received.note_answer(trial[1].receive_counter(0, 0) - 1)
        return opened.frame.payload == confirmed

    def _trial_of(self, neighbour: Neighbour) -> Security:
        trial = Security(self._own, self._pan, keys=1, devices=1)
        trial.require(self._template.level)
        key_id = self._template.with_key(neighbour.current.index).key_id
        trial.add_key(neighbour.current.key, key_id, cipher=self._cipher)
        trial.add_device(neighbour.extended, pan=self._pan, short=neighbour.short)
        return trial

    def kept(self, numbers: Mapping[Number, int | Value]) -> dict[Number, int | Value]:
        """Return those of these numbers whose keys and neighbours are there still.

        Those of others were removed with them. A later neighbour of the same name
        would begin where they are.
        """
        return {each: value for each, value in numbers.items() if self._has(each)}

    def _has(self, number: Number) -> bool:
        neighbour = self.neighbours.get(number.peer or None)
        if neighbour is None:
            return False
        group_keys = self.group.keys if self.group is not None else ()
        keys = group_keys if number.of_group else neighbour.keys
        return any(key.generation == number.generation for key in keys)

    def unsaved(self) -> dict[Number, Value]:
        """Return the receive counters that acknowledgements alone have raised."""
        numbers: dict[Number, Value] = {}
        for (_, place), received in self._received.items():
            if place in self._keys and received.is_unsaved:
                numbers |= received.numbers()
        return numbers

    def refreshed(self, opened: Opened) -> Opened:
        """Return what was opened before, with neighbour and key as they are now.

        Raises
        ------
        FrameError
            When the neighbour was removed meanwhile.
        """
        neighbour = self.neighbours.get(opened.neighbour.name)
        if neighbour is None:
            text = "the sender is no neighbour any more"
            raise FrameError(text, "no-device")
        if opened.key.is_group:
            return replace(opened, neighbour=neighbour)
        kept = (k for k in neighbour.keys if k.generation == opened.key.generation)
        return replace(opened, neighbour=neighbour, key=next(kept, opened.key))

    def protect_for_stranger(
        self, payload: bytes, name: str | None, key: SharedKey, extended: bytes
    ) -> bytes:
        """Return a frame to one that has a key, and is not the neighbour of that key.

        Parameters
        ----------
        name
            Whom the key belongs to: a neighbour, or the newcomer of an invitation. The
            frame has the next value of the one transmit counter of that key.
        extended
            Address of the receiver.
        """
        trial = self._trial_with(key, extended)
        counter = self._state.counter(key.number(SENT, name)).take()
        trial.set_transmit_counter(0, counter)
        template = self._template.to_extended(extended).with_key(key.index)
        return trial.protect(template.frame(payload, counter))

    def _trial_with(self, key: SharedKey, extended: bytes) -> Security:
        trial = Security(self._own, self._pan, keys=1, devices=1)
        trial.require(self._template.level)
        key_id = self._template.with_key(key.index).key_id
        trial.add_key(key.key, key_id, cipher=self._cipher)
        trial.add_device(extended, pan=self._pan)
        return trial

    def opened_with(
        self, frame: bytes, extended: bytes, key: bytes, lowest: int = 0
    ) -> Opened | None:
        """Open a frame of an unknown sender with a key that it may have, or not.

        Parameters
        ----------
        extended
            The address that the frame comes from.
        key
            Key of an invitation.
        lowest
            The lowest frame counter that is accepted.
        """
        shared = SharedKey(key)
        try:
            trial = self._trial_with(shared, extended)
            trial.set_receive_counter(0, 0, lowest)
            opened = trial.open(frame)
        except (FrameError, TableError):
            # Also a sender that claims to be this node.
            return None
        expected = trial.receive_counter(0, 0)
        nobody = Neighbour("", 1, extended, (shared,))
        return Opened(
            opened.frame.payload,
            nobody,
            shared,
            0,
            {shared.number(EXPECTED, None): Value(expected)},
        )
