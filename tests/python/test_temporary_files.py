# SPDX-License-Identifier: Apache-2.0
"""What tests leave under the directory for temporary files is removed at the end."""

from __future__ import annotations

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
    assert list(temporary.iterdir()) == []
