# SPDX-License-Identifier: Apache-2.0
"""Running the companion flowgraphs: windows without a screen, which are typed into."""

from __future__ import annotations

import contextlib
import select
import subprocess
import sys
from pathlib import Path
from typing import IO, TYPE_CHECKING

from programs import ROOT, VENV, run

if TYPE_CHECKING:
    from collections.abc import Iterator

EXAMPLES = ROOT / "gr-samara" / "examples"
WINDOW = Path(__file__).with_name("companion_window.py")
NAMES = ("companion_transmitter", "companion_receiver")
TEXT = "s"  # before each text that a window prints
Process = subprocess.Popen[str]


def made(name: str, folder: Path, key: str, address: str) -> Path:
    """Compile a companion for an address of a channel, with a key beside it."""
    folder.mkdir()
    (folder / "link.key").write_text(key)
    text = (EXAMPLES / f"{name}.grc").read_text()
    (place,) = {line for line in text.splitlines() if "tcp://" in line}
    changed = text.replace(place.split(": ", 1)[1], f"'''{address}'''")
    (folder / f"{name}.grc").write_text(changed)
    blocks = VENV.parent / "share/gnuradio/grc/blocks"
    grcc = ("grcc", "-o", str(folder), str(folder / f"{name}.grc"))
    run(*grcc, GRC_BLOCKS_PATH=str(blocks))
    return folder


@contextlib.contextmanager
def running(folder: Path, *command: str) -> Iterator[Process]:
    """Run a program that is killed when the test ends, however it ends."""
    with (folder / "errors").open("w") as errors:
        process = subprocess.Popen(
            command,
            cwd=folder,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=errors,
            text=True,
        )
        try:
            yield process
        finally:
            process.kill()
            process.communicate()


@contextlib.contextmanager
def window(folder: Path, name: str) -> Iterator[Process]:
    with running(folder, sys.executable, str(WINDOW), name, "window.png") as process:
        assert shown(process.stdout, "ready\n")
        yield process


@contextlib.contextmanager
def channel(folder: Path, address: str, radios: int) -> Iterator[Process]:
    """Run a channel for radios, with the same noise each time."""
    options = ("--radios", str(radios), "--rate", "250e3", "--address", address)
    samara = str(VENV / "samara")
    with running(folder, samara, "channel", *options, "--seed", "1") as process:
        yield process


def shown(stream: IO[str] | None, wanted: str) -> bool:
    """Read lines until this one; whether it came before the end."""
    assert stream
    return any(line == wanted for line in stream)


def typed(sender: Process, receiver: Process, text: str) -> bool:
    """Type a text at one end; whether the other end shows it within 5 seconds."""
    assert sender.stdin
    assert receiver.stdout
    sender.stdin.write(f"{text}\n")
    sender.stdin.flush()
    while select.select([receiver.stdout], [], [], 5)[0]:
        if receiver.stdout.readline() == f"{TEXT}{text}\n":
            return True
    return False
