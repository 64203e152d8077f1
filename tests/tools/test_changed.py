# SPDX-License-Identifier: Apache-2.0
import subprocess
from pathlib import Path

import pytest

from testing.changed import c_is_unchanged, changed, head, of_main

GIT = "/usr/bin/git"


@pytest.fixture
def branch(tmp_path: Path) -> Path:
    """Provide a repository whose branch has one commit that main has not."""

    def git(*words: str) -> None:
        author = ("-c", "user.name=a", "-c", "user.email=a@b")
        subprocess.run([GIT, "-C", tmp_path, *author, *words], check=True)

    git("init", "-q", "-b", "main")
    for name in ("README.md", "core/one.c", "src/one.py"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text("one\n")
    git("add", "-A")
    git("commit", "-qm", "one")
    git("checkout", "-qb", "mine")
    (tmp_path / "src" / "one.py").write_text("two\n")
    git("commit", "-qam", "two")
    return tmp_path


def test_what_is_committed_uncommitted_and_new_has_changed(branch: Path) -> None:
    (branch / "README.md").write_text("two\n")
    (branch / "new.md").write_text("one\n")
    assert changed(branch) == {"src/one.py", "README.md", "new.md"}
    assert c_is_unchanged(branch)


@pytest.mark.parametrize(
    "name",
    [
        "core/one.c", "core/new.def", "vectors/aes.txt", "CMakePresets.json",
        "cmake/options.cmake", "tests/c/check.h", "tools/setup", "test",
        "tools/testing/run.py", "src/native/module.cpp", ".clang-tidy",
    ],
)  # fmt: skip
def test_what_c_tests_read_is_a_change(branch: Path, name: str) -> None:
    (branch / name).parent.mkdir(parents=True, exist_ok=True)
    (branch / name).write_text("two\n")
    assert not c_is_unchanged(branch)


def test_where_nothing_changed_or_is_known_nothing_is_left_out(
    branch: Path, tmp_path_factory: pytest.TempPathFactory
) -> None:
    subprocess.run([GIT, "-C", branch, "checkout", "-q", "main"], check=True)
    assert changed(branch) == set()
    assert not c_is_unchanged(branch)
    elsewhere = tmp_path_factory.mktemp("no-repository")
    assert not c_is_unchanged(elsewhere)


def test_the_text_of_main_is_the_one_of_before(branch: Path) -> None:
    assert of_main("src/one.py", branch).strip() == "one"
    assert of_main("src/none.py", branch) == ""
    assert len(head(branch)) == 40
