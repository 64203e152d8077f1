# SPDX-License-Identifier: Apache-2.0
"""A program of somebody else shows answers without the command line."""

from __future__ import annotations

import json
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
    lifetimes = [line.split() for line in lines if line.endswith(", assumed")]
    assert [line[:-5] for line in lifetimes] == [
        ["as", "given"],
        ["none"],
        ["level", "6"],
    ]
    years = {float(line[-3]) for line in lifetimes}
    assert all(1 < each < 3 for each in years)
    assert "atmega328p     16 MHz" in lines
    page = Page()
    page.feed((tmp_path / "lives.html").read_text(encoding="utf-8"))
    page.close()
    assert page.open == []
    assert len(page.cells) == 3 * 7


ROOMS = """
import json
from pathlib import Path
from samara.bench.checking import CheckRequest, check
from samara.bench.run import RunRequest, run
from samara.chip.report.making import ReportRequest, report
from samara.randomness.run import RunRequest as TestRequest
from samara.randomness.run import run as test
from samara.records import Refusal, Remark, records_of

chosen = {
    "devices": ("atmega328p",), "suites": ("aes128",),
    "implementations": ("portable",), "jobs": 1,
}
(result,) = records_of(run(RunRequest(opts=("Os",), store=Path("own"), **chosen)))
(again,) = records_of(check(CheckRequest(**chosen)))
page, *tables = records_of(report(ReportRequest(output=Path("page"))))
parts = list(test(TestRequest(source="bad:counter", sequences=2, bits=10000)))
print(json.dumps({
    "cycles": result.cycles["encrypt"].value,
    "compared": [again.compared, again.differences],
    "files": [str(path) for path in page.files],
    "verdict": records_of(iter(parts))[-1].passes,
    "refused": any(isinstance(each, Refusal) for each in parts),
    "said": any(isinstance(each, Remark) for each in parts),
}))
"""


@pytest.mark.slow
def test_a_program_measures_reports_and_tests(tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-c", ROOMS + NO_COMMANDS],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        timeout=TIMEOUT_S,
        check=False,
    )
    assert done.returncode == 0, done
    assert done.stderr == ""
    (record,) = map(json.loads, done.stdout.splitlines())
    (line,) = (
        row
        for row in map(json.loads, (tmp_path / "own").read_text().splitlines())
        if "suite" in row
    )
    assert record.pop("cycles") == line["cycles"]["encrypt"] > 1000
    files = record.pop("files")
    assert sorted(path.name for path in (tmp_path / "page").glob("*.csv")) == sorted(
        name.removeprefix("page/") for name in files
    )
    assert len(files) > 5
    assert record == {
        "compared": [1, 0],
        "verdict": False,
        "refused": True,
        "said": True,
    }
