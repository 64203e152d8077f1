# SPDX-License-Identifier: Apache-2.0
"""Facts about a recording, as a request asks for them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

from samara.phy import inspection
from samara.phy.inspection import Facts
from samara.phy.inspection_pictures import InspectionData
from samara.phy.recorded_bursts import ReceivedBurst, echoes_in_words, received_bursts
from samara.phy.recording_parameters import RecordingRequest
from samara.records import (
    Answer,
    Between,
    Digest,
    Notice,
    Parameter,
    Written,
    request_class,
)
from samara.records.tables import Column, Row, Table, label, words

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from samara.phy.recordings import Recording

_MOST_BURSTS_SHOWN = 10


@request_class
class InspectRequest(RecordingRequest):
    """Which recording is inspected."""

    samples_per_symbol: Annotated[
        int,
        Parameter(
            help="Samples per symbol, for the constellation; 1: the samples.",
            values=Between(1, 64),
        ),
    ] = 4


def inspect_recording(request: InspectRequest) -> Answer[Facts | ReceivedBurst]:
    """Yield facts about a recording, and the bursts of samara in it.

    Raises
    ------
    samara.phy.recordings.RecordingError
        When it cannot be read.
    """
    recording = request.opened()
    if remark := recording.remark():
        yield Notice(remark)
    samples, not_finite = inspection.load(recording)
    found = inspection.facts(recording, samples, not_finite)
    received = received_bursts(recording, samples)
    facts = [*_rows(recording, found), *_rows_of_received(found, received)]
    rows = [Row([words(name), words(value)]) for name, value in facts]
    heads = [label("fact"), Column("value", numeric=False, wraps=True)]
    yield Digest(
        [found, *(received or ())], [Table(Facts.type_name(), "", heads, rows)]
    )
    yield Written((), InspectionData(recording, samples, request.samples_per_symbol))


def _rows(recording: Recording, found: Facts) -> Iterator[tuple[str, str]]:
    yield "description", recording.description or "-"
    yield "samples", f"{found.samples} of {recording.datatype}"
    if found.not_finite:
        yield "invalid samples", f"{found.not_finite}, taken as zeros"
    if found.looked_at < found.samples:
        yield "samples read", f"the first {found.looked_at}"
    carrier = recording.frequency
    low, high = (edge / 1e3 for edge in found.occupied_hz)
    yield "sample rate", f"{found.sample_rate:g} Hz"
    yield "duration", f"{found.duration_s:.6g} s"
    yield "carrier", "-" if carrier is None else f"{carrier / 1e6:g} MHz"
    yield "mean power", _decibels(found.power_db)
    yield "power of the quietest tenth", _decibels(found.noise_db)
    yield "largest magnitude", f"{found.peak:.4g}"
    yield "magnitude of the mean", f"{found.offset:.2g}"
    yield "bandwidth with 99 % of the power", f"{low:.1f} to {high:.1f} kHz"
    yield "bursts", str(len(found.bursts))
    for burst in found.bursts[:_MOST_BURSTS_SHOWN]:
        start_ms, length_ms = (
            count / found.sample_rate * 1e3 for count in (burst.start, burst.count)
        )
        power = _decibels(burst.power_db)
        yield f"burst at {start_ms:.2f} ms", f"{length_ms:.2f} ms, {power}"


def _rows_of_received(
    found: Facts, received: Sequence[ReceivedBurst] | None
) -> Iterator[tuple[str, str]]:
    if received is None:
        return
    yield "bursts received", str(len(received))
    for burst in received[:_MOST_BURSTS_SHOWN]:
        start_ms = burst.sample / found.sample_rate * 1e3
        text = f"{burst.snr_db:.1f} dB, {echoes_in_words(burst.echo_symbols)}"
        yield f"received at {start_ms:.2f} ms", text


def _decibels(level: float | None) -> str:
    return "-" if level is None else f"{level:.1f} dBFS"
