# SPDX-License-Identifier: Apache-2.0
"""Prose in docs/ has no line over 160 columns and no sentence over 40 words."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

DOCS = Path(__file__).parents[2] / "docs"
COLUMNS, WORDS = 160, 40
NOT_YET = {"json.md"}
"""Pages that are not yet rewritten. Remove a page when it is; add none."""

NO_PROSE = re.compile(
    r"<!-- figures: .*?<!-- end of figures -->|<!-- records: .*?<!-- end of records -->"
    r"|<!--.*?-->|^```.*?^```$"
    r"|^    .*?$|^\|.*?$|^#.*?$",
    re.DOTALL | re.MULTILINE,
)
"""Generated text, comments, code, tables and headings."""
ONE_WORD = re.compile(r"``[^`]+``|`[^`]+`|(?<=\])\([^)\s]*\)")
"""Code and targets of links, which are read as part of one word."""


def prose(page: str) -> str:
    """Return a page without what is no prose, with the same number of lines."""
    return NO_PROSE.sub(lambda part: "\n" * part[0].count("\n"), page)


def long_lines(page: str) -> list[str]:
    return [line for line in prose(page).splitlines() if len(line) > COLUMNS]


def sentences(page: str) -> list[str]:
    """Return the sentences of a page; each item of a list begins one."""
    words = ONE_WORD.sub("x", prose(page))
    parts = re.split(r"\n\s*\n|\n(?=\s*(?:[-*]|\d+\.) )", words)
    return [
        sentence
        for part in parts
        for sentence in re.split(r"(?<=[.!?])[*)\"]*\s+", part.strip())
    ]


def long_sentences(page: str) -> list[str]:
    def words(sentence: str) -> list[str]:
        return [word for word in sentence.split() if re.search(r"\w", word)]

    return [one for one in sentences(page) if len(words(one)) > WORDS]


PAGES = sorted(str(path.relative_to(DOCS)) for path in DOCS.rglob("*.md"))


@pytest.mark.parametrize("name", [name for name in PAGES if name not in NOT_YET])
def test_lines_and_sentences_are_short(name: str) -> None:
    page = (DOCS / name).read_text(encoding="utf-8")
    assert not long_lines(page)
    assert not long_sentences(page)


def test_pages_that_wait_exist() -> None:
    assert set(PAGES) >= NOT_YET
    assert len(PAGES) - len(NOT_YET) >= 2, "no page is looked at"


WORD = "word "


def test_a_line_is_too_long_from_161_columns_on() -> None:
    assert not long_lines("x" * 160 + "\n" + "x" * 160)
    (found,) = long_lines("short\n" + "x" * 161 + "\n")
    assert found == "x" * 161
    row = "| " + "x" * 200 + " |"
    code = "    " + "x" * 200
    fence = "```\n" + "x" * 200 + "\n```"
    made = "<!-- figures: a -->\n" + "x" * 200 + "\n<!-- end of figures -->"
    assert not long_lines("\n".join([row, code, fence, made, "# " + "x" * 200]))
    assert long_lines("\n".join([fence, "- " + "x" * 159])) == ["- " + "x" * 159]


def test_a_sentence_is_too_long_from_41_words_on() -> None:
    assert not long_sentences(WORD * 39 + "end. " + WORD * 39 + "end.")
    (found,) = long_sentences("A short one.\n\n" + WORD * 40 + "end.\n\nAnother.")
    assert found.split()[-1] == "end."
    assert len(found.split()) == 41
    # Lines of a sentence belong together; items of a list do not.
    assert long_sentences(WORD * 30 + "\n" + WORD * 16)
    assert not long_sentences("- " + WORD * 30 + "\n- " + WORD * 30)
    assert long_sentences("- " + WORD * 30 + "\n  " + WORD * 16)
    # Code is one word, and so is the target of a link.
    assert not long_sentences(WORD * 39 + "`a b c d e`.")
    assert not long_sentences(WORD * 38 + "[end](a.md) here.")
    assert long_sentences(WORD * 40 + "`a b c d e`.")
