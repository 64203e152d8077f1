# SPDX-License-Identifier: Apache-2.0
"""The GNU Radio blocks: their C++ tests and their examples."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from programs import JOBS, ROOT, VENV, run

if TYPE_CHECKING:
    from pathlib import Path

MODULE = ROOT / "gr-samara"
EXAMPLES = sorted((MODULE / "examples").glob("*.grc"))


def run_cxx_tests(build: Path, *options: str) -> None:
    configure = ("cmake", "-S", MODULE, "-B", build, "-G", "Ninja")
    prefix = f"-DCMAKE_PREFIX_PATH={VENV.parent}"
    run(*configure, prefix, "-DGR_SAMARA_TESTS=ON", *options)
    run("cmake", "--build", build, "--parallel", JOBS, "--target", "qa_gr_samara")
    run(build / "lib" / "qa_gr_samara")


def test_cxx() -> None:
    # What tools/setup built; here it gets its tests, too.
    run_cxx_tests(ROOT / "build" / "gr-samara")


@pytest.mark.thorough
def test_cxx_with_sanitizers() -> None:
    options = ("Debug", "ON", "ON")
    names = ("CMAKE_BUILD_TYPE", "GR_SAMARA_SANITIZE", "GR_SAMARA_WERROR")
    given = [f"-D{name}={value}" for name, value in zip(names, options, strict=True)]
    run_cxx_tests(ROOT / "build" / "test" / "gr-samara", *given)


def test_there_are_examples() -> None:
    assert EXAMPLES


@pytest.mark.parametrize("flowgraph", EXAMPLES, ids=lambda path: path.stem)
def test_an_example_compiles(flowgraph: Path, tmp_path: Path) -> None:
    blocks = VENV.parent / "share/gnuradio/grc/blocks"
    run("grcc", "-o", tmp_path, flowgraph, GRC_BLOCKS_PATH=str(blocks))
