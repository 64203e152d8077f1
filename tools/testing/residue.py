# SPDX-License-Identifier: Apache-2.0
"""What calls leave of their secrets in the memory of simulated devices.

The same on this machine is the C test `residue`, in the stage `c`.
"""

from testing.session import ROOT, VENV, Command, Session, Stage
from testing.tally import last_line_tally

# A device of each family, and each level with each compiler.
QUICK = (
    ("atmega328p", "Os"),
    ("atmega128rfa1", "O3"),
    ("msp430f1611", "O2"),
    ("cortex-m0", "Os"),
    ("cortex-m3", "O2"),
    ("cortex-m4", "O3"),
)
_LEVELS = ("Os", "O2", "O3")


def residue(session: Session) -> None:
    """Scan every cipher's program on some devices, or with --all on all."""
    only = session.options.only
    for device, level in _every() if session.options.thorough or only else QUICK:
        if only in f"{device} {level}":
            _scan(session, device, level)


def _every() -> list[tuple[str, str]]:
    names = sorted(path.parent.name for path in ROOT.glob("devices/*/device.toml"))
    return [(name, level) for name in names for level in _LEVELS]


def _scan(session: Session, device: str, level: str) -> None:
    what = f"{device} -{level}"
    command: Command = [
        *(VENV / "python", "-m", "samara.bench.residue"),
        *("--device", device, "--opt", level, f"--jobs={session.options.jobs}"),
    ]
    outcome = session.command(what, command)
    tally = last_line_tally(outcome.output)
    if tally is None or (not outcome.ok and not tally.failed):
        session.fail_with(what, outcome)
        return
    if tally.failed:
        session.failed(what, str(tally), outcome.output, count=tally.failed)
    if tally.passed:
        detail = f"programs leave no secrets, {outcome.seconds:.0f} s"
        session.passed(what, detail, count=tally.passed)
    if tally.skipped:
        session.skipped(what, "too large for the device", tally.skipped)


STAGE = Stage(
    "residue",
    "secrets that calls leave in memory, on simulated devices",
    residue,
    selects='"DEVICE LEVEL", such as "atmega328p Os", or a part of it',
)
