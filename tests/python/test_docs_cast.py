# SPDX-License-Identifier: Apache-2.0
"""The cast in the README shows what the commands print."""

from __future__ import annotations

import re
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest

from doc_pictures.cast import NAME, SECONDS, drawn, recorded

ROOT = Path(__file__).parents[2]
STEPS = [("samara a --b", ["one & <two>", "three"]), ("samara c", [])]


@pytest.mark.slow
def test_the_cast_is_what_the_commands_print_now(tmp_path: Path) -> None:
    picture = (ROOT / NAME).read_text(encoding="utf-8")
    assert drawn(recorded(tmp_path)) == picture, "run tools/draw-cast"


def test_lines_appear_in_their_order_within_the_time() -> None:
    picture = drawn(STEPS)
    shown = [each.text for each in ET.fromstring(picture).iter() if each.text]  # noqa: S314 - ours
    lines = [text for text in shown if text.startswith(("$", "one", "three"))]
    assert lines == ["$ samara a --b", "one & <two>", "three", "$ samara c"]
    begins = re.findall(r"([\d.]+)%\{(?:clip-path:inset\(0 100%|opacity:1)", picture)
    times = [float(each) for each in begins if each not in ("0", "100")]
    assert times == sorted(times)
    assert len(times) == len(lines)
    assert f"{SECONDS}s linear infinite" in picture


def test_the_last_line_of_the_cast_stays_for_some_seconds() -> None:
    picture = (ROOT / NAME).read_text(encoding="utf-8")
    begins = re.findall(r"([\d.]+)%\{opacity:1", picture)
    assert max(map(float, begins)) < 80
    assert "prefers-reduced-motion" in picture
    assert "http" not in picture.replace("http://www.w3.org/2000/svg", "")
