# SPDX-License-Identifier: Apache-2.0
"""The logic of the page: Vitest, the compiler, and types as the records have them."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from record_types.scanning import types
from samara.records.typescript import declarations

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


def test_the_types_of_the_page_are_those_of_the_records() -> None:
    written = (PAGE / "src" / "lib" / "records.ts").read_text(encoding="utf-8")
    assert written == declarations(types()), (
        "page/src/lib/records.ts is out of date: run tools/types-of-records"
    )
