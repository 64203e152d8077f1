# SPDX-License-Identifier: Apache-2.0
"""What a kind of link has whose nodes can have several neighbours."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from samara.link.node.end import End
    from samara.link.node.members import (
        Change,
        Invited,
        Joining,
        NeighbourList,
        NewMember,
        OscoreSecret,
    )
    from samara.link.node.options import Settings
    from samara.link.node.state_file import Record


class Networks(ABC):
    """Makes nodes of networks, and what they store of each other.

    A kind has one in `Kind.networks`, or none. A link of such a kind has
    `Link.key_management`.
    """

    @abstractmethod
    def new_mesh(
        self,
        names: Mapping[int, str],
        edges: Sequence[tuple[int, int]],
        given: Mapping[str, Any],
    ) -> Mapping[int, NewMember]:
        """Draw all nodes of a network at once, with a key for each two neighbours.

        Parameters
        ----------
        names
            Of the nodes, by their numbers.
        edges
            Numbers of neighbours, each pair once.
        given
            Values of `Kind.options`, as `Kind.new_pair` takes them.

        Raises
        ------
        MisuseError
            When there can be no such nodes.
        """

    @abstractmethod
    def new_network(self, name: str, given: Mapping[str, Any]) -> End:
        """Draw what the first node of a network has, without neighbours.

        Raises
        ------
        MisuseError
            As `Kind.new_pair`; or the name is not possible.
        """

    @abstractmethod
    def new_group(self, settings: Settings) -> Mapping[str, Record]:
        """Draw a key for messages to all; return what the first node has to store.

        Raises
        ------
        MisuseError
            When frames with these settings cannot have one.
        """

    @abstractmethod
    def invite(
        self,
        settings: Settings,
        records: Mapping[str, Record],
        name: str | None,
        ends_s: int,
        *,
        edhoc: bool = False,
    ) -> Invited:
        """Draw an invitation.

        Parameters
        ----------
        settings, records
            Of the node that invites.
        name
            Of the newcomer. Default: drawn.
        ends_s
            When it expires by the clock of that node, in seconds since 1970.
        edhoc
            Whether the newcomer agrees on its first key by EDHOC.

        Raises
        ------
        MisuseError
            When it cannot be made.
        """

    @abstractmethod
    def known(self, records: Mapping[str, Record]) -> NeighbourList:
        """Return what users may see of neighbours and invitations."""

    @abstractmethod
    def withdraw(self, records: Mapping[str, Record], name: str) -> Change:
        """Return the change that removes an invitation that was not used.

        Raises
        ------
        MisuseError
            When there is none of this name.
        """

    @abstractmethod
    def join(self, text: str, given: Mapping[str, Any]) -> Joining:
        """Read an invitation.

        Parameters
        ----------
        given
            Where the link is, when that differs for the newcomer.

        Raises
        ------
        MisuseError
            When it is none; the error does not repeat it.
        """

    @abstractmethod
    def take_oscore(
        self, settings: Settings, records: Mapping[str, Record], name: str | None
    ) -> tuple[OscoreSecret, Change]:
        """Return a neighbour's secret for OSCORE, and the change that removes it.

        Parameters
        ----------
        name
            Default: the only neighbour.

        Raises
        ------
        MisuseError
            When there is no such neighbour, or no secret of it.
        """

    @abstractmethod
    def forget(
        self, settings: Settings, records: Mapping[str, Record], name: str
    ) -> Change:
        """Return the change that removes a neighbour.

        Raises
        ------
        MisuseError
            When there is no such neighbour.
        """
