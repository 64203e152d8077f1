# SPDX-License-Identifier: Apache-2.0
"""Changes of a network during each other: forget, rekey, introduce, kill, restore."""

from __future__ import annotations

import contextlib
import os
import tempfile
from pathlib import Path

import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, rule
from network_under_changes import FIRST, World

from samara.link.node.link import BROADCAST

NAMES = st.sampled_from(["hub", "bob", "carol", "dave"])
OTHERS = st.sampled_from(["bob", "carol", "dave"])


class NetworkUnderChanges(RuleBasedStateMachine):
    """Whatever happens, and in which order."""

    def __init__(self) -> None:
        super().__init__()
        self._end = contextlib.ExitStack()
        patches = self._end.enter_context(pytest.MonkeyPatch.context())
        # In memory, if that is possible: each step waits for the disk.
        memory = "/dev/shm" if os.access("/dev/shm", os.W_OK) else None  # noqa: S108
        folder = self._end.enter_context(tempfile.TemporaryDirectory(dir=memory))
        self.world = World(Path(folder), patches)

    @rule(name=NAMES, to=NAMES)
    def send(self, name: str, to: str) -> None:
        self.world.send(name, to)

    @rule(name=NAMES)
    def send_to_all(self, name: str) -> None:
        self.world.send(name, BROADCAST)

    @rule(name=NAMES, to=NAMES)
    def send_acknowledged(self, name: str, to: str) -> None:
        self.world.send_acknowledged(name, to)

    @rule(name=NAMES, to=NAMES, edhoc=st.booleans())
    def rekey(self, name: str, to: str, edhoc: bool) -> None:  # noqa: FBT001 - drawn
        self.world.act(name, lambda node: node.renew(to, edhoc=edhoc))

    @rule()
    def regroup(self) -> None:
        self.world.act(FIRST, lambda node: node.renew(BROADCAST))

    @rule(by=NAMES, first=OTHERS, second=OTHERS)
    def introduce(self, by: str, first: str, second: str) -> None:
        self.world.act(by, lambda node: node.introduce(first, second))

    @rule(name=NAMES, neighbour=NAMES)
    def forget(self, name: str, neighbour: str) -> None:
        self.world.forget(name, neighbour)

    @rule(inviter=NAMES, name=OTHERS, edhoc=st.booleans())
    def join(self, inviter: str, name: str, edhoc: bool) -> None:  # noqa: FBT001 - drawn
        self.world.join(inviter, name, edhoc=edhoc)

    @rule(rounds=st.integers(1, 4))
    def run(self, rounds: int) -> None:
        self.world.run(rounds)

    @rule(name=NAMES, steps=st.integers(0, 8))
    def kill_at(self, name: str, steps: int) -> None:
        self.world.kill_at(name, steps)

    @rule(name=NAMES)
    def kill(self, name: str) -> None:
        self.world.kill(name)

    @rule(name=NAMES)
    def close(self, name: str) -> None:
        self.world.close(name)

    @rule(name=NAMES)
    def open(self, name: str) -> None:
        self.world.open(name)

    @rule(name=NAMES)
    def back_up(self, name: str) -> None:
        self.world.back_up(name)

    @rule(name=NAMES)
    def restore(self, name: str) -> None:
        self.world.restore(name)

    @rule(count=st.integers(1, 5))
    def lose(self, count: int) -> None:
        self.world.lost = count

    @rule(back=st.integers(1, 40))
    def replay(self, back: int) -> None:
        self.world.air.hear_again(self.world.air.sent[-back:][0])

    @rule()
    def settle(self) -> None:
        self.world.settle()

    def teardown(self) -> None:
        with self._end:
            self.world.settle()
            self.world.end()


# To look for more: SAMARA_HYPOTHESIS=explore.
_IS_SHORT = os.environ.get("SAMARA_HYPOTHESIS", "repeat") == "repeat"
NetworkUnderChanges.TestCase.settings = settings(
    max_examples=12 if _IS_SHORT else settings().max_examples,
    stateful_step_count=20,
)
TestNetworkUnderChanges = pytest.mark.slow(NetworkUnderChanges.TestCase)
