# SPDX-License-Identifier: Apache-2.0
"""Measure the bit rates of encoding, encrypting and decoding on this machine.

Bit rates are of payload and tag, in one core's processor time; the best of
several rounds. Encode: from payloads to the bits on the air. Decode: from soft
bits to payloads. Chain: both.

\b
Examples:
  samara phy speed
  samara phy speed --code conv --payload 60 --json
"""

from __future__ import annotations

from typing import Annotated

import typer

from samara.cli.phy.options import (
    PayloadSize,
    show,
)
from samara.cli.shared.json_lines import Json, print_json
from samara.cli.shared.tables import Column
from samara.phy import chain_speed
from samara.phy.coded import Code

_CODES = ", ".join(Code)

_SPEED_COLUMNS = [
    Column("code"),
    Column("encryption"),
    Column("encode, Mbit/s", numeric=True),
    Column("decode, Mbit/s", numeric=True),
    Column("chain, Mbit/s", numeric=True),
]


def _speed(
    *,
    code: Annotated[
        list[Code] | None,
        typer.Option(help=f"Channel code. Repeatable. Default: {_CODES}."),
    ] = None,
    payload: PayloadSize = 252,
    as_json: Json = False,
) -> None:
    figures = [
        chain_speed.measure(of, payload, encrypts=encrypts)
        for of in code or list(Code)
        for encrypts in (False, True)
    ]
    if as_json:
        for figure in figures:
            print_json("chain_speed", figure.as_json())
        return
    rows = [
        (
            str(figure.code),
            "Grain-128PLE" if figure.encrypts else "none",
            *(f"{value / 1e6:.1f}" for value in figure.rates),
        )
        for figure in figures
    ]
    show(_SPEED_COLUMNS, rows)


command = _speed
