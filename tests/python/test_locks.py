# SPDX-License-Identifier: Apache-2.0
"""Locks between processes, and between those who have opened one by themselves."""

from __future__ import annotations

import threading
from contextlib import closing
from typing import TYPE_CHECKING

import pytest

from samara.locks import PathLock, is_held

if TYPE_CHECKING:
    from pathlib import Path


def test_a_path_is_one_owners(tmp_path: Path) -> None:
    path = tmp_path / "made"
    with closing(PathLock(path)):
        assert is_held(path)
        with pytest.raises(BlockingIOError):
            PathLock(path)
    assert not is_held(path)
    with closing(PathLock(path)):
        assert is_held(path)


def test_those_who_wait_have_it_in_turn(tmp_path: Path) -> None:
    """Each finds the file of the owner before it gone, and makes one again."""
    path = tmp_path / "made"
    inside = 0
    most = 0
    taken: list[int] = []

    def take(number: int) -> None:
        nonlocal inside, most
        with closing(PathLock(path, waits=True)):
            inside += 1
            most = max(most, inside)
            taken.append(number)
            inside -= 1

    first = PathLock(path)
    threads = [threading.Thread(target=take, args=(number,)) for number in range(20)]
    for each in threads:
        each.start()
    assert taken == []
    first.close()
    for each in threads:
        each.join()
    assert sorted(taken) == list(range(20))
    assert most == 1
    assert list(tmp_path.iterdir()) == []
