# SPDX-License-Identifier: Apache-2.0
"""Show how many bits flips of single key and plaintext bits change, by round.

Each bit of random keys and plaintexts is flipped. A good cipher then changes half
of the block, whichever bit it was, long before its last round. Of Grain-128PLE
nonce bits are flipped instead of plaintext bits, and the share is that of the
first 64 bits of keystream after so many start-up clocks.

Rounds are run by a model in Python that agrees with the C library at full rounds.

\b
Examples:
  samara randomness avalanche modspeck128-128 -o pictures
  samara randomness avalanche grain128ple --json
"""

from __future__ import annotations

from pathlib import Path  # noqa: TC003 - Typer reads it when it runs
from typing import TYPE_CHECKING, Annotated

import typer

from samara.cli.shared.completion import one_of
from samara.cli.shared.diagnostics import say
from samara.cli.shared.json_lines import Json, print_json
from samara.cli.shared.repeatable import Seed  # noqa: TC001 - as above
from samara.cli.shared.tables import Column, console, print_table, print_text
from samara.phy import pictures
from samara.randomness import avalanche, avalanche_pictures

if TYPE_CHECKING:
    from collections.abc import Sequence

    from samara.randomness.avalanche import Avalanche


def _avalanche(
    cipher: Annotated[
        str,
        typer.Argument(
            metavar="CIPHER",
            help="Block cipher, such as modspeck128-128, or grain128ple.",
            autocompletion=one_of(avalanche.names),
        ),
    ],
    *,
    samples: Annotated[
        int,
        typer.Option(min=10, max=2000, help="Random keys and plaintexts."),
    ] = avalanche.SAMPLES,
    seed: Seed = 1,
    output: Annotated[
        Path | None,
        typer.Option(
            "-o",
            "--output",
            metavar="DIR",
            help="Directory for the heat map, as png and svg.",
            show_default=False,
        ),
    ] = None,
    as_json: Json = False,
) -> None:
    chosen = avalanche.cipher(cipher)
    if output is not None:
        pictures.need_matplotlib()
    found = [
        avalanche.of_key(chosen, samples, seed),
        avalanche.of_text(chosen, samples, seed),
    ]
    if as_json:
        for one in found:
            print_json("avalanche", _fields(one, seed))
    else:
        _print(found)
    if output is not None:
        files = avalanche_pictures.files(found)
        paths = pictures.write(output, f"avalanche-{cipher}", files)
        say("wrote " + ", ".join(str(path) for path in paths))


def _fields(one: Avalanche, seed: int) -> dict[str, object]:
    return {
        "cipher": one.cipher.slug,
        "flipped": one.flipped,
        "samples": one.samples,
        "seed": seed,
        "unit": one.cipher.unit,
        "steps": one.cipher.steps,
        "complete": one.complete,
        "shares": [[round(float(x), 6) for x in row] for row in one.shares],
    }


def _print(found: Sequence[Avalanche]) -> None:
    cipher = found[0].cipher
    columns = [Column(cipher.unit, numeric=True)]
    for one in found:
        columns += [
            Column(f"{one.flipped}\n{what}", numeric=True, rank=rank)
            for what, rank in (("least", 1), ("mean", 0), ("most", 1))
        ]
    rows = [
        (
            str(step),
            *(
                f"{value:.3f}"
                for one in found
                for value in (
                    one.shares[i].min(),
                    one.shares[i].mean(),
                    one.shares[i].max(),
                )
            ),
        )
        for i, step in enumerate(cipher.steps)
    ]
    screen = console()
    title = f"{cipher.slug}: share of bits that change when one bit is flipped"
    print_table(screen, columns, rows, title=title, empty="no rounds")
    for one in found:
        if one.complete is None:
            text = f"Flips of {one.flipped} bits never change half of all bits."
        else:
            text = (
                f"From {cipher.unit} {one.complete} of {cipher.steps[-1]} on, a flip of"
                f" any {one.flipped} bit changes half of all bits."
            )
        print_text(screen, text)


command = _avalanche
