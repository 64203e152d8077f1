# SPDX-License-Identifier: Apache-2.0
from __future__ import annotations

import io
from dataclasses import fields, replace
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from testing import mutations as stage
from testing import processor
from testing.green_record import GreenRecord
from testing.planted_record import state
from testing.planted_rows import Mutation, RowError, read_rows
from testing.planted_tree import copy_project, foreign_packages
from testing.process import TIMED_OUT, Children, CommandResult
from testing.report import Report
from testing.session import ROOT, Options, Session, Stage

if TYPE_CHECKING:
    from collections.abc import Sequence

ROW = Mutation("python", "tally", "file.py", "one", "two", "a-name")
STAGES = (
    Stage("python", "", lambda _: None, selects="tests"),
    Stage("lint", "", lambda _: None),
)
# Rows that fit this project: what they change and what finds it.
FOUND, MISSED, ENDLESS, BROKEN = ROWS = [
    Mutation(
        "python",
        "test_tally",
        "tools/testing/tally.py",
        "class Tally",
        f"class {name}",
        name,
    )
    for name in ("found", "missed", "endless", "broken")
]


def written(folder: Path, text: str) -> Path:
    (folder / "area.toml").write_text(text)
    return folder


def note(record: GreenRecord, *rows: Mutation) -> None:
    """Note that faults were found as the sources are now."""
    for row in rows:
        record.add(state(row), row.name)


def session(options: Options | None = None) -> tuple[Session, io.StringIO]:
    sink = io.StringIO()
    return Session("mutations", options or Options(), Children(), Report(sink)), sink


class FakeTree:
    """Tells of each fault what its name says."""

    passes = True
    planted: Sequence[str] = ()

    def __init__(self, _session: Session, _number: int) -> None:
        self.log = Path("/dev/null")

    def result(self, exit_code: int) -> CommandResult:
        return CommandResult((), exit_code, 1.0, ROOT / "test")

    def run(self, _rows: Sequence[Mutation], _what: str) -> CommandResult:
        return self.result(0 if self.passes else 1)

    def run_with(self, row: Mutation) -> CommandResult:
        FakeTree.planted = [*FakeTree.planted, row.name]
        codes = {"found": 1, "missed": 0, "endless": TIMED_OUT, "broken": 5}
        return self.result(codes[row.name])


@pytest.fixture
def record(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> GreenRecord:
    monkeypatch.setattr(stage, "Tree", FakeTree)
    monkeypatch.setattr(stage, "read_rows", lambda: list(ROWS))
    monkeypatch.setattr(FakeTree, "planted", ())
    monkeypatch.setattr(stage, "chosen", list)
    return GreenRecord(tmp_path / "found.txt")


def test_a_fault_replaces_its_text() -> None:
    assert ROW.planted("x = one") == "x = two"


@pytest.mark.parametrize("source", ["x = 1", "one = one"])
def test_a_text_that_is_not_there_once_is_refused(source: str) -> None:
    with pytest.raises(RowError, match=r"times in file\.py, not once"):
        ROW.planted(source)


def test_a_fault_that_is_not_python_is_refused() -> None:
    row = Mutation("python", "tally", "file.py", "one", "(", "a-name")
    with pytest.raises(RowError, match="not Python"):
        row.planted("x = one")


def test_a_fault_that_changes_nothing_is_refused() -> None:
    row = Mutation("python", "tally", "file.py", "one", "one", "a-name")
    with pytest.raises(RowError, match="changes nothing"):
        row.planted("x = one")


def test_a_row_without_a_key_is_refused(tmp_path: Path) -> None:
    folder = written(tmp_path, '[[mutation]]\nname = "a"\nfile = "b"\n')
    with pytest.raises(RowError, match=r"area\.toml: a row needs"):
        read_rows(folder)


def test_a_row_with_a_key_that_is_not_known_is_refused(tmp_path: Path) -> None:
    row = "\n".join(f'{field.name} = "a"' for field in fields(Mutation))
    assert read_rows(written(tmp_path, f"[[mutation]]\n{row}\n"))[0].processor == "a"
    folder = written(tmp_path, f'[[mutation]]\n{row}\nprocessors = "a"\n')
    with pytest.raises(RowError, match=r"area\.toml: a row needs"):
        read_rows(folder)


def test_all_rows_of_this_project_fit() -> None:
    rows = read_rows()
    assert len(rows) > 3
    for row in rows:
        row.planted((ROOT / row.file).read_text())


def test_a_copy_has_what_tests_read_and_nothing_old(tmp_path: Path) -> None:
    corpus = (ROOT / "tests" / "fuzz" / "corpus").glob("*/*")
    names = [str(path.relative_to(ROOT)) for path in corpus]
    assert len(names) > 300
    for old in ("core/old.c", "tests/fuzz/corpus/open/old"):
        (tmp_path / old).parent.mkdir(parents=True)
        (tmp_path / old).write_text("old")
    copy_project(tmp_path)
    for name in ("test", ".gitignore", "core/include/samara/aead.h", *names):
        assert (tmp_path / name).read_bytes() == (ROOT / name).read_bytes()
    assert not (tmp_path / "core" / "old.c").exists()
    assert not (tmp_path / "tests" / "fuzz" / "corpus" / "open" / "old").exists()


@pytest.mark.parametrize(
    ("only", "expected"),
    [
        ("test_tally", ["tests/tools/test_tally.py"]),
        (
            "(test_tally or test_lint) and cut",
            ["tests/tools/test_lint.py", "tests/tools/test_tally.py"],
        ),
        # There is tests/rtl/bench.v, too.
        ("bench/test_cores and known", ["tests/python/bench/test_cores.py"]),
    ],
)
def test_only_the_modules_that_a_row_names_are_read(
    only: str, expected: list[str]
) -> None:
    row = Mutation("python", only, "test", "a", "b", "a-name")
    assert [str(path.relative_to(ROOT)) for path in row.modules()] == expected


def test_a_stage_that_cannot_select_is_refused() -> None:
    this, sink = session()
    stage.mutations(this, STAGES[1:])
    assert this.tally.failed == len(read_rows())
    assert "that takes -k" in sink.getvalue()


def test_each_fault_is_judged_by_how_its_test_ended(record: GreenRecord) -> None:
    this, sink = session(Options(jobs=1))
    stage.mutations(this, STAGES, record)
    assert sorted(FakeTree.planted) == ["broken", "endless", "found", "missed"]
    assert (this.tally.passed, this.tally.failed) == (6, 2)
    assert "FAILED   missed: not found by python -k 'test_tally'" in sink.getvalue()
    assert "FAILED   broken: exit code 5" in sink.getvalue()
    assert [row.name for row in ROWS if record.note(state(row))] == ["found", "endless"]


def test_what_was_found_is_not_planted_again(record: GreenRecord) -> None:
    note(record, FOUND, MISSED, BROKEN)
    this, _ = session()
    stage.mutations(this, STAGES, record)
    assert FakeTree.planted == ["endless"]
    assert (this.tally.passed, this.tally.failed) == (8, 0)


def test_all_goes_on_where_it_was_and_has_no_limit_of_time(
    monkeypatch: pytest.MonkeyPatch, record: GreenRecord
) -> None:
    monkeypatch.setattr(stage, "_LIMIT_S", -1.0)
    note(record, FOUND, MISSED, BROKEN)
    this, sink = session(Options(thorough=True))
    stage.mutations(this, STAGES, record)
    assert FakeTree.planted == ["endless"]
    assert (this.tally.passed, this.tally.failed, this.tally.skipped) == (8, 0, 0)
    assert "3 were found" in sink.getvalue()
    assert "1 s; 0 left" in sink.getvalue()


def test_all_are_planted_again_when_that_is_asked_for(record: GreenRecord) -> None:
    note(record, *ROWS)
    this, _ = session(Options(again=True))
    stage.mutations(this, STAGES, record)
    assert sorted(FakeTree.planted) == ["broken", "endless", "found", "missed"]
    # What is not found any more is not on record any more.
    assert record.note(state(MISSED)) is None


def test_what_is_found_is_noted_for_the_sources_that_were_copied(
    monkeypatch: pytest.MonkeyPatch, record: GreenRecord, tmp_path: Path
) -> None:
    """Sources that change while faults are planted are not those of the trees."""
    states = iter(["asked for", "before", *["after"] * 10])
    monkeypatch.setattr(stage, "read_rows", lambda: [FOUND])
    monkeypatch.setattr(stage, "state", lambda _: next(states))
    this, _ = session()
    stage.mutations(this, STAGES, record)
    assert this.tally.passed == 2
    assert (tmp_path / "found.txt").read_text() == "before found\n"


def test_slow_rows_come_last() -> None:
    """Slow stages last; before them what collects all tests, or compiles first."""
    quick = replace(FOUND, name="quick")
    compiled = replace(quick, file="core/a.c", name="compiled")
    collecting = replace(quick, only="some_test", name="collecting")
    c, rtl = (replace(quick, stage=name, only="") for name in ("c", "rtl"))
    rows = [rtl, c, collecting, compiled, quick]
    assert sorted(rows, key=stage.slowness) == [quick, compiled, collecting, c, rtl]


def test_only_what_is_named_is_planted(record: GreenRecord) -> None:
    this, _ = session(Options(only="endl"))
    stage.mutations(this, STAGES, record)
    assert FakeTree.planted == ["endless"]


def test_a_test_that_fails_without_a_fault_finds_none(
    monkeypatch: pytest.MonkeyPatch, record: GreenRecord
) -> None:
    monkeypatch.setattr(FakeTree, "passes", False)
    this, sink = session()
    stage.mutations(this, STAGES, record)
    assert FakeTree.planted == ()
    assert (this.tally.passed, this.tally.failed) == (4, 1)
    assert "without a fault" in sink.getvalue()


def test_what_there_is_no_time_for_is_reported(
    monkeypatch: pytest.MonkeyPatch, record: GreenRecord
) -> None:
    monkeypatch.setattr(stage, "_LIMIT_S", -1.0)
    this, sink = session()
    stage.mutations(this, STAGES, record)
    assert (this.tally.passed, this.tally.failed, this.tally.skipped) == (4, 0, 4)
    assert "SKIPPED  found and 3 more" in sink.getvalue()


def test_a_fault_in_code_that_this_processor_cannot_run_is_skipped(
    monkeypatch: pytest.MonkeyPatch, record: GreenRecord
) -> None:
    """It is not planted, and told by its name; what the processor runs is."""
    rows = [
        replace(FOUND, processor="avx2"),
        replace(MISSED, processor="avx512f"),
        replace(BROKEN, processor="avx51"),
    ]
    monkeypatch.setattr(stage, "read_rows", lambda: rows)
    monkeypatch.setattr(processor, "_flags", lambda _: frozenset({"avx2", "avx512"}))
    this, sink = session()
    stage.mutations(this, STAGES, record)
    assert FakeTree.planted == ["found"]
    assert (this.tally.passed, this.tally.failed, this.tally.skipped) == (4, 0, 2)
    assert "missed: this processor has no avx512f" in " ".join(sink.getvalue().split())


@pytest.mark.parametrize("changed", ["file", "test", "row"])
def test_a_change_of_row_file_or_test_is_a_reason_to_plant(
    changed: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """Two rows of two files: a change of one file leaves the other alone."""
    for name in ("a.py", "b.py", "test_a.py", "test_b.py"):
        (tmp_path / name).write_text("one")
    monkeypatch.setattr(
        Mutation, "test_files", lambda row: (tmp_path / f"{row.only}.py",)
    )
    first = Mutation("python", "test_a", "a.py", "one", "two", "first")
    second = Mutation("python", "test_b", "b.py", "one", "two", "second")
    before = state(first, tmp_path), state(second, tmp_path)
    assert before[0] != before[1]
    if changed == "row":
        first = Mutation("python", "test_a", "a.py", "one", "three", "first")
    else:
        name = "a.py" if changed == "file" else "test_a.py"
        (tmp_path / name).write_text("one more")
    assert state(first, tmp_path) != before[0]
    assert state(second, tmp_path) == before[1]


def test_what_setup_builds_is_not_linked_from_the_clone() -> None:
    """A fault in it would be compiled, and the clone's own be tested."""
    linked = foreign_packages()
    assert len(linked) > 20
    assert [one for one in linked if next(one.rglob("*samara*"), None)] == []
