# SPDX-License-Identifier: Apache-2.0
"""What README and docs advise is what results/ say."""

from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from bench.results import changed, refused, result

from samara.bench.report import choosing

if TYPE_CHECKING:
    from samara.bench.results import Result

ROOT = Path(__file__).parents[2]
TOOL = ROOT / "tools" / "figures-in-docs"
FILES = ("README.md", "docs/chip.md", "docs/ciphers.md", "docs/receipts.md")
ADVISE = ("README.md", "docs/ciphers.md")


def called(*arguments: str | Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [TOOL, *arguments], capture_output=True, text=True, timeout=120, check=False
    )


def row(device: str, suite: str, cycles: int, code: int, **other: Any) -> Result:  # noqa: ANN401 - fields have all kinds of values
    counts = {"set_up": 9, "seal": cycles}
    made = result(device, suite, (32, 14), code=code)
    return changed(made, cycles=counts, **other)


ROWS = [
    row("small", "aes128-ccm-8", 70_752, 3_332),
    row("small", "ascon-aead128", 119_538, 5_480),
    row("small", "grain128aead", 458_721, 14_278),
    row("wide", "aes128-ccm-8", 77_000, 2_720),
    row("wide", "ascon-aead128", 8_610, 1_736),
    row("wide", "grain128aead", 16_455, 3_500),
    # None of these counts: other flags, sizes, suites, or without figures.
    row("small", "ascon-aead128", 1, 1, opt="O3"),
    row("small", "ascon-aead128", 1, 1, message_bytes=16),
    row("small", "ascon-aead128", 1, 1, ad_bytes=0),
    row("small", "aes128-ccm-16", 1, 1),
    refused("small", "ascon-aead128", "does not fit"),
    # Of two implementations the better one counts; a device needs all three.
    row("wide", "ascon-aead128", 9_000, 2_000),
    row("lone", "aes128-ccm-8", 5, 5),
]


def test_the_advice_follows_from_the_figures() -> None:
    found = choosing.costs(ROWS)
    assert sorted(found) == ["small", "wide"]
    assert found["small"]["ascon-aead128"] == choosing.Cost(119_538, 5_480)
    assert found["wide"]["ascon-aead128"] == choosing.Cost(8_610, 1_736)
    said = choosing.sentence(ROWS)
    assert "take `aes128-ccm-8` on small; `ascon-aead128` on wide:" in said
    assert said.endswith("That of `grain128aead` is the least on none.")
    lines = choosing.table(ROWS).splitlines()
    assert lines[2] == (
        "| small | 70,752 cycles, 3,332 bytes | 119,538 cycles, 5,480 bytes"
        " | 458,721 cycles, 14,278 bytes | `aes128-ccm-8` |"
    )
    assert lines[3].endswith("| `ascon-aead128` |")
    # Neither the fewest cycles nor the least code alone: their product.
    odd = {
        "aes128-ccm-8": choosing.Cost(100, 100),
        "ascon-aead128": choosing.Cost(1000, 90),
        "grain128aead": choosing.Cost(90, 1000),
    }
    assert choosing.choice(odd) == "aes128-ccm-8"
    better = [*ROWS, row("small", "grain128aead", 10, 10)]
    assert "`grain128aead` on small" in choosing.sentence(better)


def test_docs_have_the_figures_of_results() -> None:
    done = called("--check")
    assert done.returncode == 0, done.stdout + done.stderr
    for name in ADVISE:
        assert "<!-- figures: choice -->\nFor something" in (ROOT / name).read_text()


@pytest.mark.slow
def test_other_figures_are_found_and_mended(tmp_path: Path) -> None:
    (tmp_path / "docs").mkdir()
    for name in FILES:
        shutil.copy(ROOT / name, tmp_path / name)
    (tmp_path / "results").symlink_to(ROOT / "results")
    ciphers = tmp_path / "docs" / "ciphers.md"
    right = ciphers.read_text()
    ciphers.write_text(right.replace("| atmega328p | ", "| atmega328p | 1"))
    check = called("--check", "--root", tmp_path)
    assert check.returncode == 1
    assert "docs/ciphers.md is out of date: run tools/figures-in-docs" in check.stdout
    assert ciphers.read_text() != right
    assert called("--root", tmp_path).returncode == 0
    assert ciphers.read_text() == right


def test_the_directories_of_the_design_exist() -> None:
    design = (ROOT / "docs" / "design.md").read_text()
    section = design.partition("## Directories")[2].partition("\n## ")[0]
    listed = section.partition("\n    ")[2].partition("\n\n")[0]
    named = re.findall(r"([A-Za-z0-9_.]+)/", listed)
    folders = {path.name for path in ROOT.glob("[!.b]*/**") if path.is_dir()} | {".ci"}
    assert len(named) > 30
    # `<machine>/` and `<name>/` stand for several.
    assert set(named) <= folders, set(named) - folders


def test_what_is_planned_is_not_there() -> None:
    design = (ROOT / "docs" / "design.md").read_text()
    planned = design.partition("## Planned")[2]
    folders = [ROOT / name for name in re.findall(r"`([a-z0-9_/]+)/`", planned)]
    there = {str(path.relative_to(ROOT)) for path in folders if path.is_dir()}
    assert there == {"firmware", "core"}
    assert len(folders) > len(there)
