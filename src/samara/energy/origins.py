# SPDX-License-Identifier: Apache-2.0
"""Figures of the energy model, with their origin."""

from __future__ import annotations

from typing import TYPE_CHECKING

from samara.figure import Figure, Origin

if TYPE_CHECKING:
    from collections.abc import Sequence


def model_figure(value: float, unit: str, unchecked: Sequence[str]) -> Figure:
    """Return a figure of the closed form.

    Parameters
    ----------
    unchecked
        Quantities that it depends on and that were not read in their sources: with
        one of them it is assumed, without one estimated.
    """
    origin = Origin.ASSUMED if unchecked else Origin.ESTIMATED
    return Figure(value, unit, origin, "energy model, closed form")
