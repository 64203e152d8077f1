# SPDX-License-Identifier: Apache-2.0
"""The GNU Radio blocks: their C++ tests and their examples."""

from __future__ import annotations

import importlib
import re
import sys
from typing import TYPE_CHECKING

import pytest
from programs import JOBS, ROOT, VENV, ended, run

from testing.compiler_cache import same_in_all_clones

if TYPE_CHECKING:
    from pathlib import Path

MODULE = ROOT / "gr-samara"
CMAKE_LISTS = MODULE / "CMakeLists.txt"
EXAMPLES = sorted((MODULE / "examples").glob("*.grc"))


def run_cxx_tests(build: Path, *options: str) -> None:
    configure = ("cmake", "-S", MODULE, "-B", build, "-G", "Ninja")
    prefix = f"-DCMAKE_PREFIX_PATH={VENV.parent}"
    tests = ("-DGR_SAMARA_TESTS=ON", f"-DGR_SAMARA_TEST_PYTHON={sys.executable}")
    shared = same_in_all_clones(ROOT)
    run(*configure, prefix, *tests, *options, **shared)
    run("cmake", "--build", build, "--parallel", JOBS, **shared)
    run(build / "lib" / "qa_gr_samara")


def test_cxx_and_python_by_ctest() -> None:
    # What tools/setup built; here it gets its tests, too. One test: while a program
    # runs, no other test may link it.
    build = ROOT / "build" / "gr-samara"
    run_cxx_tests(build)
    listed = run("ctest", "--test-dir", build, "-N")
    files = sorted((MODULE / "python" / "qa").glob("qa_*.py"))
    assert files
    assert [file.stem for file in files if f": {file.stem}\n" not in listed] == []
    # The stage runs all of them on what is installed; one is enough to show that
    # ctest finds what was built, though something else is installed.
    run("ctest", "--test-dir", build, "--output-on-failure", "-R", "qa_text_pdu")


def test_modules_go_where_the_interpreter_looks(tmp_path: Path) -> None:
    script = MODULE / "cmake" / "python_folder.py"
    looked = run("/usr/bin/python3", "-c", "import sys; print(sys.path)")
    for prefix in ("/usr/local", "/usr"):
        folder = run("/usr/bin/python3", script, prefix).strip()
        assert f"'{prefix}/{folder}'" in looked
    assert run(sys.executable, script, VENV.parent).strip().endswith("site-packages")
    assert ended("/usr/bin/python3", script, tmp_path).returncode == 1


DOWNSTREAM = """
cmake_minimum_required(VERSION 3.22)
project(downstream LANGUAGES CXX)
find_package(gnuradio-samara 0.2 REQUIRED)
add_executable(downstream main.cc)
target_link_libraries(downstream gnuradio::gnuradio-samara)
"""
DOWNSTREAM_MAIN = """
#include <gnuradio/samara/burst_tx.h>
#include <iostream>
int main()
{
    std::cout << gr::samara::burst_tx::make(gr::samara::burst_modulation::QPSK, 480)
                     ->symbol_name();
}
"""


def test_another_project_finds_the_package(tmp_path: Path) -> None:
    (tmp_path / "CMakeLists.txt").write_text(DOWNSTREAM)
    (tmp_path / "main.cc").write_text(DOWNSTREAM_MAIN)
    prefix = f"-DCMAKE_PREFIX_PATH={VENV.parent}"
    run("cmake", "-S", tmp_path, "-B", tmp_path / "build", "-G", "Ninja", prefix)
    run("cmake", "--build", tmp_path / "build")
    assert run(tmp_path / "build" / "downstream").startswith("burst_tx")


def test_the_manifest_has_the_version_of_the_module() -> None:
    manifest = (MODULE / "MANIFEST.yml").read_text(encoding="utf-8")
    version = re.search(r"^version: (\S+)$", manifest, re.MULTILINE)
    assert version
    assert f"project(gr-samara VERSION {version[1]} " in CMAKE_LISTS.read_text()


@pytest.mark.thorough
def test_sanitizers_find_nothing_in_cxx() -> None:
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


def test_the_companions_are_as_they_are_made() -> None:
    sys.path.insert(0, str(MODULE / "examples"))
    made = importlib.import_module("make_companions").flowgraphs()
    assert len(made) == 4
    for graph in made:
        stored = MODULE / "examples" / f"{graph.name}.grc"
        assert stored.read_text(encoding="utf-8") == graph.text()
