# SPDX-License-Identifier: Apache-2.0
"""The best public code that is known for a cipher: published/best_known.csv.

Rows are about a processor family, or about one device where the family's
processors differ in what they count.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from functools import cache
from typing import TYPE_CHECKING

from samara.bench import published
from samara.bench.results import Operation
from samara.figure import Figure, Origin

if TYPE_CHECKING:
    from samara.bench.devices import Device
    from samara.bench.published import Record
    from samara.bench.results import Result

FILE = "best_known.csv"


OF_MESSAGES = (Operation.SEAL, Operation.ENCRYPT)
"""What code is chosen by: a message with its set-up, or a block without."""

_WORK = {
    Operation.ENCRYPT: "a block",
    Operation.DECRYPT: "a block backwards",
    Operation.SET_UP: "a key",
}

_NOT_CONSTANT_TIME = "tables indexed by secrets"
"""What the note of code says that does not take constant time behind a cache."""


class Metric(StrEnum):
    """What is counted of the public code."""

    CYCLES = "cycles"
    INSTRUCTIONS = "instructions"


@dataclass(frozen=True, slots=True)
class BestKnown:
    """The cycles or instructions of public code for a message or a block."""

    processor: str
    """Name of a processor family or of a device."""
    suite: str
    message_bytes: int
    ad_bytes: int
    operation: Operation
    """`seal`, set-up included; `encrypt` and `decrypt`, one block without set-up; or
    `set_up` of a key."""
    metric: Metric
    """Instructions where cycles are estimates."""
    count: int
    code_bytes: int | None
    implementation: str
    language: str
    origin: Origin
    source: str
    note: str

    @property
    def sizes(self) -> tuple[int, int]:
        """Bytes of message and associated data."""
        return self.message_bytes, self.ad_bytes

    @property
    def work(self) -> str:
        """What is counted, in words."""
        return _WORK.get(
            self.operation, f"{self.message_bytes:,} + {self.ad_bytes} bytes"
        )

    @property
    def figure(self) -> Figure:
        """The count with its unit, origin and source."""
        unit = self.metric.removesuffix("s")
        return Figure(self.count, unit, self.origin, self.source)

    @property
    def project(self) -> str:
        """Name of the project that the code is from, such as `ascon-c`."""
        return self.implementation.split(" ", 1)[0]

    @property
    def has_secret_tables(self) -> bool:
        """Whether it looks up tables at places that depend on secrets."""
        return _NOT_CONSTANT_TIME in self.note

    @property
    def title(self) -> str:
        """Name of the code, its language, and a note."""
        remark = f", {self.note}" if self.note else ""
        return f"{self.implementation} ({self.language}{remark})"


@cache
def known() -> tuple[BestKnown, ...]:
    """Return all rows, in the order of the file."""
    return tuple(_row(record) for record in published.table(FILE))


def _row(record: Record) -> BestKnown:
    code = record.number("code_bytes")
    return BestKnown(
        processor=record.text("on"),
        suite=record.text("suite"),
        message_bytes=int(record.value("message_bytes")),
        ad_bytes=int(record.value("ad_bytes")),
        operation=Operation(record.text("operation")),
        metric=Metric(record.text("metric")),
        count=int(record.value("count")),
        code_bytes=None if code is None else int(code),
        implementation=record.text("implementation"),
        language=record.text("language"),
        origin=Origin(record.text("origin")),
        source=record.text("source"),
        note=record.text("note"),
    )


@cache
def _by_suite() -> dict[str, list[BestKnown]]:
    """Return the public code of each cipher, the fastest first."""
    found: dict[str, list[BestKnown]] = {}
    for row in sorted(known(), key=lambda row: row.count):
        found.setdefault(row.suite, []).append(row)
    return found


def of(device: Device, suite: str) -> list[BestKnown]:
    """Return the public code of a cipher on a device, the fastest first."""
    places = (device.name, device.family.name)
    return [row for row in _by_suite().get(suite, ()) if row.processor in places]


def best(
    device: Device, suite: str, sizes: tuple[int, int] | None = None
) -> BestKnown | None:
    """Return the fastest public code for a message or a block; None if there is none.

    Parameters
    ----------
    sizes
        Bytes of message and associated data. Default: those of the shortest message.
    """
    found = [row for row in of(device, suite) if row.operation in OF_MESSAGES]
    if sizes is None and found:
        sizes = min(row.sizes for row in found)
    return next((row for row in found if row.sizes == sizes), None)


def ratio(result: Result, row: BestKnown) -> float | None:
    """Return the count of a result divided by that of public code.

    None if the result has no such count. Set-up is included for a message, and
    not for a block.
    """
    counts = result.cycles if row.metric is Metric.CYCLES else result.instructions
    if not counts or row.operation not in counts:
        return None
    ours = counts[row.operation]
    if row.operation is Operation.SEAL:
        ours += counts[Operation.SET_UP]
    return ours / row.count
