# SPDX-License-Identifier: Apache-2.0
"""Nodes that are killed again and again, and nodes with faults that must be found."""

import json
from typing import NamedTuple

from testing.session import ROOT, VENV, Command, Session, Stage

_PROGRAM = ROOT / "tests" / "python" / "crash_nodes.py"
_LINKS = ("ieee802154", "rf-serial")
_FAULTS = (
    "counter-not-stored",
    "counter-stored-late",
    "replay-state-not-stored",
)
_ROUNDS, _ROUNDS_THOROUGH = 200, 1000
_ROUNDS_WITH_FAULT = 20


class _Task(NamedTuple):
    link: str
    rounds: int
    fault: str = ""

    @property
    def what(self) -> str:
        """The name of the check."""
        return f"{self.link} {self.fault}".strip()


def crash(session: Session) -> None:
    """Kill nodes of both links, and nodes with each fault."""
    rounds = _ROUNDS_THOROUGH if session.options.thorough else _ROUNDS
    tasks = [_Task(link, rounds) for link in _LINKS]
    tasks += [
        _Task(link, _ROUNDS_WITH_FAULT, fault) for fault in _FAULTS for link in _LINKS
    ]
    tasks = [task for task in tasks if session.options.only in task.what]
    session.in_parallel(lambda task: _crash(session, task), tasks)


def _crash(session: Session, task: _Task) -> None:
    what = task.what
    command: Command = [
        *(VENV / "python", _PROGRAM, "--link", task.link),
        *("--rounds", str(task.rounds), "--fault", task.fault),
    ]
    outcome = session.command(what, command)
    if not outcome.ok:
        session.fail_with(what, outcome)
        return
    findings = json.loads(outcome.output)
    if task.fault:
        found = f"{findings['nonces_repeated']} nonces repeated, "
        found += f"{findings['replays_accepted']} replays accepted"
        session.passed(what, f"found: {found}, {outcome.seconds:.0f} s")
        return
    session.passed(
        what,
        f"{findings['lives']} lives, {findings['frames']} frames, "
        f"{findings['injected']} played again, {outcome.seconds:.0f} s",
    )


STAGE = Stage(
    "crash",
    "both ends of a link killed at random: no nonce twice, no replay accepted",
    crash,
    selects="part of LINK FAULT: 'rf-serial counter-stored-late'",
)
