# SPDX-License-Identifier: Apache-2.0
"""A fresh clone begins with what tools kept of another one."""

from __future__ import annotations

import shutil
import subprocess
from typing import TYPE_CHECKING

import pytest

from testing.session import VENV
from testing.shared_caches import MYPY, TEXTS

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture(autouse=True)
def _cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))


def clone(folder: Path, text: str) -> Path:
    folder.mkdir()
    (folder / "one.py").write_text(text)
    return folder


def checked(folder: Path) -> tuple[int, str]:
    """Return mypy's exit code, and what it says with details of its cache."""
    command = [str(VENV / "mypy"), "-v", "one.py"]
    done = subprocess.run(
        command, cwd=folder, capture_output=True, text=True, check=False
    )
    return done.returncode, done.stdout + done.stderr


@pytest.mark.slow
def test_what_is_the_same_is_known_and_a_fault_is_found(tmp_path: Path) -> None:
    first = clone(tmp_path / "first", "x: int = 1\n")
    assert checked(first)[0] == 0
    MYPY.keep(first)
    for name, text, code in (
        ("same", "x: int = 1\n", 0),
        ("other", "x: int = ''\n", 1),
    ):
        folder = clone(tmp_path / name, text)
        MYPY.bring(folder)
        found, said = checked(folder)
        assert found == code, said
        assert ("Parsing one.py" in said) == (name == "other"), said


def test_what_was_kept_is_replaced_as_a_whole(tmp_path: Path) -> None:
    for name in ("a", "b"):
        folder = clone(tmp_path / name, "")
        (folder / ".mypy_cache").mkdir()
        (folder / ".mypy_cache" / name).touch()
        MYPY.keep(folder)
    new = clone(tmp_path / "new", "")
    MYPY.bring(new)
    assert [path.name for path in (new / ".mypy_cache").iterdir()] == ["b"]
    assert [path.name for path in (tmp_path / "cache" / "samara").iterdir()] == ["mypy"]


def test_a_clone_keeps_what_it_has_and_needs_nothing(tmp_path: Path) -> None:
    new = clone(tmp_path / "new", "")
    MYPY.keep(new)
    MYPY.bring(new)
    assert not (new / ".mypy_cache").exists()
    (new / ".mypy_cache").mkdir()
    (tmp_path / "cache" / "samara" / "mypy" / "3.11").mkdir(parents=True)
    MYPY.bring(new)
    assert not [*(new / ".mypy_cache").iterdir()]


def test_what_goes_while_it_is_copied_is_left(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    new = clone(tmp_path / "new", "")
    kept = tmp_path / "cache" / "samara" / "mypy"
    (kept / "3.11").mkdir(parents=True)

    def interrupted(source: Path, target: Path) -> None:
        target.mkdir()
        shutil.rmtree(source)
        raise shutil.Error([])

    monkeypatch.setattr(shutil, "copytree", interrupted)
    MYPY.bring(new)
    assert [path.name for path in new.iterdir()] == ["one.py"]


def test_texts_go_below_a_directory_that_is_not_there_yet(tmp_path: Path) -> None:
    old = clone(tmp_path / "old", "")
    (old / "build" / "bench" / "texts").mkdir(parents=True)
    (old / "build" / "bench" / "texts" / "one").write_text("told")
    TEXTS.keep(old)
    new = clone(tmp_path / "new", "")
    TEXTS.bring(new)
    assert (new / "build" / "bench" / "texts" / "one").read_text() == "told"
