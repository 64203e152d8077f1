# SPDX-License-Identifier: Apache-2.0
"""A file of tests is taken from the record only if nothing that it needs changed."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import pytest

from testing import data_needs, file_record, files, fingerprint, python_needs
from testing.file_record import FileRecord
from testing.green_record import GreenRecord
from testing.junit import Case

# The graph of imports is read once, which takes seconds, and not in each process.
pytestmark = pytest.mark.xdist_group("graph of imports")

ONE, TWO = "tests/python/test_one.py", "tests/python/test_two.py"
PAGES, SOURCES = "tests/python/test_pages.py", "tests/python/test_sources.py"
NEEDS = {
    ONE: ["src/samara/one.py"],
    TWO: ["src/samara/two.py"],
    PAGES: ["src/samara/two.py"],
    SOURCES: [],
}
DATA = ("core/c.c", "results/a.jsonl", "tests/fuzz/f.c")
PASSED = [Case("a", failed=False, skipped=False, output="", file=f) for f in NEEDS]


@pytest.fixture
def root(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (tmp_path / ".settings").write_text("one\n")
    names = [*NEEDS, "src/samara/one.py", "src/samara/two.py", *DATA, "docs/a.md"]
    for name in (*names, "dpkg"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text("one\n")
    (tmp_path / TWO).write_text("'results/a.jsonl'\n")
    paths = [tmp_path / name for name in names]
    tests = [tmp_path / name for name in NEEDS]

    @cache
    def needed(test: Path) -> set[Path]:
        name = test.relative_to(tmp_path).as_posix()
        return {test, *(tmp_path / each for each in NEEDS[name])}

    for module in (data_needs, file_record, fingerprint):
        monkeypatch.setattr(module, "ROOT", tmp_path)
    monkeypatch.setattr(fingerprint, "_PACKAGES", tmp_path / "dpkg")
    monkeypatch.setattr(files, "walk", lambda _: paths)
    monkeypatch.setattr(python_needs, "all_tests", lambda: tests)
    monkeypatch.setattr(python_needs, "needed", needed)
    monkeypatch.setattr(
        python_needs, "reads_documents", lambda test: test.name == "test_pages.py"
    )
    monkeypatch.setattr(
        python_needs, "reads_sources", lambda test: test.name == "test_sources.py"
    )
    return tmp_path


@pytest.mark.usefixtures("root")
def test_what_passed_is_left_out_and_counted() -> None:
    record = GreenRecord(None)
    assert FileRecord(record).left() == [*NEEDS]
    FileRecord(record).put([*PASSED, *PASSED[:1]])
    assert FileRecord(record).left() == []
    assert FileRecord(record).passed() == 5


@pytest.mark.parametrize(
    ("changed", "left"),
    [
        ("src/samara/one.py", [ONE]),
        ("src/samara/two.py", [TWO, PAGES]),
        (ONE, [ONE]),
        ("docs/a.md", [PAGES]),
        ("core/c.c", [ONE, TWO, PAGES]),
        # One names their directory; one that reads documents may read all.
        ("results/a.jsonl", [TWO, PAGES]),
        ("tests/fuzz/f.c", [PAGES]),
        (".settings", [ONE, TWO, PAGES]),
        ("dpkg", [ONE, TWO, PAGES]),
    ],
)
def test_a_change_runs_what_needs_it(changed: str, left: list[str], root: Path) -> None:
    record = GreenRecord(None)
    FileRecord(record).put(PASSED)
    (root / changed).write_text("two\n")
    assert FileRecord(record).left() == [*left, SOURCES]


@pytest.mark.usefixtures("root")
@pytest.mark.parametrize("bad", ["failed", "skipped"])
def test_a_file_with_one_that_did_not_pass_runs_again(bad: str) -> None:
    record = GreenRecord(None)
    case = Case("b", bad == "failed", bad == "skipped", output="", file=ONE)
    FileRecord(record).put([*PASSED, case])
    assert FileRecord(record).left() == [ONE]


@pytest.mark.usefixtures("root")
def test_what_passed_without_slow_tests_is_on_record_for_such_runs_alone() -> None:
    record = GreenRecord(None)
    left = [f"{ONE}::test_a[1]", f"{ONE}::test_a[2]"]
    FileRecord(record, whole=(), among={ONE, SOURCES}).put(PASSED, left)
    assert FileRecord(record).left() == [ONE, TWO, PAGES]
    assert FileRecord(record, whole=[ONE]).left() == [ONE, TWO, PAGES]
    assert FileRecord(record, whole=[TWO]).left() == [TWO, PAGES]
    assert FileRecord(record, whole=[TWO]).slow_left() == 2
    assert FileRecord(record, whole=(), among={ONE, TWO}).left() == [TWO]
    FileRecord(record).put(PASSED)
    quick = FileRecord(record, whole=())
    assert (quick.left(), quick.passed(), quick.slow_left()) == ([], 4, 0)


@pytest.mark.usefixtures("root")
def test_a_file_without_slow_tests_is_on_record_as_a_whole() -> None:
    record = GreenRecord(None)
    FileRecord(record, whole=()).put(PASSED, [f"{ONE}::test_a"])
    assert FileRecord(record).left() == [ONE]


def test_what_changed_while_it_ran_is_not_on_record(root: Path) -> None:
    record = GreenRecord(None)
    run = FileRecord(record)
    (root / "src" / "samara" / "one.py").write_text("two\n")
    run.put(PASSED)
    assert FileRecord(record).left() == [ONE, SOURCES]


@pytest.mark.usefixtures("root")
def test_a_file_of_which_no_test_ran_is_not_on_record() -> None:
    record = GreenRecord(None)
    FileRecord(record).put(PASSED[1:])
    assert FileRecord(record).left() == [ONE]


@pytest.mark.slow
def test_these_files_of_the_project_are_known() -> None:
    """A file that reads sources as texts is found; another one needs its helpers."""
    tests = Path(__file__).parents[1] / "python"
    assert python_needs.reads_sources(tests / "test_imports.py")
    assert python_needs.reads_sources(tests / "test_added.py")
    assert not python_needs.reads_sources(tests / "test_tables.py")
    assert python_needs.reads_documents(tests / "test_docs_english.py")
    assert tests / "shell.py" in python_needs.needed(tests / "test_cli_files.py")
