# SPDX-License-Identifier: Apache-2.0
"""Tests that share a fixture of their module run in one process; others do not."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

from testing.session import ROOT

if TYPE_CHECKING:
    from pathlib import Path

_TESTS = """
import os
import time
from pathlib import Path

import pytest

@pytest.fixture(scope="module")
def made():
    with Path("made").open("a") as file:
        file.write("x")
    return 5

@pytest.mark.parametrize("number", range(6))
def test_sharing(made, number):
    time.sleep(0.05)
    assert made == 5

@pytest.mark.parametrize("number", range(20))
def test_alone(number):
    time.sleep(0.05)
    Path(f"process-{os.getpid()}").touch()
"""


@pytest.mark.slow
def test_what_a_module_shares_is_made_once(tmp_path: Path) -> None:
    shutil.copy(ROOT / "tests" / "conftest.py", tmp_path)
    (tmp_path / "test_some.py").write_text(_TESTS)
    (tmp_path / "pytest.ini").write_text("[pytest]\n")
    environment = {
        name: value
        for name, value in os.environ.items()
        if not name.startswith("PYTEST_")
    }
    done = subprocess.run(
        [
            *(sys.executable, "-m", "pytest", "-q", "-p", "no:schemathesis"),
            *("-n", "2", "--dist", "loadgroup", "test_some.py"),
        ],
        cwd=tmp_path,
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout
    assert "26 passed" in done.stdout
    assert (tmp_path / "made").read_text() == "x"
    assert len(list(tmp_path.glob("process-*"))) == 2


_SPLIT = """
import pytest

@pytest.fixture(scope="module")
def made():
    return 5

def test_one(made):
    assert made == 5

{mark}
def test_two(made):
    assert made == 5
"""


@pytest.mark.parametrize(
    ("mark", "is_refused"), [("", False), ('@pytest.mark.xdist_group("other")', True)]
)
def test_no_group_takes_some_of_those_that_share(
    mark: str, *, is_refused: bool, tmp_path: Path
) -> None:
    shutil.copy(ROOT / "tests" / "conftest.py", tmp_path)
    (tmp_path / "pytest.ini").write_text(
        "[pytest]\nmarkers =\n  slow: a\n  thorough: b\n"
    )
    (tmp_path / "test_it.py").write_text(_SPLIT.format(mark=mark))
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", tmp_path],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=False,
    )
    message = (
        "ERROR: test_it.py: tests with the fixture made are in 2 groups,"
        " each of which makes it: other, test_it.py\n"
    )
    assert (message in done.stderr) == is_refused
    assert ("2 passed" in done.stdout) != is_refused
