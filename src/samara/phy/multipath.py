# SPDX-License-Identifier: Apache-2.0
"""Rays of a channel as users write them."""

from __future__ import annotations

from samara.errors import MisuseError
from samara.phy.channel import THREE_RAYS, Ray
from samara.units import DECIBEL, NUMBER


def rays_of(text: str) -> tuple[Ray, ...]:
    """Return the rays of --multipath.

    Raises
    ------
    MisuseError
        If the text is not valid.
    """
    if text == "none":
        return (Ray(0, 0),)
    if text == "three-ray":
        return THREE_RAYS
    try:
        pairs = [part.split(":") for part in text.split(",")]
        return tuple(Ray(NUMBER.parse(one), DECIBEL.parse(db)) for one, db in pairs)
    except ValueError:
        message = (
            f"--multipath {text!r} is not valid: expected none, three-ray, or "
            "DELAY:GAIN,... with delays in samples and gains in dB, such as 0:0,3:-10"
        )
        raise MisuseError(message) from None
