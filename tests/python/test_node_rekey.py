# SPDX-License-Identifier: Apache-2.0
"""New keys for nodes, and folders that are made or changed only in part."""

from __future__ import annotations

import errno
import json
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from node_numbers import SENT

from samara import atomic_files
from samara.errors import MisuseError
from samara.link.node import folder as folders
from samara.link.node import rekeying, state_file
from samara.link.node.state import State, StateError
from samara.link.node.witness import Witness, WitnessError

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Callable

LINKS = {"ieee802154": "own", "rf-serial": "direction", "sdr": "end"}
"""And the setting in which the ends have to differ, since the nonce has it."""
# What makes, changes, removes and synchronises files: where a process is killed.
_CALLS = (
    "open",
    "link",
    "rename",
    "replace",
    "unlink",
    "fsync",
    "fdatasync",
    "pwrite",
    "mkdir",
)


@pytest.fixture
def witnesses(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return the folder of this user's witnesses, which is not there yet."""
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "xdg"))
    return tmp_path / "xdg" / "samara"


@pytest.fixture
def alice(tmp_path: Path, witnesses: Path) -> Path:
    """Return the folder of the first node of a pair, which has sent something."""
    del witnesses
    folders.make_pair(tmp_path / "alice", "ieee802154", {})
    take(tmp_path / "alice")
    return tmp_path / "alice"


def take(folder: Path) -> int:
    with State(folder) as opened:
        return opened.counter(SENT).take()


def files(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in sorted(folder.iterdir())}


def key_of(folder: Path) -> bytes:
    return folders.read(folder).end.keys["key"]


@pytest.mark.parametrize("link", LINKS)
def test_both_ends_get_new_keys(link: str, tmp_path: Path, witnesses: Path) -> None:
    alice, bob = tmp_path / "alice", tmp_path / "bob"
    folders.make_pair(alice, link, {})
    folders.make_second(bob, alice, {})
    take(alice)
    before, other = folders.read(alice), folders.read(bob)
    name = LINKS[link]
    assert before.end.settings[name] != other.end.settings[name]
    shutil.rmtree(bob)
    rekeying.rekey(alice)
    folders.make_second(bob, alice, {})
    after = folders.read(alice)
    assert after.end.settings == before.end.settings
    assert folders.read(bob).end.settings == other.end.settings
    assert after.end.keys == folders.read(bob).end.keys
    assert len({each.identity for each in (before, after, folders.read(bob))}) == 3
    assert take(alice) == take(bob) == 0
    old = before.end.keys["key"].hex().encode()
    for folder in (alice, bob, witnesses):
        for name, content in files(folder).items():
            assert old not in content, name
    assert sorted(files(alice)) == ["keys.json", "lock", "node.json", "state.db"]
    assert not (witnesses / before.identity).exists()


def test_a_second_end_can_be_the_one_that_gets_new_keys(
    alice: Path, tmp_path: Path
) -> None:
    bob = tmp_path / "bob"
    folders.make_second(bob, alice, {})
    before = folders.read(bob).end.settings
    shutil.rmtree(alice)
    rekeying.rekey(bob)
    folders.make_second(alice, bob, {})
    assert folders.read(bob).end.settings == before
    assert folders.read(alice).end.settings["own"] == before["peer"]
    assert key_of(alice) == key_of(bob)


@pytest.mark.parametrize(
    "damage",
    [
        lambda folder: (folder / "keys.json").write_text("{"),
        lambda folder: (folder / "keys.json").unlink(),
        lambda folder: (folder / "state.db").write_bytes(b"nonsense" * 1000),
        lambda folder: (folder / "state.db").unlink(),
        lambda folder: (folder / "lock").unlink(),
        lambda folder: shutil.rmtree(folder.parent / "xdg"),
        lambda folder: (folder / "pair.json").write_text("{"),
        lambda folder: (folder / ".samara-0123456789abcdef").write_text("{"),
    ],
)
def test_it_helps_a_damaged_node(damage: Callable[[Path], object], alice: Path) -> None:
    damage(alice)
    rekeying.rekey(alice)
    assert take(alice) == 0
    assert not list(alice.glob(".samara*"))


def test_it_helps_a_restored_node(alice: Path, tmp_path: Path) -> None:
    backup = tmp_path / "backup"
    shutil.copytree(alice, backup)
    take(alice)
    shutil.rmtree(alice)
    shutil.copytree(backup, alice)
    with pytest.raises(StateError, match="rekey"):
        State(alice)
    rekeying.rekey(alice)
    assert take(alice) == 0
    # The backup has another identity now, whose witness is gone.
    with pytest.raises(StateError):
        State(backup)


def test_a_node_in_use_is_refused(alice: Path) -> None:
    before = files(alice)
    with State(alice), pytest.raises(StateError, match="another process"):
        rekeying.rekey(alice)
    assert files(alice) == before


def test_what_is_no_node_is_refused(tmp_path: Path, alice: Path) -> None:
    with pytest.raises(MisuseError, match="samara node init"):
        rekeying.rekey(tmp_path / "none")
    fields = json.loads((alice / "node.json").read_text())
    fields["settings"]["level"] = 9
    (alice / "node.json").write_text(json.dumps(fields))
    before = files(alice)
    with pytest.raises(MisuseError, match="level"):
        rekeying.rekey(alice)
    assert files(alice) == before


def test_keys_of_before_are_not_used_with_counters_of_after(
    alice: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A process has read the keys when another one changes them."""
    from samara.link.node.node import Node  # noqa: PLC0415 - for this alone

    read = folders.read

    def slow(folder: Path) -> folders.Described:
        described = read(folder)
        rekeying.rekey(folder)
        return described

    monkeypatch.setattr(folders, "read", slow)
    with pytest.raises(StateError, match="another node"):
        Node(alice)


# Killed at any point


KILLED = """
import os, sqlite3, sys
from pathlib import Path
from samara.link.node import folder as folders
from samara.link.node import rekeying, state_file

calls, last = 0, int(sys.argv[2])

def counting(call):
    def counted(*arguments, **options):
        global calls
        calls += 1
        if calls > last:
            os._exit(9)
        return call(*arguments, **options)
    return counted

for name in {names!r}:
    setattr(os, name, counting(getattr(os, name)))
connected = state_file.connected
def connecting(path):
    counting(lambda: None)()
    database = connected(path)
    counting(lambda: None)()
    return database
state_file.connected = connecting
alice = Path(sys.argv[1])
{work}
"""
REKEY = KILLED.format(names=_CALLS, work="rekeying.rekey(alice)")
PAIR = KILLED.format(
    names=_CALLS, work="folders.make_second(alice.with_name('bob'), alice, {})"
)
FIRST = KILLED.format(
    names=_CALLS,
    work="folders.make_pair(alice.with_name('carol'), 'ieee802154', {})",
)


def killed_after(script: str, folder: Path, calls: int) -> bool:
    """Run a script that is killed after so many calls; tell whether it was."""
    done = subprocess.run(
        [sys.executable, "-c", script, folder, str(calls)],
        capture_output=True,
        check=False,
    )
    assert done.returncode in {0, 9}, done.stderr
    return done.returncode == 9


@pytest.mark.slow
def test_killed_anywhere_a_node_has_old_keys_or_new(
    alice: Path, tmp_path: Path
) -> None:
    """And never the old keys with counters of before."""
    old, calls = key_of(alice), 0
    kept = taken_over = 0
    while True:
        folder = tmp_path / "tried"
        shutil.rmtree(folder, ignore_errors=True)
        folders.make_pair(folder, "ieee802154", {})
        old, first = key_of(folder), take(folder)
        assert first == 0
        was_killed = killed_after(REKEY, folder, calls)
        rekeying.finish(folder)
        if key_of(folder) == old:
            kept += 1
            assert take(folder) == 1
        else:
            taken_over += 1
            assert take(folder) == 0
            assert old.hex() not in str(files(folder))
            second = tmp_path / "second"
            folders.make_second(second, folder, {})
            assert key_of(second) == key_of(folder)
            shutil.rmtree(second)
        rekeying.rekey(folder)
        assert take(folder) == 0
        assert not list(folder.glob(".samara*"))
        if not was_killed:
            break
        calls += 1
    assert min(kept, taken_over) > 10


@pytest.mark.slow
def test_a_backup_of_half_a_change_does_not_begin_again(
    alice: Path, tmp_path: Path
) -> None:
    calls = 0
    while not (alice / "rekey.json").exists():
        killed_after(REKEY, alice, calls)
        calls += 1
    backup = tmp_path / "backup"
    shutil.copytree(alice, backup)
    rekeying.finish(alice)
    new = key_of(alice)
    assert take(alice) == 0
    shutil.rmtree(alice)
    shutil.copytree(backup, alice)
    rekeying.finish(alice)
    assert key_of(alice) == new
    with pytest.raises(StateError, match="restored from a backup"):
        State(alice)


@pytest.mark.slow
def test_half_a_change_makes_no_other_end(alice: Path, tmp_path: Path) -> None:
    calls = 0
    while not (alice / "rekey.json").exists():
        killed_after(REKEY, alice, calls)
        calls += 1
    with pytest.raises(MisuseError, match="samara node status"):
        folders.make_second(tmp_path / "bob", alice, {})


@pytest.mark.slow
def test_killed_anywhere_there_is_one_other_end_at_most(
    alice: Path, tmp_path: Path
) -> None:
    """And where there is none, new keys make one."""
    bob, carol = tmp_path / "bob", tmp_path / "carol"
    calls, was_killed = 0, True
    while was_killed:
        was_killed = killed_after(PAIR, alice, calls)
        made = int((bob / "node.json").exists())
        if made:
            assert take(bob) == 0
        try:
            # As on another machine, which knows of no other node.
            folders.make_second(carol, alice, {}, tmp_path / "others")
            made += 1
        except (MisuseError, WitnessError):
            assert made or was_killed
        assert made <= 1
        for folder in (bob, carol, tmp_path / "others"):
            shutil.rmtree(folder, ignore_errors=True)
        old = key_of(alice).hex()
        rekeying.rekey(alice)
        # Nor in what was taken for an end that was not made.
        assert old not in str(files(alice))
        calls += 1
    assert calls > 20


# No room on the disk


class Full:
    """Refuses all that writes from some call on."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, from_call: int) -> None:
        self.calls, self._from = 0, from_call
        self.is_on = True
        for name in ("fsync", "pwrite", "link", "mkdir", "fdatasync"):
            monkeypatch.setattr(os, name, self._limited(getattr(os, name)))
        connected = state_file.connected
        monkeypatch.setattr(state_file, "connected", self._connecting(connected))

    def _limited(self, call: Callable[..., Any]) -> Callable[..., Any]:
        def limited(*arguments: Any, **options: Any) -> Any:  # noqa: ANN401
            self._count()
            return call(*arguments, **options)

        return limited

    def _connecting(
        self, call: Callable[..., sqlite3.Connection]
    ) -> Callable[..., sqlite3.Connection]:
        def connecting(path: Path) -> sqlite3.Connection:
            try:
                self._count()
            except OSError:
                message = "database or disk is full"
                raise StateError(message) from None
            return call(path)

        return connecting

    def _count(self) -> None:
        self.calls += 1
        if self.is_on and self.calls > self._from:
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))


@pytest.mark.slow
def test_a_full_disk_loses_no_pair(
    alice: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    bob = tmp_path / "bob"
    for from_call in range(100):
        with monkeypatch.context() as patched:
            disk = Full(patched, from_call)
            try:
                folders.make_second(bob, alice, {})
            except (OSError, MisuseError):
                pass
            else:
                assert disk.calls > 5
                break
        if not (bob / "node.json").exists():
            assert not bob.exists()
            assert (alice / "pair.json").exists()
            continue
        break
    assert take(bob) == 0
    assert key_of(bob) == key_of(alice)


def test_a_full_disk_leaves_no_half_of_a_first_node(
    tmp_path: Path, witnesses: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for from_call in range(100):
        with monkeypatch.context() as patched:
            disk = Full(patched, from_call)
            try:
                folders.make_pair(tmp_path / "alice", "ieee802154", {})
            except (OSError, MisuseError):
                disk.is_on = False
            else:
                break
        assert not (tmp_path / "alice").exists()
        assert not witnesses.exists() or not list(witnesses.iterdir())
    folders.make_second(tmp_path / "bob", tmp_path / "alice", {})
    assert from_call > 5


def test_a_full_disk_leaves_the_keys_of_before(
    alice: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    old = key_of(alice)
    for from_call in range(100):
        with monkeypatch.context() as patched:
            Full(patched, from_call)
            try:
                rekeying.rekey(alice)
            except (OSError, MisuseError):
                pass
            else:
                break
        rekeying.finish(alice)
        if key_of(alice) != old:
            assert take(alice) == 0
            break
    assert key_of(alice) != old
    assert from_call > 3


def test_a_pair_is_made_of_once_on_one_machine(alice: Path, tmp_path: Path) -> None:
    """A copy of pair.json makes no third node, as far as this machine knows."""
    shutil.copy2(alice / "pair.json", tmp_path / "copy.json")
    folders.make_second(tmp_path / "bob", alice, {})
    with pytest.raises(WitnessError, match="made before"):
        folders.make_second(tmp_path / "carol", tmp_path / "copy.json", {})
    assert not (tmp_path / "carol").exists()


def test_of_two_that_take_a_pair_one_gets_it(
    alice: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Another machine that shares the folder takes it in between."""
    with monkeypatch.context() as patched:

        def taken(*_: object) -> None:
            (alice / "pair.json").unlink()

        patched.setattr(Witness, "make", taken)
        with pytest.raises(MisuseError, match="has been made"):
            folders.make_second(tmp_path / "bob", alice, {})
    assert not (tmp_path / "bob").exists()


def test_files_are_durable_under_their_names(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """First the file is synchronised, then named, then its folder synchronised."""
    order: list[str] = []

    def logged(name: str) -> Callable[..., Any]:
        call = getattr(os, name)

        def logging(*arguments: Any, **options: Any) -> Any:  # noqa: ANN401
            result = call(*arguments, **options)
            what = name
            if name == "fsync":
                what = (
                    "folder"
                    if Path(f"/proc/self/fd/{arguments[0]}").is_dir()
                    else "file"
                )
            order.append(what)
            return result

        return logging

    for name in ("fsync", "link", "replace"):
        monkeypatch.setattr(os, name, logged(name))
    with atomic_files.replacing(tmp_path / "new", exclusive=True, mode=0o600) as file:
        file.write(b"x")
    assert order == ["file", "link", "folder"]
    order.clear()
    with atomic_files.replacing(tmp_path / "new", exclusive=False, mode=0o600) as file:
        file.write(b"y")
    assert order == ["file", "link", "replace", "folder"]
