# SPDX-License-Identifier: Apache-2.0
"""A receipt adds up, and survives being written and read."""

from __future__ import annotations

import contextlib
import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from samara.figure import Figure, Origin
from samara.link.node.receipt import FIGURES, PARTS, Direction, Receipt

TEXTS = st.text(max_size=8)
VALUES = st.floats(min_value=0, max_value=1e9)
FIGURE = st.builds(Figure, VALUES, TEXTS, st.sampled_from(Origin), TEXTS)
RECEIPTS = st.builds(
    Receipt,
    link=TEXTS,
    direction=st.sampled_from(Direction),
    protection=TEXTS,
    suite=st.none() | TEXTS,
    parts=st.dictionaries(
        st.sampled_from(sorted(PARTS)), st.integers(0, 1 << 20).map(lambda n: n / 8)
    ),
    packets=st.integers(0, 1000),
    payloads=st.integers(0, 1000),
    encrypted_bytes=st.integers(0, 1000),
    authenticated_bytes=st.integers(0, 1000),
    figures=st.dictionaries(st.sampled_from(sorted(FIGURES)), FIGURE),
    device=st.none() | TEXTS,
    radio=st.none() | TEXTS,
    remarks=st.lists(TEXTS, max_size=2).map(tuple),
)
JSON = st.recursive(
    st.none() | st.booleans() | st.floats() | st.integers() | TEXTS,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(TEXTS, inner),
    max_leaves=5,
)


def receipt(**parts: float) -> Receipt:
    return Receipt(
        link="ieee802154", direction=Direction.SENT, protection="level 5",
        suite="aes128-ccm-4", parts=parts, packets=1, payloads=1,
    )  # fmt: skip


def test_the_sums() -> None:
    found = receipt(message=95, header=9, tag=4, check=2, radio=6)
    assert (found.message_bytes, found.link_bytes, found.air_bytes) == (95, 110, 116)
    assert found.expansion == 110 / 95
    assert receipt(message=0, tag=4).expansion is None


@pytest.mark.parametrize(
    "parts",
    [
        {"colour": 1},
        {"tag": -1},
        {"tag": float("nan")},
        {"tag": float("inf")},
        {"tag": 0.1},
    ],
)
def test_what_cannot_be_is_refused(parts: dict[str, float]) -> None:
    with pytest.raises(ValueError, match="receipt"):
        receipt(**parts)


@given(RECEIPTS)
def test_written_and_read(found: Receipt) -> None:
    again = Receipt.from_json(json.loads(json.dumps(found.as_json())))
    assert again.as_json() == found.as_json()


@given(RECEIPTS, st.data())
def test_a_damaged_receipt_is_refused_or_another_one(
    found: Receipt, data: st.DataObject
) -> None:
    fields = found.as_json()
    fields[data.draw(st.sampled_from(sorted(fields)))] = data.draw(JSON)
    with contextlib.suppress(ValueError):
        Receipt.from_json(fields)


@given(JSON)
def test_anything_else_is_refused(fields: object) -> None:
    with pytest.raises(ValueError, match="receipt"):
        Receipt.from_json(fields)  # type: ignore[arg-type]


def test_a_receipt_with_notes_is_read() -> None:
    """Receipts of before had their remarks under this key."""
    fields = {**receipt(message=1).as_json(), "remarks": ["one"]}
    fields["notes"] = fields.pop("remarks")
    assert Receipt.from_json(fields).remarks == ("one",)
