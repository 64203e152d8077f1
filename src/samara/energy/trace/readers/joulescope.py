# SPDX-License-Identifier: Apache-2.0
"""JLS files of Joulescope, which pyjls reads (``samara[jls]``).

The signal of the current is the first one in ampere. pyjls runs in a process of its own
(`samara.energy.trace.joulescope_process`): a damaged file may end that one.
"""

from __future__ import annotations

import contextlib
import selectors
import struct
import subprocess
import sys
import time
from typing import IO, TYPE_CHECKING

import numpy as np

from samara.energy.trace import joulescope_process
from samara.energy.trace.blocks import Block, Format, TraceError
from samara.energy.trace.joulescope_process import ABOUT, BLOCK, COUNT
from samara.extras import need

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from samara.energy.trace.blocks import Reading

_BEGINS = b"jlsfmt\r\n"
_HEAD = struct.Struct("<16sQ")
"""What a file begins with: what it is, and its length, 0 while it is written."""
_CHUNK = struct.Struct("<QQBBHIII")
"""A chunk's head: its neighbours, tag, 0, what it is of, lengths, check sequence."""
_LAST = (0, 0, 0xFF, 0, 0, 0)
"""What the last chunk begins with: it has no content."""
_SILENT_S = 60.0
"""For so long a process may send nothing."""
_TEXT_MAX = 1000
_SAMPLE_BYTES = 4


def _blocks(reading: Reading) -> Iterator[Block]:
    need("pyjls", "jls")
    _check_whole(reading.path)
    command = [sys.executable, "-m", joulescope_process.__name__, str(reading.path)]
    with _ended(
        subprocess.Popen(  # noqa: S603 - this package's own module
            command,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            bufsize=0,
        )
    ) as child:
        assert child.stdout is not None  # noqa: S101 - it is a pipe
        yield from _received(_Frames(reading.path, child.stdout))


@contextlib.contextmanager
def _ended(child: subprocess.Popen[bytes]) -> Iterator[subprocess.Popen[bytes]]:
    """End a process, however it was left."""
    with child:
        try:
            yield child
        finally:
            child.kill()


def _check_whole(path: Path) -> None:
    """Refuse a file that was not closed: pyjls would repair it in its place."""
    size = path.stat().st_size
    with path.open("rb") as file:
        head = file.read(_HEAD.size)
        file.seek(max(size - _CHUNK.size, 0))
        last = file.read(_CHUNK.size)
    stated = _HEAD.unpack(head)[1] if len(head) == _HEAD.size else 0
    if stated != size:
        message = (
            f"{path} is not complete: it says that it has {stated} bytes, and has "
            f"{size}. Repair a copy with the software of the Joulescope"
        )
        raise TraceError(message)
    if len(last) < _CHUNK.size or _CHUNK.unpack(last)[:6] != _LAST:
        message = (
            f"{path} cannot be read as JLS: it does not end as such a file does. "
            "Repair a copy with the software of the Joulescope"
        )
        raise TraceError(message)


class _Frames:
    """The frames that the process sends, none of them longer than they may be."""

    def __init__(self, path: Path, pipe: IO[bytes]) -> None:
        self._path, self._pipe = path, pipe
        self._waits = selectors.DefaultSelector()
        self._waits.register(pipe, selectors.EVENT_READ)

    def read(self, size: int) -> bytes:
        """Return so many bytes.

        Raises
        ------
        TraceError
            When the process ends before it has sent them, or is silent.
        """
        found = bytearray()
        until_s = time.monotonic() + _SILENT_S
        while len(found) < size:
            left_s = until_s - time.monotonic()
            if left_s <= 0 or not self._waits.select(left_s):
                message = f"{self._path} is damaged: reading it does not end"
                raise TraceError(message)
            more = self._pipe.read(size - len(found))
            if not more:
                message = f"{self._path} is damaged: pyjls cannot read it"
                raise TraceError(message)
            found += more
        return bytes(found)

    def count(self) -> int:
        """Return the number of samples of the next frame.

        Raises
        ------
        TraceError
            As `read`; or with what the process says of the file.
        """
        (count,) = COUNT.unpack(self.read(COUNT.size))
        if count < 0:
            text = self.read(min(-count, _TEXT_MAX)).decode(errors="replace")
            message = f"{self._path} cannot be read as JLS: {text}"
            raise TraceError(message)
        return min(int(count), BLOCK)


def _received(frames: _Frames) -> Iterator[Block]:
    frames.count()
    rate, length = ABOUT.unpack(frames.read(ABOUT.size))
    first = 0
    while count := frames.count():
        found = np.frombuffer(frames.read(_SAMPLE_BYTES * count), "<f4").astype(float)
        times_s = np.arange(first, first + count) / rate
        first += count
        yield Block(times_s, found, min(first / max(length, 1), 1.0))


FORMAT = Format("jls", "Joulescope", lambda head: head.startswith(_BEGINS), _blocks)
