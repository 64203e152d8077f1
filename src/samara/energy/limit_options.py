# SPDX-License-Identifier: Apache-2.0
"""The options that set the limits of a product, and values as they are given there."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from samara.energy.limits import Broken


def _round_up(value: float, digits: int) -> float:
    scale = 10.0**digits
    return math.ceil(value * scale - 1e-9) / scale


def _round_down(value: float, digits: int) -> float:
    scale = 10.0**digits
    return math.floor(value * scale + 1e-9) / scale


def _chance_up(value: float) -> float:
    """Return a chance with two digits, not below it."""
    if value <= 0 or value >= 1:
        return value
    digits = 1 - math.floor(math.log10(value))
    return min(1.0, _round_up(value, digits))


_OPTIONS: Mapping[str, tuple[str, Callable[[float], str]]] = {
    "years": ("--years", lambda value: f"{_round_down(value, 3):.15g}"),
    "flash_bytes": ("--flash", lambda value: f"{value:.0f}"),
    "ram_bytes": ("--ram", lambda value: f"{value:.0f}"),
    "latency_s": ("--latency", lambda value: f"{_round_up(value * 1e3, 1):.15g}ms"),
    "tag_bytes": ("--tag", lambda value: f"{value:.0f}"),
    "forgery": ("--forgery", lambda value: f"{_chance_up(value):.1e}"),
    "band": (
        "--interval",
        lambda value: f"{_round_up(3600 / value, 1):.1f}",
    ),
    "frame_counter": ("--years", lambda value: f"{_round_down(value, 3):.15g}"),
}
"""Options that set the limits, and how their values are written."""


def relaxing(broken: Broken) -> str:
    """Return which option to relax, from which value to which.

    >>> from samara.energy.limits import Broken
    >>> relaxing(Broken("ram_bytes", 200, 408))
    '--ram from 200 to 408'
    """
    option = option_of(broken.limit)
    if broken.value is None or broken.allowed is None:
        return f"{option} to any"
    first, last = (value_of(broken, each) for each in (broken.allowed, broken.value))
    return f"{option} from {first} to {last}"


_FLAGS = {
    "authentication": "--allow-unauthenticated",
    "encryption": "--allow-unencrypted",
    "standing": "--allow-research",
    "layer": "--layer",
    "interoperable": "--interoperable",
}
"""Options of limits that are no numbers."""


def option_of(limit: str) -> str:
    """Return the option that sets a limit."""
    return _FLAGS.get(limit) or _OPTIONS[limit][0]


def value_of(broken: Broken, value: float | None) -> str:
    """Return a value of the limit as it is given to its option."""
    return _OPTIONS[broken.limit][1](value or 0.0)
