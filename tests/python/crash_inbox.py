# SPDX-License-Identifier: Apache-2.0
"""Kills a node that is kept up, its listener and the sender, as messages go through.

The sender logs what was acknowledged; the listener logs what it uses, before it says
that it has taken it. Whoever is killed at whatever moment: what was acknowledged is in
the log of the listener, and there once, or again with a mark.
"""

from __future__ import annotations

import contextlib
import os
import random
import sys
import time
from collections import Counter, deque
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from crash_command_line import parser_of, run
from crash_joints import JOINTS
from crash_processes import ForkServer, NodeProcess
from crash_rounds import has_seen_enough, rounds_until

from samara.link.node import folder as folders
from samara.link.node.events import Received
from samara.link.node.link import LinkEndedError
from samara.link.node.local_client import RemoteNode
from samara.link.node.local_server import LocalServer
from samara.link.node.local_socket import LocalError
from samara.link.node.node import Node
from samara.link.node.sending import NotAcknowledgedError
from samara.link.node.service import Service

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from crash_joints import Joint

FAULTS = ("acknowledged-when-written",)

_ANSWER_S = 0.3
_LIFE_S = (0.0, 0.03)
"""How long nobody is killed after a message was used."""
_WAIT_S, _PATIENCE_S = 5, 60
_VICTIMS = (("b",), ("b",), ("listener",), ("b", "listener"), ("a",), ("a", "b"))


def plant(fault: str) -> None:
    """Take a care away from a node."""
    if fault == "acknowledged-when-written":
        setattr(LocalServer, "take", _taken_when_written)  # noqa: B010 - for mypy


def _taken_when_written(server: LocalServer, event: Any) -> bool:  # noqa: ANN401
    """Count a message as taken when it was written to a listener."""
    _take(server, event)
    return True


_take = LocalServer.take


# Processes


def run_until_killed(
    who: str, folder: str, where: dict[str, Any], log: str, fault: str
) -> None:
    """Send, keep a node up, or listen, until killed."""
    out = os.open(log, os.O_WRONLY | os.O_APPEND | os.O_CREAT)
    try:
        plant(fault)
        _ROLES[who](Path(folder), where, out)
    except BaseException as error:  # noqa: BLE001 - told, and judged by the parent
        path = Path(log).with_name("errors")
        with path.open("a") as errors:
            errors.write(f"{who}: {type(error).__name__}: {error}\n")


def _send(folder: Path, where: dict[str, Any], log: int) -> None:
    node = Node(folder, where)
    node.stay_up()
    soon = property(lambda _: _ANSWER_S)
    setattr(type(node.link), "answer_time_s", soon)  # noqa: B010 - for mypy
    for number in range(sys.maxsize):
        message = f"{os.getpid()} {number}".encode()
        with contextlib.suppress(NotAcknowledgedError):
            deque(node.sending(message, acknowledged=True), maxlen=0)
            os.write(log, message + b"\n")


def _keep_up(folder: Path, where: dict[str, Any], log: int) -> None:
    del log
    with Node(folder, where) as node:
        service = Service(node, lambda _: None)
        service.attach(LocalServer(service, folder))
        service.run(lambda: False)


def _listen(folder: Path, where: dict[str, Any], log: int) -> None:
    del where
    while True:
        with contextlib.suppress(LinkEndedError, LocalError):
            node = RemoteNode.of(folder)
            while node is not None:
                for event in node.receive(0.1):
                    if isinstance(event, Received):
                        os.write(log, _line_of(event))
        time.sleep(0.005)


def _line_of(event: Received) -> bytes:
    mark = b"again" if event.is_repeated else b"first"
    return b"%s,%s,%s\n" % (event.message, str(event.id).encode(), mark)


_ROLES: dict[str, Callable[[Path, dict[str, Any], int], None]] = {
    "a": _send,
    "b": _keep_up,
    "listener": _listen,
}


# The test


@dataclass
class Findings:
    """What came of it."""

    rounds: int
    used: int = 0
    repeated: int = 0
    acknowledged: int = 0
    acknowledged_undelivered: int = 0
    doubled_unmarked: int = 0
    other_ids: int = 0
    """Messages that were repeated by another id."""
    errors: list[str] = field(default_factory=list)

    @property
    def is_good(self) -> bool:
        """Whether nothing happened that must not, and enough that should."""
        return (
            not self.acknowledged_undelivered
            and not self.doubled_unmarked
            and not self.other_ids
            and not self.errors
            and self.is_enough
        )

    @property
    def is_enough(self) -> bool:
        """Whether as much happened as a run of so many rounds is for."""
        return self.acknowledged > self.rounds // 2

    def is_as_expected(self, fault: str) -> bool:
        """Whether all is good, or the fault that was planted has shown."""
        return self.acknowledged_undelivered > 0 if fault else self.is_good


class Crash:
    """A sender, a node that is kept up, a listener, and who kills them."""

    def __init__(self, folder: Path, link: str, seed: int, fault: str) -> None:
        self._folder, self._fault = folder, fault
        # Not for secrets: a run is to be repeated.
        self._chance = random.Random(seed)  # noqa: S311
        self._joint: Joint = JOINTS[link](folder)
        folders.make_pair(folder / "a", link, self._joint.options)
        folders.make_second(folder / "b", folder / "a", {})
        self._fork_server = ForkServer(__file__)
        self._processes: dict[str, NodeProcess] = {}

    def run(self, rounds: int) -> Findings:
        """Kill and start, and tell what came of it."""
        with self._joint, self._fork_server:
            for who in _ROLES:
                self._start(who)
            over = partial(self._is_over, rounds)
            for _ in rounds_until(over, rounds, fault=self._fault):
                self._await_use()
                time.sleep(self._chance.uniform(*_LIFE_S))
                killed = self._chance.choice(_VICTIMS)
                for who in killed:
                    self._processes[who].kill()
                for who in killed:
                    self._start(who)
            self._processes["a"].kill()
            # Those that wait are handed out.
            self._stays_undelivered(1 if self._fault else _PATIENCE_S)
            for who in ("listener", "b"):
                self._processes[who].kill()
        return self._findings(rounds)

    def _is_over(self, rounds: int) -> bool:
        """Return whether the run has seen what it is for."""
        if self._fault:
            return self._stays_undelivered(1)
        return has_seen_enough(self._findings(rounds), self._fault)

    def _start(self, who: str) -> None:
        end = "b" if who == "listener" else who
        order = {
            "who": who,
            "folder": str(self._folder / end),
            "where": dict(self._joint.where(end)),
            "log": str(self._folder / f"{who}.log"),
            "fault": self._fault,
        }
        self._processes[who] = self._fork_server.start(order)

    def _await_use(self) -> None:
        """Wait until the listener has used a message, however slow the machine is."""
        path = self._folder / "listener.log"

        def size() -> int:
            return path.stat().st_size if path.exists() else 0

        before, end_s = size(), time.monotonic() + _WAIT_S
        while size() == before and time.monotonic() < end_s:
            time.sleep(0.001)

    def _undelivered(self) -> set[str]:
        used = {line.split(",")[0] for line in self._lines("listener")}
        return set(self._lines("a")) - used

    def _stays_undelivered(self, patience_s: float) -> bool:
        """Whether something that was acknowledged is not used in time."""
        end_s = time.monotonic() + patience_s
        while self._undelivered():
            if time.monotonic() > end_s:
                return True
            time.sleep(0.05)
        return False

    def _lines(self, who: str) -> Sequence[str]:
        path = self._folder / (who if who == "errors" else f"{who}.log")
        return path.read_text().splitlines() if path.exists() else []

    def _findings(self, rounds: int) -> Findings:
        used = [line.split(",") for line in self._lines("listener")]
        first = Counter(message for message, _, mark in used if mark == "first")
        names = {(message, name) for message, name, _ in used}
        return Findings(
            rounds=rounds,
            used=len(used),
            repeated=sum(mark == "again" for _, _, mark in used),
            acknowledged=len(self._lines("a")),
            acknowledged_undelivered=len(self._undelivered()),
            doubled_unmarked=sum(count - 1 for count in first.values()),
            other_ids=len(names) - len({message for message, _ in names}),
            errors=sorted(set(self._lines("errors"))),
        )


def main() -> int:
    """Run it from the command line."""
    description = "Kill nodes and listeners, and look what came of it."
    options = parser_of(description, FAULTS).parse_args()
    return run(
        options,
        lambda folder: Crash(folder, options.link, options.seed, options.fault).run(
            options.rounds
        ),
        run_until_killed,
    )


if __name__ == "__main__":
    sys.exit(main())
