# SPDX-License-Identifier: Apache-2.0
import io
import sys
from pathlib import Path

import pytest

from testing import files, fingerprint, lint, lint_record
from testing.green_record import GreenRecord
from testing.lint_record import LintRecord
from testing.process import Children
from testing.report import Report
from testing.session import Options, Session

HOOKS = """repos:
  - repo: local
    hooks:
      - {0}
        name: a hook
        language: pygrep
        entry: forbidden
        files: {1}
"""


def linted(
    monkeypatch: pytest.MonkeyPatch, folder: Path, files: str, text: str
) -> tuple[Session, str]:
    """Run the stage with one hook on a directory with one file."""
    (folder / ".pre-commit-config.yaml").write_text(HOOKS.format("id: one", files))
    source = folder / "source.txt"
    source.write_text(text)
    monkeypatch.setenv("CI", "true")
    monkeypatch.setattr(lint, "ROOT", folder)
    monkeypatch.setattr(lint, "VENV", Path(sys.executable).parent)
    monkeypatch.setattr("testing.files.all_files", lambda: (source,))
    sink = io.StringIO()
    session = Session(
        "lint", Options(jobs=1), Children(), Report(sink), build=folder / "build"
    )
    monkeypatch.setattr("testing.session.ROOT", folder)
    run = session.command
    session.command = lambda *words, **named: run(  # type: ignore[method-assign]
        *words, **{**named, "folder": folder}
    )
    lint.lint(session)
    return session, sink.getvalue()


@pytest.mark.parametrize(
    ("files", "text", "line"),
    [
        ("source", "allowed", "ok       one"),
        ("source", "forbidden", "FAILED   one: exit code 1"),
        ("no-such-file", "allowed", "FAILED   one: no file to look at"),
    ],
)
def test_a_hook_passes_only_when_it_looked_at_a_file(
    files: str,
    text: str,
    line: str,
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
) -> None:
    # There is no git repository here, as in a copy of the sources.
    session, output = linted(monkeypatch, tmp_path, files, text)
    assert f"  {line}" in output
    assert session.tally.total == 1


def test_a_hook_of_the_stage_manual_is_for_all(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    longest = "id: longest\n        stages: [manual]"
    text = HOOKS.format(longest, "x") + HOOKS.format("id: long", "x")[len("repos:\n") :]
    (tmp_path / ".pre-commit-config.yaml").write_text(text)
    monkeypatch.setattr(lint, "ROOT", tmp_path)
    chosen = [
        lint._chosen(options)  # noqa: SLF001
        for options in (Options(), Options(only="long"), Options(only="longest"))
    ]
    assert chosen == [["long"], ["long"], ["longest"]]
    assert lint._chosen(Options(thorough=True)) == ["longest", "long"]  # noqa: SLF001


@pytest.fixture
def root(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    names = ("core/one.c", "src/one.py", ".clang-tidy", "dpkg")
    for name in names:
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text("one")
    for module in (lint_record, fingerprint):
        monkeypatch.setattr(module, "ROOT", tmp_path)
    monkeypatch.setattr(fingerprint, "_PACKAGES", tmp_path / "dpkg")
    paths = [tmp_path / name for name in names[:-1]]
    monkeypatch.setattr(files, "walk", lambda _: paths)
    return tmp_path


def left(record: GreenRecord) -> set[str]:
    now = LintRecord(record)
    return {hook for hook in ("mypy", "clang-tidy") if not now.note(hook)}


@pytest.mark.parametrize(
    ("changed", "hooks"),
    [
        ("src/one.py", {"mypy"}),
        ("core/one.c", {"mypy", "clang-tidy"}),
        (".clang-tidy", {"mypy", "clang-tidy"}),
        ("dpkg", {"mypy", "clang-tidy"}),
    ],
)
def test_a_hook_is_on_record_until_what_it_reads_changes(
    changed: str, hooks: set[str], root: Path
) -> None:
    record = GreenRecord(None)
    LintRecord(record).put(["mypy", "clang-tidy"])
    assert left(record) == set()
    (root / changed).write_text("two")
    assert left(record) == hooks


def test_a_hook_is_not_on_record_that_did_not_pass_or_saw_other_files(
    root: Path,
) -> None:
    record = GreenRecord(None)
    LintRecord(record).put(["clang-tidy"])
    assert left(record) == {"mypy"}
    now = LintRecord(record)
    (root / "src" / "one.py").write_text("two")
    now.put(["mypy"])
    assert left(record) == {"mypy"}


def test_without_known_tools_nothing_is_on_record(root: Path) -> None:
    (root / "dpkg").unlink()
    record = GreenRecord(None)
    LintRecord(record).put(["mypy"])
    assert left(record) == {"mypy", "clang-tidy"}


@pytest.mark.usefixtures("root")
def test_a_run_takes_a_hook_from_the_record_and_again_runs_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    record = GreenRecord(None)
    monkeypatch.setattr(lint, "record_of", lambda _: record)
    monkeypatch.setattr(lint, "_chosen", lambda _: ["mypy", "clang-tidy"])
    ran: list[str] = []

    def run(_: Session, hook: str) -> bool:
        ran.append(hook)
        return hook == "mypy"

    monkeypatch.setattr(lint, "_run", run)
    for again in (False, False, True):
        sink = io.StringIO()
        options = Options(jobs=1, again=again)
        lint.lint(Session("lint", options, Children(), Report(sink)))
    assert sorted(ran) == [
        *("clang-tidy",) * 3,
        *("compile-commands",) * 3,
        *("mypy",) * 2,
    ]
