# SPDX-License-Identifier: Apache-2.0
"""Where sentences of an answer stand, and keys that Python does not allow as names."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Annotated

from samara.records import Field, Record, Remark, Title, record_class
from samara.records.composing import composed
from samara.records.csv_lines import csv_of
from samara.records.html_page import page_of
from samara.records.json_lines import record_line
from samara.records.json_types import json_type_of
from samara.records.parts import Heading
from samara.records.tables import Table

if TYPE_CHECKING:
    from collections.abc import Iterator


@record_class
class Way(Record):
    """A way from one place to another."""

    from_: Annotated[str, Field("Where it begins.", heading="from")]
    metres: Annotated[int, Field("How long it is.", heading="length")]


def answer() -> Iterator[Way | Remark | Title]:
    yield Remark("Take the first.", is_above=True, emphasis=True)
    yield Title("Ways")
    yield Way("here", 5)
    yield Remark("All are open.")
    yield Way("there", 7)
    yield Remark("The others are far.", is_above=True)
    yield Title("More ways")
    yield Way("nowhere", 9)


def test_a_sentence_above_stands_where_it_comes() -> None:
    parts = list(composed(answer()))
    found = [
        (part.title, len(part.rows)) if isinstance(part, Table) else part.text  # type: ignore[union-attr]
        for part in parts
    ]
    assert found == [
        "Take the first.",
        ("Ways", 2),
        "The others are far.",
        ("More ways", 1),
        "All are open.",
    ]


def test_a_page_has_sentences_above_before_its_tables() -> None:
    page = page_of(answer(), Heading("Ways"))
    places = [
        page.index(text)
        for text in ("Take the first.", "The others", ">nowhere<", "All are open.")
    ]
    assert places == sorted(places)


def test_a_key_may_be_a_word_of_python() -> None:
    line = json.loads(record_line(Way("here", 5)))
    assert line == {"type": "way", "from": "here", "metres": 5}
    assert csv_of([Way("here", 5)]).splitlines()[0] == b"from,metres"
    assert [each.name for each in json_type_of(Way).members] == ["from", "metres"]
