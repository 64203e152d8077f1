# SPDX-License-Identifier: Apache-2.0
"""Changes of a network, while an adversary has the air, in random schedules.

It loses, delays, repeats, changes, cuts and reflects frames, and plays old ones. To
what `network_under_changes` says must hold all the time, this adds:

- what a node opens somebody has sent so, bit for bit;
- a message comes from the node that has sent it;
- a node has no counter of a key that it does not have any more.

Time is virtual: it goes on where a node waits and nothing comes.
"""

from __future__ import annotations

import os
import random
import tempfile
import time
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from network_under_changes import FIRST, World
from quiet_air import Air

from samara.link.ieee802154.frames.fcs import FCS_SIZE, fcs_of
from samara.link.ieee802154.keys import invitations, newcomer_runs
from samara.link.ieee802154.keys.group import numbers_of
from samara.link.ieee802154.keys.neighbours import EXPECTED, SENT, SharedKey
from samara.link.ieee802154.keys.table import Table
from samara.link.ieee802154.mac.mac import Mac
from samara.link.node import state_file
from samara.link.node.link import BROADCAST

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from quiet_air import Radio

    from samara.link.ieee802154.frames.frame import Address
    from samara.link.ieee802154.keys.table import Opened
    from samara.link.node.node import Received
    from samara.link.node.quantities import Number

NAMES = (FIRST, "bob", "carol", "dave")
STEPS = 25
LONGEST = 125
"""Bytes of a frame without check sequence."""
SETTINGS: tuple[tuple[Mapping[str, Any], Mapping[str, Any]], ...] = (
    ({}, {}),
    ({}, {"late_frames": True}),
    ({"level": 6, "addresses": "extended"}, {"frame_retries": 2}),
    ({"frame_version": 2015}, {"frame_retries": 2}),
    (
        {"frame_version": 2015, "key_id_mode": 3, "addresses": "extended"},
        {"frame_retries": 3, "late_frames": True},
    ),
    ({"suite": "ascon-aead128", "key_id_mode": 2}, {}),
)
"""Of the network, and of each run."""
# To look for more: SAMARA_HYPOTHESIS=explore.
_IS_SHORT = os.environ.get("SAMARA_HYPOTHESIS", "repeat") == "repeat"
SEEDS = range(6, 12) if _IS_SHORT else range(2000)


@dataclass
class HostileAir(Air):
    """An adversary between the radios, as long as it is awake."""

    chance: random.Random = field(default_factory=random.Random)
    is_awake: bool = False
    now_s: float = 1000.0
    _held: list[tuple[Radio, bytes]] = field(default_factory=list)

    def pass_time(self, time_s: float) -> None:
        self.now_s += time_s

    def carry(self, source: Radio, psdu: bytes) -> None:
        if not self.is_awake:
            super().carry(source, psdu)
            return
        self.sent.append(psdu)
        if not self.arrives(len(self.sent) - 1):
            return
        for radio in self.radios:
            if radio is not source:
                self._pass_on(radio, psdu)
        if self.chance.random() < 0.04:
            source.waiting.append(psdu)
        if self.chance.random() < 0.08:
            self.hear_again(self.chance.choice(self.sent))
        while self._held and self.chance.random() < 0.4:
            self._let_go()

    def _pass_on(self, radio: Radio, psdu: bytes) -> None:
        frames = {
            "as it is": [psdu],
            "lost": [],
            "held": [],
            "twice": [psdu, psdu],
            "changed": [self._changed(psdu)],
        }
        (what,) = self.chance.choices([*frames], [70, 10, 10, 5, 5])
        radio.waiting += frames[what]
        if what == "held":
            self._held.append((radio, psdu))

    def _let_go(self) -> None:
        radio, psdu = self._held.pop(self.chance.randrange(len(self._held)))
        radio.waiting.insert(self.chance.randint(0, len(radio.waiting)), psdu)

    def _changed(self, psdu: bytes) -> bytes:
        """Flip a bit, cut, or insert, under a check sequence that is right."""
        frame = bytearray(psdu[:-FCS_SIZE])
        at = self.chance.randrange(len(frame))
        match self.chance.randrange(3):
            case 0:
                frame[at] ^= 1 << self.chance.randrange(8)
            case 1:
                del frame[at:]
            case _:
                frame[at:at] = self.chance.randbytes(2)
        made = bytes(frame[:LONGEST])
        return made + fcs_of(made)

    def sleep(self) -> None:
        """Do nothing from now on; what is held arrives."""
        self.is_awake = False
        while self._held:
            self._let_go()


class HostileWorld(World):
    """A network in a hostile air."""

    rounds_most = 150
    air: HostileAir

    def __init__(self, folder: Path, patches: pytest.MonkeyPatch, seed: int) -> None:
        self.chance = random.Random(seed)  # noqa: S311 - repeatable, not secret
        self.given, self.at_each_run = SETTINGS[seed % len(SETTINGS)]
        self.authors: dict[bytes, str] = {}
        air = HostileAir(chance=self.chance)
        patches.setattr(time, "monotonic", lambda: air.now_s)
        clock = {**(Mac.__init__.__kwdefaults__ or {}), "clock": lambda: air.now_s}
        patches.setattr(Mac.__init__, "__kwdefaults__", clock)
        # It takes no time of processors here.
        patches.setattr(newcomer_runs, "ANSWERED_AFTER_S", 0.0)
        _check_what_is_opened(patches, air)
        super().__init__(folder, patches, air)
        air.is_awake = True

    def run(self, rounds: int = 1) -> None:
        for _ in range(rounds):
            # What came while a node waited is taken before what is on the air.
            super().run(2)
            pauses_s = (0.05, 0.3, 1.0, 2.1) if self.air.is_awake else (1.1,)
            self.air.pass_time(self.chance.choice(pauses_s))

    def act(self, name: str, what: Callable[[Any], object]) -> None:
        self.authors.setdefault(b"message %d" % self._said, self.extended(name))
        super().act(name, what)

    def _note(self, name: str, event: Received) -> None:
        super()._note(name, event)
        known = self.neighbours(name).get(str(event.source))
        if known is not None:
            assert known["extended"] == self.authors[event.message]

    def settle(self) -> None:
        was_awake = self.air.is_awake
        self.air.sleep()
        super().settle()
        for name in self.nodes:
            stored = state_file.numbers_in(self.folders[name])
            counters = {each for each in stored if each.quantity in (SENT, EXPECTED)}
            assert counters <= set(self._counters(name))
        self.air.is_awake = was_awake

    def _counters(self, name: str) -> Iterator[Number]:
        """Yield the counters of all keys that a node has."""
        table = self._table(name)
        records = self.nodes[name].state.records()
        for each in table.neighbours.values():
            for key in each.keys:
                yield from key.numbers(each.name)
        spent = [each.name for each in table.neighbours.values() if each.spent]
        for newcomer in (*invitations.open_names(records), *spent):
            yield from SharedKey(b"").numbers(newcomer)
        if table.group is not None:
            yield from numbers_of(table.group.keys, table.neighbours)

    def step(self) -> None:
        """Let anything happen."""
        chance = self.chance
        name, to = chance.choice(NAMES), chance.choice(NAMES)
        first, second = chance.sample(NAMES[1:], 2)
        can_happen: dict[Callable[[], object], float] = {
            lambda: self.send(name, to): 6,
            lambda: self.send(name, BROADCAST): 3,
            lambda: self.send_acknowledged(name, to): 5,
            lambda: self.act(name, lambda node: node.renew(to)): 4,
            lambda: self.act(name, lambda node: node.renew(to, edhoc=True)): 3,
            lambda: self.act(FIRST, lambda node: node.renew(BROADCAST)): 2,
            lambda: self.act(name, lambda node: node.introduce(first, second)): 3,
            lambda: self.forget(name, to): 1.5,
            lambda: self.join(name, first): 1.5,
            lambda: self.join(name, first, edhoc=True): 1.5,
            lambda: self.run(chance.randint(1, 4)): 8,
            lambda: self.kill_at(name, chance.randrange(9)): 4,
            lambda: self.kill(name): 2,
            lambda: self.close(name): 1,
            lambda: self.open(name): 3,
            lambda: self.back_up(name): 1,
            lambda: self.restore(name): 1,
            self.settle: 1,
        }
        (happens,) = chance.choices([*can_happen], [*can_happen.values()])
        happens()


def _check_what_is_opened(patches: pytest.MonkeyPatch, air: HostileAir) -> None:
    """Let everything fail if a node opens what nobody has sent."""
    open_, is_answer = Table.open, Table.is_answer

    def was_sent(frame: bytes) -> bool:
        return bytes(frame) + fcs_of(frame) in air.sent

    def opened(table: Table, frame: bytes) -> Opened:
        found = open_(table, frame)
        assert was_sent(frame), "opened what nobody has sent"
        return found

    def answers(table: Table, frame: bytes, address: Address, confirmed: bytes) -> bool:
        is_genuine = is_answer(table, frame, address, confirmed)
        assert not is_genuine or was_sent(frame), "confirmed by what nobody has sent"
        return is_genuine

    patches.setattr(Table, "open", opened)
    patches.setattr(Table, "is_answer", answers)


@pytest.mark.slow
@pytest.mark.parametrize("seed", SEEDS)
def test_a_network_survives_an_adversary(
    seed: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    # In memory, if that is possible: each step waits for the disk.
    memory = "/dev/shm" if os.access("/dev/shm", os.W_OK) else None  # noqa: S108
    with (
        monkeypatch.context() as patches,
        tempfile.TemporaryDirectory(dir=memory) as folder,
    ):
        world = HostileWorld(Path(folder), patches, seed)
        for _ in range(STEPS):
            world.step()
        world.settle()
        world.end()
