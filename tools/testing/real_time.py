# SPDX-License-Identifier: Apache-2.0
"""Messages by software-defined radio without a pause, and none is missing."""

from testing.session import ROOT, VENV, Command, Session, Stage

_PROGRAM = ROOT / "tests" / "python" / "sdr_real_time.py"
_WAYS = ("--rate", "250e3", "--seconds", "5")
_WAYS_THOROUGH = ("--rate", "1e6", "--seconds", "60", "--one-core")


def real_time(session: Session) -> None:
    """Send as long and as fast as the thoroughness says."""
    ways = _WAYS_THOROUGH if session.options.thorough else _WAYS
    command: Command = [VENV / "python", _PROGRAM, *ways]
    outcome = session.command("sdr", command)
    if outcome.ok:
        session.passed("sdr", outcome.output.strip())
    else:
        session.fail_with("sdr", outcome)


STAGE = Stage(
    "real-time",
    "sender, channel and listener of samples keep up with the clock",
    real_time,
)
