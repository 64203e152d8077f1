# SPDX-License-Identifier: Apache-2.0
"""Show what the bits on the air reveal without the key, and when a nonce repeats.

The first table has p-values of randomness tests of the bits on the air, for
payloads of zeros with and without encryption. The second table is about pairs of
frames with the same nonce, which a correct transmitter never sends: the sum of
both frames has no keystream, so parity checks of the channel code detect it, and
a decoder turns it into the sum of both payloads.

\b
Examples:
  samara phy reuse
  samara phy reuse --ebn0 8 -o pictures --json
"""

from __future__ import annotations

from dataclasses import asdict
from typing import Annotated

import typer

from samara.cli.phy.options import Out, Seed, columns, say_written, show
from samara.cli.shared.json_lines import Json, print_json
from samara.phy import pictures, reuse

_RANDOMNESS_COLUMNS = columns(
    ("bits on the air", "bits", *reuse.TESTS, "random?"),
    numeric_from=1,
    ranks=(0, 1, 0, 0, 0, 0, 0),
)
_REUSE_COLUMNS = columns(("two frames with one nonce", "value"), numeric_from=1)


def _reuse(
    *,
    frames: Annotated[
        int,
        typer.Option(min=10, max=100_000, help="Frames, and pairs of frames, to test."),
    ] = 500,
    ebn0: Annotated[
        float,
        typer.Option(
            "--ebn0", metavar="DB", min=-20, max=100, help="Eb/N0 of the pairs in dB."
        ),
    ] = 6.0,
    seed: Seed = 1,
    output: Out = None,
    as_json: Json = False,
) -> None:
    if output is not None:
        pictures.need_matplotlib()
    rows = reuse.randomness(frames, seed)
    found = reuse.detection(frames, ebn0, seed)
    if as_json:
        for row in rows:
            print_json("randomness", asdict(row) | {"passes": row.passes})
        print_json("nonce_reuse", reuse.as_json(found))
    else:
        title = "p-values of randomness tests"
        cells = [_randomness_row(row) for row in rows]
        show(_RANDOMNESS_COLUMNS, cells, title=title)
        show(_REUSE_COLUMNS, _detection_rows(found))
    if output is not None:
        say_written(pictures.write(output, "reuse", reuse.files(found)))


def _randomness_row(row: reuse.Randomness) -> tuple[str, ...]:
    values = (row.monobit, row.runs, row.serial, row.codeword)
    verdict = "yes" if row.passes else "no"
    return (row.what, str(row.bits), *(f"{value:.2g}" for value in values), verdict)


def _detection_rows(found: reuse.Detection) -> list[tuple[str, str]]:
    return [
        ("Eb/N0", f"{found.ebn0_db:g} dB"),
        ("pairs", str(found.pairs)),
        ("failing parity checks, different nonces", f"{found.fresh.mean():.1%}"),
        ("failing parity checks, same nonce", f"{found.reused.mean():.1%}"),
        ("detected without the key", f"{found.detected:.1%}"),
        ("false alarms", f"{found.false_alarms:.1%}"),
        ("correct bits in the sum of the payloads", f"{found.payload_sum_right:.1%}"),
    ]


command = _reuse
