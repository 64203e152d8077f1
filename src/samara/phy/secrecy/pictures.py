# SPDX-License-Identifier: Apache-2.0
"""What an eavesdropper sees of each scheme, and what it gains, as a picture."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np

from samara.phy import pictures
from samara.phy.intervals import proportion

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from samara.phy.mappers import Symbols
    from samara.phy.secrecy.attack import Air
    from samara.phy.secrecy.estimates import Estimate, Outcomes

_FRAMES = 4
_MOST_COLUMNS = 5
_LARGEST = 2.0
_SIZES = 24
_FEWEST = 8


@dataclass(frozen=True, slots=True)
class SecrecyData:
    """What the pictures are made from."""

    ebn0_db: float
    confidence: float
    constellations: dict[str, Symbols] = field(default_factory=dict)
    """Symbols of each scheme: of frames with a payload of zeros."""
    games: dict[str, Outcomes] = field(default_factory=dict)
    """Outcomes of guesses of two chosen messages, for each scheme."""

    def add_constellation(self, scheme: str, air: Air) -> None:
        """Listen to a few frames with a payload of zeros."""
        payloads = np.zeros((_FRAMES, air.link.payload_size), np.uint8)
        rows = air.hear(payloads, np.arange(_FRAMES))
        self.constellations[scheme] = rows[:, len(air.link.pilots) :].ravel()

    def add_estimate(self, scheme: str, attack: str, estimate: Estimate) -> None:
        """Take what an attack found, if there is a curve of it."""
        if attack == "distinguish" and estimate.outcomes is not None:
            self.games[scheme] = estimate.outcomes


def files(drawn: SecrecyData) -> dict[str, bytes]:
    """Return png and svg: constellations, and the advantage over frames."""

    def paint(figure: Figure) -> None:
        _paint(figure, drawn)

    columns, rows = _grid(drawn)
    size = (max(6.4, 1.9 * columns), 2.1 * rows + (3.2 if drawn.games else 0))
    kinds = ("png", "svg")
    return {f"secrecy.{kind}": pictures.draw(paint, size, kind) for kind in kinds}


def _grid(drawn: SecrecyData) -> tuple[int, int]:
    """Return columns and rows of constellations."""
    count = len(drawn.constellations)
    return min(count, _MOST_COLUMNS), -(-count // _MOST_COLUMNS)


def _paint(figure: Figure, drawn: SecrecyData) -> None:
    columns, rows = _grid(drawn)
    heights = [2.1] * rows + ([3.2] if drawn.games else [])
    grid = figure.add_gridspec(len(heights), columns, height_ratios=heights)
    for number, (name, symbols) in enumerate(drawn.constellations.items()):
        place = grid[number // columns, number % columns]
        _paint_constellation(figure.add_subplot(place), name, symbols)
    if drawn.games:
        _paint_games(figure.add_subplot(grid[rows, :]), drawn)


def _paint_games(axes: Axes, drawn: SecrecyData) -> None:
    for number, (name, right) in enumerate(drawn.games.items()):
        _paint_game(axes, number, name, right, drawn.confidence)
    axes.set_title("two chosen messages: advantage of the eavesdropper")
    axes.set_xlabel("frames")
    axes.set_xscale("log")
    axes.set_ylim(-1.05, 1.05)
    axes.legend(
        fontsize=7.5, handlelength=4, loc="center left", bbox_to_anchor=(1, 0.5)
    )


def _paint_constellation(axes: Axes, name: str, symbols: Symbols) -> None:
    axes.scatter(
        symbols.real,
        symbols.imag,
        s=2,
        alpha=0.3,
        color=pictures.COLOURS[0],
        rasterized=True,
    )
    axes.set_aspect("equal")
    axes.set_xlim(-_LARGEST, _LARGEST)
    axes.set_ylim(-_LARGEST, _LARGEST)
    axes.set_title(name, fontsize=8.5)


def _paint_game(
    axes: Axes, number: int, name: str, right: Outcomes, confidence: float
) -> None:
    sizes = np.unique(np.geomspace(_FEWEST, len(right), _SIZES).astype(int))
    rates = [
        proportion(int(right[:size].sum()), int(size), confidence) for size in sizes
    ]
    value, low, high = (
        2 * np.array([getattr(rate, end) for rate in rates]) - 1
        for end in ("value", "low", "high")
    )
    colour = pictures.COLOURS[number % len(pictures.COLOURS)]
    # Curves that are equal lie on each other: each has dashes and gaps of its own.
    dashes = (0, (3 + 2 * number, 2 * number)) if number else "-"
    axes.plot(sizes, value, color=colour, label=name, ls=dashes, lw=1.2)
    axes.fill_between(sizes, low, high, color=colour, alpha=0.1, lw=0)
