# SPDX-License-Identifier: Apache-2.0
"""A stage is taken from the record only where all that it depends on is the same."""

from __future__ import annotations

import io
from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from testing import fingerprint, python_needs, stage_record
from testing.green_record import GreenRecord
from testing.import_graph import ImportGraph
from testing.report import Report
from testing.run import run_stages
from testing.session import ROOT, Options, Session, Stage
from testing.stages import STAGES

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path


@pytest.fixture
def root(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Provide a project with one file for a stage to read, and a list of packages."""
    for name in ("core/aead/one.c", "tools/tool.py", "docs/page.md", "dpkg", "cpu"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text("one\n")
    monkeypatch.setattr(stage_record, "ROOT", tmp_path)
    monkeypatch.setattr(fingerprint, "ROOT", tmp_path)
    monkeypatch.setattr(fingerprint, "VENV", tmp_path / ".venv" / "bin")
    monkeypatch.setattr(fingerprint, "_PACKAGES", tmp_path / "dpkg")
    monkeypatch.setattr(fingerprint, "_PROCESSOR", tmp_path / "cpu")
    return tmp_path


def three_pass(session: Session) -> None:
    session.passed("three checks", count=3)


OF_CORE = Stage("c", "a summary", three_pass, reads=("core",))


class Runs:
    """Runs of one stage with one record."""

    def __init__(
        self,
        body: Callable[[Session], None] = three_pass,
        stage: Stage = OF_CORE,
    ) -> None:
        self._body = body
        self._stage = stage
        self._record = GreenRecord(None)
        self.count = 0

    def run(self, options: Options | None = None) -> str:
        """Run the stage; return what was printed."""
        sink = io.StringIO()
        stage = replace(self._stage, run=self._counted)
        run_stages([stage], options or Options(), Report(sink), self._record)
        return sink.getvalue()

    def _counted(self, session: Session) -> None:
        self.count += 1
        self._body(session)


def test_what_passed_with_the_same_files_is_reported_and_counted(root: Path) -> None:
    runs = Runs()
    runs.run()
    (root / "docs" / "page.md").write_text("another\n")
    shown = runs.run()
    assert runs.count == 1
    assert "as on record: the same files, tools and machine  (3 checks passed" in shown
    assert shown.splitlines()[-1] == "3 passed, 0 failed"


@pytest.mark.parametrize(
    "name", ["core/aead/one.c", "tools/tool.py", "dpkg", "core/new.h"]
)
def test_a_change_of_what_it_reads_runs_it(name: str, root: Path) -> None:
    runs = Runs()
    runs.run()
    (root / name).write_text("two\n")
    assert "as on record" not in runs.run()
    assert runs.count == 2


def test_of_python_it_reads_what_it_begins_with_and_imports(
    root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = root / "src" / "samara"
    folder.mkdir(parents=True)
    (folder / "begins.py").write_text("import samara.imported\n")
    for name in ("imported.py", "another.py", "data.toml"):
        (folder / name).write_text("")
    monkeypatch.setattr(python_needs, "ROOT", root)
    monkeypatch.setattr(python_needs, "_graph", lambda: ImportGraph(root))
    begins = ("src/samara/begins.py",)
    stage = Stage("c", "a summary", three_pass, reads=("src",), begins=begins)
    runs = Runs(stage=stage)
    runs.run()
    (folder / "another.py").write_text("x = 1\n")
    assert "as on record" in runs.run()
    for count, name in enumerate(("begins.py", "imported.py", "data.toml"), 2):
        with (folder / name).open("a") as file:
            file.write("x = 1\n")
        assert "as on record" not in runs.run()
        assert runs.count == count
    (folder / "imported.py").unlink()
    assert "as on record" not in runs.run()


def test_another_version_of_a_python_package_runs_it(root: Path) -> None:
    runs = Runs()
    runs.run()
    (root / ".venv/lib/python3.11/site-packages/pytest-9.dist-info").mkdir(parents=True)
    runs.run()
    assert runs.count == 2


def test_another_processor_runs_it(root: Path) -> None:
    runs = Runs()
    runs.run()
    (root / "cpu").write_text("cpu MHz : 1\n")
    runs.run()
    assert runs.count == 1
    (root / "cpu").write_text("flags : aes\n")
    runs.run()
    assert runs.count == 2


def test_without_a_list_of_packages_it_runs(root: Path) -> None:
    (root / "dpkg").unlink()
    runs = Runs()
    runs.run()
    runs.run()
    assert runs.count == 2


@pytest.mark.usefixtures("root")
@pytest.mark.parametrize(
    "options",
    [
        Options(again=True),
        Options(thorough=True),
        Options(only="one"),
        Options(quick=True),
    ],
)
def test_a_run_that_is_asked_for_is_made(options: Options) -> None:
    runs = Runs()
    runs.run()
    assert "as on record" not in runs.run(options)
    assert runs.count == 2


@pytest.mark.usefixtures("root")
@pytest.mark.parametrize("bad", ["failed", "skipped"])
def test_what_did_not_pass_is_not_on_record(bad: str) -> None:
    def body(session: Session) -> None:
        session.passed("one")
        getattr(session, bad)("two", "a reason")

    runs = Runs(body)
    runs.run()
    runs.run()
    assert runs.count == 2


def test_what_changed_while_it_ran_is_not_on_record(root: Path) -> None:
    def body(session: Session) -> None:
        session.passed("one")
        if runs.count == 1:
            (root / "core" / "aead" / "one.c").write_text("two\n")

    runs = Runs(body)
    runs.run()
    runs.run()
    assert runs.count == 2


@pytest.mark.usefixtures("root")
def test_part_of_a_stage_is_not_put_on_record() -> None:
    runs = Runs()
    runs.run(Options(only="one"))
    runs.run()
    assert runs.count == 2


def test_stages_that_look_for_something_new_always_run() -> None:
    always = {stage.name for stage in STAGES if not stage.reads}
    assert always == {"lint", "python", "fuzz", "crash", "real-time", "mutations"}


def test_what_stages_read_is_there() -> None:
    for name in {name for stage in STAGES for name in stage.reads}:
        assert (ROOT / name).exists(), name
