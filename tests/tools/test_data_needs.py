# SPDX-License-Identifier: Apache-2.0
"""Data that a test reads is found among what it needs, and told where it is not."""

from __future__ import annotations

import io
import os
import shutil
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

from testing import data_needs, python_tests
from testing.junit import Case, read_cases
from testing.process import Children
from testing.report import Report
from testing.session import ROOT, Options, Session

if TYPE_CHECKING:
    from pathlib import Path

# The graph of imports is read once, which takes seconds, and not in each process.
pytestmark = pytest.mark.xdist_group("graph of imports")

NODES = "tests/python/test_ple_sync.py"


@pytest.mark.parametrize(
    ("name", "area"),
    [
        ("results/chip/grain.jsonl", "results"),
        ("results.md", ""),
        ("tests/c/test_aes.c", "tests/c"),
        ("tests/python/machine_code.json", ""),
        ("gr-samara/lib/a.cc", "gr-samara"),
        ("core/aead/aead.c", ""),
        ("src/samara/energy/data/radios.toml", "src/samara/energy"),
        ("src/samara/py.typed", ""),
        ("src/samara/native/module.cpp", ""),
    ],
)
def test_some_data_is_for_few(name: str, area: str) -> None:
    assert data_needs.area_of(name) == area


def test_a_name_in_two_parts_is_found(tmp_path: Path) -> None:
    one, two, none = (tmp_path / f"{name}.py" for name in ("one", "two", "none"))
    one.write_text("A = ROOT / 'tests' / 'c'\nB = f'{A}/vectors/aes.txt'\n")
    two.write_text("A = ('tests/fuzz', '*/packages')\n")
    none.write_text("A = 'see tests/c and the results'\nB = 'tests'\nC = 'rtl'\n")
    named = data_needs._named  # noqa: SLF001 - the rule itself
    assert named(one) == {"tests/c", "vectors"}
    assert named(two) == {"tests/fuzz", "packages"}
    assert named(none) == {"tests/rtl"}


def test_what_a_test_opens_is_among_its_properties(tmp_path: Path) -> None:
    """In a copy: a file of data, and none of Python, of the tools or made."""
    shutil.copy(ROOT / "tests" / "conftest.py", _folder(tmp_path / "tests"))
    for name in ("results/chip/a.jsonl", "build/b", ".venv/c", "core/d.py"):
        _folder((tmp_path / name).parent)
        (tmp_path / name).write_text("")
    (tmp_path / "tests" / "test_it.py").write_text(
        "def test_reads(): [open(one).close() for one in "
        "('results/chip/a.jsonl', 'build/b', '.venv/c', 'core/d.py')]\n"
        "def test_reads_nothing(): pass\n"
    )
    subprocess.run(
        [
            *(sys.executable, "-m", "pytest", "-q", "-o", "junit_family=xunit1"),
            *("-p", "no:cacheprovider", "--junit-xml=cases.xml", "tests"),
        ],
        cwd=tmp_path,
        env={**os.environ, "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"},
        check=True,
    )
    reads = {one.name: one.reads for one in read_cases(tmp_path / "cases.xml")}
    assert reads == {"test_reads": ("results/chip",), "test_reads_nothing": ()}


def test_a_test_that_reads_what_it_does_not_name_fails() -> None:
    sink = io.StringIO()
    session = Session("python", Options(), Children(), Report(sink))
    known = Case("test_a", failed=False, skipped=False, output="", file=NODES)
    python_tests.check_data(session, [known])
    assert session.tally.failed == 0
    reads = ("core/aead", "src/samara/link/x", "results/chip", "tests/c")
    unknown = Case("b", failed=False, skipped=False, output="", file=NODES, reads=reads)
    python_tests.check_data(session, [known, unknown])
    assert session.tally.failed == 1
    assert f"{NODES}: it reads results, tests/c, which" in sink.getvalue()


def _folder(path: Path) -> Path:
    path.mkdir(parents=True, exist_ok=True)
    return path
