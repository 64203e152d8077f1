# SPDX-License-Identifier: Apache-2.0
"""A small fixed set, run again on every simulated device."""

from testing.session import VENV, Command, Session, Stage


def bench(session: Session) -> None:
    """Compare a part of the committed results, or with --all everything."""
    command: Command = [VENV / "samara", "bench", "check"]
    everything: Command = ["--all"] if session.options.thorough else []
    jobs = f"--jobs={session.options.jobs}"
    session.check("bench check", [*command, *everything, jobs])


STAGE = Stage(
    "bench",
    "ciphers on simulated devices: answers right, figures as committed",
    bench,
    selects="bench, which has one check",
)
