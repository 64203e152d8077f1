# SPDX-License-Identifier: Apache-2.0
"""Public implementations that `tools/measure-peers` measured, and the best of them.

published/peers.toml pins repositories, commits and the directories of all variants;
published/peers.jsonl has one record for each variant, device and optimisation, as it
was measured. The rows of published/best_known.csv about these peers are made from the
records, and from nothing else.
"""

from __future__ import annotations

import csv
import io
import json
import tomllib
from dataclasses import asdict, dataclass
from functools import cache
from typing import TYPE_CHECKING, Any

from samara.bench import published
from samara.bench.best_known import Metric
from samara.bench.results import Operation
from samara.figure import Origin

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from pathlib import Path

    from samara.bench.devices import Device

SCENARIOS = ((64, 0), (1224, 40))
"""Bytes of message and associated data that are measured."""

DEVICES: Mapping[str, str] = {
    "atmega128": "avr",
    "msp430f1611": "msp430",
    "cortex-m0": "cortex-m0",
    "cortex-m3": "cortex-m3",
    "cortex-m4": "cortex-m4",
}
"""Devices that are measured, and the family or device that their rows are about."""

ELSEWHERE = "not by tools/measure-peers"
"""How the source of a row ends that no record stands for."""

COLUMNS = (
    *("on", "suite", "message_bytes", "ad_bytes", "operation", "metric", "count"),
    *("code_bytes", "static_ram_bytes", "stack_bytes", "implementation", "flags"),
    *("language", "origin", "source", "note"),
)


@dataclass(frozen=True, slots=True)
class Peer:
    """Variants of one cipher in one repository, pinned to a commit."""

    name: str
    """Short name, in lower case."""
    repository: str
    """Owner and name."""
    commit: str
    """All 40 digits."""
    suite: str
    """The suite of samara that does the same, or that the rows are about."""
    folder: str
    """Directory of the variants in the repository."""
    variants: tuple[str, ...]
    """Names of directories."""
    devices: tuple[str, ...] = tuple(DEVICES)
    adapter: str = ""
    """Directory of tools/peers with sources that give the cipher NIST's interface."""
    sources: str = ""
    """Directory of the sources in that of a variant; empty: the same."""
    include: str = ""
    """Directory of further header files in the repository; empty: none."""
    reference: str = ""
    """The variant that judges the answers; empty: samara's suite does."""
    note: str = ""
    """What is different from the suite, such as an older version."""

    def path(self, variant: str) -> str:
        """Return the directory of a variant's sources in the repository."""
        return "/".join(filter(None, (self.folder, variant, self.sources)))


@dataclass(frozen=True, slots=True)
class Record:
    """One variant as it was measured; or why it could not be."""

    peer: str
    variant: str
    repository: str
    commit: str
    path: str
    suite: str
    device: str
    opt: str
    note: str = ""
    flags: str = ""
    compiler: str = ""
    language: str = ""
    metric: str = ""
    code_bytes: int = 0
    static_ram_bytes: int = 0
    stack_bytes: int = 0
    counts: tuple[int, ...] = ()
    """Cycles or instructions of set-up and seal, in the order of `SCENARIOS`."""
    problem: str = ""
    """Why there are no figures."""

    @property
    def implementation(self) -> str:
        """Exact name of the variant, and the optimisation."""
        return f"{self.peer} {self.variant}, -{self.opt}"


@cache
def pinned() -> tuple[Peer, ...]:
    """Return the peers of published/peers.toml."""
    path = published.folder() / "peers.toml"
    with path.open("rb") as file:
        rows = tomllib.load(file)["peer"]
    return tuple(_peer(row) for row in rows)


def _peer(row: Mapping[str, Any]) -> Peer:
    lists = {name: tuple(row[name]) for name in ("variants", "devices") if name in row}
    return Peer(**{**row, **lists})


def records_path() -> Path:
    """Return the file with the records."""
    return published.folder() / "peers.jsonl"


def table_path() -> Path:
    """Return published/best_known.csv."""
    return published.folder() / "best_known.csv"


def read(path: Path) -> list[Record]:
    """Return all records of a file, in order; none if there is no file."""
    if not path.is_file():
        return []
    rows = map(json.loads, path.read_text(encoding="utf-8").splitlines())
    return [Record(**{**row, "counts": tuple(row.get("counts", ()))}) for row in rows]


def as_lines(records: Iterable[Record]) -> str:
    """Return records as the file has them: sorted, without empty fields."""
    rows = sorted(records, key=lambda r: (r.peer, r.suite, r.variant, r.device, r.opt))
    return "".join(
        json.dumps({k: v for k, v in asdict(row).items() if v}) + "\n" for row in rows
    )


def table(records: Iterable[Record], elsewhere: Iterable[Mapping[str, str]]) -> str:
    """Return the text of published/best_known.csv.

    Parameters
    ----------
    elsewhere
        Rows of public code that is not pinned; they are kept as they are.
    """
    rows = [*best(records), *elsewhere]
    rows.sort(key=_place)
    text = io.StringIO()
    writer = csv.DictWriter(text, COLUMNS, lineterminator="\n")
    writer.writeheader()
    writer.writerows(rows)
    return text.getvalue()


def _place(row: Mapping[str, str]) -> tuple[object, ...]:
    places = list(DEVICES.values())
    sizes = int(row["message_bytes"]), int(row["ad_bytes"])
    return places.index(row["on"]), row["suite"], sizes, int(row["count"])


def best(records: Iterable[Record]) -> list[dict[str, str]]:
    """Return the rows of the fastest and the smallest variants.

    One pair for each device, cipher and scenario. Two variants that are equally fast
    are ordered by code; two that are equally small, by speed. If one variant is both,
    it has one row.
    """
    groups: dict[tuple[str, str, str], list[Record]] = {}
    for record in records:
        if not record.problem:
            key = (record.device, record.suite, record.note)
            groups.setdefault(key, []).append(record)
    rows: list[dict[str, str]] = []
    for group in groups.values():
        for place in range(len(SCENARIOS)):
            fastest = min(group, key=lambda r: (r.counts[place], r.code_bytes))
            smallest = min(group, key=lambda r: (r.code_bytes, r.counts[place]))
            rows += [_row(fastest, place, "")]
            if smallest != fastest:
                rows += [_row(smallest, place, "smallest code")]
    return rows


def _row(record: Record, place: int, remark: str) -> dict[str, str]:
    message, ad = SCENARIOS[place]
    return {
        "on": DEVICES[record.device],
        "suite": record.suite,
        "message_bytes": str(message),
        "ad_bytes": str(ad),
        "operation": Operation.SEAL,
        "metric": record.metric,
        "count": str(record.counts[place]),
        "code_bytes": str(record.code_bytes),
        "static_ram_bytes": str(record.static_ram_bytes),
        "stack_bytes": str(record.stack_bytes),
        "implementation": record.implementation,
        "flags": record.flags,
        "language": record.language,
        "origin": Origin.MEASURED,
        "source": f"{record.repository} {record.commit[:12]} {record.path},"
        f" on {record.device}",
        "note": ", ".join(filter(None, (record.note, remark))),
    }


def elsewhere(path: Path) -> list[dict[str, str]]:
    """Return the rows of a best_known.csv that no record stands for."""
    with path.open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    return [row for row in rows if row["source"].endswith(ELSEWHERE)]


def metric(device: Device) -> Metric:
    """Return what is compared on a device.

    Cycles of the Cortex-M are made from instructions by a model; those of the other
    processors are what one simulator counts of both programs.
    """
    return Metric.INSTRUCTIONS if device.family.name == "cortex-m" else Metric.CYCLES
