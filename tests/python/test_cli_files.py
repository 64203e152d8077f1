# SPDX-License-Identifier: Apache-2.0
"""What `samara seal` and `samara open` do with files, terminals and signals."""

from __future__ import annotations

import os
import signal
import stat
import subprocess
import sys
import tempfile
import time
from typing import TYPE_CHECKING, Any

import pytest
from shell import PROGRAM, TIMEOUT_S, assert_done, assert_misuse, environment, said
from shell import samara as run

from samara import atomic_files, crypto, standard_streams
from samara.cli.running import run as in_process
from samara.crypto import pieces, sealed_file
from samara.errors import MisuseError

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from shell import Done

    from samara.crypto import Suite

MIB = 1 << 20
# More than the process may use beside what Python and its packages need.
LARGE = 300 * MIB
SLUGS = ["aes128-ccm-8", "aes256-gcm", "grain128aead", "ascon-aead128", "aes128-cbc"]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return tmp_path


def options(suite: Suite, folder: Path, nonce: str) -> list[str]:
    key = folder / f"{suite.slug}.key"
    key.write_bytes(bytes(range(suite.key_size)))
    key.chmod(0o600)
    return [suite.slug, "--key", f"@{key.name}", "--nonce", nonce]


def sealed_message(folder: Path, slug: str = "grain128aead") -> tuple[Path, list[str]]:
    """Seal three pieces and a bit; return the file, and options to open it."""
    suite = crypto.suite(slug)
    (folder / "message").write_bytes(os.urandom(3 * MIB + 5))
    seal = options(suite, folder, "random")
    done = run("seal", *seal, "-i", "message", "-o", "sealed", folder=folder)
    assert done.returncode == 0, done
    return folder / "sealed", options(suite, folder, "prefixed")


def spoil(path: Path, place: int = -1) -> None:
    content = bytearray(path.read_bytes())
    content[place] ^= 1
    path.write_bytes(content)


def assert_refused(done: Done) -> None:
    assert done.returncode == 1
    assert done.stdout == b""
    assert "not genuine" in said(done)[-1]


@pytest.mark.slow
@pytest.mark.parametrize("slug", SLUGS)
def test_files_and_pipes_agree(slug: str, folder: Path) -> None:
    suite = crypto.suite(slug)
    message = os.urandom(1000)
    (folder / "in").write_bytes(message)
    nonce = bytes(range(suite.nonce_size))
    ad = ["--ad", "0a0b"] if suite.authenticates else []
    arguments = [*options(suite, folder, nonce.hex()), *ad]
    piped = run("seal", *arguments, given=message, folder=folder)
    run("seal", *arguments, "-i", "in", "-o", "out", folder=folder)
    expected = suite.seal(
        bytes(range(suite.key_size)), nonce, message, b"\x0a\x0b" if ad else b""
    )
    assert piped.stdout == expected
    assert (folder / "out").read_bytes() == expected
    opened = run("open", *arguments, "-i", "out", "-o", "-", folder=folder)
    assert opened.returncode == 0
    assert opened.stdout == message


@pytest.mark.slow
@pytest.mark.parametrize("slug", SLUGS)
def test_a_random_nonce_goes_in_front(slug: str, folder: Path) -> None:
    suite = crypto.suite(slug)
    arguments = options(suite, folder, "random")
    first = run("seal", *arguments, given=b"21.5 C", folder=folder).stdout
    second = run("seal", *arguments, given=b"21.5 C", folder=folder).stdout
    assert len(first) == suite.nonce_size + suite.sealed_size(6)
    assert first[: suite.nonce_size] != second[: suite.nonce_size]
    arguments = options(suite, folder, "prefixed")
    opened = run("open", *arguments, given=first, folder=folder)
    assert opened.stdout == b"21.5 C"


@pytest.mark.slow
@pytest.mark.parametrize("slug", ["aes128-ccm-8", "grain128aead"])
def test_a_file_may_be_sealed_into_itself(slug: str, folder: Path) -> None:
    suite, file = crypto.suite(slug), folder / "file"
    file.write_bytes(b"21.5 C")
    file.chmod(0o640)
    for verb, nonce in (("seal", "random"), ("open", "prefixed")):
        arguments = options(suite, folder, nonce)
        assert_done(run(verb, *arguments, "-i", file, "-o", file, folder=folder))
        assert stat.S_IMODE(file.stat().st_mode) == 0o640
    assert file.read_bytes() == b"21.5 C"


@pytest.mark.slow
@pytest.mark.parametrize("place", [-1, 0, 2 * MIB])
def test_a_forged_file_leaves_everything_as_it_was(place: int, folder: Path) -> None:
    sealed, arguments = sealed_message(folder)
    spoil(sealed, place)
    old = folder / "old"
    old.write_bytes(b"before")
    names = sorted(folder.iterdir())
    for output in ("old", "new", "-"):
        done = run("open", *arguments, "-i", sealed, "-o", output, folder=folder)
        assert_refused(done)
    assert old.read_bytes() == b"before"
    assert sorted(folder.iterdir()) == names


@pytest.mark.slow
@pytest.mark.parametrize("slug", ["aes128-gcm", "grain128aead"])
@pytest.mark.parametrize("kept", [0, 5, 12, 15])
def test_a_message_cut_short_is_refused(slug: str, kept: int, folder: Path) -> None:
    arguments = options(crypto.suite(slug), folder, "prefixed")
    done = run("open", *arguments, given=bytes(kept), folder=folder)
    assert_refused(done)


def test_a_new_file_has_the_usual_permissions(folder: Path) -> None:
    arguments = options(crypto.suite("aes128-gcm"), folder, "random")
    assert_done(run("seal", *arguments, "-o", "new", folder=folder))
    mask = os.umask(0)
    os.umask(mask)
    assert stat.S_IMODE((folder / "new").stat().st_mode) == 0o666 & ~mask


def test_a_link_is_followed(folder: Path) -> None:
    (folder / "target").write_bytes(b"before")
    (folder / "link").symlink_to("target")
    arguments = options(crypto.suite("aes128-gcm"), folder, "random")
    assert_done(run("seal", *arguments, "-o", "link", folder=folder))
    assert (folder / "link").is_symlink()
    assert len((folder / "target").read_bytes()) == 12 + 16


@pytest.mark.slow
@pytest.mark.parametrize("device", ["/dev/null", "/dev/stdout"])
def test_devices_stay_devices(device: str, folder: Path) -> None:
    sealed, arguments = sealed_message(folder)
    done = run("open", *arguments, "-i", sealed, "-o", device, folder=folder)
    assert_done(done)
    assert os.path.exists(device)  # noqa: PTH110 - a link to a pipe counts
    expected = (folder / "message").read_bytes() if device == "/dev/stdout" else b""
    assert done.stdout == expected
    spoil(sealed)
    done = run("open", *arguments, "-i", sealed, "-o", device, folder=folder)
    assert_refused(done)


def test_files_without_a_name_are_not_needed(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(atomic_files, "_open_nameless", lambda _: None)
    path = folder / "file"

    def write(content: bytes, *, exclusive: bool, fail: bool = False) -> None:
        with atomic_files.replacing(path, exclusive=exclusive, mode=0o600) as file:
            file.write(content)
            (hidden,) = set(folder.iterdir()) - {path}
            assert stat.S_IMODE(hidden.stat().st_mode) == 0o600
            if fail:
                raise KeyboardInterrupt

    write(b"one", exclusive=True)
    write(b"two", exclusive=False)
    with pytest.raises(FileExistsError):
        write(b"three", exclusive=True)
    with pytest.raises(KeyboardInterrupt):
        write(b"four", exclusive=False, fail=True)
    assert path.read_bytes() == b"two"
    assert list(folder.iterdir()) == [path]


# Files larger than memory.


# A process that is forked begins with the peak of its parent, and these tests
# grow: a small one in between starts the program and says what it needed.
MEASURE = """
import resource, subprocess, sys
code = subprocess.run(sys.argv[1:], check=False).returncode
print(code, resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)
"""


def peak_of(arguments: list[str], folder: Path) -> tuple[int, int]:
    """Run `samara`; return its exit code, and the most memory it had, in bytes."""
    done = subprocess.run(
        [sys.executable, "-c", MEASURE, PROGRAM, *arguments],
        cwd=folder,
        env=environment(),
        capture_output=True,
        text=True,
        check=True,
    )
    code, kibibytes = map(int, done.stdout.split())
    return code, kibibytes * 1024


@pytest.mark.slow
def test_a_suite_that_streams_needs_little_memory(folder: Path) -> None:
    suite = crypto.suite("aes128-ctr")
    with (folder / "message").open("wb") as file:
        file.truncate(LARGE)
    for verb, nonce, source, target in (
        ("seal", "random", "message", "sealed"),
        ("open", "prefixed", "sealed", "opened"),
    ):
        arguments = [*options(suite, folder, nonce), "-i", source, "-o", target]
        code, peak = peak_of([verb, *arguments], folder)
        assert code == 0
        assert peak < LARGE // 2
    size = suite.nonce_size + suite.sealed_size(LARGE)
    assert (folder / "sealed").stat().st_size == size
    compare = ["/usr/bin/cmp", "message", "opened"]
    assert subprocess.run(compare, cwd=folder, check=False).returncode == 0
    for name in ("message", "sealed", "opened"):
        (folder / name).unlink()


def test_what_is_too_long_for_memory_is_refused_with_advice(folder: Path) -> None:
    with (folder / "large").open("wb") as file:
        file.truncate(pieces.MEMORY_LIMIT + 100)
    arguments = options(crypto.suite("aes128-gcm"), folder, "00" * 12)
    names = sorted(folder.iterdir())
    for verb in ("seal", "open"):
        done = run(verb, *arguments, "-i", "large", "-o", "out", folder=folder)
        assert_misuse(done, "longer than 268,435,", "aes128-gcm", "leave out --nonce")
    assert sorted(folder.iterdir()) == names


@pytest.mark.slow
def test_the_longest_message_in_memory_is_opened_again(folder: Path) -> None:
    suite = crypto.suite("aes128-gcm")
    with (folder / "message").open("wb") as file:
        file.truncate(pieces.MEMORY_LIMIT)
    for verb, nonce, source, target in (
        ("seal", "random", "message", "sealed"),
        ("open", "prefixed", "sealed", "opened"),
    ):
        arguments = [*options(suite, folder, nonce), "-i", source, "-o", target]
        code, peak = peak_of([verb, *arguments], folder)
        assert code == 0
        # The message once, not three times.
        assert peak < 3 * pieces.MEMORY_LIMIT // 2
    assert (folder / "opened").stat().st_size == pieces.MEMORY_LIMIT
    for name in ("message", "sealed", "opened"):
        (folder / name).unlink()


# Sealed files, with a header: docs/sealed-files.md.


def sealed_chunks(folder: Path, message: bytes, slug: str = "aes128-gcm") -> list[str]:
    """Seal a message into the file `sealed`; return options to open it."""
    (folder / "message").write_bytes(message)
    arguments = options(crypto.suite(slug), folder, "")[:3]
    done = run("seal", *arguments, "-i", "message", "-o", "sealed", folder=folder)
    assert_done(done)
    return [*arguments, "-i", "sealed"]


@pytest.mark.slow
@pytest.mark.parametrize("slug", ["aes128-ccm-8", "chacha20-poly1305", "grain128aead"])
def test_files_need_no_nonce(slug: str, folder: Path) -> None:
    suite = crypto.suite(slug)
    message = os.urandom(3 * MIB + 5)
    arguments = sealed_chunks(folder, message, slug)
    content = (folder / "sealed").read_bytes()
    key = bytes(range(suite.key_size))
    assert b"".join(sealed_file.opened(suite, key, [content])) == message
    assert_done(run("open", *arguments, "-o", "opened", folder=folder))
    assert (folder / "opened").read_bytes() == message
    # Pipes at both ends, and a device.
    for output in ("-", "/dev/stdout"):
        words = [*arguments[:-2], "-o", output]
        assert assert_done(run("open", *words, given=content, folder=folder)) == message
    piped = run("seal", *arguments[:-2], given=message, folder=folder).stdout
    assert b"".join(sealed_file.opened(suite, key, [piped])) == message


@pytest.mark.parametrize("output", ["old", "new", "-", "/dev/stdout"])
def test_a_file_cut_between_chunks_releases_nothing(output: str, folder: Path) -> None:
    arguments = sealed_chunks(folder, os.urandom(2 * MIB))
    (folder / "old").write_bytes(b"before")
    # More than a piece is whole and genuine.
    step = sealed_file.CHUNK_SIZE + 16
    os.truncate(folder / "sealed", sealed_file.HEADER_SIZE + 100 * step)
    names = sorted(folder.iterdir())
    done = run("open", *arguments, "-o", output, folder=folder)
    assert_refused_with(done, "not genuine or not whole")
    assert (folder / "old").read_bytes() == b"before"
    assert sorted(folder.iterdir()) == names


def test_nothing_decrypted_gets_to_a_disk_on_its_way_to_a_pipe(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What is written to a temporary file is what was read."""
    written: list[bytes] = []

    class Recording(tempfile.SpooledTemporaryFile[bytes]):
        def write(self, data: Any) -> int:  # noqa: ANN401 - any buffer
            written.append(bytes(data))
            return super().write(data)

    # It fits into a pipe, and has several chunks.
    message = os.urandom(3 * sealed_file.CHUNK_SIZE)
    arguments = sealed_chunks(folder, message)
    monkeypatch.setattr(tempfile, "SpooledTemporaryFile", Recording)
    monkeypatch.chdir(folder)
    os.mkfifo("fifo")
    ours = os.open("fifo", os.O_RDWR | os.O_NONBLOCK)
    assert in_process(["open", *arguments, "-o", "fifo"]) == 0
    got = os.read(ours, 65_536)
    os.close(ours)
    assert got == message
    assert b"".join(written) == (folder / "sealed").read_bytes()


@pytest.mark.slow
@pytest.mark.parametrize("slug", ["aes128-ccm-8", "ascon-aead128", "grain128aead"])
def test_memory_does_not_grow_with_the_file(slug: str, folder: Path) -> None:
    arguments = options(crypto.suite(slug), folder, "")[:3]
    peaks: dict[str, list[int]] = {"seal": [], "open": [], "piped": []}
    for size in (4 * MIB, 64 * MIB):
        with (folder / "message").open("wb") as file:
            file.truncate(size)
        for step, (verb, source, target) in {
            "seal": ("seal", "message", "sealed"),
            "open": ("open", "sealed", "opened"),
            "piped": ("open", "sealed", "/dev/null"),
        }.items():
            code, peak = peak_of([verb, *arguments, "-i", source, "-o", target], folder)
            assert code == 0
            peaks[step].append(peak)
        assert (folder / "opened").stat().st_size == size
    for small, large in peaks.values():
        assert large < small + 4 * MIB
    for name in ("message", "sealed", "opened"):
        (folder / name).unlink()


def test_each_way_to_seal_names_the_other(folder: Path) -> None:
    """The header's file under --nonce, a message without it, and no tag at all."""
    arguments = sealed_chunks(folder, b"21.5 C")
    done = run("open", *arguments, "--nonce", "prefixed", "-o", "out", folder=folder)
    assert_refused_with(done, "leave out --nonce")
    (folder / "sealed").write_bytes(os.urandom(100))
    done = run("open", *arguments, "-o", "out", folder=folder)
    assert_refused_with(done, "is opened with that nonce")
    arguments = options(crypto.suite("aes128-ctr"), folder, "")[:3]
    assert_misuse(run("seal", *arguments, folder=folder), "does not authenticate")
    long = options(crypto.suite("aes128-ccm-8"), folder, "random")
    done = run("seal", *long, given=bytes(65_536), folder=folder)
    assert_misuse(done, "65,536 bytes under one nonce", "leave out --nonce")
    assert not (folder / "out").exists()


def assert_refused_with(done: Done, words: str) -> None:
    assert done.returncode == 1
    assert done.stdout == b""
    (sentence,) = said(done)
    assert words in sentence


# Interruptions.


def interrupted(folder: Path, number: signal.Signals) -> int:
    """Send a signal to `samara seal` in the middle; return its exit code."""
    arguments = options(crypto.suite("grain128aead"), folder, "random")
    process = subprocess.Popen(
        [PROGRAM, "seal", *arguments, "-o", "old"],
        cwd=folder,
        env=environment(),
        stdin=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )
    assert process.stdin is not None
    # More than a pipe holds: when it is taken, the work has begun.
    process.stdin.write(bytes(2 * MIB))
    process.stdin.flush()
    time.sleep(0.1)
    process.send_signal(number)
    code = process.wait(TIMEOUT_S)
    _, said = process.communicate()
    expected = b"samara: interrupted.\n" if number == signal.SIGINT else b""
    assert said == expected
    return code


@pytest.mark.parametrize(
    ("number", "code"),
    [(signal.SIGINT, 130), (signal.SIGTERM, 143), (signal.SIGKILL, -signal.SIGKILL)],
)
def test_an_interrupted_seal_leaves_nothing(
    number: signal.Signals, code: int, folder: Path
) -> None:
    (folder / "old").write_bytes(b"before")
    assert interrupted(folder, number) == code
    assert (folder / "old").read_bytes() == b"before"
    assert {path.name for path in folder.iterdir()} == {"old", "grain128aead.key"}


def test_a_reader_that_leaves_ends_the_command(folder: Path) -> None:
    pipe = (
        f"samara keystream grain128ple --key {'00' * 16} --nonce {'00' * 12} "
        "--bits 100000000000 | head -c 6"
    )
    done = subprocess.run(
        ["/bin/sh", "-c", pipe],
        env=environment(),
        cwd=folder,
        capture_output=True,
        timeout=TIMEOUT_S,
        check=True,
    )
    assert done.stdout == b"bfa52a"
    assert done.stderr == b""


@pytest.mark.slow
@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("samara seal {} >&-", "stdout is closed"),
        ("samara keygen aes128-gcm >&-", "stdout is closed; name an output file"),
        ("samara seal {} -i - <&-", ""),
        ("samara seal {} >/dev/full", "No space left"),
        ("samara seal {} -o /dev/full", "No space left"),
        ("samara suites >/dev/full", "No space left"),
        ("samara suites >&-", "stdout: it is closed; redirect it, or name an"),
    ],
)
def test_output_that_goes_nowhere_is_noticed(
    line: str, words: str, folder: Path
) -> None:
    arguments = options(crypto.suite("aes128-gcm"), folder, "random")
    done = subprocess.run(
        ["/bin/sh", "-c", line.format(" ".join(arguments))],
        input=b"21.5 C",
        env=environment(),
        cwd=folder,
        capture_output=True,
        timeout=TIMEOUT_S,
        check=False,
    )
    assert_misuse(done, words)


_AS_A_LIBRARY = """
import os
from samara.standard_streams import hold_closed
hold_closed()
with open("secret", "w"):
    for number in (1, 2):
        os.write(number, b"what a library prints")
"""


@pytest.mark.slow
def test_no_file_gets_the_number_of_a_closed_stream(tmp_path: Path) -> None:
    line = f"{sys.executable} -c '{_AS_A_LIBRARY}' <&- >&- 2>&-"
    subprocess.run(["/bin/sh", "-c", line], cwd=tmp_path, check=True)
    assert (tmp_path / "secret").read_bytes() == b""


def test_a_program_without_a_stdout_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    """One that calls `run` itself, and not the command."""
    monkeypatch.setattr(sys, "stdout", None)
    with pytest.raises(MisuseError, match="stdout is closed"):
        standard_streams.refuse_closed()


# Terminals.


def on_terminal(arguments: list[str], folder: Path, *, stream: str) -> tuple[int, str]:
    """Run `samara` with a terminal as stdout or stderr; return code and screen."""
    ours, theirs = os.openpty()
    process = subprocess.Popen(
        [PROGRAM, *arguments],
        cwd=folder,
        env={**environment(), "TERM": "xterm"},
        stdout=theirs if stream == "stdout" else subprocess.PIPE,
        stderr=theirs if stream == "stderr" else subprocess.PIPE,
    )
    os.close(theirs)
    screen = read_all(lambda: os.read(ours, 65536))
    process.communicate(timeout=TIMEOUT_S)
    os.close(ours)
    return process.returncode, screen


def read_all(read: Callable[[], bytes]) -> str:
    chunks: list[bytes] = []
    while True:
        try:
            chunk = read()
        except OSError:  # the other end of the terminal was closed
            chunk = b""
        if not chunk:
            return b"".join(chunks).decode()
        chunks.append(chunk)


def test_bytes_do_not_go_to_a_terminal(folder: Path) -> None:
    sealed, arguments = sealed_message(folder)
    code, screen = on_terminal(
        ["open", *arguments, "-i", str(sealed)], folder, stream="stdout"
    )
    assert code == 2
    assert screen == ""
    random = options(crypto.suite("grain128aead"), folder, "random")
    code, screen = on_terminal(
        ["seal", *random, "-i", str(sealed)], folder, stream="stdout"
    )
    assert code == 2
    assert screen == ""


def test_progress_is_shown_on_a_terminal(folder: Path) -> None:
    sealed, arguments = sealed_message(folder)
    code, screen = on_terminal(
        ["open", *arguments, "-i", str(sealed), "-o", "out"], folder, stream="stderr"
    )
    assert code == 0
    assert "MiB" in screen
