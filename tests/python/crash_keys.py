# SPDX-License-Identifier: Apache-2.0
"""Kills a node while it takes counters and new keys, and restores old backups.

A process takes counters and gives its node new keys, again and again, until it
is killed at a random moment. Then, now and then, the folder is restored from a
backup that was made at such a moment, into the very same files. What refuses to
go on gets new keys. Then:

- no counter was used twice with one key;
- backups that were not the latest state were refused;
- new keys have been used.

As a program: `python crash_keys.py --rounds 300`. A fault can be planted, to see
that it is found.
"""

from __future__ import annotations

import contextlib
import os
import random
import signal
import sys
import time
from collections import Counter
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING

from crash_command_line import parser_of, run
from crash_rounds import rounds_until
from node_numbers import EXPECTED, SENT

from samara.errors import MisuseError
from samara.link.node import folder as folders
from samara.link.node import rekeying, witness
from samara.link.node.state import State
from samara.link.node.witness import Witness

if TYPE_CHECKING:
    from pathlib import Path

_LIFE_S = (0.0, 0.08)
_TAKEN_MOST = 1200
_BACKUPS_MOST = 4
_LOOK_EVERY = 20
"""After so many rounds it is looked whether the run has seen what it is for."""


# Faults: what a node would be without one of its cares.


def _record_nothing(witness: Witness, number: int, *, durably: bool) -> None:
    """Leave the witness as it is."""
    del witness, number, durably


def _counters_first(folder: Path) -> None:
    """Begin the counters anew, then change the keys."""
    described = folders.read(folder)
    Witness.remove(witness.default_folder(), described.identity)
    Witness.make(witness.default_folder(), described.identity)
    State.remove(folder)
    State.make(folder, described.identity, witness.default_folder())
    # Longer than any life: the kill comes here, however slow the machine is.
    time.sleep(100 * _LIFE_S[1])
    _REKEY(folder)


_REKEY = rekeying.rekey


def plant(fault: str) -> None:
    """Take a care away from this process."""
    match fault:
        case "witness-not-told":
            setattr(Witness, "record", _record_nothing)  # noqa: B010 - for mypy
        case "counters-first":
            setattr(rekeying, "rekey", _counters_first)  # noqa: B010


FAULTS = ("witness-not-told", "counters-first")


@dataclass
class Findings:
    """What came of it."""

    rounds: int
    counters: int = 0
    keys: int = 0
    nonces_repeated: int = 0
    backups_restored: int = 0
    backups_refused: int = 0

    @property
    def is_good(self) -> bool:
        """Whether nothing happened that must not, and enough that should."""
        return self.nonces_repeated == 0 and self.is_enough

    @property
    def is_enough(self) -> bool:
        """Whether as much happened as a run of so many rounds is for."""
        return (
            self.counters > self.rounds
            and self.keys > self.rounds // 10
            and self.backups_refused > self.rounds // 10
        )

    def is_as_expected(self, fault: str) -> bool:
        """Whether all is good, or the fault that was planted has shown."""
        return self.nonces_repeated > 0 if fault else self.is_good


def run_until_killed(folder: Path, log: int, chance: random.Random) -> None:
    """Take counters and new keys until killed; log each counter before its use."""
    while True:
        described = folders.read(folder)
        key = described.end.keys["key"].hex()
        with State(folder, identity=described.identity) as opened:
            counter = opened.counter(SENT)
            for _ in range(chance.randrange(_TAKEN_MOST)):
                os.write(log, f"{key} {counter.take()}\n".encode())
            opened.store({EXPECTED: chance.randrange(1000)})
        if chance.random() < 0.2:
            rekeying.rekey(folder)


class Crash:
    """A node, and who kills it."""

    def __init__(self, folder: Path, seed: int, fault: str) -> None:
        plant(fault)
        self._fault = fault
        # Not for secrets: a run is to be repeated.
        self._chance = random.Random(seed)  # noqa: S311
        self._node, self._log = folder / "node", folder / "log"
        self._backups: list[dict[str, bytes]] = []
        folders.make_pair(self._node, "ieee802154", {})

    def run(self, rounds: int) -> Findings:
        """Kill and restore, and tell what came of it."""
        findings = Findings(rounds)
        over = partial(self._is_over, findings)
        for _ in rounds_until(over, rounds, fault=self._fault, look_every=_LOOK_EVERY):
            self._run_once()
            self._backups.append(self._files())
            del self._backups[:-_BACKUPS_MOST]
            if self._chance.random() < 0.3:
                findings.backups_restored += 1
                self._restore(self._chance.choice(self._backups))
            findings.backups_refused += self._go_on()
        self._count(findings)
        return findings

    def _is_over(self, findings: Findings) -> bool:
        """Return whether the run has seen what it is for."""
        self._count(findings)
        return findings.nonces_repeated > 0 if self._fault else findings.is_enough

    def _count(self, findings: Findings) -> None:
        """Count what the log says."""
        self._log.touch()
        lines = Counter(self._log.read_text().splitlines())
        findings.counters = lines.total()
        findings.nonces_repeated = sum(count > 1 for count in lines.values())
        findings.keys = len({line.split()[0] for line in lines})

    def _run_once(self) -> None:
        seed = self._chance.random()
        child = os.fork()
        if child == 0:
            with contextlib.suppress(BaseException):
                flags = os.O_WRONLY | os.O_APPEND | os.O_CREAT
                chance = random.Random(seed)  # noqa: S311 - not for secrets
                run_until_killed(self._node, os.open(self._log, flags), chance)
            os._exit(1)
        time.sleep(self._chance.uniform(*_LIFE_S))
        os.kill(child, signal.SIGKILL)
        os.waitpid(child, 0)

    def _files(self) -> dict[str, bytes]:
        return {path.name: path.read_bytes() for path in self._node.iterdir()}

    def _restore(self, backup: dict[str, bytes]) -> None:
        for path in self._node.iterdir():
            if path.name not in backup:
                path.unlink()
        for name, content in backup.items():
            path = self._node / name
            path.write_bytes(content)
            path.chmod(0o600)

    def _go_on(self) -> bool:
        """Open the node; give it new keys when it refuses."""
        try:
            rekeying.finish(self._node)
            State(self._node, identity=folders.read(self._node).identity).close()
        except (MisuseError, OSError):
            _REKEY(self._node)
            return True
        return False


def main() -> int:
    """Run it from the command line."""
    description = "Kill a node that takes new keys, and look what came of it."
    options = parser_of(description, FAULTS, has_link=False).parse_args()
    return run(
        options,
        lambda folder: Crash(folder, options.seed, options.fault).run(options.rounds),
    )


if __name__ == "__main__":
    sys.exit(main())
