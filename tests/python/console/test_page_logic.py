# SPDX-License-Identifier: Apache-2.0
"""The logic of the page: Vitest and the compiler. It needs no Python of samara."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

PAGE = Path(__file__).parents[3] / "page"
NODE = shutil.which("node", path=str(Path(sys.executable).parent))

needs_node = pytest.mark.skipif(
    NODE is None or not (PAGE / "node_modules").is_dir(),
    reason="the page's logic is NOT tested: tools/setup installs Node and packages",
)


def run(*command: str) -> subprocess.CompletedProcess[str]:
    """Run a program of the page's packages."""
    program = PAGE / "node_modules" / ".bin" / command[0]
    return subprocess.run(
        [str(NODE), str(program.resolve()), *command[1:]],
        cwd=PAGE,
        capture_output=True,
        text=True,
        check=False,
    )


@needs_node
@pytest.mark.slow
def test_vitest_finds_no_fault() -> None:
    done = run("vitest", "run")
    assert done.returncode == 0, done.stdout + done.stderr
    assert "passed" in done.stdout


@needs_node
@pytest.mark.slow
def test_the_compiler_finds_no_fault() -> None:
    done = run("svelte-check", "--fail-on-warnings")
    assert done.returncode == 0, done.stdout + done.stderr
