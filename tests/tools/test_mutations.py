# SPDX-License-Identifier: Apache-2.0
import io
from pathlib import Path

import pytest

from testing.mutations import Mutation, RowError, mutations, read_rows, stage_for
from testing.process import Children
from testing.report import Report
from testing.session import Options, Session, Stage

ROW = Mutation("python", "tally", "file.py", "one", "two", "a-name")
STAGES = (
    Stage("python", "", lambda _: None, selects="tests"),
    Stage("lint", "", lambda _: None),
)


def written(folder: Path, text: str) -> Path:
    (folder / "area.toml").write_text(text)
    return folder


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


def test_all_rows_of_this_project_can_be_read() -> None:
    assert len(read_rows()) > 3


def test_a_stage_that_cannot_select_is_refused() -> None:
    sink = io.StringIO()
    session = Session("mutations", Options(), Children(), Report(sink))
    mutations(session, STAGES[1:])
    assert session.tally.failed == len(read_rows())
    assert "that takes -k" in sink.getvalue()


def test_the_stage_runs_only_what_is_named() -> None:
    session = Session(
        "mutations",
        Options(only="programs-that-end-badly"),
        Children(),
        Report(io.StringIO()),
    )
    stage_for(STAGES).run(session)
    assert (session.tally.passed, session.tally.failed) == (1, 0)
