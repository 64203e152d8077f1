# SPDX-License-Identifier: Apache-2.0
"""The addresses of a node and its neighbours on their link."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Self

if TYPE_CHECKING:
    from collections.abc import Mapping

_SHORT_SIZE = 2


@dataclass(frozen=True, slots=True)
class LinkAddresses:
    """The address of a node on its link, and those of its neighbours."""

    own: bytes
    """2 or 8 bytes, most significant byte first."""
    neighbours: Mapping[str | None, bytes]
    """By the names that `Node.send` takes."""

    @classmethod
    def of_end(cls, end: int) -> Self:
        """Return those of a link without addresses in frames: its ends are 1 and 2.

        Parameters
        ----------
        end
            0 for the end that was made first, otherwise 1.
        """
        return cls(_numbered(end), {None: _numbered(1 - end)})


def _numbered(end: int) -> bytes:
    return (end + 1).to_bytes(_SHORT_SIZE, "big")
