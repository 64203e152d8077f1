# SPDX-License-Identifier: Apache-2.0
"""C programs that ran already: the same bytes, arguments and files, and no others."""

from __future__ import annotations

import json
import subprocess
from typing import TYPE_CHECKING

import pytest

from testing import c_tests
from testing.green_record import GreenRecord
from testing.junit import read_cases
from testing.program_record import Program, ProgramRecord, programs_of
from testing.tally import Tally

if TYPE_CHECKING:
    from pathlib import Path

GOOD = Tally(passed=5)


def described(folder: Path, *more: str, environment: str = "A=1") -> str:
    """Return what ctest prints of a build with one program."""
    test = {
        "name": "test_one",
        "command": [str(folder / "test_one"), *more],
        "properties": [
            {"name": "ENVIRONMENT", "value": [environment]},
            {"name": "WORKING_DIRECTORY", "value": str(folder)},
        ],
    }
    return f"noise\n{json.dumps({'tests': [test]})}"


def state(folder: Path, *more: str, **settings: str) -> str:
    (program,) = programs_of(described(folder, *more, **settings), folder, folder)
    assert program.name == "test_one"
    return program.state


@pytest.fixture
def build(tmp_path: Path) -> Path:
    return made(tmp_path / "first", b"code")


def made(folder: Path, code: bytes) -> Path:
    folder.mkdir()
    (folder / "test_one").write_bytes(code)
    return folder


def test_bytes_arguments_and_files_count(build: Path, tmp_path: Path) -> None:
    vectors = tmp_path / "vectors.txt"
    vectors.write_text("one")
    first = state(build, str(vectors))
    assert first
    assert state(made(tmp_path / "second", b"code"), str(vectors)) == first
    assert state(made(tmp_path / "third", b"Code"), str(vectors)) != first
    assert state(build) != first
    assert state(build, str(vectors), environment="A=2") != first
    vectors.write_text("two")
    assert state(build, str(vectors)) != first


def test_what_another_program_starts_always_runs(build: Path, tmp_path: Path) -> None:
    (script,) = programs_of(described(build), tmp_path / "elsewhere")
    assert script.state == ""
    record = ProgramRecord(GreenRecord(None))
    assert not record.left_out("a", [script]).names
    assert not record.left_out("b", [script]).names


def test_one_build_runs_what_two_have(tmp_path: Path) -> None:
    record = ProgramRecord(GreenRecord(tmp_path / "record"))
    both, other = Program("test_one", "x"), Program("test_two", "y")
    assert not record.left_out("a", [both]).names
    found = record.left_out("b", [both, other])
    assert found.same == {"test_one": "a"}
    assert not found.on_record


@pytest.mark.parametrize(
    ("tally", "is_kept"),
    [
        (GOOD, True),
        (Tally(passed=5, failed=1), False),
        (Tally(passed=5, skipped=1), False),
        (Tally(), False),
        (None, False),
    ],
)
def test_what_passed_is_kept(
    tally: Tally | None, *, is_kept: bool, tmp_path: Path
) -> None:
    one, always = Program("test_one", "x"), Program("test_two", "")
    ran = {"test_two": GOOD, **({"test_one": tally} if tally else {})}
    record = ProgramRecord(GreenRecord(tmp_path / "record"))
    record.put([one, always], ran)
    later = ProgramRecord(GreenRecord(tmp_path / "record"))
    found = later.left_out("a", [one, always])
    assert found.on_record == ({"test_one": 5} if is_kept else {})
    assert not found.same


def test_ctest_leaves_out_what_is_named(tmp_path: Path) -> None:
    (tmp_path / "CTestTestfile.cmake").write_text(
        "add_test(one true)\nadd_test(one_more true)\nadd_test(c++ false)"
    )
    results = tmp_path / "results.xml"
    build = c_tests._Build("", ".", (), 1)  # noqa: SLF001
    command = c_tests._ctest(build, results, 60, {"one", "c++"})  # noqa: SLF001
    words = [str(tmp_path) if word == build.folder else word for word in command]
    assert subprocess.run(words, stdout=subprocess.DEVNULL, check=False).returncode == 0
    assert [case.name for case in read_cases(results)] == ["one_more"]
