# SPDX-License-Identifier: Apache-2.0
"""Known answers in the format of NIST's Lightweight Cryptography project.

A file has blocks of lines `Name = hexadecimal digits`, with an empty line after
each: Count, Key, Nonce, PT (message), AD (associated data), CT (ciphertext with
the tag behind it).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from samara.errors import MisuseError

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

_FIELDS = ("Key", "Nonce", "PT", "AD", "CT")
_SHOWN = 4
"""Fields that an error names at most."""


class DamagedKnownAnswersError(MisuseError):
    """A file of known answers cannot be read."""


@dataclass(frozen=True, slots=True)
class KnownAnswer:
    """A message and its ciphertext and tag."""

    count: str
    """Its name in the file."""
    key: bytes
    nonce: bytes
    message: bytes
    associated_data: bytes
    sealed: bytes
    """Ciphertext and tag."""

    @property
    def sizes(self) -> tuple[int, int, int]:
        """Bytes of key, nonce and tag."""
        tag = len(self.sealed) - len(self.message)
        return len(self.key), len(self.nonce), tag


def read(path: Path) -> list[KnownAnswer]:
    """Return the known answers of a file, in order.

    Raises
    ------
    DamagedKnownAnswersError
        If it has none, or one that lacks fields or is not hexadecimal.
    """
    try:
        text = path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        message = f"{path} cannot be read: {error}"
        raise DamagedKnownAnswersError(message) from None
    found = list(_answers(path, text))
    if not found:
        message = f"{path} has no known answers: expected lines like `Count = 1`"
        raise DamagedKnownAnswersError(message)
    return found


def _answers(path: Path, text: str) -> Iterator[KnownAnswer]:
    fields: dict[str, str] = {}
    for line in [*text.splitlines(), "Count = "]:
        name, equals, value = (part.strip() for part in line.partition("="))
        if not equals:
            continue
        if name == "Count" and fields:
            yield _answer(path, fields)
            fields = {}
        fields[name] = value


def _answer(path: Path, fields: dict[str, str]) -> KnownAnswer:
    count = fields.get("Count", "?")
    lacking = [name for name in _FIELDS if name not in fields]
    if lacking:
        message = f"{path}: Count = {count} has no {', '.join(lacking[:_SHOWN])}"
        raise DamagedKnownAnswersError(message)
    try:
        values = [bytes.fromhex(fields[name]) for name in _FIELDS]
    except ValueError:
        message = f"{path}: Count = {count} has a value that is not hexadecimal"
        raise DamagedKnownAnswersError(message) from None
    answer = KnownAnswer(count, *values)
    if len(answer.sealed) < len(answer.message):
        message = f"{path}: Count = {count} has a CT shorter than its PT"
        raise DamagedKnownAnswersError(message)
    return answer


def spread(answers: Sequence[KnownAnswer], wanted: int) -> list[KnownAnswer]:
    """Return this many of the answers, evenly spread, with the first and the last.

    >>> [int(a.count) for a in spread([_numbered(n) for n in range(10)], 4)]
    [0, 3, 6, 9]
    """
    if len(answers) <= wanted:
        return list(answers)
    last = len(answers) - 1
    return [answers[round(i * last / (wanted - 1))] for i in range(wanted)]


def _numbered(number: int) -> KnownAnswer:
    return KnownAnswer(str(number), b"", b"", b"", b"", b"")
