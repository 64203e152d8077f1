# SPDX-License-Identifier: Apache-2.0
"""Reading and writing the text format of vectors/ (see vectors/README.md)."""

import hashlib
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

VECTORS = Path(__file__).resolve().parents[2] / "vectors"


class SelfCheckError(Exception):
    """The code that makes answers fails answers made elsewhere."""


@dataclass(frozen=True)
class Record:
    """One known answer: its section, its fields in order, a comment above it."""

    slug: str
    fields: dict[str, str]
    comment: str = ""

    def __getitem__(self, field: str) -> str:
        """Return the text of a field."""
        return self.fields[field]

    def octets(self, field: str) -> bytes:
        """Return the bytes of a hexadecimal field."""
        return bytes.fromhex(self.fields[field])


@dataclass(frozen=True)
class SuiteValues:
    """What a suite's record holds, as bytes."""

    key: bytes
    nonce: bytes
    ad: bytes
    message: bytes
    ciphertext: bytes
    tag: bytes

    def record(self, slug: str, name: str, result: str) -> Record:
        """Return the record with these values."""
        texts = {field: value.hex() for field, value in vars(self).items()}
        return Record(slug, {"name": name, **texts, "result": result})


def suite_values(record: Record) -> SuiteValues:
    """Return the values of a suite's record."""
    return SuiteValues(
        *(record.octets(field) for field in SuiteValues.__dataclass_fields__)
    )


def read(name: str) -> list[Record]:
    """Read all records of a file in vectors/."""
    records: list[Record] = []
    slug, fields = "", dict[str, str]()
    text = (VECTORS / name).read_text(encoding="utf-8")
    for line in [*text.splitlines(), ""]:
        if line.startswith("#"):
            continue
        if not line or line.startswith("["):
            if fields:
                records.append(Record(slug, fields))
            slug, fields = (line.strip("[]") or slug), {}
        else:
            field, _, value = line.partition(" =")
            fields[field] = value.strip()
    return records


def render(header: Iterable[str], records: Iterable[Record]) -> str:
    """Return the text of a file, one section for each slug."""
    lines = [f"# {line}" for line in header]
    sections: dict[str, list[Record]] = {}
    for record in records:
        sections.setdefault(record.slug, []).append(record)
    for slug, members in sections.items():
        lines += ["", f"[{slug}]"]
        for record in members:
            lines += [""] + [f"# {record.comment}"] * bool(record.comment)
            lines += [f"{k} = {v}".rstrip() for k, v in record.fields.items()]
    return "\n".join(lines) + "\n"


def draw(label: str, size: int) -> bytes:
    """Return bytes that look random and depend on the label alone."""
    output, counter = b"", 0
    while len(output) < size:
        seed = f"samara known answers/{label}/{counter}"
        output += hashlib.sha256(seed.encode()).digest()
        counter += 1
    return output[:size]


def flip(value: bytes, bit: int) -> bytes:
    """Return the bytes with one bit inverted (bit i is 1 << i % 8 of byte i // 8)."""
    changed = bytearray(value)
    changed[bit // 8] ^= 1 << bit % 8
    return bytes(changed)
