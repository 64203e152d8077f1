# SPDX-License-Identifier: Apache-2.0
"""Charts and state diagrams of docs/pictures, read as far as tests compare them."""

from __future__ import annotations

import re
from pathlib import Path
from typing import NamedTuple

_FOLDER = Path(__file__).parents[2] / "docs" / "pictures"
_ARROW = re.compile(r"(\w+)->>(\w+): ([0-9a-f]{2}) ")
_CHANGE = re.compile(r"(\S+) --> (\S+) : (.+)")
_ALIAS = re.compile(r'state "(.+)" as (\w+)')
OUTSIDE = "[*]"
"""What is before the first state, and behind the last one."""


class Message(NamedTuple):
    """An arrow of a sequence chart."""

    sender: str
    receiver: str
    code: int


def text_of(name: str) -> str:
    """Return the description of a picture."""
    return (_FOLDER / f"{name}.mmd").read_text(encoding="utf-8")


def ways(name: str) -> list[list[Message]]:
    """Return the messages of each way through a sequence chart."""
    lines = [line.strip() for line in text_of(name).splitlines()]
    found, rest = _ways(lines)
    assert not rest
    return found


def _ways(lines: list[str]) -> tuple[list[list[Message]], list[str]]:
    """Return the ways up to the end of a block, and the lines behind that."""
    found: list[list[Message]] = [[]]
    finished: list[list[Message]] = []
    while lines:
        line, lines = lines[0], lines[1:]
        word = line.partition(" ")[0]
        if arrow := _ARROW.match(line):
            message = Message(arrow[1], arrow[2], int(arrow[3], 16))
            found = [[*way, message] for way in found]
        elif word in ("alt", "loop"):
            inner, lines = _ways(lines)
            found = [way + more for way in found for more in inner]
        elif word == "else":
            finished, found = finished + found, [[]]
        elif word == "end":
            break
        else:
            assert "->>" not in line, f"an arrow that is not read: {line}"
    return finished + found, lines


def changes(name: str) -> set[tuple[str, str]]:
    """Return the changes from state to state of a diagram."""
    text = text_of(name)
    names = {alias: words for words, alias in _ALIAS.findall(text)}
    return {
        (names.get(before, before), names.get(after, after))
        for before, after, _ in _CHANGE.findall(text)
    }
