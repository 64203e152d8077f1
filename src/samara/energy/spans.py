# SPDX-License-Identifier: Apache-2.0
"""Numbers from a first to a last, as a text such as 10:60:5."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from samara.errors import MisuseError

if TYPE_CHECKING:
    from samara.units import Unit

_MOST_NUMBERS = 200


def numbers_of(
    option: str, text: str, unit: Unit, *, whole: bool = False
) -> list[float]:
    """Return the numbers of FIRST[:LAST[:STEP]].

    Parameters
    ----------
    unit
        What a number alone is in.
    whole
        Whether they are whole, one after the other unless a step is given; else
        they are 50.

    Raises
    ------
    MisuseError
        When the text is none, or there are too many.
    """
    try:
        first, *others = (unit.parse(part) for part in text.split(":"))
        last, *rest = others or [first]
        (step,) = rest or [1.0 if whole else (last - first) / 49]
        count = int((last - first) / step + 1e-9) + 1 if last > first else 1
        right = step > 0 or last == first
    except (ValueError, OverflowError, ZeroDivisionError):
        first = last = step = math.nan
        count, right = 0, False
    numbers = [first + step * number for number in range(min(count, _MOST_NUMBERS + 1))]
    fine = all(0 < n < math.inf and (not whole or n == int(n)) for n in numbers)
    if not (right and last >= first and fine and 0 < count <= _MOST_NUMBERS):
        message = (
            f"{option} {text!r} is not valid: expected FIRST, FIRST:LAST or "
            f"FIRST:LAST:STEP, {'whole numbers ' if whole else ''}above 0, at most "
            f"{_MOST_NUMBERS} of them"
        )
        raise MisuseError(message)
    return numbers
