# SPDX-License-Identifier: Apache-2.0
"""Parameters that several requests about the physical layer have."""

from __future__ import annotations

from typing import Annotated, TypeAlias

from samara.errors import MisuseError
from samara.phy.modulation import MODULATIONS
from samara.records import Between, Parameter
from samara.units import BYTES, DECIBEL, HERTZ

RAYS_HELP = (
    "Rays of the channel: none, three-ray, or DELAY:GAIN,... with delays in samples "
    "and gains in dB."
)
EbN0Values: TypeAlias = Annotated[
    str,
    Parameter(
        metavar="DB",
        help="Eb/N0 in dB: FIRST:LAST:STEP, or values separated by commas.",
    ),
]
ModulationName: TypeAlias = Annotated[
    str, Parameter(metavar="NAME", help="Modulation.", names=lambda: MODULATIONS)
]
Multipath: TypeAlias = Annotated[
    str,
    Parameter(
        metavar="RAYS",
        help=RAYS_HELP,
    ),
]
PayloadSize: TypeAlias = Annotated[
    int,
    Parameter(
        name="payload",
        unit=BYTES,
        help="Payload of a frame.",
        values=Between(1, 1024),
    ),
]
Frequency: TypeAlias = Annotated[
    float,
    Parameter(
        name="frequency",
        unit=HERTZ,
        help="Carrier frequency in Hz.",
        values=Between(0),
    ),
]

_MOST_POINTS = 1000
_LARGEST_DB = 100


def values_of(text: str) -> list[float]:
    """Return the values of --ebn0.

    Raises
    ------
    MisuseError
        If there are none, or too many.
    """
    try:
        if ":" in text:
            first, last, *rest = (DECIBEL.parse(part) for part in text.split(":"))
            (step,) = rest or [1.0]
            count = int((last - first) / step + 1e-9) + 1 if step > 0 else 0
            values = [first + step * i for i in range(min(count, _MOST_POINTS + 1))]
        else:
            values = [DECIBEL.parse(part) for part in text.split(",")]
    except (ValueError, OverflowError):
        values = []
    if not 0 < len(values) <= _MOST_POINTS or not all(
        abs(value) <= _LARGEST_DB for value in values
    ):
        message = (
            f"--ebn0 {text!r} is not valid: expected FIRST:LAST:STEP or values "
            f"separated by commas, from -{_LARGEST_DB} to {_LARGEST_DB} dB, at most "
            f"{_MOST_POINTS} of them"
        )
        raise MisuseError(message)
    return [round(value, 6) for value in values]
