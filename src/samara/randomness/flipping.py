# SPDX-License-Identifier: Apache-2.0
"""What flips of single bits change in a cipher, round by round, as an answer."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, ClassVar

from samara.phy import pictures
from samara.randomness import avalanche, avalanche_pictures
from samara.records import (
    Answer,
    Between,
    Field,
    Notice,
    Parameter,
    Record,
    Remark,
    Request,
    record_class,
    request_class,
)
from samara.records.paths import OUTPUT_DIRECTORY
from samara.records.tables import Column, Row, Table, words
from samara.records.usual import Seed

if TYPE_CHECKING:
    from collections.abc import Sequence

    from samara.randomness.avalanche import Avalanche


@request_class
class AvalancheRequest(Request):
    """Of which cipher, by how many samples."""

    cipher: Annotated[
        str,
        Parameter(
            metavar="CIPHER",
            help="Block cipher, such as modspeck128-128, or grain128ple.",
            names=avalanche.names,
            names_in_words="",
            is_argument=True,
        ),
    ]
    samples: Annotated[
        int,
        Parameter(help="Random keys and plaintexts.", values=Between(10, 2000)),
    ] = avalanche.SAMPLES
    seed: Seed = 1
    output: Annotated[
        Path | None,
        Parameter(
            short="o",
            metavar="DIR",
            help="Directory for the heat map, as png and svg.",
            values=OUTPUT_DIRECTORY,
        ),
    ] = None


@record_class
class FlippedBits(Record):
    """How many bits flips of the bits of one input change, step by step."""

    TYPE: ClassVar[str] = "avalanche"

    cipher: Annotated[str, Field("Name of the cipher.")]
    flipped: Annotated[str, Field("The input: `key`, `plaintext` or `nonce`.")]
    samples: Annotated[int, Field("Random keys and plaintexts.")]
    seed: Annotated[int, Field("Of the samples.")]
    unit: Annotated[str, Field("What the steps are: `round` or `clock`.")]
    steps: Annotated[tuple[int, ...], Field("Numbers of rounds or clocks.")]
    complete: Annotated[
        int | None,
        Field("The step from which on a flip of any bit changes half of all bits."),
    ]
    shares: Annotated[
        tuple[tuple[float, ...], ...],
        Field(
            "Of bits that change: a list for each step, in it one for each bit that is"
            " flipped."
        ),
    ]


def flips(request: AvalancheRequest) -> Answer[FlippedBits]:
    """Yield what flips of the bits of keys change, then of plaintexts or nonces.

    Raises
    ------
    samara.crypto.UnknownNameError
        If there is no such cipher.
    samara.extras.MissingPackageError
        If a heat map is asked for, and Matplotlib is not installed.
    """
    chosen = avalanche.cipher(request.cipher)
    if request.output is not None:
        pictures.need_matplotlib()
    found = [
        avalanche.of_key(chosen, request.samples, request.seed),
        avalanche.of_text(chosen, request.samples, request.seed),
    ]
    for one in found:
        yield _record(one, request.seed)
    yield _table(found)
    yield from map(_sentence, found)
    if request.output is not None:
        files = avalanche_pictures.files(found)
        paths = pictures.write(request.output, f"avalanche-{request.cipher}", files)
        yield Notice("wrote " + ", ".join(map(str, paths)))


def _record(one: Avalanche, seed: int) -> FlippedBits:
    return FlippedBits(
        cipher=one.cipher.slug,
        flipped=one.flipped,
        samples=one.samples,
        seed=seed,
        unit=one.cipher.unit,
        steps=one.cipher.steps,
        complete=one.complete,
        shares=tuple(tuple(round(float(x), 6) for x in row) for row in one.shares),
    )


def _table(found: Sequence[Avalanche]) -> Table:
    """Return the least, the mean and the greatest share of each step."""
    cipher = found[0].cipher
    columns = [Column(cipher.unit)]
    for one in found:
        columns += [
            Column(f"{one.flipped} {what}", rank=rank)
            for what, rank in (("least", 1), ("mean", 0), ("most", 1))
        ]
    rows = []
    for i, step in enumerate(cipher.steps):
        values = [
            value
            for one in found
            for value in (
                one.shares[i].min(),
                one.shares[i].mean(),
                one.shares[i].max(),
            )
        ]
        rows.append(Row([words(str(step)), *(words(f"{v:.3f}") for v in values)]))
    title = f"{cipher.slug}: share of bits that change when one bit is flipped"
    return Table("avalanche", title, columns, rows)


def _sentence(one: Avalanche) -> Remark:
    if one.complete is None:
        return Remark(f"Flips of {one.flipped} bits never change half of all bits.")
    cipher = one.cipher
    return Remark(
        f"From {cipher.unit} {one.complete} of {cipher.steps[-1]} on, a flip of any"
        f" {one.flipped} bit changes half of all bits."
    )
