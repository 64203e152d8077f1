# SPDX-License-Identifier: Apache-2.0
"""Heat maps of avalanche: a column a round, a row for each bit that is flipped."""

from __future__ import annotations

from typing import TYPE_CHECKING

from samara.phy import pictures

if TYPE_CHECKING:
    from collections.abc import Sequence

    from matplotlib.figure import Figure

    from samara.randomness.avalanche import Avalanche


def files(found: Sequence[Avalanche]) -> dict[str, bytes]:
    """Return png and svg of heat maps side by side.

    Raises
    ------
    samara.extras.MissingPackageError
        If Matplotlib is not installed.
    """

    def paint(figure: Figure) -> None:
        _paint(figure, found)

    return {kind: pictures.draw(paint, (8.4, 4.2), kind) for kind in ("png", "svg")}


def _paint(figure: Figure, found: Sequence[Avalanche]) -> None:
    grid = figure.subplots(1, len(found), squeeze=False)[0]
    for axes, one in zip(grid, found, strict=True):
        steps = one.cipher.steps
        half = (steps[1] - steps[0]) / 2
        picture = axes.imshow(
            one.shares.T,
            vmin=0,
            vmax=1,
            cmap="RdBu",
            aspect="auto",
            interpolation="nearest",
            extent=(steps[0] - half, steps[-1] + half, one.shares.shape[1], 0),
        )
        axes.grid(visible=False)
        axes.set_title(f"{one.cipher.slug}: flips of {one.flipped} bits")
        axes.set_xlabel(one.cipher.unit)
        axes.set_ylabel(f"bit of the {one.flipped}")
    figure.colorbar(picture, ax=list(grid), label="share of bits that change")
