# SPDX-License-Identifier: Apache-2.0
"""A program of somebody else shows answers without the command line."""

from __future__ import annotations

import re
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest
from html_parts import Page
from shell import TIMEOUT_S
from vectorfile import ROOT

if TYPE_CHECKING:
    from pathlib import Path

NO_COMMANDS = """
import sys
loaded = [name for name in sys.modules if name.startswith(("samara.cli", "typer"))]
assert not loaded, loaded
"""


@pytest.mark.slow
def test_the_program_of_the_page_prints_and_writes(tmp_path: Path) -> None:
    text = (ROOT / "docs" / "energy.md").read_text(encoding="utf-8")
    (program,) = re.findall(r"^```python\n(.*?)^```$", text, re.MULTILINE | re.DOTALL)
    done = subprocess.run(
        [sys.executable, "-c", program + NO_COMMANDS],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        timeout=TIMEOUT_S,
        check=False,
    )
    assert done.returncode == 0, done
    lines = done.stdout.splitlines()
    lives = [line.split() for line in lines if line.endswith(", assumed")]
    assert [line[:-5] for line in lives] == [["as", "given"], ["none"], ["level", "6"]]
    years = {float(line[-3]) for line in lives}
    assert all(1 < each < 3 for each in years)
    assert "atmega328p     16 MHz" in lines
    page = Page()
    page.feed((tmp_path / "lives.html").read_text(encoding="utf-8"))
    page.close()
    assert page.open == []
    assert len(page.cells) == 3 * 7
