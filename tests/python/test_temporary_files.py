# SPDX-License-Identifier: Apache-2.0
"""What tests leave under the directory for temporary files is removed at the end."""

from __future__ import annotations

import fcntl
import os
import subprocess
import sys
from pathlib import Path

import pytest

FOLDER = Path(__file__).parent
# Each of its tests makes a directory that is removed when programs end, which it has
# not started.
LEAVES = FOLDER / "console" / "test_overheard.py"


@pytest.mark.slow
@pytest.mark.parametrize("processes", [0, 2])
def test_nothing_is_left_by_a_run_of_tests(processes: int, tmp_path: Path) -> None:
    temporary = tmp_path / "temporary"
    temporary.mkdir()
    left, held = temporary / "samara-pytest-left", temporary / "samara-pytest-held"
    for each in (left, held):
        each.mkdir()
        (each / "file").touch()
        os.utime(each, (0, 0))
    descriptor = os.open(held, os.O_RDONLY)
    fcntl.flock(descriptor, fcntl.LOCK_EX)
    own = {"TMPDIR": str(temporary), "PYTEST_DEBUG_TEMPROOT": str(tmp_path)}
    given = {k: v for k, v in os.environ.items() if k != "PYTEST_XDIST_WORKER"}
    words = ("-m", "pytest", "-q", "-p", "no:cacheprovider", f"-n{processes}")
    done = subprocess.run(
        [sys.executable, *words, LEAVES],
        env=given | own,
        cwd=FOLDER.parents[1],
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )
    assert " passed" in done.stdout, done.stdout + done.stderr
    os.close(descriptor)
    assert list(temporary.iterdir()) == [held], "what another run has stays"
