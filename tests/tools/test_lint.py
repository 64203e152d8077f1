# SPDX-License-Identifier: Apache-2.0
import io
import sys
from pathlib import Path

import pytest

from testing import lint
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
