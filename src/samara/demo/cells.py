# SPDX-License-Identifier: Apache-2.0
"""Cells of tables that are made from figures of receipts."""

from __future__ import annotations

from typing import TYPE_CHECKING

from samara.records.tables import NOTHING, Cell, significant

if TYPE_CHECKING:
    from samara.figure import Figure

DIGITS = 3
"""Digits that are shown of what was measured or computed."""


def cell_of(figure: Figure | None, factor: float = 1.0) -> Cell:
    """Return a figure in another unit, with its origin; `-` for None.

    Parameters
    ----------
    factor
        What makes the unit of the figure that of the table.
    """
    if figure is None:
        return NOTHING
    return significant(figure.value * factor, figure.origin, DIGITS, figure.source)
