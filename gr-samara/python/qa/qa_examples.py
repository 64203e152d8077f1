# SPDX-License-Identifier: GPL-3.0-or-later
"""The examples, compiled by grcc and run."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from pathlib import Path

import pytest
from flowgraphs import KEY

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


def test_ple_stream_gives_its_bits_back(tmp_path: Path) -> None:
    program = compiled("ple_stream", tmp_path)
    command = [sys.executable, str(program)]
    subprocess.run(command, cwd=tmp_path, check=True, timeout=60)  # noqa: S603
    assert (tmp_path / "ple_stream.bits").read_bytes() == bytes([0, 1] * 480)


@pytest.mark.parametrize("name", ["ple_frames", "burst_link"])
def test_frames_are_opened_at_the_other_end(tmp_path: Path, name: str) -> None:
    program = compiled(name, tmp_path)
    output = tmp_path / "output"
    with output.open("wb") as log:
        process = subprocess.Popen(  # noqa: S603
            [sys.executable, "-u", str(program)],
            cwd=tmp_path,
            stdin=subprocess.PIPE,
            stdout=log,
        )
        deadline = time.monotonic() + 60
        while b"(frame . 5)" not in output.read_bytes():
            assert time.monotonic() < deadline
            time.sleep(0.1)
        # It ends when Enter is pressed.
        process.communicate(b"\n", timeout=30)
    assert b"38 39 3a 3b" in output.read_bytes()
