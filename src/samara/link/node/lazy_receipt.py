# SPDX-License-Identifier: Apache-2.0
"""Receipts that are made when they are first read.

A receipt takes longer to make than a frame to secure, and of most messages nobody
reads one: a node that carries IPv6 packets would spend its time on them.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

    from samara.link.node.receipt import Receipt


class LazyReceipt:
    """A receipt that has not been read yet.

    Parameters
    ----------
    make
        Makes the receipt from facts that no longer change. Called at most once.
    """

    __slots__ = ("_made", "_make")

    def __init__(self, make: Callable[[], Receipt]) -> None:
        self._make = make
        self._made: Receipt | None = None

    @property
    def receipt(self) -> Receipt:
        """The receipt."""
        if self._made is None:
            self._made = self._make()
        return self._made
