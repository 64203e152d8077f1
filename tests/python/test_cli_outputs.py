# SPDX-License-Identifier: Apache-2.0
"""A place that cannot be written to is refused before a command begins its work."""

from __future__ import annotations

import os
import signal
import struct
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from samara.cli.commands import COMMANDS
from samara.cli.outputs import OUTPUT_OPTIONS, check_directory, check_file
from samara.cli.running import load, run
from samara.cli.shared import streaming
from samara.cli.shared.stop_signals import stop_on_signals
from samara.errors import MisuseError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

UNWRITABLE = "/proc"
"""Even an administrator can make no file there."""


def commands(command: Any, path: str) -> Iterator[tuple[str, Any]]:  # noqa: ANN401 - Typer does not name the type
    if hasattr(command, "commands"):
        for name, each in command.commands.items():
            yield from commands(each, f"{path} {name}")
    else:
        yield path, command


WRITING = [
    pytest.param(command, option, id=f"{path} {option.opts[0]}")
    for row in COMMANDS
    for path, command in commands(load(row), row.name)
    for option in command.params
    if {"-o", *OUTPUT_OPTIONS}.intersection(option.opts)
]


def test_commands_with_output_are_found() -> None:
    names = {each.id for each in WRITING}
    assert {"keygen -o", "energy life -o", "energy life --html", "phy ber -o"} <= names
    assert "bench board --write" in names
    assert len(WRITING) > 50


@pytest.mark.parametrize(("command", "option"), WRITING)
def test_every_command_looks_at_its_output_before_all_else(
    command: Any,  # noqa: ANN401 - as above
    option: Any,  # noqa: ANN401
) -> None:
    # Without its other arguments, a command that begins at once fails with TypeError.
    with pytest.raises(MisuseError, match="cannot be written") as refused:
        command.callback(**{option.name: f"{UNWRITABLE}/file.csv"})
    assert str(refused.value).startswith(f"{option.opts[0]} {UNWRITABLE}/file.csv ")


@pytest.mark.parametrize(
    "arguments",
    [
        ["energy", "life", "-o", f"{UNWRITABLE}/life.csv"],
        ["energy", "life", "--html", f"{UNWRITABLE}/life.html"],
        ["phy", "ber", "-o", f"{UNWRITABLE}/pictures/of/curves"],
        ["keygen", "aes128", "-o", f"{UNWRITABLE}/key"],
        ["sniff", "no.cs8", "--rate", "4MHz", "-o", f"{UNWRITABLE}/zigbee.pcapng"],
    ],
    ids=" ".join,
)
def test_an_output_that_cannot_be_written_is_one_sentence(
    arguments: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(arguments) == 2
    captured = capsys.readouterr()
    assert captured.out == ""
    *_, option, place = arguments
    assert captured.err == (
        f"samara: {option} {place} cannot be written (No such file or directory);"
        " name another.\n"
    )


@pytest.mark.parametrize("verb", ["seal", "open"])
@pytest.mark.parametrize("output", ["key", "./key", "link", "hard"])
@pytest.mark.parametrize("key", ["key", "link"])
def test_the_file_of_the_key_is_never_the_output(
    verb: str,
    output: str,
    key: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("key").write_text("00" * 16)
    Path("key").chmod(0o600)
    Path("link").symlink_to("key")
    Path("hard").hardlink_to("key")
    Path("text").write_bytes(b"21.5 C")
    given = ["aes128-ccm-8", "--key", f"@{key}", "-i", "text", "-o", output]
    assert run([verb, *given]) == 2
    said = f"samara: -o {Path(output)} is the file of the key; name another.\n"
    assert capsys.readouterr().err == said
    assert Path("key").read_text() == "00" * 16


@pytest.mark.parametrize("verb", [["open"], ["protect", "--level", "5"]])
@pytest.mark.parametrize("output", ["keys", "link"])
def test_the_keys_of_a_capture_are_never_its_output(
    verb: list[str],
    output: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    row = f'key = [{{ key = "{bytes(16).hex()}", mode = 1, index = 1 }}]'
    Path("keys").write_text(row)
    Path("keys").chmod(0o600)
    Path("link").symlink_to("keys")
    Path("capture").write_bytes(
        struct.pack("<IHHiIII", 0xA1B2C3D4, 2, 4, 0, 0, 65535, 195)
    )
    assert run(["pcap", *verb, "capture", output, "--keys", "keys"]) == 2
    said = f"samara: OUT {output} is the file of the key; name another.\n"
    assert capsys.readouterr().err == said
    assert Path("keys").read_text() == row


def test_an_output_beside_the_key_is_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    for name in ("key", "text"):
        Path(name).write_text("00" * 16)
        Path(name).chmod(0o600)
    for key in ("@key", "00" * 16):
        given = ["aes128-ccm-8", "--key", key, "-i", "text", "-o", "text"]
        assert run(["seal", *given]) == 0


def test_a_file_can_be_written_where_a_file_can_be_made(tmp_path: Path) -> None:
    old = tmp_path / "old"
    old.write_text("as before")
    link = tmp_path / "link"
    link.symlink_to(old)
    os.mkfifo(tmp_path / "pipe")
    for name in ("new", "old", "link", "pipe"):
        check_file(tmp_path / name, "-o")
    check_file(Path("-"), "-o")
    check_file(Path("/dev/null"), "-o")
    assert old.read_text() == "as before"
    assert {each.name for each in tmp_path.iterdir()} == {"old", "link", "pipe"}


def test_what_is_no_place_for_a_file_is_refused(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    for name, reason in {
        "": "is a directory; name a file",
        "none/file": f"there is no directory {tmp_path}/none; make it first",
        "file/file": f"there is no directory {tmp_path}/file; make it first",
    }.items():
        with pytest.raises(MisuseError, match=reason):
            check_file(tmp_path / name, "-o")
    (tmp_path / "link").symlink_to(f"{UNWRITABLE}/file")
    with pytest.raises(MisuseError, match="cannot be written"):
        check_file(tmp_path / "link", "-o")


def test_a_directory_may_be_missing_with_those_above_it(tmp_path: Path) -> None:
    check_directory(tmp_path, "-o")
    check_directory(tmp_path / "a" / "b" / "c", "-o")
    assert list(tmp_path.iterdir()) == []
    (tmp_path / "file").touch()
    for place in (tmp_path / "file", tmp_path / "file" / "below"):
        with pytest.raises(MisuseError, match="file is a file; expected a directory"):
            check_directory(place, "-o")


def test_a_program_that_runs_a_command_keeps_its_handlers_of_signals(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    numbers = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP, signal.SIGPIPE)
    during: list[object] = []

    def stop_at_once() -> Callable[[], bool]:
        is_over = stop_on_signals()
        during.extend(map(signal.getsignal, numbers))
        os.kill(os.getpid(), signal.SIGTERM)
        return is_over

    monkeypatch.setattr(streaming, "stop_on_signals", stop_at_once)
    # The medium, whose output may lose its reader, ignores SIGPIPE, as Python does.
    pythons = signal.signal(signal.SIGPIPE, signal.SIG_DFL)
    try:
        before = list(map(signal.getsignal, numbers))
        assert run(["medium", "--port", "0"]) == 0
        assert list(map(signal.getsignal, numbers)) == before
    finally:
        signal.signal(signal.SIGPIPE, pythons)
    assert not set(during) & set(before)
