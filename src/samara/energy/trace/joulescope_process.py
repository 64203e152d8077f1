# SPDX-License-Identifier: Apache-2.0
"""Reads a JLS file in a process of its own, which pyjls may bring down.

pyjls is a C library that trusts a file's content: a damaged one can end its process,
keep it busy for ever, or make it write into the file. So it runs in a child that may
write no file and has a bound of memory. The child sends frames to its standard output:
a number of samples in 8 bytes, little-endian, and so many of 4 bytes. 0 comes first,
with rate and length; 0 alone is the end. Below 0, a text of so many bytes says what is
wrong.
"""

from __future__ import annotations

import ctypes
import os
import struct
import sys
from pathlib import Path
from typing import Any, BinaryIO

import numpy as np

from samara.extras import need

COUNT = struct.Struct("<q")
ABOUT = struct.Struct("<dq")
"""Samples a second, and their number."""
RATES = (0.1, 1e8)
SAMPLES_PER_BYTE = 100
"""More samples than that for each byte of the file are not possible."""
BLOCK = 1 << 17
"""Samples of a frame."""
_MEMORY = 2 << 30


def send(path: Path, out: BinaryIO) -> None:
    """Write the frames of a file."""
    pyjls = need("pyjls", "jls")
    reader = pyjls.Reader(str(path))
    signal = _current(reader)
    length = int(signal.length)
    if length > SAMPLES_PER_BYTE * path.stat().st_size:
        message = f"it says that it has {length:,} samples, more than it has room for"
        raise ValueError(message)
    out.write(COUNT.pack(0) + ABOUT.pack(float(signal.sample_rate), length))
    for first in range(0, length, BLOCK):
        count = min(BLOCK, length - first)
        found = np.asarray(reader.fsr(signal.signal_id, first, count), dtype="<f4")
        out.write(COUNT.pack(found.size) + found.tobytes())
    out.write(COUNT.pack(0))


def _current(reader: Any) -> Any:  # noqa: ANN401 - without types
    low, high = RATES
    for signal in reader.signals.values():
        if signal.units == "A" and low <= signal.sample_rate <= high:
            return signal
    message = (
        f"it has no current: expected a signal in A with {low:g} to {high:g} samples a "
        "second"
    )
    raise ValueError(message)


_CREATE_RULESET, _RESTRICT_SELF, _NO_NEW_PRIVILEGES = 444, 446, 38
_WRITES_FILES = 1 << 1
"""LANDLOCK_ACCESS_FS_WRITE_FILE: to open a file for writing."""


def _open_no_file_to_write() -> None:
    """Let this process open no file for writing, where Linux has Landlock.

    Without, a file that is not closed as it should be is refused before it is opened.
    """
    if sys.platform != "linux":
        return
    libc = ctypes.CDLL(None, use_errno=True)
    handled = ctypes.c_uint64(_WRITES_FILES)
    size = ctypes.c_size_t(ctypes.sizeof(handled))
    rules = libc.syscall(_CREATE_RULESET, ctypes.byref(handled), size, 0)
    if rules >= 0:
        libc.prctl(_NO_NEW_PRIVILEGES, 1, 0, 0, 0)
        libc.syscall(_RESTRICT_SELF, rules, 0)
        os.close(rules)


def limit() -> None:
    """Let this process write no file, and take no more memory than its bound."""
    _open_no_file_to_write()
    try:
        import resource  # noqa: PLC0415 - not on all systems
    except ImportError:
        return
    for what, most in (
        (resource.RLIMIT_FSIZE, 0),
        (resource.RLIMIT_CORE, 0),
        (resource.RLIMIT_DATA, _MEMORY),
    ):
        resource.setrlimit(what, (most, most))


def main() -> None:
    """Send the file that is named; what is wrong is a text."""
    limit()
    out = sys.stdout.buffer
    try:
        send(Path(sys.argv[1]), out)
    except (RuntimeError, ValueError, OSError, MemoryError) as error:
        text = str(error).encode()[:1000] or b"it cannot be read"
        out.write(COUNT.pack(-len(text)) + text)
    out.flush()


if __name__ == "__main__":
    main()
