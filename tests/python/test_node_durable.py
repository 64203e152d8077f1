# SPDX-License-Identifier: Apache-2.0
"""What the kernel is asked to do: all is on the disk before it is used.

A node runs under strace. Whatever it has written, and each name it has given,
has to be synchronised before the node goes on, which it marks by looking for a
file that is not there.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest
from node_numbers import EXPECTED, RECEIVED
from toy_pair import kill

from samara.link.node.state import State

if TYPE_CHECKING:
    from pathlib import Path

_TRACED = (
    "trace=openat,write,pwrite64,writev,ftruncate,fsync,fdatasync,rename,renameat,"
    "renameat2,link,linkat,mkdir,stat,newfstatat,access"
)
# Not kept over a power failure: a lock, and memory that SQLite shares.
_NOT_DURABLE = ("lock", "state.db-shm")

START = """
import os, sys
from pathlib import Path
from samara.link.node import folder as folders
from samara.link.node import rekeying
from samara.link.node.quantities import Number, Quantity
from samara.link.node.state import State
folder = Path(sys.argv[1])
def used(): os.path.exists("/marker")
"""
WORK = {
    "make a pair": """
folders.make_pair(folder / "a", "ieee802154", {})
used()
folders.make_second(folder / "b", folder / "a", {})
used()
""",
    "reserve": """
folders.make_pair(folder / "a", "ieee802154", {})
with State(folder / "a") as opened:
    for _ in range(3):
        opened.reserve(Number(Quantity.SENT), 0)
        used()
used()
""",
    "new keys": """
folders.make_pair(folder / "a", "ieee802154", {})
rekeying.rekey(folder / "a")
used()
""",
}
RECEIVE = """
folders.make_pair(folder / "a", "ieee802154", {})
with State(folder / "a") as opened:
    for _ in range(3):
        opened.store({Number(Quantity.EXPECTED): 1})
        used()
"""


@pytest.mark.parametrize("work", WORK)
def test_all_is_on_the_disk_before_it_is_used(work: str, tmp_path: Path) -> None:
    trace = traced(WORK[work], tmp_path)
    assert trace.count("/marker") >= 1
    assert unsynchronised(trace, tmp_path) == []


def test_what_was_received_is_on_the_disk_but_for_its_witness(tmp_path: Path) -> None:
    left = unsynchronised(traced(RECEIVE, tmp_path), tmp_path)
    assert left
    assert all("/xdg/samara/" in each for each in left)


def traced(work: str, folder: Path) -> str:
    """Run a script, and return its system calls."""
    trace = folder / "trace"
    command = ["strace", "-y", "-s", "0", "-e", _TRACED, "-o", str(trace)]
    (folder / "nodes").mkdir()
    subprocess.run(
        [*command, sys.executable, "-c", START + work, str(folder / "nodes")],
        check=True,
        env={**os.environ, "XDG_STATE_HOME": str(folder / "xdg")},
    )
    return trace.read_text()


def unsynchronised(trace: str, folder: Path) -> list[str]:
    """Return what was not yet on the disk at some mark."""
    files: set[str] = set()
    names: set[str] = set()
    left: list[str] = []
    for line in trace.splitlines():
        call = line.split("(", 1)[0]
        if '"/marker"' in line:
            left += sorted(files | names)
        if not line.rstrip().rsplit("= ", 1)[-1][:1].isdigit():
            continue  # it failed
        described = re.search(r"\(\d+<([^>]*)>", line)
        if call in {"write", "pwrite64", "writev", "ftruncate"} and described:
            files.add(described[1])
        elif call in {"fsync", "fdatasync"} and described:
            files.discard(described[1])
            names = {name for name in names if name.rsplit("/", 1)[0] != described[1]}
        elif call in {"rename", "renameat", "renameat2", "link", "linkat", "mkdir"}:
            given = re.findall(r'"([^"]*)"', line)[-1]
            at = re.findall(r"(?:AT_FDCWD|\d+)<([^>]*)>, \"", line)
            names.add(given if given.startswith("/") else f"{at[-1]}/{given}")
        elif call == "openat" and "O_CREAT" in line and "O_TMPFILE" not in line:
            names.add(re.findall(r'"([^"]*)"', line)[0])
    is_ours = [str(folder / "nodes"), str(folder / "xdg")]
    return [
        each
        for each in left
        if any(each.startswith(ours) for ours in is_ours)
        and not each.endswith(_NOT_DURABLE)
    ]


def test_the_trace_is_understood(tmp_path: Path) -> None:
    """What is not synchronised is found."""
    folder = tmp_path / "nodes"
    left = """
path = folder / "x"
path.write_text("x")
used()
"""
    assert set(unsynchronised(traced(left, tmp_path), tmp_path)) == {f"{folder}/x"}


def test_notes_wait_for_nobody_and_changes_for_the_disk(tmp_path: Path) -> None:
    State.make(tmp_path, witnesses=tmp_path / "witnesses")
    asked = []
    with State(tmp_path) as state:

        def look() -> None:
            # 2: a write returns when it is on the disk; 1: when others can read it.
            (level,) = state._database.execute("PRAGMA synchronous").fetchone()  # noqa: SLF001
            asked.append(level)

        ahead = {EXPECTED: 256}
        state.advance({EXPECTED: 1}, ahead)
        look()
        for number in (2, 3):
            state.advance({EXPECTED: number}, ahead)
            look()
        state.store({RECEIVED: 1})
        look()
        state.advance({EXPECTED: 4}, ahead)
        look()
    assert asked == [2, 1, 1, 2, 1]


def test_a_key_that_was_removed_is_gone_after_a_kill(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The process has stored that it is gone, and not emptied the log yet."""
    State.make(tmp_path, witnesses=tmp_path / "witnesses")
    state, key = State(tmp_path), "5a" * 16
    state.store({}, {"neighbour": {"key": key}})
    with monkeypatch.context() as patched:
        patched.setattr(State, "_scrub", lambda _: None)
        state.store({}, {"neighbour": None})
    log = (tmp_path / "state.db-wal").read_bytes()
    assert key.encode() in log
    content = (tmp_path / "state.db").read_bytes()
    # SQLite empties the log when it ends: a process that is killed does not.
    kill(state)
    (tmp_path / "state.db").write_bytes(content)
    (tmp_path / "state.db-wal").write_bytes(log)
    with State(tmp_path) as again:
        assert again.records() == {}
        for path in tmp_path.iterdir():
            assert path.is_dir() or key.encode() not in path.read_bytes(), path
