# SPDX-License-Identifier: Apache-2.0
"""Each picture of the docs is what tools/draw-pictures makes of its description."""

from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path

import pytest

from doc_pictures.drawing import FOLDER, described, drawn, is_current

ROOT = Path(__file__).parents[2]
TOOL = ROOT / "tools" / "draw-pictures"
DESCRIPTIONS = described(ROOT)
SCREENS = sorted((ROOT / FOLDER).glob("console-*.png"))
"""What tools/draw-screens kept of the console; no two browsers draw the same bytes."""
PAGES = [ROOT / "README.md", *(ROOT / "docs").rglob("*.md")]
FASTEST = "keys-forgetting"
"""Mermaid draws sequence charts in a second, and other diagrams in several."""


def called(*arguments: str | Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [TOOL, *arguments], capture_output=True, text=True, timeout=120, check=False
    )


@pytest.mark.parametrize("path", DESCRIPTIONS, ids=lambda path: path.stem)
def test_a_picture_is_drawn_from_its_description(path: Path) -> None:
    description = path.read_text(encoding="utf-8")
    picture = path.with_suffix(".svg").read_text(encoding="utf-8")
    assert is_current(description, picture)
    # Neither of them changes alone.
    assert not is_current(description + " ", picture)
    assert not is_current(description, picture.replace("</svg>", " </svg>"))


def test_a_picture_drawn_anew_is_the_same() -> None:
    path = ROOT / FOLDER / f"{FASTEST}.mmd"
    picture = path.with_suffix(".svg").read_text(encoding="utf-8")
    assert drawn(path.read_text(encoding="utf-8")) == picture
    assert "foreignObject" not in picture, "HTML, which not all viewers show"


@pytest.mark.slow
def test_the_tool_draws_what_is_out_of_date(tmp_path: Path) -> None:
    shutil.copytree(ROOT / FOLDER, tmp_path / FOLDER)
    path = tmp_path / FOLDER / f"{FASTEST}.mmd"
    assert called("--check", "--root", tmp_path).returncode == 0
    path.write_text(path.read_text().replace("gets nothing", "gets no key"))
    check = called("--check", "--root", tmp_path)
    message = f"{FASTEST}.svg is out of date: run tools/draw-pictures\n"
    assert (check.returncode, check.stdout) == (1, message)
    done = called("--root", tmp_path)
    assert (done.returncode, done.stdout) == (0, f"{FASTEST}.svg drawn\n")
    assert "gets no key" in path.with_suffix(".svg").read_text()
    path.write_text("sequenceDiagram\n    nobody knows\n")
    failed = called("--root", tmp_path)
    assert failed.returncode == 1
    assert failed.stderr.startswith(f"draw-pictures: {FASTEST}.mmd: ")


def test_pages_show_all_pictures_and_no_others() -> None:
    pages = "\n".join(path.read_text(encoding="utf-8") for path in PAGES)
    shown = set(re.findall(r"!\[[^\]]+\]\((?:docs/|\.\./)?(pictures/[^)]+)\)", pages))
    there = {f"pictures/{path.stem}.svg" for path in DESCRIPTIONS}
    there |= {f"pictures/{path.name}" for path in SCREENS}
    there.add("pictures/cast.svg")  # by tools/draw-cast
    there.add("pictures/companions.png")  # by tools/draw-companions
    there.add("pictures/energy-check.svg")  # by samara energy check
    there.add("pictures/secrecy.svg")  # by samara phy secrecy
    there.add("pictures/short-codes.png")  # by tools/phy-beside-peers
    assert shown == there
    assert "```mermaid" not in pages, "not every viewer draws it"


def test_each_screen_is_drawn_by_the_tool_and_small() -> None:
    tool = (ROOT / "tools" / "draw-screens").read_text(encoding="utf-8")
    names = re.findall(r'"(\w+)": ', tool[tool.index("SCREENS = {") :].split("}")[0])
    wanted = [f"console-{name}.png" for name in sorted(names)]
    assert [path.name for path in SCREENS] == wanted
    for path in SCREENS:
        assert 10_000 < path.stat().st_size <= 150_000, path.name
