# SPDX-License-Identifier: Apache-2.0
"""Keys and neighbours that change while a link runs."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence


class KeyManagement(ABC):
    """Agrees with neighbours on keys; `Link.receive` goes on with what was begun.

    A link has one in `Link.key_management`, or none: then its keys are those that it
    was made with.
    """

    @abstractmethod
    def renewal_is_due(self, to: str | None) -> bool:
        """Return whether so few counter values are left that a new key is needed.

        Parameters
        ----------
        to
            A neighbour, or BROADCAST. None: the only neighbour.
        """

    @abstractmethod
    def renew(self, to: str | None, *, edhoc: bool = False) -> None:
        """Begin to agree on a new key.

        Parameters
        ----------
        edhoc
            Whether by EDHOC, as with neighbours that have joined so.

        Raises
        ------
        NeighbourError
            When there is no such neighbour, or no way to do it.
        """

    @abstractmethod
    def introduce(self, first: str, second: str) -> None:
        """Begin to introduce two neighbours to each other.

        Raises
        ------
        NeighbourError
            When there are no such neighbours, or no way to do it.
        """

    @abstractmethod
    def unsettled(self, about: Collection[str] | None = None) -> Sequence[str]:
        """Return what neighbours have not answered about keys yet, in words.

        Parameters
        ----------
        about
            Names of neighbours. Default: all.
        """

    @abstractmethod
    def refused(self, about: Collection[str]) -> Sequence[str]:
        """Return why introductions failed since the link was opened, in words.

        Parameters
        ----------
        about
            Names of both, sorted, with a space in between.
        """

    @abstractmethod
    def reload(self) -> None:
        """Read the stored records of neighbours and keys again: they were changed."""
