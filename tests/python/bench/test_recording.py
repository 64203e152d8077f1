# SPDX-License-Identifier: Apache-2.0
"""What a result says of the sources that it was measured from."""

from __future__ import annotations

import subprocess
from typing import TYPE_CHECKING

import pytest

from samara.bench import places, recording

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

_WHO = ("-c", "user.name=a", "-c", "user.email=a@example.org")
_COMMIT = ("git", *_WHO, "commit")


def _commit(clone: Path) -> str:
    head = ("git", "rev-parse", "--short", "HEAD")
    done = subprocess.run(head, cwd=clone, check=True, capture_output=True, text=True)
    return done.stdout.strip()


@pytest.fixture
def clone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A clone with a source and a file of results, both committed."""
    for name in ("core", "results"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "a").write_text("before\n")
    for command in (
        ("git", "init", "-q"),
        ("git", "add", "."),
        (*_COMMIT, "-qm", "all"),
    ):
        subprocess.run(command, cwd=tmp_path, check=True)
    monkeypatch.setattr(places, "root", lambda: tmp_path)
    monkeypatch.setattr(places, "is_clone", lambda: True)
    recording.revision.cache_clear()
    yield tmp_path
    recording.revision.cache_clear()


@pytest.mark.parametrize(
    ("changed", "suffix"),
    [((), ""), (("results",), ""), (("results", "core"), "-dirty")],
)
def test_a_revision_is_dirty_where_more_than_results_differs(
    changed: tuple[str, ...], suffix: str, clone: Path
) -> None:
    for name in changed:
        (clone / name / "a").write_text("after\n")
    assert recording.revision() == _commit(clone) + suffix


def test_a_commit_of_results_alone_is_no_revision(clone: Path) -> None:
    """Its name changes where it is rebased: nobody else would know it."""
    sources = _commit(clone)
    (clone / "results" / "a").write_text("after\n")
    subprocess.run((*_COMMIT, "-qam", "results"), cwd=clone, check=True)
    assert recording.revision() == sources != _commit(clone)
    recording.revision.cache_clear()
    (clone / "core" / "a").write_text("after\n")
    subprocess.run((*_COMMIT, "-qam", "sources"), cwd=clone, check=True)
    assert recording.revision() == _commit(clone) != sources


def test_outside_of_git_a_revision_is_unknown(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(places, "root", lambda: tmp_path)
    monkeypatch.setattr(places, "is_clone", lambda: True)
    monkeypatch.setenv("GIT_CEILING_DIRECTORIES", str(tmp_path.parent))
    recording.revision.cache_clear()
    assert recording.revision() == "unknown"
    recording.revision.cache_clear()
