# SPDX-License-Identifier: Apache-2.0
"""Messages by software-defined radio without a pause, and none is missing."""

from typing import TYPE_CHECKING

from testing.session import ROOT, VENV, Command, Session, Stage

if TYPE_CHECKING:
    from testing.process import Outcome

_PROGRAM = ROOT / "tests" / "python" / "sdr_real_time.py"
_WAYS = ("--rate", "250e3", "--seconds", "5")
# Other programs on this machine can keep a run from its processor for too long.
_TRIES = 3
_WAYS_THOROUGH = ("--rate", "1e6", "--seconds", "60", "--one-core")


def real_time(session: Session) -> None:
    """Send as long and as fast as the thoroughness says; one run of three must do."""
    ways = _WAYS_THOROUGH if session.options.thorough else _WAYS
    command: Command = [VENV / "python", _PROGRAM, *ways]
    failed: list[Outcome] = []
    while len(failed) < _TRIES:
        outcome = session.command(f"sdr {len(failed) + 1}", command)
        if outcome.ok:
            before = [f"failed before: {run.output.strip()}" for run in failed]
            session.passed("sdr", "; ".join([outcome.output.strip(), *before]))
            return
        failed.append(outcome)
    session.fail_with("sdr", failed[-1])


STAGE = Stage(
    "real-time",
    "sender, channel and listener of samples keep up with the clock",
    real_time,
)
