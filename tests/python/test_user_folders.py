# SPDX-License-Identifier: Apache-2.0
"""samara's directories of a user: named by the environment as it is now."""

from __future__ import annotations

from pathlib import Path

import pytest

from samara.user_folders import user_folder


def folder() -> Path | None:
    return user_folder("XDG_STATE_HOME", ".local/state")


def test_a_directory_follows_each_change_of_the_environment(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.delenv("XDG_STATE_HOME", raising=False)
    for home in ("/a", "/b", "/a"):
        monkeypatch.setenv("HOME", home)
        assert folder() == Path(home) / ".local/state/samara"
        assert user_folder("XDG_CONFIG_HOME", "x") == Path(home) / "x/samara"
    monkeypatch.setenv("XDG_STATE_HOME", "/c")
    assert folder() == Path("/c/samara")


@pytest.mark.parametrize("given", ["", "c", "./c"])
def test_a_relative_path_is_ignored(
    given: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HOME", "/a")
    monkeypatch.setenv("XDG_STATE_HOME", given)
    assert folder() == Path("/a/.local/state/samara")


def test_there_is_none_without_an_absolute_home(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.delenv("XDG_STATE_HOME", raising=False)
    monkeypatch.setenv("HOME", "a")
    assert folder() is None
