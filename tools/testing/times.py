# SPDX-License-Identifier: Apache-2.0
"""How long each stage took when it ran last in this clone: ./test --times."""

from __future__ import annotations

import json
import os
import platform
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypedDict, cast

from testing.report import Spent
from testing.session import ROOT

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

TIMES = ROOT / "build" / "test" / "times.json"
#: The document with a table of the times, and what is around that table.
DOCUMENT = ROOT / "CONTRIBUTING.md"
_BEGIN = "<!-- written by ./test --write-times -->\n"
_END = "<!-- end of what is written -->\n"


class Taken(TypedDict):
    """What a stage took when it ran last as a whole."""

    elapsed_s: float
    busy_s: float
    day: str
    machine: str


def keep(spent_by_stage: Iterable[tuple[str, Spent]], path: Path = TIMES) -> None:
    """Put down how long stages took of which nothing was taken from a record."""
    times = _read(path)
    for name, spent in spent_by_stage:
        if spent.busy_s > 0 and spent.is_whole:
            day = time.strftime("%Y-%m-%d")
            times[name] = Taken(
                elapsed_s=round(spent.elapsed_s, 1),
                busy_s=round(spent.busy_s, 1),
                day=day,
                machine=_machine(),
            )
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(times, indent=1))


def lines(names: Iterable[str], path: Path = TIMES) -> Iterator[str]:
    """Return a table of the last run of each stage, in the order of the stages."""
    times = _read(path)
    yield f"{'stage':15} {'time':>8} {'CPU time':>9}  run on"
    for name in names:
        if name in times:
            spent = Spent(times[name]["elapsed_s"], times[name]["busy_s"])
            yield f"{name:15} {spent}  {times[name]['day']}"
        else:
            yield f"{name:15}        -         -  not run yet as a whole"


def write(
    names: Iterable[str], path: Path = TIMES, document: Path = DOCUMENT
) -> list[str]:
    """Write the CPU times into a document; return the stages that have none."""
    text = document.read_text()
    before, begin, rest = text.partition(_BEGIN)
    _, end, after = rest.partition(_END)
    if not begin or not end:
        message = f"{document.name} needs the lines {_BEGIN.strip()} and {_END.strip()}"
        raise ValueError(message)
    times = _read(path)
    document.write_text(before + begin + _table(names, times) + end + after)
    return [name for name in names if name not in times]


def _table(names: Iterable[str], times: dict[str, Taken]) -> str:
    """Return a table in Markdown, with the machines below it."""
    machines = list(dict.fromkeys(taken["machine"] for taken in times.values()))
    rows = ["", "| stage | CPU time | measured on |", "|---|--:|---|"]
    for name in names:
        if taken := times.get(name):
            which = f", [{machines.index(taken['machine']) + 1}]"
            day = taken["day"] + (which if len(machines) > 1 else "")
            rows.append(f"| {name} | {taken['busy_s']:.0f} s | {day} |")
        else:
            rows.append(f"| {name} | not measured | |")
    known = [times[name]["busy_s"] for name in names if name in times]
    rows += [f"| all | {sum(known):.0f} s | |", ""]
    for number, machine in enumerate(machines, 1):
        rows.append(f"[{number}] {machine}." if len(machines) > 1 else f"{machine}.")
    return "\n".join([*rows, "", ""])


def _machine() -> str:
    """Return the name of the processor, and how many there are."""
    info = Path("/proc/cpuinfo")
    models = [
        line.partition(":")[2].strip()
        for line in (info.read_text().splitlines() if info.exists() else ())
        if line.startswith("model name")
    ]
    model = models[0] if models else platform.machine()
    return f"Machine: {model}, {os.cpu_count()} processors"


def _read(path: Path) -> dict[str, Taken]:
    found: dict[str, Any] = json.loads(path.read_text()) if path.exists() else {}
    # An older form was text for people.
    return {
        name: cast("Taken", taken)
        for name, taken in found.items()
        if isinstance(taken, dict)
    }
