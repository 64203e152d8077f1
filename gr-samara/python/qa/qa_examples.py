# SPDX-License-Identifier: GPL-3.0-or-later
"""The examples, compiled by grcc and run."""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import IO, TYPE_CHECKING

import pytest
from flowgraphs import KEY

if TYPE_CHECKING:
    from collections.abc import Iterator

EXAMPLES = Path(__file__).resolve().parent.parent.parent / "examples"
BLOCKS = Path(sys.prefix) / "share" / "gnuradio" / "grc" / "blocks"


def compiled(name: str, folder: Path) -> Path:
    """Compile an example; its key file lies beside it."""
    (folder / "link.key").write_text(KEY)
    subprocess.run(  # noqa: S603
        ["grcc", "-o", str(folder), str(EXAMPLES / f"{name}.grc")],  # noqa: S607
        check=True,
        env={**os.environ, "GRC_BLOCKS_PATH": str(BLOCKS)},
        capture_output=True,
        timeout=60,
    )
    return folder / f"{name}.py"


@contextlib.contextmanager
def running(
    command: list[str], folder: Path, log: IO[bytes]
) -> Iterator[subprocess.Popen[bytes]]:
    """Run a program that does not outlive the test, however that ends."""
    process = subprocess.Popen(  # noqa: S603
        command, cwd=folder, stdin=subprocess.PIPE, stdout=log
    )
    try:
        yield process
    finally:
        process.kill()
        process.communicate()


def test_a_test_that_fails_leaves_no_program_behind(tmp_path: Path) -> None:
    command = [sys.executable, "-c", "import time; time.sleep(60)"]
    left: list[subprocess.Popen[bytes]] = []

    def fail() -> None:
        with (
            (tmp_path / "output").open("wb") as log,
            running(command, tmp_path, log) as process,
        ):
            left.append(process)
            raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        fail()
    assert left[0].returncode == -signal.SIGKILL


def test_ple_stream_gives_its_bits_back(tmp_path: Path) -> None:
    program = compiled("ple_stream", tmp_path)
    command = [sys.executable, str(program)]
    subprocess.run(command, cwd=tmp_path, check=True, timeout=60)  # noqa: S603
    assert (tmp_path / "ple_stream.bits").read_bytes() == bytes([0, 1] * 480)


@pytest.mark.parametrize("name", ["ple_frames", "burst_link"])
def test_frames_are_opened_at_the_other_end(tmp_path: Path, name: str) -> None:
    program = compiled(name, tmp_path)
    output = tmp_path / "output"
    command = [sys.executable, "-u", str(program)]
    with output.open("wb") as log, running(command, tmp_path, log) as process:
        deadline = time.monotonic() + 60
        while b"(frame . 5)" not in output.read_bytes():
            assert time.monotonic() < deadline
            time.sleep(0.1)
        # It ends when Enter is pressed.
        process.communicate(b"\n", timeout=60)
    assert b"38 39 3a 3b" in output.read_bytes()
