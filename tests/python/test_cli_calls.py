# SPDX-License-Identifier: Apache-2.0
"""What the commands that seal and open do, called within one process."""

from __future__ import annotations

import errno
import os
import stat
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from samara import atomic_files, crypto, hex_digits
from samara.cli.running import run
from samara.cli.shared import diagnostics, files
from samara.crypto import grain128ple, keys, pieces

if TYPE_CHECKING:
    from collections.abc import Callable

    from samara.crypto.keys import Keyed

KEY, NONCE = bytes(range(16)), bytes(range(12))
MESSAGE = b"21.5 C"


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return the current folder, with a key and a message."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "key").write_text(KEY.hex())
    (tmp_path / "key").chmod(0o600)
    (tmp_path / "message").write_bytes(MESSAGE)
    return tmp_path


@pytest.fixture
def place(folder: Path) -> Path:
    """Return a folder that is not the current one."""
    path = folder / "place"
    path.mkdir()
    return path


def seal(slug: str, nonce: str, *others: str) -> int:
    """Seal `message` into `sealed`."""
    return run(["seal", slug, "--key", "@key", "--nonce", nonce,
                "-i", "message", "-o", "sealed", *others])  # fmt: skip


def open_(slug: str, nonce: str, *others: str) -> int:
    """Open `sealed` into `opened`."""
    return run(["open", slug, "--key", "@key", "--nonce", nonce,
                "-i", "sealed", "-o", "opened", *others])  # fmt: skip


def test_the_exit_codes_are_those_of_the_help() -> None:
    assert {code.name: code.value for code in diagnostics.ExitCode} == {
        "DONE": 0,
        "REFUSED": 1,
        "MISUSE": 2,
    }


@pytest.mark.parametrize("slug", ["aes128-gcm", "grain128aead"])
def test_a_file_is_nonce_then_what_the_suite_seals(slug: str, folder: Path) -> None:
    assert seal(slug, "random", "--ad", "0a0b") == 0
    content = (folder / "sealed").read_bytes()
    nonce, sealed = content[:12], content[12:]
    assert sealed == crypto.suite(slug).seal(KEY, nonce, MESSAGE, b"\n\x0b")
    assert open_(slug, "prefixed", "--ad", "0A0B") == 0
    assert (folder / "opened").read_bytes() == MESSAGE
    assert seal(slug, NONCE.hex()) == 0
    content = (folder / "sealed").read_bytes()
    assert content == crypto.suite(slug).seal(KEY, NONCE, MESSAGE)


@pytest.mark.parametrize("slug", ["aes128-gcm", "grain128aead"])
def test_each_part_of_a_file_is_verified(
    slug: str, folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert seal(slug, "random", "--ad", "07") == 0
    content = (folder / "sealed").read_bytes()
    for place in (0, 11, 12, len(content) - 1):
        changed = bytearray(content)
        changed[place] ^= 0x80
        (folder / "sealed").write_bytes(changed)
        assert open_(slug, "prefixed", "--ad", "07") == 1
        assert "not genuine" in capsys.readouterr().err
    for kept in (0, 11, 12, len(content) - 1):
        (folder / "sealed").write_bytes(content[:kept])
        assert open_(slug, "prefixed", "--ad", "07") == 1
    (folder / "sealed").write_bytes(content)
    assert open_(slug, "prefixed", "--ad", "08") == 1
    assert open_(slug, "prefixed") == 1
    assert not (folder / "opened").exists()
    assert open_(slug, "prefixed", "--ad", "07") == 0


def test_misuse_is_reported_before_any_input_is_read(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for verb in ("seal", "open"):
        arguments = [verb, "aes128-gcm", "--key", "@key", "--nonce", "", "-i", "none"]
        assert run([*arguments, "-o", "new"]) == 2
        assert "takes a nonce" in capsys.readouterr().err
    assert not (folder / "new").exists()


def key_of(text: str, cipher: Keyed) -> bytes:
    """Return a key; what its owner should know of it is a warning of the command."""
    reading = keys.key_of(text, cipher)
    while True:
        try:
            diagnostics.warn(next(reading).text)
        except StopIteration as end:
            found: bytes = end.value
            return found


def test_a_key_file_is_read_to_its_limit(folder: Path) -> None:
    key = folder / "key"
    key.write_text(" " * (4096 - 32) + KEY.hex())
    assert key_of("@key", crypto.suite("aes128-gcm")) == KEY
    for content in (" " * (4097 - 32) + KEY.hex(), KEY.hex() + "0", KEY.hex() + "x"):
        key.write_text(content)
        with pytest.raises(
            diagnostics.MisuseError, match="neither 16 bytes nor 32 hex"
        ):
            key_of("@key", crypto.suite("aes128-gcm"))


def test_digits_that_are_as_many_as_the_bytes_are_the_bytes(folder: Path) -> None:
    (folder / "key").write_bytes(b"0123456789abcdef")
    assert key_of("@key", crypto.suite("aes128-gcm")) == b"0123456789abcdef"


def test_a_typed_key_is_no_file_name(folder: Path) -> None:
    (folder / KEY.hex()).write_text("something else")
    assert key_of(KEY.hex(), crypto.suite("aes128-gcm")) == KEY
    diagnostics.say_warnings()
    with pytest.raises(diagnostics.MisuseError, match="is key a file"):
        key_of("key", crypto.suite("aes128-gcm"))
    for text in ("kez", "key\0", "k" * 5000):
        with pytest.raises(diagnostics.MisuseError, match="hex digits only"):
            key_of(text, crypto.suite("aes128-gcm"))


@pytest.mark.parametrize("size", [0, 15, 17])
def test_a_typed_key_has_the_size_of_the_cipher(size: int) -> None:
    with pytest.raises(diagnostics.MisuseError, match=f"key of 16 bytes, not {size}"):
        key_of("00" * size, crypto.suite("aes128-gcm"))


@pytest.mark.parametrize(
    ("text", "hint"),
    [
        ("0x00", ": leave out the 0x in front"),
        ("0X00", ": leave out the 0x in front"),
        ("00 01", ": leave out the spaces, colons and hyphens between the digits"),
        ("00:01-02", ": leave out the spaces, colons and hyphens between the digits"),
        ("0x", ""),
        ("zz", ""),
        ("0xzz", ""),
        ("-", ""),
    ],
)
def test_what_is_not_hex_is_explained(text: str, hint: str) -> None:
    with pytest.raises(diagnostics.MisuseError) as caught:
        hex_digits.bytes_of_hex("--nonce", text)
    assert str(caught.value) == f"--nonce takes hex digits only{hint}"


# What is told


def test_a_warning_is_reported_once_and_then_forgotten(
    capsys: pytest.CaptureFixture[str],
) -> None:
    for text in ("first", "second", "first"):
        diagnostics.warn(text)
    assert capsys.readouterr().err == ""
    diagnostics.say_warnings()
    messages = capsys.readouterr().err
    assert messages == "samara: warning: first.\nsamara: warning: second.\n"
    diagnostics.say_warnings()
    assert capsys.readouterr().err == ""


def test_a_sentence_is_one_line_with_one_end(
    capsys: pytest.CaptureFixture[str],
) -> None:
    for text in ("a\n  b", "done.", "which?", "no!", "\x1b[2J"):
        diagnostics.say(text)
    messages = capsys.readouterr().err.splitlines()
    lines = ["a b.", "done.", "which?", "no!", "\\x1b[2J."]
    assert messages == [f"samara: {line}" for line in lines]


def test_a_long_keystream_has_no_seams(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert folder.is_dir()
    bits = 8 * pieces.PIECE_SIZE + 13
    arguments = ["keystream", "grain128ple", "--key", "@key", "--nonce", NONCE.hex()]
    assert run([*arguments, "--bits", str(bits)]) == 0
    expected = grain128ple.keystream(KEY, NONCE, bits).tobytes().hex()
    assert capsys.readouterr().out == expected + "\n"


def test_the_table_of_suites_says_what_the_registry_says(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert run(["suites", "--all"]) == 0
    shown = capsys.readouterr().out.splitlines()
    rows: dict[str, list[str]] = {}
    for cells in filter(None, map(str.split, shown)):
        # Names occur in the text below the tables, too.
        rows.setdefault(cells[0], cells[1:])
    for suite in crypto.suites():
        tag = str(suite.tag_size) if suite.tag_size else "none"
        streams = "yes" if suite.streams else "no"
        sizes = [str(suite.key_size), str(suite.nonce_size), tag]
        wanted = [suite.standing, *sizes, streams]
        assert rows[suite.slug][: len(wanted)] == wanted
    for cipher in crypto.block_ciphers():
        wanted = [cipher.standing, str(cipher.key_size), str(cipher.block_size)]
        assert rows[cipher.slug][: len(wanted)] == wanted


# Files


def test_the_limits_of_memory_are_those_of_the_help() -> None:
    assert pieces.PIECE_SIZE == 1 << 20
    assert pieces.MEMORY_LIMIT == 256 << 20


@pytest.mark.parametrize("piped", [False, True])
def test_a_message_in_memory_has_a_limit(
    piped: bool,  # noqa: FBT001 - Pytest's own
    folder: Path,
) -> None:
    def whole(content: bytes) -> bytearray | None:
        if piped:
            reader, writer = os.pipe()
            os.write(writer, content)
            os.close(writer)
            with os.fdopen(reader, "rb") as file:
                return pieces.whole(file, 10)
        (folder / "input").write_bytes(content)
        with (folder / "input").open("rb") as file:
            return pieces.whole(file, 10)

    assert whole(bytes(10)) == bytearray(10)
    assert whole(bytes(11)) is None


def test_a_file_has_its_permissions_only_when_it_is_whole(folder: Path) -> None:
    path = folder / "new"
    with atomic_files.replacing(path, exclusive=True, mode=0o644) as file:
        assert stat.S_IMODE(os.fstat(file.fileno()).st_mode) == 0o600
        file.write(b"half")
        assert not path.exists()
    assert stat.S_IMODE(path.stat().st_mode) == 0o644
    assert atomic_files.MODE_OF_OWNER == 0o600
    atomic_files.write_secret(path, b"secret", force=True)
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert path.read_bytes() == b"secret"


def test_a_file_of_another_program_is_whole_or_as_before(place: Path) -> None:
    target = place / "new" / "file"
    with atomic_files.made_by(target) as temporary:
        temporary.write_bytes(b"one")
        assert temporary.parent == target.parent
        assert not target.exists()
    with atomic_files.made_by(target) as first, atomic_files.made_by(target) as second:
        assert first != second
        first.write_bytes(b"two")
        second.write_bytes(b"three")
        assert target.read_bytes() == b"one"
    with pytest.raises(KeyboardInterrupt), atomic_files.made_by(target) as temporary:
        raise KeyboardInterrupt(temporary.write_bytes(b"half"))
    assert target.read_bytes() == b"two"
    assert list(target.parent.iterdir()) == [target]


def test_the_mask_of_permissions_stays(folder: Path) -> None:
    old = os.umask(0o037)
    try:
        with files.writing(folder / "new", hold=False) as file:
            file.write(b"new")
        assert os.umask(0o037) == 0o037
    finally:
        os.umask(old)
    assert stat.S_IMODE((folder / "new").stat().st_mode) == 0o640


@pytest.mark.parametrize("nameless", [True, False])
@pytest.mark.parametrize("exclusive", [True, False])
def test_a_file_is_durable_before_its_name_and_its_name_after(
    nameless: bool,  # noqa: FBT001 - Pytest's own
    exclusive: bool,  # noqa: FBT001
    place: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    path, steps = place / "new", []
    if not nameless:
        monkeypatch.setattr(atomic_files, "_open_nameless", lambda _: None)
    fsync: Callable[[int], None] = os.fsync

    def recorded(descriptor: int) -> None:
        kind = stat.S_ISDIR(os.fstat(descriptor).st_mode)
        size = 0 if kind else os.fstat(descriptor).st_size
        steps.append(("folder" if kind else "file", path.exists(), size))
        fsync(descriptor)

    monkeypatch.setattr(os, "fsync", recorded)
    with atomic_files.replacing(path, exclusive=exclusive, mode=0o600) as file:
        file.write(b"21.5 C")
    assert steps == [("file", False, 6), ("folder", True, 0)]
    atomic_files.sync_folder(place)
    assert steps[2:] == [("folder", True, 0)]


@pytest.mark.parametrize("nameless", [True, False])
def test_no_descriptor_and_no_temporary_file_stays(
    nameless: bool,  # noqa: FBT001 - Pytest's own
    place: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    if not nameless:
        monkeypatch.setattr(atomic_files, "_open_nameless", lambda _: None)
    names = {*place.iterdir(), place / "new"}
    before = len(list(Path("/proc/self/fd").iterdir()))
    for exclusive in (True, False):
        with atomic_files.replacing(
            place / "new", exclusive=exclusive, mode=0o600
        ) as file:
            file.write(b"whole")
    with (
        pytest.raises(FileExistsError),
        atomic_files.replacing(place / "new", exclusive=True, mode=0o600),
    ):
        pass
    with (
        pytest.raises(KeyboardInterrupt),
        atomic_files.replacing(place / "new", exclusive=False, mode=0o600),
    ):
        raise KeyboardInterrupt
    atomic_files.sync_folder(place)
    assert len(list(Path("/proc/self/fd").iterdir())) == before
    assert set(place.iterdir()) == names
    assert (place / "new").read_bytes() == b"whole"


@pytest.mark.parametrize(
    "number", [errno.EOPNOTSUPP, errno.EISDIR, errno.ENOENT, errno.EINVAL]
)
def test_a_file_system_without_nameless_files_is_served(
    number: int, place: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    refuse_nameless(monkeypatch, number)
    atomic_files.write_secret(place / "new", b"secret", force=False)
    assert (place / "new").read_bytes() == b"secret"


def test_files_without_a_name_need_their_entry_in_proc(
    place: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(atomic_files, "_DESCRIPTORS", place / "none")
    for content in (b"secret", b"another"):
        atomic_files.write_secret(place / "new", content, force=content == b"another")
        assert (place / "new").read_bytes() == content
    assert list(place.iterdir()) == [place / "new"]


def test_another_error_of_a_temporary_file_names_the_file(
    place: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    refuse_nameless(monkeypatch, errno.EACCES)
    with pytest.raises(PermissionError) as caught:
        atomic_files.write_secret(place / "new", b"secret", force=False)
    assert caught.value.filename == str(place / "new")


def refuse_nameless(monkeypatch: pytest.MonkeyPatch, number: int) -> None:
    """Let opening a file without a name fail with this error."""
    open_as_usual = os.open

    def refusing(
        path: str | Path, flags: int, mode: int = 0o777, *, dir_fd: int | None = None
    ) -> int:
        if flags & os.O_TMPFILE == os.O_TMPFILE:
            raise OSError(number, os.strerror(number))
        return open_as_usual(path, flags, mode, dir_fd=dir_fd)

    monkeypatch.setattr(os, "open", refusing)
