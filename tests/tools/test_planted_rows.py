# SPDX-License-Identifier: Apache-2.0
"""Rows of planted faults that pytest has to find name a test that is there."""

from __future__ import annotations

import json
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

from testing.planted_rows import read_rows
from testing.session import ROOT

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

# Collects as pytest does, and prints which expressions of -k select nothing.
_SELECTING = """
import json, sys
import pytest
from _pytest.mark import KeywordMatcher
from _pytest.mark.expression import Expression

modules, expressions = json.load(sys.stdin)


class Plugin:
    def pytest_collection_finish(self, session):
        self.matchers = [KeywordMatcher.from_item(item) for item in session.items]


plugin = Plugin()
code = pytest.main(["--collect-only", "-qq", "--all", *modules], plugins=[plugin])
assert code == 0, code
for text in expressions:
    chosen = Expression.compile(text)
    if not any(map(chosen.evaluate, plugin.matchers)):
        print("SELECTS NOTHING", text)
"""


def selecting_nothing(modules: Iterable[Path], expressions: Iterable[str]) -> set[str]:
    """Return the expressions that select no test of some files."""
    done = subprocess.run(
        [sys.executable, "-c", _SELECTING],
        input=json.dumps([sorted(map(str, modules)), sorted(set(expressions))]),
        capture_output=True,
        text=True,
        cwd=ROOT,
        timeout=300,
        check=True,
    )
    output = (line.partition("SELECTS NOTHING ") for line in done.stdout.splitlines())
    return {text for before, mark, text in output if mark and not before}


def test_each_row_of_python_names_its_file() -> None:
    """Otherwise any change in tests/python calls for planting it again."""
    rows = [row for row in read_rows() if row.stage == "python"]
    assert not sorted(row.name for row in rows if not row.modules())


@pytest.mark.slow
def test_each_row_selects_a_test() -> None:
    rows = [row for row in read_rows() if row.stage == "python"]
    assert len(rows) > 200
    modules = {path for row in rows for path in row.modules()}
    nothing = selecting_nothing(modules, (row.only for row in rows))
    assert not sorted(row.name for row in rows if row.only in nothing)


def test_an_expression_without_a_test_is_reported() -> None:
    here = ROOT / "tests" / "tools" / "test_planted_rows.py"
    wrong = "test_planted_rows and renamed_since"
    assert selecting_nothing([here], [wrong, "test_planted_rows and each_row"]) == {
        wrong
    }
