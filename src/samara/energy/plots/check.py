# SPDX-License-Identifier: Apache-2.0
"""A picture of published measurements beside the energy model."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

    from matplotlib.figure import Figure

    from samara.energy.check import CheckedMeasurement

_WIDTH, _HEIGHT, _HEIGHT_OF_ALL = 8.0, 0.15, 0.8
"""Inches, and those of a row."""


def paint_check(
    figure: Figure, found: Sequence[CheckedMeasurement], colours: Sequence[str]
) -> None:
    """Draw the model's range by the measurement, of each; at 1 both are the same."""
    covered = [each for each in found if each.middle is not None]
    figure.set_size_inches(_WIDTH, _HEIGHT_OF_ALL + _HEIGHT * len(covered))
    axes = figure.subplots()
    for fitted, label in ((False, "judges the model"), (True, "fitted to")):
        these = [(y, each) for y, each in enumerate(covered) if each.fitted is fitted]
        colour = colours[1] if fitted else colours[0]
        places = [y for y, _ in these]
        axes.hlines(
            places,
            [(each.low or 0.0) / each.measured for _, each in these],
            [(each.high or 0.0) / each.measured for _, each in these],
            color=colour,
        )
        axes.plot(
            [each.ratio or 0.0 for _, each in these],
            places,
            "o",
            color=colour,
            markersize=4,
            label=label,
        )
    axes.axvline(1.0, color="#777777", linewidth=0.8)
    axes.set_yticks(
        range(len(covered)),
        [f"{each.row}: {each.device}, {each.operation}" for each in covered],
        fontsize=7,
    )
    axes.set_ylim(len(covered), -1)
    axes.set(xlabel="model by measurement; 10, 50 and 90 % of draws are below")
    axes.legend(fontsize=7)
