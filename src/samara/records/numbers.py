# SPDX-License-Identifier: Apache-2.0
"""Numbers as people read them."""

from __future__ import annotations

import math


def digits(value: float) -> str:
    """Return a number with three digits or more, never none of them.

    >>> [digits(value) for value in (0.0, 0.00987, 1.5, 12.345, 1234.5)]
    ['0', '0.00987', '1.50', '12.3', '1,234']
    """
    if value == 0 or not math.isfinite(value):
        return f"{value:g}"
    decimals = max(2 - math.floor(math.log10(abs(value))), 0)
    return f"{value:,.{decimals}f}"


_SHOWN = {
    ("1", "%"): 100.0,
    ("s", "ms"): 1e3,
    ("J", "\N{MICRO SIGN}J"): 1e6,
    ("A", "mA"): 1e3,
    ("A", "\N{MICRO SIGN}A"): 1e6,
    ("C", "\N{MICRO SIGN}C"): 1e6,
    ("J", "nJ"): 1e9,
    ("s", "\N{MICRO SIGN}s"): 1e6,
    ("W", "\N{MICRO SIGN}W"): 1e6,
    ("Hz", "MHz"): 1e-6,
}
"""How many of the second unit one of the first is."""


def factor(unit: str, shown: str) -> float:
    """Return how many of a unit that tables show one of a figure's own unit is.

    Raises
    ------
    ValueError
        When figures in the one unit are never shown in the other.
    """
    if not shown or unit == shown:
        return 1.0
    if (unit, shown) not in _SHOWN:
        message = f"a figure in {unit!r} cannot be shown in {shown!r}"
        raise ValueError(message)
    return _SHOWN[unit, shown]


def own_unit(shown: str) -> str:
    """Return the unit that figures have which tables show in this one.

    >>> own_unit("ms"), own_unit("year")
    ('s', 'year')
    """
    return next((own for own, unit in _SHOWN if unit == shown), shown)
