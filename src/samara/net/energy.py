# SPDX-License-Identifier: Apache-2.0
"""What a packet costs the nodes at both ends of a hop."""

from __future__ import annotations

from typing import TYPE_CHECKING

from samara.energy.receipt_costs import with_costs
from samara.figure import Figure, weakest
from samara.link.node.receipt import Direction

if TYPE_CHECKING:
    from collections.abc import Callable

    from samara.link.node.receipt import Receipt

_ENERGIES = ("radio_energy", "crypto_energy")


def of_both_ends(receipt: Callable[[Direction], Receipt], device: str) -> Figure | None:
    """Return the energy of sender and receiver; None if it is not known.

    Parameters
    ----------
    receipt
        Returns the receipt of one end, without what it costs.
    device
        The microcontroller of both ends.
    """
    parts = []
    for direction in Direction:
        figures = with_costs(receipt(direction), device).figures
        if "radio_energy" not in figures:
            return None
        parts += [figures[name] for name in _ENERGIES if name in figures]
    return Figure(
        sum(part.value for part in parts),
        "J",
        weakest(*(part.origin for part in parts)),
        "; ".join(dict.fromkeys(part.source for part in parts)),
    )
