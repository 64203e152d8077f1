# SPDX-License-Identifier: Apache-2.0
"""Bursts of samara in a recording, received as its metadata says."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

import numpy as np

from samara.phy.bursts import form_of
from samara.phy.frames import make_codec
from samara.phy.modulation import MODULATIONS
from samara.phy.tuning import RadioError
from samara.records import Field, Record, record_class

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from samara.phy.burst_form import Reception
    from samara.phy.channel import Samples
    from samara.phy.recordings import Recording

# Zeros after a recording, so that a burst at its end is found.
_SILENCE = 1 << 16


@record_class
class ReceivedBurst(Record):
    """A burst of a recording as a receiver without the key hears it."""

    sample: Annotated[int, Field("Its first sample.")]
    snr_db: Annotated[float, Field("Signal-to-noise ratio.", unit="dB")]
    echo_symbols: Annotated[
        int,
        Field(
            "Symbols by which the latest echo that decision feedback took out was "
            "late; 0: there was no feedback."
        ),
    ]


def whole_number(facts: Mapping[str, Any], name: str) -> int | None:
    """Return a number of metadata, which may be anything."""
    value = facts.get(name)
    return value if type(value) is int and 0 < value <= 1 << 16 else None


def bursts_in(
    blocks: Iterable[Samples], modulation: str, coded_bits: int
) -> Iterator[Reception]:
    """Yield the bursts that are found, as samples are read.

    Raises
    ------
    samara.phy.tuning.RadioError
        If GNU Radio or gr-samara is not installed.
    """
    receiver = form_of(modulation).receiver(coded_bits)
    for samples in blocks:
        yield from receiver.feed(_finite(samples))
    yield from receiver.feed(np.zeros(_SILENCE, np.complex64))
    yield from receiver.finish()


def received_bursts(
    recording: Recording, samples: Samples
) -> tuple[ReceivedBurst, ...] | None:
    """Return the bursts in these samples of a recording.

    None if its metadata names no modulation and payload, or GNU Radio is missing.
    """
    modulation = recording.facts.get("modulation")
    payload_size = whole_number(recording.facts, "payload_size")
    if modulation not in MODULATIONS or payload_size is None:
        return None
    try:
        # Of any key: all frames with so much payload have the same length.
        coded_bits = make_codec(bytes(16)).coded_bits(payload_size)
        found = list(bursts_in([samples], modulation, coded_bits))
    except RadioError:
        return None
    return tuple(
        ReceivedBurst(int(each.sample), round(each.snr_db, 2), each.echo_symbols)
        for each in found
    )


def echoes_in_words(echo_symbols: int) -> str:
    """Return in words what was done against late echoes."""
    if not echo_symbols:
        return "no late echoes"
    return f"echoes up to {echo_symbols} symbols late, taken out by decision feedback"


def _finite(samples: Samples) -> Samples:
    return np.nan_to_num(samples, copy=False, nan=0.0, posinf=0.0, neginf=0.0)
