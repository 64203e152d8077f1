# SPDX-License-Identifier: Apache-2.0
"""Show facts about a recording, and with -o a picture of it.

The picture has power over time, spectrum, waterfall, and the constellation of
the longest burst. The constellation is found without knowledge of the signal,
for linear modulations with root-raised-cosine pulses. Encryption changes none of
these, except that payloads which repeat cause lines in the spectrum without it.

Sample formats: cf32_le, ci16_le and ci8. Only the first 4 million samples are
read.

\b
Examples:
  samara phy inspect recordings/hello -o pictures
  samara phy inspect capture.sigmf-meta --samples-per-symbol 8 --json
"""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path  # noqa: TC003 - Typer reads it when it runs
from typing import TYPE_CHECKING, Annotated

import typer
from rich.markup import escape

from samara.cli.phy.options import Out, say_written, show
from samara.cli.shared.json_lines import Json, print_json
from samara.cli.shared.printable import printable_text
from samara.cli.shared.tables import Column
from samara.phy import inspection, inspection_pictures, pictures, recordings

if TYPE_CHECKING:
    from samara.phy.inspection import Facts
    from samara.phy.recordings import Recording

_MOST_BURSTS_SHOWN = 10

_FACT_COLUMNS = [Column("fact"), Column("value", wraps=True)]


def _inspect(
    recording: Annotated[
        Path,
        typer.Argument(
            metavar="RECORDING",
            help="SigMF recording, with or without .sigmf-meta or .sigmf-data.",
        ),
    ],
    *,
    samples_per_symbol: Annotated[
        int,
        typer.Option(
            min=1,
            max=64,
            help="Samples per symbol, for the constellation; 1: the samples.",
        ),
    ] = 4,
    output: Out = None,
    as_json: Json = False,
) -> None:
    if output is not None:
        pictures.need_matplotlib()
    opened = recordings.open_recording(recording)
    samples, not_finite = inspection.load(opened)
    found = inspection.facts(opened, samples, not_finite)
    if as_json:
        print_json("recording", asdict(found))
    else:
        show(_FACT_COLUMNS, _rows(opened, found))
    if output is not None:
        files = inspection_pictures.files(opened, samples, samples_per_symbol)
        name = recordings.paths(recording)[0].name.removesuffix(recordings.META)
        say_written(pictures.write(output, name, files))


def _rows(recording: Recording, found: Facts) -> list[tuple[str, str]]:
    carrier = recording.frequency
    low, high = (edge / 1e3 for edge in found.occupied_hz)
    rows = [
        ("description", escape(printable_text(recording.description or "-"))),
        ("samples", f"{found.samples} of {recording.datatype}"),
        ("sample rate", f"{found.sample_rate:g} Hz"),
        ("duration", f"{found.duration_s:.6g} s"),
        ("carrier", "-" if carrier is None else f"{carrier / 1e6:g} MHz"),
        ("mean power", _decibels(found.power_db)),
        ("power of the quietest tenth", _decibels(found.noise_db)),
        ("largest magnitude", f"{found.peak:.4g}"),
        ("magnitude of the mean", f"{found.offset:.2g}"),
        ("bandwidth with 99 % of the power", f"{low:.1f} to {high:.1f} kHz"),
        ("bursts", str(len(found.bursts))),
    ]
    if found.looked_at < found.samples:
        rows.insert(2, ("samples read", f"the first {found.looked_at}"))
    if found.not_finite:
        rows.insert(2, ("invalid samples", f"{found.not_finite}, taken as zeros"))
    rows += [
        (
            f"burst at {burst.start / found.sample_rate * 1e3:.2f} ms",
            _burst(burst, found.sample_rate),
        )
        for burst in found.bursts[:_MOST_BURSTS_SHOWN]
    ]
    return rows


def _burst(burst: inspection.Burst, sample_rate: float) -> str:
    length_ms = burst.count / sample_rate * 1e3
    return f"{length_ms:.2f} ms, {_decibels(burst.power_db)}"


def _decibels(level: float | None) -> str:
    return "-" if level is None else f"{level:.1f} dBFS"


command = _inspect
