# SPDX-License-Identifier: Apache-2.0
"""The picture: codes above, whole bursts below, a column for each payload."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from phy_peers.measuring import of_system
from phy_peers.system import Kind, db
from samara.phy import pictures
from samara.phy.coded import CHECK_SIZE
from samara.phy.finite_length import frame_error_rate

if TYPE_CHECKING:
    from collections.abc import Sequence

    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from phy_peers.measuring import Point
    from samara.phy.uncoded import Curve

_TITLES = {Kind.CODE: "codes", Kind.BURST: "bursts"}
_SMALLEST = 2e-4


def least(payload_bytes: int, ebn0_db: Curve) -> Curve:
    """Return what the best code of rate 1/2 loses, payload and check in a frame."""
    bits = 8 * (payload_bytes + CHECK_SIZE)
    shift = db(bits / (8 * payload_bytes))
    return frame_error_rate(bits, 2 * bits, ebn0_db - shift)


def draw(points: Sequence[Point]) -> bytes:
    """Return the picture as png."""
    sizes = sorted({point.payload_bytes for point in points})
    kinds = [kind for kind in Kind if any(point.kind is kind for point in points)]

    def paint(figure: Figure) -> None:
        grid = figure.subplots(
            len(kinds), len(sizes), sharey=True, sharex="row", squeeze=False
        )
        for row, kind in zip(grid, kinds, strict=True):
            for axes, size in zip(row, sizes, strict=True):
                _panel(axes, points, kind, size)
            row[0].set_ylabel("frame error rate")
            row[-1].legend(loc="lower right", fontsize=6.5)

    return pictures.draw(paint, (3.3 * len(sizes), 3.4 * len(kinds)), "png")


def _panel(axes: Axes, points: Sequence[Point], kind: Kind, size: int) -> None:
    curves = of_system(points, kind, size)
    for colour, (name, curve) in zip(pictures.COLOURS, curves.items(), strict=False):
        places = [point.ebn0_db for point in curve if point.lost]
        shares = [point.share for point in curve if point.lost]
        mark = "x" if name.startswith(("liquid", "codec2")) else "o"
        axes.semilogy(places, shares, color=colour, marker=mark, ms=4, label=name)
    if kind is Kind.CODE:
        fine = np.arange(0, 6, 0.05)
        axes.semilogy(
            fine,
            least(size, fine),
            ":",
            color=pictures.GREY,
            label="best code, estimated",
        )
    axes.set_ylim(_SMALLEST, 1.2)
    axes.set_title(f"{_TITLES[kind]}, {size} bytes")
    axes.set_xlabel("energy by bit of payload / N0, dB")
