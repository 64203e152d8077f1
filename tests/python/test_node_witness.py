# SPDX-License-Identifier: Apache-2.0
"""Folders of nodes that were restored, and file systems on which that is tried."""

from __future__ import annotations

import contextlib
import os
import shutil
import stat
import subprocess
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from node_numbers import EXPECTED, SENT

from samara.link.node import state, state_file, witness
from samara.link.node.state import State, StateError
from samara.link.node.witness import Witness, WitnessError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

_ID = "0123456789abcdef" * 2


@pytest.fixture
def witnesses(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return the folder of this user's witnesses, which is not there yet."""
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "xdg" / "state"))
    return tmp_path / "xdg" / "state" / "samara"


@pytest.fixture
def place(tmp_path: Path, witnesses: Path) -> Path:
    """Return a folder with the state of a new node."""
    del witnesses
    return new_state(tmp_path / "node")


def new_state(folder: Path) -> Path:
    folder.mkdir()
    State.make(folder)
    return folder


def take(folder: Path, count: int = 1) -> list[int]:
    """Take counters as a node does that ends in good order."""
    with State(folder) as opened:
        counter = opened.counter(SENT)
        return [counter.take() for _ in range(count)]


def test_a_relative_directory_of_witnesses_is_found_from_anywhere(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder, elsewhere = tmp_path / "node", tmp_path / "elsewhere"
    folder.mkdir()
    elsewhere.mkdir()
    monkeypatch.chdir(tmp_path)
    State.make(folder, witnesses=Path("witnesses"))
    monkeypatch.chdir(elsewhere)
    assert take(folder) == [0]
    assert not list(elsewhere.iterdir())


def overwrite(source: Path, target: Path) -> None:
    """Restore a backup into the very same files: their inodes stay."""
    for path in target.iterdir():
        if not (source / path.name).exists():
            path.unlink()
    for path in source.iterdir():
        (target / path.name).write_bytes(path.read_bytes())


# The witness


def test_the_witness_is_in_the_users_state_directory(
    witnesses: Path, place: Path
) -> None:
    take(place)
    (path,) = witnesses.iterdir()
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    for folder in (witnesses, witnesses.parent, witnesses.parent.parent):
        assert stat.S_IMODE(folder.stat().st_mode) == 0o700
    about = state_file.read_identity(place)
    assert about is not None
    assert (about.identity, about.witness) == (path.name, witnesses)
    assert path.read_bytes().startswith(b"samara witness 1 ")


@pytest.mark.parametrize("given", ["", "not/absolute"])
def test_without_a_state_directory_it_is_below_home(
    given: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_STATE_HOME", given)
    monkeypatch.setenv("HOME", str(tmp_path))
    assert witness.default_folder() == tmp_path / ".local" / "state" / "samara"


def test_a_backup_that_overwrites_the_state_is_refused(
    place: Path, tmp_path: Path
) -> None:
    shutil.copytree(place, tmp_path / "backup")
    assert take(place, 3) == [0, 1, 2]
    overwrite(tmp_path / "backup", place)
    with pytest.raises(StateError, match=r"restored from a backup.*samara node rekey"):
        State(place)


def test_a_backup_of_receive_counters_is_refused(place: Path, tmp_path: Path) -> None:
    """It would accept what was accepted before."""
    with State(place) as opened:
        opened.store({EXPECTED: 1})
    shutil.copytree(place, tmp_path / "backup")
    with State(place) as opened:
        opened.store({EXPECTED: 2})
    overwrite(tmp_path / "backup", place)
    with pytest.raises(StateError, match="restored from a backup"):
        State(place)


def test_a_backup_of_the_last_state_is_the_last_state(
    place: Path, tmp_path: Path
) -> None:
    take(place, 3)
    shutil.copytree(place, tmp_path / "backup")
    overwrite(tmp_path / "backup", place)
    assert take(place) == [3]


def test_a_backup_of_a_running_node_is_refused(place: Path, tmp_path: Path) -> None:
    with State(place) as opened:
        opened.counter(SENT).take()
        shutil.copytree(place, tmp_path / "backup")
        opened.store({EXPECTED: 1})
    overwrite(tmp_path / "backup", place)
    with pytest.raises(StateError, match="restored from a backup"):
        State(place)


def test_each_change_is_reported_before_it_is_used(place: Path) -> None:
    with State(place, reserved_ahead=2) as opened:
        counter = opened.counter(SENT)
        about = state_file.read_identity(place)
        assert about is not None
        path = about.witness / about.identity
        recorded = []
        for _ in range(5):
            counter.take()
            recorded.append(number_in(path))
        assert recorded == [1, 1, 2, 2, 3]
        opened.store({EXPECTED: 1})
        assert number_in(path) == 4
    assert number_in(path) == 5


def number_in(path: Path) -> int:
    """Read a witness as its description says."""
    content = path.read_bytes()
    assert len(content) == 128
    slots = (content[:64].split(), content[64:].split())
    assert all(slot[:3] == [b"samara", b"witness", b"1"] for slot in slots)
    return max(int(slot[3]) for slot in slots)


def test_a_reservation_costs_one_synchronisation_of_the_witness(
    place: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with State(place) as opened:
        calls: list[int] = []
        synchronise = os.fdatasync

        def counted(file: int) -> None:
            calls.append(file)
            synchronise(file)

        monkeypatch.setattr(os, "fdatasync", counted)
        counter = opened.counter(SENT)
        for _ in range(2500):
            counter.take()
        assert len(calls) == opened.durable_writes == 3
        opened.store({EXPECTED: 1})
        assert len(calls) == 3
    assert len(calls) == 4


def test_a_state_ahead_of_its_witness_was_interrupted_and_is_good(
    place: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def killed(*_: object, **__: object) -> None:
        raise KeyboardInterrupt

    opened = State(place)
    with monkeypatch.context() as patched:
        patched.setattr(Witness, "record", killed)
        with pytest.raises(KeyboardInterrupt):
            opened.counter(SENT).take()
    opened._database.close()  # noqa: SLF001 - what the kernel does
    opened._witness.close()  # noqa: SLF001
    os.close(opened._lock)  # noqa: SLF001
    about = state_file.read_identity(place)
    assert about is not None
    path = about.witness / about.identity
    assert number_in(path) == 0
    with State(place):
        # At once: a backup of before is refused from now on.
        assert number_in(path) == 1
    assert take(place) == [1000]


def test_a_witness_that_cannot_be_written_stops_the_counter(
    place: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with State(place) as opened:
        counter = opened.counter(SENT)
        with monkeypatch.context() as patched:
            patched.setattr(os, "pwrite", lambda *_: 10)  # as on a full disk
            for _ in range(2):
                with pytest.raises(StateError, match="No space"):
                    counter.take()
            with pytest.raises(StateError, match="No space"):
                opened.store({EXPECTED: 1})
        assert counter.take() == 0


def test_a_witness_that_is_gone_is_reported(place: Path, witnesses: Path) -> None:
    take(place)
    shutil.rmtree(witnesses)
    with pytest.raises(StateError, match=r"not there.*samara node rekey"):
        State(place)
    assert not state.is_in_use(place)


def test_a_state_directory_that_cannot_be_made_is_reported(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "file").touch()
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "file" / "below"))
    (tmp_path / "node").mkdir()
    with pytest.raises(WitnessError, match="XDG_STATE_HOME"):
        State.make(tmp_path / "node")


@pytest.mark.parametrize(
    ("damage", "words"),
    [
        (lambda _: b"", "is damaged"),
        (lambda content: content[:40] + b"\0" + content[41:104] + b"\0", "is damaged"),
        (lambda content: content + b"x", "is damaged"),
        (lambda content: content.replace(b"0 ", b"1 "), "is damaged"),
        (lambda _: newer_witness(), "format 2.*newer samara"),
    ],
)
def test_a_damaged_witness_is_refused(
    damage: Callable[[bytes], bytes], words: str, place: Path, witnesses: Path
) -> None:
    (path,) = witnesses.iterdir()
    path.write_bytes(damage(path.read_bytes()))
    with pytest.raises(StateError, match=words):
        State(place)


def newer_witness() -> bytes:
    import zlib  # noqa: PLC0415 - for this alone

    text = b"samara witness 2 %020d " % 0
    return (text + b"%08x\n" % zlib.crc32(text)).ljust(64, b"\n") * 2


def test_a_write_that_was_cut_short_leaves_the_number_before(
    place: Path, witnesses: Path
) -> None:
    take(place)  # changes 1 and 2
    (path,) = witnesses.iterdir()
    content = path.read_bytes()
    assert number_in(path) == 2
    path.write_bytes(content[:30] + bytes(34) + content[64:])
    opened = Witness(path.parent, path.name)
    assert opened.number == 1
    opened.close()
    assert take(place) == [1]


def test_a_witness_that_others_can_write_is_refused(
    place: Path, witnesses: Path
) -> None:
    (path,) = witnesses.iterdir()
    path.chmod(0o620)
    with pytest.raises(StateError, match="chmod 600"):
        State(place)


def test_a_witness_is_made_once_and_of_one_process(witnesses: Path) -> None:
    Witness.make(witnesses, _ID)
    with pytest.raises(WitnessError, match="made before"):
        Witness.make(witnesses, _ID)
    opened = Witness(witnesses, _ID)
    with pytest.raises(WitnessError, match="another process"):
        Witness(witnesses, _ID)
    opened.close()
    Witness(witnesses, _ID).close()


def test_a_state_of_another_node_is_refused(place: Path) -> None:
    with pytest.raises(StateError, match="another node"):
        State(place, identity=_ID)


# File systems


def ext4(image: Path, at: Path) -> None:
    on_loop(image, at, "mkfs.ext4", "-q")


def xfs(image: Path, at: Path) -> None:
    on_loop(image, at, "mkfs.xfs", "-q")


def on_loop(image: Path, at: Path, *make: str) -> None:
    os.truncate(image, 320 << 20)
    subprocess.run([*make, image], check=True, capture_output=True)
    subprocess.run(["mount", "-o", "loop", image, at], check=True, capture_output=True)  # noqa: S607


def tmpfs(image: Path, at: Path) -> None:
    del image
    mount = ["mount", "-t", "tmpfs", "-o", "size=16m", "none"]
    subprocess.run([*mount, at], check=True, capture_output=True)


def overlayfs(image: Path, at: Path) -> None:
    layers = [image.with_name(name) for name in ("lower", "upper", "work")]
    for layer in layers:
        layer.mkdir()
    options = "lowerdir={},upperdir={},workdir={}".format(*layers)
    mount = ["mount", "-t", "overlay", "-o", options, "overlay"]
    subprocess.run([*mount, at], check=True, capture_output=True)


@pytest.fixture(params=[ext4, xfs, tmpfs, overlayfs], ids=lambda make: make.__name__)
def mounted(
    request: pytest.FixtureRequest, tmp_path: Path
) -> Iterator[tuple[str, Path]]:
    """Mount an empty file system; return its name and its folder."""
    if os.geteuid() != 0:
        pytest.skip("NOT TRIED on this file system: only root can mount it")
    image, at = tmp_path / "image", tmp_path / "mounted"
    image.touch()
    at.mkdir()
    try:
        request.param(image, at)
    except (OSError, subprocess.CalledProcessError) as error:
        reason = getattr(error, "stderr", None) or str(error).encode()
        pytest.skip(f"NOT TRIED on {request.param.__name__}: {reason.decode()}")
    try:
        yield request.param.__name__, at
    finally:
        subprocess.run(["umount", at], check=True)  # noqa: S607


@pytest.mark.slow
def test_a_restored_folder_is_refused_on_each_file_system(
    mounted: tuple[str, Path], witnesses: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    del witnesses
    _, at = mounted
    place, backup = at / "q", at / "qb"
    for _ in range(20):
        new_state(place)
        copy(place, backup)
        assert take(place) == [0]
        shutil.rmtree(place)
        copy(backup, place)
        with pytest.raises(StateError, match="samara node rekey"):
            State(place)
        # The witness alone says so, too, and moving what is good is allowed.
        with monkeypatch.context() as patched:
            patched.setattr(state_file, "check_place", lambda *_: None)
            with pytest.raises(StateError, match="restored from a backup"):
                State(place)
        shutil.rmtree(place)
        shutil.rmtree(backup)
        take(new_state(place).rename(backup))
        shutil.rmtree(backup)


def copy(source: Path, target: Path) -> None:
    subprocess.run(["cp", "-a", source, target], check=True)  # noqa: S607


def test_a_restored_folder_has_another_generation(mounted: tuple[str, Path]) -> None:
    """What tells copies where the witness cannot: on ext4 and XFS."""
    name, at = mounted
    path, places = at / "file", set()
    for _ in range(20):
        path.touch()
        places.add(state_file.place_of(path)[:2])
        path.unlink()
    knows = name in {"ext4", "xfs"}
    assert all(bool(generation) == knows for _, generation in places)
    if knows:
        assert len(places) == 20


@contextlib.contextmanager
def full(at: Path) -> Iterator[None]:
    """Leave no room on a file system."""
    filler = at / "filler"
    with filler.open("wb", buffering=0) as file:
        for size in (1 << 20, 4096, 1):
            with contextlib.suppress(OSError):
                while file.write(bytes(size)):
                    pass
    yield
    filler.unlink()


# On overlayfs it is this machine's own file system that would be full.
@pytest.mark.slow
@pytest.mark.parametrize("mounted", [ext4, tmpfs], indirect=True, ids=["ext4", "tmpfs"])
def test_counters_end_on_a_full_file_system_and_go_on_after(
    mounted: tuple[str, Path], witnesses: Path
) -> None:
    del witnesses
    _, at = mounted
    place = new_state(at / "node")
    with State(place) as opened:
        counter = opened.counter(SENT)
        taken = [counter.take()]
        with full(at), contextlib.suppress(StateError):
            while len(taken) < 200_000:
                taken.append(counter.take())
        assert taken == list(range(len(taken)))
        assert len(taken) < 200_000
        assert counter.take() == len(taken)
