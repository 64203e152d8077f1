# SPDX-License-Identifier: Apache-2.0
"""JLS files of Joulescope, which pyjls reads (``samara[jls]``).

The signal of the current is the first one in ampere.
"""

from __future__ import annotations

import struct
from typing import TYPE_CHECKING, Any

import numpy as np

from samara.energy.trace.blocks import SAMPLES, Block, Format, TraceError
from samara.extras import need

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from samara.energy.trace.blocks import Reading

_BEGINS = b"jlsfmt\r\n"
_RATES = (0.1, 1e8)
_HEAD = struct.Struct("<16sQ")
"""What a file begins with: what it is, and its length, 0 while it is written."""


def _blocks(reading: Reading) -> Iterator[Block]:
    pyjls = need("pyjls", "jls")
    _check_whole(reading.path)
    try:
        reader = pyjls.Reader(str(reading.path))
    except (RuntimeError, ValueError, OSError) as error:
        message = f"{reading.path} cannot be read as JLS: {error}"
        raise TraceError(message) from None
    try:
        yield from _samples(reading, reader)
    except (RuntimeError, ValueError) as error:
        message = f"{reading.path} is damaged: {error}"
        raise TraceError(message) from None
    finally:
        reader.close()


def _check_whole(path: Path) -> None:
    """Refuse a file that was not closed: pyjls would repair it in its place."""
    size = path.stat().st_size
    with path.open("rb") as file:
        head = file.read(_HEAD.size)
    stated = _HEAD.unpack(head)[1] if len(head) == _HEAD.size else 0
    if stated != size:
        message = (
            f"{path} is not complete: it says that it has {stated} bytes, and has "
            f"{size}. Repair a copy with the software of the Joulescope"
        )
        raise TraceError(message)


def _samples(reading: Reading, reader: Any) -> Iterator[Block]:  # noqa: ANN401 - without types
    signal = _current(reading, reader)
    rate, length = float(signal.sample_rate), int(signal.length)
    for first in range(0, length, SAMPLES):
        count = min(SAMPLES, length - first)
        found = np.asarray(reader.fsr(signal.signal_id, first, count), dtype=float)
        times_s = np.arange(first, first + count) / rate
        yield Block(times_s, found, (first + count) / length)


def _current(reading: Reading, reader: Any) -> Any:  # noqa: ANN401 - without types
    low, high = _RATES
    for signal in reader.signals.values():
        if signal.units == "A" and low <= signal.sample_rate <= high:
            return signal
    message = (
        f"{reading.path} has no current: expected a signal in A with {low:g} to "
        f"{high:g} samples a second"
    )
    raise TraceError(message)


FORMAT = Format("jls", "Joulescope", lambda head: head.startswith(_BEGINS), _blocks)
