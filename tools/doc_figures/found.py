# SPDX-License-Identifier: Apache-2.0
"""Figures in a page of Markdown.

A figure is a number that has a unit, a decimal point or a comma, or two digits or more,
and every number in a table. None are: numbers in code, links, comments and generated
blocks; in names, such as AES-128 and IEEE 802.15.4; years; small numbers without a unit
in prose.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

_NO_FIGURES = re.compile(
    r"<!-- figures: .*?<!-- end of figures -->|<!--.*?-->|```.*?```"
    r"|^    .*?$|``[^`]+``|`[^`\n]*`|(?<=\])\([^)\n]*\)",
    re.DOTALL | re.MULTILINE,
)
_NAMES = re.compile(
    r"\b(?:RFC|FIPS|SP|ISO/IEC|EN|ePrint|Debian|Python|C\+\+|Fig\.|Table|Zen|section"
    r"|table|level|MIC-|Li-SOCl|IPv|HD|AVX-)[ -]?\d[\w.\-]*"
    r"|\b(?:Figs\.|Tables|levels|sections) \d+(?:(?: to| and) \d+)?"
    r"|\bAES-\d+(?:, -\d+)*|\bx86-64\b|\bIEEE 802\.[\d.]+|\b802\.15\.4\b"
    r"|\d+(?:\.\d+){2,}",
    re.IGNORECASE,
)
_NUMBER = re.compile(
    r"(?<![\w./^])(?<![A-Za-z]-)(?:(?<![\w)])[-+\u2212](?=\d))?"
    r"(?:\d{1,3}(?:,\d{3})+|\d+)(?:\.\d+)?(?![\w^]|\.\d|-[A-Za-z]|,\d)"
)
_UNITS = (
    "% bytes? bits? cycles? instructions? registers? loads? ms s µs us minutes? "
    "hours? days? weeks? months? years? J mJ µJ nJ pJ V mV A mA µA nA W mW µW nW "
    "Hz kHz MHz GHz GE KiB MiB kB MB clocks? times nodes? frames? messages? "
    "blocks? words? rounds? points? neighbours? packets? bit/s kbit/s Mbit/s "
    "Gbit/s gates? flip-flops lanes? writes? values? requests? seconds? shifts? "
    "symbols? °C dB nm TSC core million"
)
_UNIT = re.compile(
    rf"(?: ?(?:to|or|and|by|x|±|,) ?[-+\u2212]?\d[\d,.]*){{0,2}}\s?"
    rf"(?:{'|'.join(_UNITS.split())})(?!\w)"
)
_YEAR = re.compile(r"(?:19|20)\d\d")
_HEADING = re.compile(r"^(#+) (.+)$", re.MULTILINE)
_BEFORE, _AFTER = 40, 20


@dataclass(frozen=True, slots=True)
class Found:
    """A figure in its place."""

    section: str
    """Headings above it but that of the page, numbers as #."""
    text: str
    """What stands around it, other numbers as #, itself as []; in a table behind
    the first cell of its row and the head of its column."""
    figure: str
    """As it is written."""
    start: int
    end: int

    @property
    def key(self) -> tuple[str, str]:
        """What does not change with the figure."""
        return self.section, self.text


def figures(page: str) -> list[Found]:
    """Return the figures of a page, in order."""
    text = _NO_FIGURES.sub(lambda part: _blank(part[0]), page)
    bare = _NAMES.sub(lambda part: re.sub(r"\d", "§", part[0]), text)
    masked = _NUMBER.sub(lambda part: "#" * len(part[0]), bare)
    for name in _NAMES.finditer(text):
        masked = masked[: name.start()] + name[0] + masked[name.end() :]
    headings = list(_headings(bare, masked))
    return [
        Found(
            _section(headings, match.start()),
            _around(masked, match.start(), match.end()),
            match[0],
            match.start(),
            match.end(),
        )
        for match in _NUMBER.finditer(bare)
        if _counts(bare, match)
    ]


def _blank(part: str) -> str:
    """Return as many characters, none of them a digit, with the same lines."""
    return re.sub(r"[^\n]", "§", part)


def _counts(page: str, match: re.Match[str]) -> bool:
    start = page.rfind("\n", 0, match.start()) + 1
    digits = match[0].lstrip("+-\N{MINUS SIGN}")
    if "." in digits or "," in digits or _UNIT.match(page, match.end()):
        return True
    in_table = page.startswith("|", start)
    return (in_table or len(digits) > 1) and not _YEAR.fullmatch(digits)


def _headings(bare: str, masked: str) -> Iterator[tuple[int, str]]:
    """Yield places and words of headings, those above them in front."""
    above: dict[int, str] = {}
    for match in _HEADING.finditer(bare):
        depth, words = len(match[1]), _words(masked[match.start(2) : match.end(2)])
        above = {level: one for level, one in above.items() if 1 < level < depth}
        above[depth] = words
        yield match.start(), " / ".join(above.values())


def _section(headings: list[tuple[int, str]], place: int) -> str:
    above = [words for start, words in headings if start <= place]
    return above[-1] if above else ""


def _around(masked: str, start: int, end: int) -> str:
    line = masked.rfind("\n", 0, start) + 1
    if masked.startswith("|", line):
        stop = masked.find("\n", end)
        return _in_table(masked, line, stop if stop >= 0 else len(masked), start, end)
    before = _words(masked[max(0, start - 2 * _BEFORE) : start].rpartition("\n\n")[2])
    after = _words(masked[end : end + 2 * _AFTER].partition("\n\n")[0])
    return f"{before[-_BEFORE:]} [] {after[:_AFTER]}".strip()


def _in_table(masked: str, line: int, stop: int, start: int, end: int) -> str:
    cells = _cells(masked, line, stop)
    column = next(i for i, (_, last) in enumerate(cells) if end <= last)
    first, last = cells[column]
    inside = f"{masked[first:start]}[]{masked[end:last]}"
    head = _words(_head(masked, line, column))
    label = _words(masked[slice(*cells[0])]) if column else ""
    return " | ".join([label[:_BEFORE], head[:_BEFORE], _words(inside)])


def _cells(masked: str, line: int, stop: int) -> list[tuple[int, int]]:
    bars = [i for i in range(line, stop) if masked[i] == "|"]
    return [(one + 1, other) for one, other in pairwise(bars)]


def _head(masked: str, line: int, column: int) -> str:
    """Return the head of a column: the cell of the first row of the table."""
    top = line
    while top and masked.startswith("|", masked.rfind("\n", 0, top - 1) + 1):
        top = masked.rfind("\n", 0, top - 1) + 1
    cells = _cells(masked, top, masked.find("\n", top))
    return masked[slice(*cells[column])] if top != line and column < len(cells) else ""


def _words(text: str) -> str:
    """Return text on one line, numbers as one #, code left out."""
    return " ".join(re.sub(r"§+", "", re.sub(r"#[#]*", "#", text)).split())


def replaced(page: str, changes: Iterator[tuple[Found, str]]) -> str:
    """Return a page with other figures in places that `figures` found."""
    for found, figure in sorted(changes, key=lambda change: -change[0].start):
        page = page[: found.start] + figure + page[found.end :]
    return page
