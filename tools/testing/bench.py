# SPDX-License-Identifier: Apache-2.0
"""A small fixed set, run again on every simulated device."""

from testing.session import VENV, Command, Session, Stage


def bench(session: Session) -> None:
    """Compare with the committed results; with --all, measure everything."""
    samara = VENV / "samara"
    jobs = f"--jobs={session.options.jobs}"
    session.check("bench check", [samara, "bench", "check", jobs])
    if session.options.thorough:
        results = session.build / "bench.jsonl"
        results.unlink(missing_ok=True)
        command: Command = [samara, "bench", "run", jobs, "--json", "--store", results]
        session.check("bench run", command)


STAGE = Stage(
    "bench",
    "ciphers on simulated devices: answers right, figures as committed",
    bench,
)
