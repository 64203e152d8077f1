# SPDX-License-Identifier: Apache-2.0
"""Public implementations that were measured here, and the best of them.

published/peers.toml pins repositories, commits and the directories of all variants
that `tools/measure-peers` measures; published/peers.jsonl has one record for each
variant, device and optimisation, as it was measured. The rows of
published/best_known.csv about these peers are made from the records, and from nothing
else. Block ciphers have records, with repository and commit, and are not in
peers.toml: libraries have an interface of their own, and whoever measures one with
`samara bench add` writes the few lines between that and crypto_block.h.
"""

from __future__ import annotations

import csv
import io
import json
import tomllib
from dataclasses import asdict, dataclass
from functools import cache
from typing import TYPE_CHECKING, Any

from samara.bench import devices, published
from samara.bench.best_known import Metric
from samara.bench.results import Operation
from samara.figure import Origin

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from pathlib import Path

    from samara.bench.devices import Device

SCENARIOS = ((64, 0), (1224, 40))
"""Bytes of message and associated data that are measured."""

SCENARIOS_OF_CCM = ((95, 14), (1224, 40))
"""The same of CCM: the frame of the papers on IEEE 802.15.4, and a long message."""

DEVICES: Mapping[str, str] = {
    "atmega128": "avr",
    "msp430f1611": "msp430",
    "cortex-m0": "cortex-m0",
    "cortex-m3": "cortex-m3",
    "cortex-m4": "cortex-m4",
    "ibex": "ibex",
}
"""Devices that are measured, and the family or device that their rows are about."""

ELSEWHERE = "not measured here"
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
    block_bytes: int = 0
    """Bytes of a block cipher's block; 0 for messages."""
    counts: tuple[int, ...] = ()
    """Cycles or instructions of set-up and seal, in the order of `scenarios`, without
    the last if it does not fit; of a block cipher those of set-up, of encryption and of
    decryption of one block."""
    problem: str = ""
    """Why there are no figures."""

    @property
    def implementation(self) -> str:
        """Exact name of the variant, and the optimisation."""
        return f"{self.peer} {self.variant}, -{self.opt}"

    @property
    def encryption(self) -> int:
        """What a block cipher takes to encrypt a block, set-up not included."""
        _, encryption, _ = self.counts
        return encryption


def scenarios(suite: str) -> tuple[tuple[int, int], ...]:
    """Return the bytes of message and associated data that a suite is measured with."""
    return SCENARIOS_OF_CCM if "-ccm-" in suite else SCENARIOS


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
    places, on = list(DEVICES.values()), row["on"]
    place = places.index(on if on in places else devices.device(on).family.name)
    sizes = int(row["message_bytes"]), int(row["ad_bytes"])
    return place, row["suite"], sizes, int(row["count"])


def best(records: Iterable[Record]) -> list[dict[str, str]]:
    """Return the rows of the fastest, the smallest and the fastest variants in C.

    One row of each for each device, cipher, note and scenario; of a block cipher for
    the encryption of a block. Two variants that are equally fast are ordered by code;
    two that are equally small, by speed. A variant that is more than one of these has
    one row.
    """
    groups: dict[tuple[str, str, str], list[Record]] = {}
    for record in records:
        if not record.problem:
            key = (record.device, record.suite, record.note)
            groups.setdefault(key, []).append(record)
    return [
        _row(record, sizes, ", ".join(remarks))
        for group in groups.values()
        for sizes in dict.fromkeys(one for record in group for one in _counts(record))
        for record, remarks in _chosen(group, sizes).items()
    ]


def _counts(record: Record) -> dict[tuple[int, int], int]:
    """Return what is compared, by the bytes of message and associated data."""
    if record.block_bytes:
        return {(record.block_bytes, 0): record.encryption}
    return dict(zip(scenarios(record.suite), record.counts, strict=False))


def _chosen(group: Iterable[Record], sizes: tuple[int, int]) -> dict[Record, list[str]]:
    """Return the best records of one cipher, each with what it is the best at."""
    found = {
        record: counts[sizes]
        for record in group
        if sizes in (counts := _counts(record))
    }

    def by_count(record: Record) -> tuple[int, int]:
        return found[record], record.code_bytes

    fastest = min(found, key=by_count)
    chosen: dict[Record, list[str]] = {fastest: []}
    in_c = [record for record in found if record.language == "C"]
    if in_c:
        chosen.setdefault(min(in_c, key=by_count), ["fastest in C"])
    smallest = min(found, key=lambda r: (r.code_bytes, found[r]))
    if smallest != fastest:
        chosen.setdefault(smallest, []).append("smallest code")
    return chosen


def _row(record: Record, sizes: tuple[int, int], remark: str) -> dict[str, str]:
    operation, note = Operation.SEAL, [record.note, remark]
    if record.block_bytes:
        operation = Operation.ENCRYPT
        note += [f"key set-up {record.counts[0]} {record.metric}"]
    return {
        "on": DEVICES[record.device],
        "suite": record.suite,
        "message_bytes": str(sizes[0]),
        "ad_bytes": str(sizes[1]),
        "operation": operation,
        "metric": record.metric,
        "count": str(_counts(record)[sizes]),
        "code_bytes": str(record.code_bytes),
        "static_ram_bytes": str(record.static_ram_bytes),
        "stack_bytes": str(record.stack_bytes),
        "implementation": record.implementation,
        "flags": record.flags,
        "language": record.language,
        "origin": Origin.MEASURED,
        "source": f"{record.repository} {record.commit[:12]} {record.path},"
        f" on {record.device}",
        "note": ", ".join(filter(None, note)),
    }


def rows_without_record(path: Path) -> list[dict[str, str]]:
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
