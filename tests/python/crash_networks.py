# SPDX-License-Identifier: Apache-2.0
"""Kills the nodes of a network with a group, while its keys change.

A hub and its neighbours send to each other and to all, with secured acknowledgements.
The hub introduces neighbours to each other, gives the group a new key and forgets
neighbours; again and again some nodes are killed and started anew, while old frames
are played. Then:

- no nonce was used twice in all that was on the air;
- no message was handed on twice;
- who was introduced, and the group, talk to each other; all have taken its new key;
  who was forgotten hears nothing of it.

As a program: `python crash_networks.py --rounds 400`. A fault can be planted, to see
that it is found.
"""

from __future__ import annotations

import contextlib
import itertools
import os
import random
import sys
import time
from collections import Counter
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from crash_command_line import parser_of, run
from crash_joints import Ieee802154Joint
from crash_nodes import FAULTS, plant
from crash_processes import ForkServer, NodeProcess
from crash_rounds import has_seen_enough, rounds_until

from samara.link.ieee802154.keys import timers
from samara.link.ieee802154.keys.neighbours import GROUP
from samara.link.ieee802154.mac import ack_timer
from samara.link.node import networks, state_file
from samara.link.node.link import BROADCAST, NeighbourError
from samara.link.node.node import Node, Received

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

HUB = "hub"
STAYING = ("ann", "bob", "carol")
FORGOTTEN = ("dave", "eve")
_OPTIONS = {"frame_version": 2015, "frame_retries": 1, "addresses": "extended"}
OTHERS = (*STAYING, *FORGOTTEN)
ALL = (HUB, *OTHERS)
_LIFE_S = (0.0, 0.12)
"""How long nobody is killed, from the least to the most."""
_HEARD, _WAIT_S = 0.7, 2.0
"""Share of the rounds that begin with a wait for a message, and the longest wait."""
_HUB_IS_KILLED = 0.5
"""In this share of the rounds."""
_PAUSE_S = 0.02
"""Between messages of a node: a question must not be lost in a flood."""
_LOOK_EVERY = 10
"""Messages after which a node looks for new neighbours."""
_INJECTIONS = 3
"""How often old frames are played to the nodes of a round."""
_PATIENCE_S = 60

Action = tuple[str, ...]


# Processes


def run_until_killed(
    folder: str,
    where: dict[str, Any],
    name: str,
    fault: str,
    actions: list[list[str]],
    logs: dict[str, str],
) -> None:
    """Act, send and receive until killed; log what was done and handed on."""
    done, handed_on, errors = (
        os.open(logs[each], os.O_WRONLY | os.O_APPEND | os.O_CREAT)
        for each in ("done", "handed_on", "errors")
    )
    try:
        plant(fault)
        # Waits, shorter than a process lives.
        setattr(ack_timer, "FIRST_WAIT_S", 0.02)  # noqa: B010 - for mypy
        setattr(ack_timer, "WAIT_MAX_S", 0.05)  # noqa: B010
        setattr(timers, "REPEATED_AFTER_S", 0.03)  # noqa: B010
        setattr(timers, "LATE_S", 0.05)  # noqa: B010
        node = Node(Path(folder), where)
        node.stay_up()
        for action in actions:
            act(node, action)
            os.write(done, f"{' '.join(action)}\n".encode())
        talk(node, Path(folder), name, handed_on)
    except BaseException as error:  # noqa: BLE001 - told, and judged by the parent
        os.write(errors, f"{type(error).__name__}: {error}\n".encode())


def act(node: Node, action: Sequence[str]) -> None:
    """Do what the hub is told, which a process before may have done already."""
    match action:
        case ["rekey"]:
            node.renew(BROADCAST)
        case ["introduce", first, second]:
            node.introduce(first, second)
        case ["forget", name]:
            with contextlib.suppress(NeighbourError):
                node.forget(name)


def talk(node: Node, folder: Path, name: str, handed_on: int) -> None:
    """Send to all and to each neighbour, and log what is handed on."""
    for number in itertools.count():
        if number % _LOOK_EVERY == 0:
            known = list(networks.known(folder, "ieee802154").neighbours)
        to = random.choice([BROADCAST, *known])  # noqa: S311 - no secret
        # It may have been forgotten, or not have joined yet.
        with contextlib.suppress(NeighbourError):
            node.send(f"{name} {number} to {to}".encode(), to=to)
        for event in node.receive(_PAUSE_S):
            if isinstance(event, Received):
                os.write(handed_on, event.message + b"\n")


# The test


@dataclass
class Findings:
    """What came of it."""

    rounds: int
    processes: int = 0
    frames: int = 0
    acknowledgements: int = 0
    """Of these, those that are secured acknowledgements."""
    handed_on: int = 0
    injected: int = 0
    nonces_repeated: int = 0
    replays_accepted: int = 0
    group_keys: int = 0
    acted: int = 0
    """What the hub has done of what it was told."""
    introduced: int = 0
    forgotten: int = 0
    undelivered: list[str] = field(default_factory=list)
    """What did not arrive at the end, or where it must not."""
    errors: list[str] = field(default_factory=list)

    @property
    def is_good(self) -> bool:
        """Whether nothing happened that must not, and enough that should."""
        return (
            self.nonces_repeated == self.replays_accepted == 0
            and not self.errors
            and not self.undelivered
            and self.introduced == len(_pairs())
            and self.forgotten == len(FORGOTTEN)
            and self.group_keys > self.forgotten
            and self.is_enough
        )

    @property
    def is_enough(self) -> bool:
        """Whether as much happened as a run of so many rounds is for."""
        return (
            self.acted > self.rounds // 8
            and min(self.handed_on, self.injected) > self.rounds
            and self.acknowledgements > self.rounds // 2
        )

    def is_as_expected(self, fault: str) -> bool:
        """Whether all is good, or the fault that was planted has shown."""
        match fault:
            case "":
                return self.is_good
            case "replay-state-not-stored":
                return self.replays_accepted > 0
            case _:
                return self.nonces_repeated > 0


def _pairs() -> list[Action]:
    return [("introduce", *pair) for pair in itertools.combinations(STAYING, 2)]


def actions(rounds: int) -> list[Action]:
    """Return what the hub is to do, in turn."""
    forgets: list[Action] = [("forget", name) for name in FORGOTTEN]
    both = itertools.zip_longest(_pairs(), forgets)
    rare = [each for pair in both for each in pair if each is not None]
    # New keys in between, as many as there is time for.
    every = max(rounds // (3 * len(rare)), 1)
    return [each for one in rare for each in (one, *[("rekey",)] * every)]


class Crash:
    """A network, and who kills its nodes."""

    def __init__(self, folder: Path, seed: int, fault: str) -> None:
        self._folder, self._fault = folder, fault
        # Not for secrets: a run is to be repeated.
        self._chance = random.Random(seed)  # noqa: S311
        self._joint = Ieee802154Joint(folder, repeats_frames=True)
        self._fork_server = ForkServer(__file__)
        self._processes: dict[str, NodeProcess] = {}
        self._count = 0
        self._actions: list[Action] = []

    def run(self, rounds: int) -> Findings:
        """Kill and start, and tell what came of it."""
        undelivered: list[str] = []
        with self._joint, self._fork_server:
            self._make()
            self._actions = actions(rounds)
            over = partial(self._is_over, rounds)
            for _ in rounds_until(over, rounds, fault=self._fault):
                self._round()
            if not self._fault:
                undelivered = self._say_last_words()
            for process in self._processes.values():
                process.kill()
        return self._findings(rounds, undelivered)

    def _make(self) -> None:
        """Make the hub, and let the others join it."""
        networks.make(self._folder / HUB, "ieee802154", None, _OPTIONS, group=True)
        for name in OTHERS:
            invited = networks.invite(self._folder / HUB, name, None)
            networks.join(self._folder / name, invited.text, self._joint.where(name))
        for name in ALL:
            self._start(name)
        _until(lambda: self._neighbours(HUB) == {*OTHERS})

    def _is_over(self, rounds: int) -> bool:
        """Return whether the run has seen what it is for."""
        found = self._findings(rounds, undelivered=[])
        return has_seen_enough(found, self._fault)

    def _round(self) -> None:
        if self._chance.random() < _HEARD:
            self._await_message()
        time.sleep(self._chance.uniform(*_LIFE_S))
        killed = self._chance.sample(OTHERS, self._chance.randrange(3))
        if self._chance.random() < _HUB_IS_KILLED:
            killed.append(HUB)
        for name in killed:
            self._processes[name].kill()
        for name in killed:
            # What was told last is told again if the hub died before it was done.
            knows_rest = name == HUB and self._rest()
            self._start(name, [self._rest()[0]] if knows_rest else [])
        for _ in range(_INJECTIONS):
            time.sleep(0.01)
            self._joint.inject(self._chance)

    def _await_message(self) -> None:
        """Wait until the hub has handed something on, however slow the machine is."""
        path = self._folder / f"{HUB}.handed_on"

        def size() -> int:
            return path.stat().st_size if path.exists() else 0

        before = size()
        with contextlib.suppress(TimeoutError):
            _until(lambda: size() > before, _WAIT_S)

    def _rest(self) -> list[Action]:
        """Return what the hub has still to do."""
        return self._actions[len(self._lines("done")) :]

    def _start(self, name: str, todo: Sequence[Action] = ()) -> None:
        order = {
            "folder": str(self._folder / name),
            "where": dict(self._joint.where(name)),
            "name": f"{name} {self._count}",
            "fault": self._fault,
            "actions": [list(action) for action in todo],
            "logs": {
                "done": str(self._folder / "done"),
                "handed_on": str(self._folder / f"{name}.handed_on"),
                "errors": str(self._folder / "errors"),
            },
        }
        self._count += 1
        self._processes[name] = self._fork_server.start(order)

    def _say_last_words(self) -> list[str]:
        """Let all live, and return what is not heard, or by whom it must not be."""
        for process in self._processes.values():
            process.kill()
        first, rest = self._count, self._rest()
        for name in ALL:
            self._start(name, rest if name == HUB else [])
        ways = [(HUB, BROADCAST, name) for name in STAYING]
        ways += [(HUB, name, name) for name in STAYING]
        ways += [(one, two, two) for one, two in itertools.permutations(STAYING, 2)]

        def missing() -> list[str]:
            undelivered = [
                f"{sender} to {to}, by {receiver}"
                for sender, to, receiver in ways
                if not self._heard(receiver, sender, to, first)
            ]
            group = self._group(HUB)
            is_settled = not group["waiting"] and len(group["keys"]) == 1
            return (
                undelivered
                if is_settled
                else [*undelivered, "what is said of a new key"]
            )

        with contextlib.suppress(TimeoutError):
            _until(lambda: not missing())
        return missing() + [
            f"{name} hears all"
            for name in FORGOTTEN
            if self._heard(name, HUB, BROADCAST, first)
        ]

    def _heard(self, receiver: str, sender: str, to: str, first: int) -> bool:
        """Tell whether a message of a process, the first one or later, was heard."""
        for line in self._lines(f"{receiver}.handed_on"):
            who, process, _, _, whom = line.split()
            if (who, whom) == (sender, to) and int(process) >= first:
                return True
        return False

    def _neighbours(self, name: str) -> set[str]:
        return {*networks.known(self._folder / name, "ieee802154").neighbours}

    def _group(self, name: str) -> Mapping[str, Any]:
        return state_file.records_in(self._folder / name)[GROUP]

    def _findings(self, rounds: int, undelivered: list[str]) -> Findings:
        handed_on = [Counter(self._lines(f"{name}.handed_on")) for name in ALL]
        known = {name: self._neighbours(name) for name in ALL}
        return Findings(
            rounds=rounds,
            processes=self._count,
            frames=self._joint.frames(),
            acknowledgements=self._joint.acknowledgements(),
            handed_on=sum(count.total() for count in handed_on),
            injected=self._joint.injected,
            nonces_repeated=self._joint.nonces_repeated(),
            replays_accepted=sum(c.total() - len(c) for c in handed_on),
            group_keys=max(key["generation"] for key in self._group(HUB)["keys"]),
            acted=len(self._lines("done")),
            introduced=sum(b in known[a] and a in known[b] for _, a, b in _pairs()),
            forgotten=sum(name not in known[HUB] for name in FORGOTTEN),
            undelivered=undelivered,
            errors=sorted(set(self._lines("errors"))),
        )

    def _lines(self, name: str) -> list[str]:
        path = self._folder / name
        text = path.read_text() if path.exists() else ""
        # The last line may still be written.
        return text[: text.rfind("\n") + 1].splitlines()


def _until(condition: Callable[[], bool], within_s: float = _PATIENCE_S) -> None:
    end_s = time.monotonic() + within_s
    while not condition():
        if time.monotonic() > end_s:
            raise TimeoutError
        time.sleep(0.005)


def main() -> int:
    """Run it from the command line."""
    description = "Kill nodes of a network, and look what came of it."
    options = parser_of(description, FAULTS, rounds=30, has_link=False).parse_args()
    return run(
        options,
        lambda folder: Crash(folder, options.seed, options.fault).run(options.rounds),
        run_until_killed,
    )


if __name__ == "__main__":
    sys.exit(main())
