# SPDX-License-Identifier: Apache-2.0
"""What an eavesdropper has decoded is shown as it is, with its size."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest

from samara.console.links.sdr import SdrEmulation

if TYPE_CHECKING:
    from pathlib import Path


@pytest.mark.parametrize(
    ("content", "text", "shown"),
    [
        (b"hello" + bytes(43), "hello and 43 zero bytes", 48),
        (b"\x1b[2J\xff\\~", r"\x1b[2J\xff\~", 7),
        (b"x" * 64, "x" * 64, 64),
        (b"x" * 63 + b"\0y", "x" * 63 + " and a zero byte", 64),
        (bytes(3), "3 zero bytes", 3),
        (b"", "", 0),
    ],
)
def test_bytes_are_shown_as_text(
    tmp_path: Path, content: bytes, text: str, shown: int
) -> None:
    records: list[Any] = []
    emulation = SdrEmulation(tmp_path, records.append)
    line = {"type": "burst", "hex": content.hex(), "snr_db": 3.0}
    emulation._overhear(json.dumps(line).encode())  # noqa: SLF001 - a program calls it
    (heard,) = records
    assert (heard.text, heard.size) == (text, len(content))
    assert heard.content == content[:shown]
