# SPDX-License-Identifier: Apache-2.0
"""A change of a text, and whether two of them make the same text."""

from __future__ import annotations

from dataclasses import dataclass

# Characters that are shown of a text; it is the name of a log, too.
_SHOWN = 50


@dataclass(frozen=True, order=True)
class Edit:
    """A part of a text, by its first and last place, and what takes its place."""

    begin: int
    end: int
    text: str

    def made(self, source: str) -> str:
        """Return the source with this change."""
        return source[: self.begin] + self.text + source[self.end :]

    def least(self, source: str) -> Edit:
        """Return the change that makes the same text, and begins last and is shortest.

        Two changes of a source are the same if these are equal.
        """
        old, new = source[self.begin : self.end], self.text
        most = min(len(old), len(new))
        head = next((i for i in range(most) if old[i] != new[i]), most)
        rest = range(most - head)
        tail = next((i for i in rest if old[-1 - i] != new[-1 - i]), most - head)
        begin, end = self.begin + head, self.end - tail
        text = new[head : len(new) - tail]
        # What only adds or only takes away may as well begin later.
        while begin == end < len(source) and text and text[0] == source[end]:
            text = text[1:] + text[0]
            begin = end = end + 1
        while not text and begin < end < len(source) and source[begin] == source[end]:
            begin, end = begin + 1, end + 1
        return Edit(begin, end, text)

    def shown(self, source: str) -> str:
        """Return where it is and what it does, as a person reads it."""
        line = source.count("\n", 0, self.begin) + 1
        old, new = (
            " ".join(text.split())[:_SHOWN]
            for text in (source[self.begin : self.end], self.text)
        )
        return f"line {line}: {old!r} -> {new!r}"


def whole_edit(source: str, changed: str) -> Edit:
    """Return the change that makes one text of another."""
    return Edit(0, len(source), changed).least(source)
