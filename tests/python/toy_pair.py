# SPDX-License-Identifier: Apache-2.0
"""Two nodes of the toy link, which are killed, and machines that lose their power."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from link_toys import WIRES

from samara.link.node import folder as folders
from samara.link.node import unsynced
from samara.link.node.events import Event, Received
from samara.link.node.node import Node
from samara.link.node.state_file import FILE

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    import pytest

    from samara.link.node.state import State


class Machine:
    """A machine that can lose its power."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self._boot = 1
        monkeypatch.setattr(unsynced, "boot", lambda: self._boot)

    def restart(self) -> None:
        self._boot += 1


def kill(state: State) -> None:
    """Leave a state as a process leaves it that is killed."""
    state._database.close()  # noqa: SLF001 - as the kernel does
    state._witness.close()  # noqa: SLF001
    os.close(state._lock)  # noqa: SLF001


class Two:
    """Nodes `a` and `b`, which can be killed."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self.wire = WIRES["w"]
        folders.make_pair(folder / "a", "toy", {"wire": "w"})
        folders.make_second(folder / "b", folder / "a", {})
        self.nodes = {end: Node(folder / end) for end in "ab"}
        self.heard: dict[str, list[bytes]] = {"a": [], "b": []}

    def stay_up(self, ends: str = "ab") -> None:
        for end in ends:
            self.nodes[end].stay_up()

    def kill(self, end: str) -> None:
        kill(self.nodes[end].state)

    def start(self, end: str) -> None:
        self.nodes[end] = Node(self._folder / end)
        self.stay_up(end)

    def restart(self, end: str) -> None:
        self.kill(end)
        self.start(end)

    def files(self, end: str) -> dict[Path, bytes]:
        """Return what the files of a state contain."""
        paths = [self._folder / end / name for name in (FILE, f"{FILE}-wal")]
        return {path: path.read_bytes() for path in paths if path.exists()}

    def talk(self, rounds: int = 1) -> None:
        for _ in range(rounds):
            for end in self.nodes:
                self.talk_of(end)

    def talk_of(self, end: str) -> None:
        node = self.nodes[end]
        self._hand_on(end, node.receive(0))
        # What was received by then is confirmed.
        self._hand_on(end, node.confirm())

    def _hand_on(self, end: str, events: Sequence[Event]) -> None:
        self.heard[end] += [e.message for e in events if isinstance(e, Received)]

    def send(self, end: str, first: int, count: int) -> None:
        for number in range(first, first + count):
            self.nodes[end].send(b"%d" % number)
            self.talk()

    def close(self) -> None:
        for node in self.nodes.values():
            node.close()
