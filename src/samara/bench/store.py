# SPDX-License-Identifier: Apache-2.0
"""Results in files: one JSON object a line, added at the end.

A line is about one program and as many sizes of message as were measured
together: see `samara.bench.packing`. A field that is not in a line has its value
in `UNSAID`. A later line about the same thing replaces an earlier one when read.
The repository holds a full run in results/; what a person runs goes to a file of
their own.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from samara.bench import places
from samara.bench.packing import pack, unpack

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from pathlib import Path

    from samara.bench.rows import Row

Result = dict[str, Any]
"""A row as it was written: see `samara.bench.rows.Row` for its fields."""

_IDENTITY = (
    *("device", "suite", "implementation", "opt"),
    *("message_bytes", "ad_bytes"),
)


UNSAID: Result = {
    **dict.fromkeys(("code_bytes", "static_ram_bytes", "stack_bytes")),
    **dict.fromkeys(("cycles", "instructions", "time_us", "energy_uj")),
    **dict.fromkeys(("constant_time", "problem")),
    "varies": {},
}
"""What is left out of lines: nearly all of them would say the same."""


def committed() -> Path:
    """Return the folder with the results that come with the sources."""
    return places.root() / "results"


def own() -> Path:
    """Return the file that results are added to when none is named."""
    return places.made() / "results.jsonl"


def append(place: Path, rows: Iterable[Row]) -> None:
    """Add rows to a file, or to one file a device in a folder."""
    for line in pack(_said(row.as_json()) for row in rows):
        path = place / f"{line['device']}.jsonl" if place.is_dir() else place
        path.parent.mkdir(parents=True, exist_ok=True)
        with path.open("a", encoding="utf-8") as file:
            file.write(json.dumps(line, separators=(",", ":")) + "\n")


def _said(result: Result) -> Result:
    return {
        name: value
        for name, value in result.items()
        if name not in UNSAID or value != UNSAID[name]
    }


def identity(result: Result) -> tuple[Any, ...]:
    """Return what a result is about, whatever it came to."""
    return tuple(result[name] for name in _IDENTITY)


def read(*places_to_read: Path, containing: str = "") -> list[Result]:
    """Return what files and folders hold, the last line about each thing.

    Parameters
    ----------
    containing
        Lines without this text are not looked at, which saves most of the time.
    """
    found: dict[tuple[Any, ...], Result] = {}
    for place in places_to_read:
        for path in sorted(place.glob("*.jsonl")) if place.is_dir() else [place]:
            for result in _lines(path, containing):
                found[identity(result)] = result
    return list(found.values())


def _lines(path: Path, containing: str) -> Iterator[Result]:
    if not path.is_file():
        return
    with path.open(encoding="utf-8") as file:
        for number, line in enumerate(file, 1):
            if containing not in line:
                continue
            try:
                said: Result = json.loads(line)
            except json.JSONDecodeError:
                message = f"{path} is damaged at line {number}"
                raise ValueError(message) from None
            for result in unpack(said):
                yield UNSAID | result


def merit(result: Result, others: Iterable[Result]) -> float:
    """Return a figure of merit: small is good, 3 the best there can be.

    The sum over memory, code and cycles of the value over the least value on
    the same device for the same size of message.
    """
    device = [r for r in others if r["device"] == result["device"] and r["cycles"]]
    return sum(
        measure(result) / max(min(map(measure, device)), 1)
        for measure in (code, memory, cycles)
    )


def code(result: Result) -> int:
    """Return the bytes of code."""
    return int(result["code_bytes"] or 0)


def memory(result: Result) -> int:
    """Return the bytes of memory: variables and stack."""
    return int(result["static_ram_bytes"] or 0) + int(result["stack_bytes"] or 0)


def cycles(result: Result) -> int:
    """Return the cycles to seal, or to encrypt a block."""
    return int(_second(result["cycles"]))


def energy(result: Result) -> float:
    """Return the microjoules to seal, or to encrypt a block."""
    return _second(result["energy_uj"])


def _second(values: dict[str, Any] | None) -> float:
    return 0.0 if values is None else float(list(values.values())[1])
