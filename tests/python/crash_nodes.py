# SPDX-License-Identifier: Apache-2.0
"""Kills both ends of a link at random moments, and looks for what must not be.

Two nodes send to each other as fast as they can. Again and again one of them, or
both, is killed and started anew, while old frames are played to both. Then:

- no nonce was used twice in all that was on the link;
- no message was handed on twice;
- counters cost no more durable writes than one a process and one a thousand frames;
- the link still works.

With `--ack` one end waits for the acknowledgements of its messages, which it repeats,
and the other only listens. What was acknowledged must have been handed on; what was
not, may have been.

With `--rekey` they agree on new keys again and again, too, which are then used.

As a program: `python crash_nodes.py --link ieee802154 --rounds 1000`. A fault can
be planted, to see that it is found.
"""

from __future__ import annotations

import contextlib
import os
import random
import sqlite3
import sys
import time
from collections import Counter
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias

from crash_command_line import parser_of, run
from crash_joints import JOINTS, Joint
from crash_processes import ForkServer, NodeProcess
from crash_rounds import has_seen_enough, rounds_until

from samara.link.node import folder as folders
from samara.link.node import quantities, state_file, unsynced
from samara.link.node.bounds import Bounds
from samara.link.node.node import Event, Node, Received
from samara.link.node.quantities import Number, Quantity, Value
from samara.link.node.sending import NotAcknowledgedError
from samara.link.node.state import IDS_AHEAD, RECEIVED_AHEAD, RESERVED_AHEAD, State
from samara.link.node.streams import Stream

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

ENDS = ("a", "b")
_ROLES = {"a": "acknowledged", "b": "listens"}
"""What the ends do with --ack."""
_LIFE_S = (0.005, 0.12)
"""How long nobody is killed, from the least to the most."""
_BURST = 5
_PAUSE_S = 0.004
"""Between messages, with --rekey: a question must not be lost in a flood."""
_RENEWED_AFTER = 6
"""Messages of a process before it asks for a new key, with --rekey."""
_LISTEN_S = 0.05
_ANSWER_S, _ACK_LIFE_S = 0.3, (0.0, 0.03)
"""How long an acknowledgement is awaited, and nobody is killed after a message, with
--ack: soon enough to kill the receiver before it is sent, and not the sender."""
_PATIENCE_S = 60
_WITHOUT_LISTENER = 20
"""Lives of a sender that nobody hears, at the end."""
_LAST_WORD = b"the last word"
_HEARD, _WAIT_S = 0.5, 2
"""Share of the rounds that begin with a wait for a message, and the longest wait."""
_POWER_FAILURES = 0.2
"""Share of the kills after which what was only noted is lost."""


_Numbers: TypeAlias = "Mapping[Number, int | Value]"


# Faults: what a node would be without one of its cares.


def _never_stored(opened: State, number: Number, first: int) -> int:
    """Reserve counters in memory only."""
    del opened, number
    return first + RESERVED_AHEAD


def _stored_after_use(opened: State, number: Number, first: int) -> int:
    """Store what was used up, not what will be used."""
    opened.store({number: first})
    return first + RESERVED_AHEAD


def _not_stored(opened: State, numbers: _Numbers, *_: object, **__: object) -> None:
    """Keep what was received in memory only."""
    opened._numbers.update(_values(numbers))  # noqa: SLF001 - a fault


def _ids_noted_only(
    opened: State,
    numbers: _Numbers,
    *rest: Any,  # noqa: ANN401
    **options: Any,  # noqa: ANN401
) -> None:
    """Have no bound above the ids of messages."""
    ids = {each for each in numbers if each.quantity is Quantity.TAKEN}
    others = {each: numbers[each] for each in numbers.keys() - ids}
    _advance(opened, others, *rest, **options)
    opened._store_unsynced(_values({each: numbers[each] for each in ids}))  # noqa: SLF001 - a fault


def _values(numbers: _Numbers) -> dict[Number, Value]:
    return {number: Value.of(value) for number, value in numbers.items()}


_advance = State.advance


def plant(fault: str) -> None:
    """Take a care away from all nodes of this process."""
    match fault:
        case "counter-not-stored":
            setattr(State, "reserve", _never_stored)  # noqa: B010 - for mypy
        case "counter-stored-late":
            setattr(State, "reserve", _stored_after_use)  # noqa: B010
        case "replay-state-not-stored":
            setattr(State, "advance", _not_stored)  # noqa: B010
        case "ids-noted-only":
            setattr(State, "advance", _ids_noted_only)  # noqa: B010


FAULTS = (
    "counter-not-stored",
    "counter-stored-late",
    "replay-state-not-stored",
    "ids-noted-only",
)
_REPLAYING = ("replay-state-not-stored", "ids-noted-only")
"""Those with which messages are handed on again. How soon depends on the machine."""


# Processes


def run_until_killed(  # noqa: C901, PLR0913 - an order
    folder: str,
    where: dict[str, Any],
    name: str,
    fault: str,
    boot: int,
    logs: dict[str, str],
    *,
    rekey: bool = False,
    role: str = "sends",
    pause_s: float = 0.0,
) -> None:
    """Send and receive until killed; log what was handed on, and writes."""
    handed_on, acknowledged, writes, errors = (
        os.open(logs[each], os.O_WRONLY | os.O_APPEND | os.O_CREAT)
        for each in ("handed_on", "acknowledged", "writes", "errors")
    )

    def hand_on(event: Event) -> None:
        if isinstance(event, Received):
            os.write(handed_on, event.message + b"\n")

    try:
        plant(fault)
        _log_reservations(writes)
        setattr(unsynced, "boot", lambda: boot)  # noqa: B010 - for mypy
        # A process is killed too soon to ask the other end, which stays up, too.
        setattr(Bounds, "ahead", _all_ahead)  # noqa: B010
        node = Node(Path(folder), where)
        node.stay_up()
        for number in range(sys.maxsize):
            if rekey and number == _RENEWED_AFTER:
                node.renew()
            time.sleep(pause_s)
            message = f"{name} {number}".encode()
            if role == "acknowledged":
                _acknowledge(node, message, hand_on, acknowledged)
            elif role == "sends":
                node.send(message)
            if role != "sends" or number % _BURST == 0:
                for event in node.receive(_LISTEN_S if role == "listens" else 0):
                    hand_on(event)
    except BaseException as error:  # noqa: BLE001 - told, and judged by the parent
        os.write(errors, f"{type(error).__name__}: {error}\n".encode())


def _acknowledge(
    node: Node, message: bytes, hand_on: Callable[[Event], None], log: int
) -> None:
    """Send a message, and log it when it was acknowledged."""
    # Soon enough for processes that are killed so soon.
    soon = property(lambda _: _ANSWER_S)
    setattr(type(node.link), "answer_time_s", soon)  # noqa: B010 - for mypy
    with contextlib.suppress(NotAcknowledgedError):
        for event in node.sending(message, acknowledged=True):
            hand_on(event)
        os.write(log, message + b"\n")


def _all_ahead(bounds: Bounds) -> dict[Number, int]:
    ahead: dict[Number, int] = {}
    for source, (_, received) in bounds._counted().items():  # noqa: SLF001
        ahead |= {received: RECEIVED_AHEAD, Stream(source).taken: IDS_AHEAD}
    return ahead


def _log_reservations(log: int) -> None:
    reserve = State.reserve

    def logging(opened: State, number: Number, first: int) -> int:
        end = reserve(opened, number, first)
        os.write(log, b".")
        return end

    setattr(State, "reserve", logging)  # noqa: B010 - for mypy


# The test


@dataclass
class Findings:
    """What came of it."""

    rounds: int
    processes: int = 0
    frames: int = 0
    handed_on: int = 0
    acknowledged: int | None = None
    """Messages; None when none was to be."""
    acknowledged_undelivered: int = 0
    injected: int = 0
    nonces_repeated: int = 0
    replays_accepted: int = 0
    reservations: int = 0
    reservations_allowed: int = 0
    errors: list[str] = field(default_factory=list)
    still_works: bool = False
    renewals: int | None = None
    """Keys that were agreed on; None when none was asked for."""

    @property
    def is_good(self) -> bool:
        """Whether nothing happened that must not, and enough that should."""
        return (
            self.nonces_repeated == self.replays_accepted == 0
            and self.reservations <= self.reservations_allowed
            and not self.errors
            and not self.acknowledged_undelivered
            and self.still_works
            and self.is_enough
        )

    @property
    def is_enough(self) -> bool:
        """Whether as much happened as a run of so many rounds is for."""
        messages = self.rounds if self.acknowledged is None else self.rounds // 2
        return (
            min(self.handed_on, self.injected) > messages
            and (self.acknowledged is None or self.acknowledged > self.rounds // 6)
            and (self.renewals is None or self.renewals > self.rounds // 20)
        )

    def is_as_expected(self, fault: str) -> bool:
        """Whether all is good, or the fault that was planted has shown."""
        if not fault:
            return self.is_good
        shown = self.replays_accepted if fault in _REPLAYING else self.nonces_repeated
        return shown > 0


class Crash:
    """Two nodes, what joins them, and who kills them."""

    def __init__(
        self, folder: Path, link: str, seed: int, fault: str, *, rekey: bool, ack: bool
    ) -> None:
        self._folder, self._fault = folder, fault
        self._rekey, self._ack = rekey, ack
        # Not for secrets: a run is to be repeated.
        self._chance = random.Random(seed)  # noqa: S311
        self._joint: Joint = JOINTS[link](folder)
        folders.make_pair(folder / "a", link, self._joint.options)
        folders.make_second(folder / "b", folder / "a", {})
        self._fork_server = ForkServer(__file__)
        self._processes: dict[str, NodeProcess] = {}
        self._boots = dict.fromkeys(ENDS, 0)
        self._count = 0

    def run(self, rounds: int) -> Findings:
        """Kill and start, and tell what came of it."""
        with self._joint, self._fork_server:
            for end in ENDS:
                self._start(end)
            over = partial(self._is_over, rounds)
            for _ in rounds_until(over, rounds, fault=self._fault):
                self._round()
            for process in self._processes.values():
                process.kill()
            if self._fault:
                still_works = False
            else:
                self._live_without_listener("a")
                still_works = self._say_last_word()
        return self._findings(rounds, still_works=still_works)

    def _is_over(self, rounds: int) -> bool:
        """Return whether the run has seen what it is for."""
        found = self._findings(rounds, still_works=False)
        return has_seen_enough(found, self._fault)

    def _round(self) -> None:
        killed = self._killed_at_once() if self._ack else self._killed_later()
        for end in killed:
            self._processes[end].kill()
        if self._chance.random() < (_HEARD if self._ack else _POWER_FAILURES):
            self._lose_power(killed)
        # One after the other: the first has only old frames to hear.
        for end in killed:
            self._start(end)
            self._play_old()

    def _accepted_again(self) -> int:
        """Return how many messages were handed on once more."""
        handed_on = [Counter(self._lines(f"{end}.handed_on")) for end in ENDS]
        return sum(count.total() - len(count) for count in handed_on)

    def _killed_later(self) -> Sequence[str]:
        """Wait for a while, and tell who is to be killed."""
        if self._chance.random() < _HEARD:
            self._await_message()
        life_s = self._chance.uniform(*_LIFE_S)
        time.sleep(4 * life_s if self._rekey else life_s)
        return self._chance.choice((("a",), ("b",), ENDS, ENDS[::-1]))

    def _killed_at_once(self) -> Sequence[str]:
        """Wait for a message; tell who is to be killed before it is acknowledged.

        Mostly the receiver alone, so that the sender repeats the message.
        """
        self._await_message()
        time.sleep(self._chance.uniform(*_ACK_LIFE_S))
        return self._chance.choice((("b",), ("b",), ("b",), ("a",), ENDS, ENDS[::-1]))

    def _live_without_listener(self, end: str) -> None:
        """Kill one end again and again while the other is down."""
        self._joint.is_silent = True
        for _ in range(_WITHOUT_LISTENER):
            before = self._reservations()
            self._start(end)
            end_s = time.monotonic() + _PATIENCE_S
            while self._reservations() == before and time.monotonic() < end_s:
                time.sleep(0.005)
            self._processes[end].kill()
        self._joint.is_silent = False

    def _reservations(self) -> int:
        return sum(map(len, self._lines("writes")))

    def _play_old(self) -> None:
        for _ in range(4):
            time.sleep(0.01)
            self._joint.inject(self._chance)

    def _await_message(self) -> None:
        """Wait until an end has handed something on, however slow the machine is."""
        paths = [self._folder / f"{end}.handed_on" for end in ENDS]

        def size() -> int:
            return sum(path.stat().st_size for path in paths if path.exists())

        before, end_s = size(), time.monotonic() + _WAIT_S
        while size() == before and time.monotonic() < end_s:
            time.sleep(0.001)

    def _lose_power(self, ends: Sequence[str]) -> None:
        """Take away from nodes what nobody has waited for."""
        for end in ends:
            self._boots[end] += 1
            path = self._folder / end / state_file.FILE
            with contextlib.closing(sqlite3.connect(path)) as database:
                if quantities.has_table(database, unsynced.TABLE):
                    database.execute(
                        "UPDATE note SET value = max(value - ?, 0) "
                        "WHERE quantity NOT LIKE 'note%'",
                        (self._chance.randrange(RECEIVED_AHEAD),),
                    )
                    database.commit()

    def _start(self, end: str) -> None:
        order = {
            "folder": str(self._folder / end),
            "where": dict(self._joint.where(end)),
            "name": f"{end} {self._count}",
            "fault": self._fault,
            # Of one end, and not of each process: the index of a key in frames, which
            # nonces are told apart by here, comes round after 127 of them.
            "pause_s": _PAUSE_S if self._rekey else 0.0,
            "rekey": self._rekey and end == "a" and self._count % 3 == 0,
            "role": _ROLES[end] if self._ack else "sends",
            "boot": self._boots[end],
            "logs": {
                "handed_on": str(self._folder / f"{end}.handed_on"),
                "acknowledged": str(self._folder / f"{end}.acknowledged"),
                "writes": str(self._folder / "writes"),
                "errors": str(self._folder / "errors"),
            },
        }
        self._count += 1
        self._processes[end] = self._fork_server.start(order)

    def _say_last_word(self) -> bool:
        with (
            Node(self._folder / "a", self._joint.where("a")) as a,
            Node(self._folder / "b", self._joint.where("b")) as b,
        ):
            self._joint.inject(self._chance)
            a.send(_LAST_WORD)
            end_s = time.monotonic() + _PATIENCE_S
            while time.monotonic() < end_s:
                messages = [
                    e.message for e in b.receive(0.1) if isinstance(e, Received)
                ]
                self._log(messages)
                if _LAST_WORD in messages:
                    return True
        return False

    def _log(self, messages: Sequence[bytes]) -> None:
        with (self._folder / "b.handed_on").open("ab") as log:
            log.writelines(message + b"\n" for message in messages)

    def _findings(self, rounds: int, *, still_works: bool) -> Findings:
        handed_on = [Counter(self._lines(f"{end}.handed_on")) for end in ENDS]
        acknowledged = {x for end in ENDS for x in self._lines(f"{end}.acknowledged")}
        frames = self._joint.frames()
        renewals = self._renewals() if self._rekey else None
        # Both ends count anew under each key; one may be on its way.
        counters = 2 * (1 if renewals is None else renewals + 2)
        if self._ack:
            # Frame counters and ids are skipped, and reserved anew.
            counters += 2 * sum(self._boots.values())
        return Findings(
            rounds=rounds,
            processes=self._count,
            frames=frames,
            handed_on=sum(count.total() for count in handed_on),
            acknowledged=len(acknowledged) if self._ack else None,
            acknowledged_undelivered=len(acknowledged - set().union(*handed_on)),
            injected=self._joint.injected,
            nonces_repeated=self._joint.nonces_repeated(),
            replays_accepted=self._accepted_again(),
            reservations=self._reservations(),
            reservations_allowed=self._count + counters + frames // RESERVED_AHEAD,
            errors=sorted(set(self._lines("errors"))),
            still_works=still_works,
            renewals=renewals,
        )

    def _renewals(self) -> int:
        records = state_file.records_in(self._folder / "a")
        keys = [key for each in records.values() for key in each.get("keys", [])]
        return max((key["generation"] for key in keys), default=0)

    def _lines(self, name: str) -> list[str]:
        path = self._folder / name
        return path.read_text().splitlines() if path.exists() else []


def main() -> int:
    """Run it from the command line."""
    parser = parser_of("Kill nodes, and look what came of it.", FAULTS)
    parser.add_argument("--rekey", action="store_true")
    parser.add_argument("--ack", action="store_true")
    options = parser.parse_args()

    def crash(folder: Path) -> Findings:
        return Crash(
            folder,
            options.link,
            options.seed,
            options.fault,
            rekey=options.rekey,
            ack=options.ack,
        ).run(options.rounds)

    return run(options, crash, run_until_killed)


if __name__ == "__main__":
    sys.exit(main())
