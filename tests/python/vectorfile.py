# SPDX-License-Identifier: Apache-2.0
"""The known answers in vectors/, as tests read them."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
FOLDER = ROOT / "vectors"


@dataclass(frozen=True, slots=True)
class Record:
    """One known answer: a paragraph of ``field = value`` lines."""

    section: str
    line: int
    fields: dict[str, str]

    def bytes_of(self, field: str) -> bytes:
        return bytes.fromhex(self.fields[field])

    def __str__(self) -> str:
        return f"line {self.line}, {self.fields.get('name', 'without a name')}"


@cache
def sections_of(path: Path) -> dict[str, list[Record]]:
    """Return the records of a file by the section they stand in."""
    sections: dict[str, list[Record]] = {}
    section = ""
    fields: dict[str, str] = {}
    lines = [*path.read_text(encoding="utf-8").splitlines(), ""]
    for number, line in enumerate(map(str.strip, lines), start=1):
        if line.startswith("["):
            section = line.strip("[]")
            sections.setdefault(section, [])
        elif line and not line.startswith("#"):
            field, _, value = line.partition("=")
            fields[field.strip()] = value.strip()
        elif not line and fields:
            first = number - len(fields)
            sections[section].append(Record(section, first, fields))
            fields = {}
    return sections


def paths() -> list[Path]:
    return sorted(FOLDER.glob("*.txt"))


def records_of_all_files() -> list[Record]:
    return [
        record
        for path in paths()
        for records in sections_of(path).values()
        for record in records
    ]
