# SPDX-License-Identifier: Apache-2.0
"""Nodes that are killed again and again, and nodes with faults that must be found."""

import json
from typing import NamedTuple

from testing.session import ROOT, VENV, Command, Session, Stage

_PROGRAMS = ROOT / "tests" / "python"
_LINKS = ("ieee802154", "rf-serial")
_FAULTS = (
    "counter-not-stored",
    "counter-stored-late",
    "replay-state-not-stored",
)
_FAULTS_OF_KEYS = ("witness-not-told", "counters-first")
_ROUNDS, _ROUNDS_THOROUGH = 200, 1000
_ROUNDS_WITH_FAULT, _ROUNDS_OF_KEYS_WITH_FAULT = 20, 80


class _Task(NamedTuple):
    program: str
    rounds: int
    fault: str = ""
    options: tuple[str, ...] = ()

    @property
    def what(self) -> str:
        """The name of the check."""
        link = self.options[1] if self.options else "keys"
        return f"{link} {self.fault}".strip()


def crash(session: Session) -> None:
    """Kill nodes of both links, nodes that take new keys, and nodes with faults."""
    rounds = _ROUNDS_THOROUGH if session.options.thorough else _ROUNDS
    links = [("--link", link) for link in _LINKS]
    tasks = [_Task("crash_nodes", rounds, options=link) for link in links]
    tasks += [
        _Task("crash_nodes", _ROUNDS_WITH_FAULT, fault, link)
        for fault in _FAULTS
        for link in links
    ]
    tasks.append(_Task("crash_keys", rounds))
    tasks += [
        _Task("crash_keys", _ROUNDS_OF_KEYS_WITH_FAULT, fault)
        for fault in _FAULTS_OF_KEYS
    ]
    tasks = [task for task in tasks if session.options.only in task.what]
    session.in_parallel(lambda task: _crash(session, task), tasks)


def _crash(session: Session, task: _Task) -> None:
    command: Command = [
        *(VENV / "python", _PROGRAMS / f"{task.program}.py"),
        *task.options,
        *("--rounds", str(task.rounds), "--fault", task.fault),
    ]
    outcome = session.command(task.what, command)
    if not outcome.ok:
        session.fail_with(task.what, outcome)
        return
    findings = json.loads(outcome.output)
    told = ", ".join(
        f"{name.replace('_', ' ')} {value}"
        for name, value in findings.items()
        if type(value) is int
    )
    session.passed(task.what, f"{told}, {outcome.seconds:.0f} s")


STAGE = Stage(
    "crash",
    "nodes killed at random, backups restored: no nonce twice, no replay accepted",
    crash,
    selects="part of LINK FAULT, or of keys FAULT: 'rf-serial counter-stored-late'",
)
