# SPDX-License-Identifier: Apache-2.0
"""Payloads about keys: all that is built is read again, and nothing else is."""

from __future__ import annotations

import dataclasses
from typing import get_args

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from samara.link.ieee802154.keys import control
from samara.link.ieee802154.keys.control import (
    Control,
    ControlError,
    GroupKey,
    Introduce,
)

U32 = st.integers(0, 2**32 - 1)
SIZES = {
    "invitation": 8,
    "extended": 8,
    "tag": 4,
    "message_1": 37,
    "message_2": 45,
    "message_3": 19,
}
NAMES = st.text("abcXYZ019._-", min_size=1, max_size=20)
INTRODUCTIONS = st.builds(
    Introduce,
    U32,
    st.integers(0, 2**16 - 1),
    st.binary(min_size=8, max_size=8),
    U32,
    U32,
    st.booleans(),
    NAMES,
    st.binary(min_size=1, max_size=32),
)


def of_kind(kind: type[Control]) -> st.SearchStrategy[Control]:
    """Return any payload of a kind, with possible values."""
    if issubclass(kind, Introduce):
        return INTRODUCTIONS
    if issubclass(kind, GroupKey):
        key = st.binary(min_size=16, max_size=32)
        return st.builds(kind.of, key, U32, U32)
    values = {}
    for each in dataclasses.fields(kind):
        size = SIZES.get(each.name, 16)
        is_number = each.type == "int"
        most = 255 if each.name in ("status", "reason") else 2**32 - 1
        numbers = st.integers(0, most)
        values[each.name] = (
            numbers if is_number else st.binary(min_size=size, max_size=size)
        )
    return st.builds(kind, **values)


@given(st.one_of(*(of_kind(kind) for kind in get_args(Control))))
def test_what_is_built_is_read(said: Control) -> None:
    payload = control.build(said)
    assert control.parse(payload) == said
    # The smallest payload of a frame that can carry keys.
    assert len(payload) <= 74


@given(st.integers(0, 255), st.binary(max_size=100), st.booleans())
@example(13, bytes(22) + b"\x01\xff" + bytes(16), True)  # noqa: FBT003
@example(13, bytes(22) + b"\x02xy", True)  # noqa: FBT003
@example(13, bytes(22) + b"\x02xy" + bytes(33), True)  # noqa: FBT003
def test_any_bytes_are_read_or_refused(code: int, content: bytes, ours: bool) -> None:  # noqa: FBT001
    payload = control.PREFIX + bytes([code]) + content if ours else content
    try:
        said = control.parse(payload)
    except ControlError:
        assert payload.startswith(control.PREFIX)
        return
    assert (said is None) == (not payload.startswith(control.PREFIX))
    if said is not None:
        assert control.build(said) == payload
    if isinstance(said, Introduce):
        assert 0 < len(said.key) <= 32


@given(st.one_of(*(of_kind(kind) for kind in get_args(Control))), st.data())
def test_what_is_cut_or_longer_is_refused(said: Control, data: st.DataObject) -> None:
    payload = control.build(said)
    fixed = not isinstance(said, Introduce)
    cut = payload[: data.draw(st.integers(2, len(payload) - 1))]
    if fixed or len(cut) < 23:
        with pytest.raises(ControlError):
            control.parse(cut)
    if fixed:
        with pytest.raises(ControlError):
            control.parse(payload + b"x")
