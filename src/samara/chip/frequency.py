# SPDX-License-Identifier: Apache-2.0
"""Clock frequencies as users write them."""

from __future__ import annotations

from samara.errors import MisuseError
from samara.units import HERTZ


def hertz_of(text: str) -> float | None:
    """Return the hertz of a text such as "10MHz"; None if it is no frequency above 0.

    >>> hertz_of("100 kHz"), hertz_of("10"), hertz_of("0MHz")
    (100000.0, None, None)
    """
    hertz = HERTZ.parse(text) if HERTZ.has_unit(text) else 0.0
    return hertz if hertz > 0 else None


def clock_of(text: str) -> float:
    """Return the hertz of the option --clock, such as "10MHz" or "10".

    Raises
    ------
    MisuseError
        If it is not a frequency above zero.
    """
    hertz = HERTZ.parse(text)
    if hertz <= 0:
        message = f"--clock {text}: expected a frequency above 0, such as 10MHz"
        raise MisuseError(message)
    return hertz


def text_of(hertz: float) -> str:
    """Return a frequency as `hertz_of` reads it, with nine digits at most.

    >>> text_of(10e6), text_of(32768), text_of(0.5)
    ('10MHz', '32.768kHz', '0.5Hz')
    """
    for unit, factor in (("GHz", 1e9), ("MHz", 1e6), ("kHz", 1e3)):
        if hertz >= factor:
            return f"{hertz / factor:.9g}{unit}"
    return f"{hertz:.9g}Hz"
