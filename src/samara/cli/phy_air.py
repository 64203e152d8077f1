# SPDX-License-Identifier: Apache-2.0
"""`samara phy inspect` and `reuse`: what samples and bits on the air show."""

from __future__ import annotations

import json
from dataclasses import asdict
from pathlib import Path  # noqa: TC003 - Typer reads it when it runs
from typing import TYPE_CHECKING, Annotated

import typer
from rich.markup import escape

from samara.cli.phy_options import Json, Out, Seed, show, told
from samara.cli.printable import printable_text
from samara.phy import inspection, inspection_pictures, pictures, recordings, reuse

if TYPE_CHECKING:
    from samara.phy.inspection import Facts
    from samara.phy.recordings import Recording

_MOST_BURSTS_SHOWN = 10


def inspect(
    recording: Annotated[
        Path, typer.Argument(metavar="RECORDING", help="A SigMF recording, any file.")
    ],
    *,
    samples_per_symbol: Annotated[
        int,
        typer.Option(min=1, max=64, help="For the constellation; 1 shows samples."),
    ] = 4,
    output: Out = None,
    as_json: Json = False,
) -> None:
    """Show what is in a recording: facts, and with -o a picture of four parts.

    Power over time, spectrum, waterfall, and the constellation of the longest
    burst, found blindly for linear modulations with root-raised-cosine pulses.
    Encryption changes none of them, but that it takes away the lines that
    payloads which repeat have in the spectrum. Recordings of cf32_le, ci16_le
    and ci8 are read, their first 4 million samples.

    \b
    Examples:
      samara phy inspect recordings/hello -o pictures
      samara phy inspect capture.sigmf-meta --samples-per-symbol 8 --json
    """
    opened = recordings.open_recording(recording)
    samples, not_finite = inspection.load(opened)
    found = inspection.facts(opened, samples, not_finite)
    if as_json:
        print(json.dumps(asdict(found), indent=2))
    else:
        show(("fact", "value"), _rows(opened, found), numbers_from=2)
    if output is not None:
        files = inspection_pictures.files(opened, samples, samples_per_symbol)
        name = recordings.paths(recording)[0].name.removesuffix(recordings.META)
        told(pictures.write(output, name, files))


def _rows(recording: Recording, found: Facts) -> list[tuple[str, str]]:
    carrier = recording.frequency
    low, high = (edge / 1e3 for edge in found.occupied_hz)
    rows = [
        ("description", escape(printable_text(recording.description or "-"))),
        ("samples", f"{found.samples} of {recording.datatype}"),
        ("sample rate", f"{found.sample_rate:g} 1/s"),
        ("duration", f"{found.duration_s:.6g} s"),
        ("carrier", "-" if carrier is None else f"{carrier / 1e6:g} MHz"),
        ("mean power", _decibels(found.power_db)),
        ("quietest tenth", _decibels(found.noise_db)),
        ("largest magnitude", f"{found.peak:.4g}"),
        ("magnitude of the mean", f"{found.offset:.2g}"),
        ("99 % of the power", f"{low:.1f} to {high:.1f} kHz from the carrier"),
        ("bursts", str(len(found.bursts))),
    ]
    if found.looked_at < found.samples:
        rows.insert(2, ("looked at", f"the first {found.looked_at}"))
    if found.not_finite:
        rows.insert(2, ("no numbers", f"{found.not_finite} samples"))
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
    return "-" if level is None else f"{level:.1f} dB of magnitude 1"


def reuse_(
    *,
    frames: Annotated[
        int, typer.Option(min=10, max=100_000, help="Frames, and pairs of frames.")
    ] = 500,
    ebn0: Annotated[
        float, typer.Option("--ebn0", min=-20, max=100, help="For the pairs, in dB.")
    ] = 6.0,
    seed: Seed = 1,
    output: Out = None,
    as_json: Json = False,
) -> None:
    """Show what bits on the air tell without the key: nothing, until a nonce repeats.

    First, tests of randomness on the bits for payloads of zeros, with and without
    encryption. Then pairs of frames under one nonce, which must never be: their
    sum is free of the keystream, so that parity checks of the channel code
    notice it, and a decoder turns it into the sum of both payloads.

    \b
    Examples:
      samara phy reuse
      samara phy reuse --ebn0 8 -o pictures --json
    """
    rows = reuse.randomness(frames, seed)
    found = reuse.detection(frames, ebn0, seed)
    if as_json:
        print(json.dumps(reuse.as_json(rows, found), indent=2))
    else:
        head = ("bits on the air", "bits", *_TESTS, "random?")
        show(head, [_randomness_row(row) for row in rows], numbers_from=1)
        show(("two frames, one nonce", ""), _detection_rows(found), numbers_from=1)
    if output is not None:
        told(pictures.write(output, "reuse", reuse.files(found)))


_TESTS = ("monobit, p", "runs, p", "patterns, p", "parity checks, p")


def _randomness_row(row: reuse.Randomness) -> tuple[str, ...]:
    values = (row.monobit, row.runs, row.serial, row.codeword)
    verdict = "yes" if row.passes else "no"
    return (row.what, str(row.bits), *(f"{value:.2g}" for value in values), verdict)


def _detection_rows(found: reuse.Detection) -> list[tuple[str, str]]:
    return [
        ("Eb/N0", f"{found.ebn0_db:g} dB"),
        ("pairs", str(found.pairs)),
        ("parity checks that fail, two nonces", f"{found.fresh.mean():.1%}"),
        ("parity checks that fail, one nonce", f"{found.reused.mean():.1%}"),
        ("noticed without the key", f"{found.detected:.1%}"),
        ("false alarms", f"{found.false_alarms:.1%}"),
        ("bits of the payloads' sum that are right", f"{found.payload_sum_right:.1%}"),
    ]
