# SPDX-License-Identifier: Apache-2.0
"""Nodes of IEEE 802.15.4 with several neighbours, and what they store of each other."""

from __future__ import annotations

import secrets
from typing import TYPE_CHECKING, Any

from samara.link import ieee802154
from samara.link.ieee802154 import mesh
from samara.link.ieee802154.frames.levels import ENCRYPTION_ONLY, authenticates
from samara.link.ieee802154.keys import (
    group,
    introducing,
    invitations,
    neighbours,
    oscore,
)
from samara.link.ieee802154.settings import (
    check,
    is_name,
    new_settings,
    two_addresses,
)
from samara.link.node.end import End
from samara.link.node.kind_networks import Networks
from samara.link.node.members import (
    Change,
    Invited,
    Joining,
    NeighbourList,
    NewMember,
    OscoreSecret,
)
from samara.link.node.options import SettingError, check_keys

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from samara.link.node.options import Settings
    from samara.link.node.state_file import Record


class Ieee802154Networks(Networks):
    """Makes nodes of networks.

    Parameters
    ----------
    link
        The name of the kind of link.
    """

    def __init__(self, link: str) -> None:
        self._link = link

    def new_network(self, name: str, given: Mapping[str, Any]) -> End:
        """Draw addresses for the first node of a network; it has no neighbour yet."""
        if not is_name(name):
            message = (
                f"{name!r:.60} cannot be the name of a node: give one of 1 to 20 "
                "letters, digits, dots, hyphens or underscores with --name"
            )
            raise SettingError(message)
        settings = new_settings(self._link, given)
        own, _ = two_addresses()
        settings |= {"own": own, "peer": None, "name": name}
        return _checked(settings)

    def new_mesh(
        self,
        names: Mapping[int, str],
        edges: Sequence[tuple[int, int]],
        given: Mapping[str, Any],
    ) -> Mapping[int, NewMember]:
        """Draw all nodes of a network at once."""
        return mesh.members_of(names, edges, lambda name: self.new_network(name, given))

    def new_group(self, settings: Settings) -> Mapping[str, Record]:
        """Draw the key of a group for the first node of a network."""
        if settings["level"] < ENCRYPTION_ONLY or settings["key_id_mode"] == 0:
            message = (
                "--group needs --level 5, 6 or 7 and --key-id-mode 1, 2 or 3: "
                "newcomers get the key of the group in a frame, and frames must name it"
            )
            raise SettingError(message)
        key_size = ieee802154.frame_cipher(settings["suite"]).key_size
        key = secrets.token_bytes(key_size)
        return {neighbours.GROUP: group.first(key).as_record()}

    def invite(
        self,
        settings: Settings,
        records: Mapping[str, Record],
        name: str | None,
        ends_s: int,
        *,
        edhoc: bool = False,
    ) -> Invited:
        """Draw an invitation of a node of a network."""
        if settings["peer"] is not None:
            message = (
                "this node is one of a pair, and cannot invite others: `samara node "
                "init --network` makes one that can"
            )
            raise SettingError(message)
        key_size = ieee802154.frame_cipher(settings["suite"]).key_size
        known = neighbours.of_records(records, key_size)
        if edhoc and settings["key_id_mode"] == 0:
            message = (
                "--edhoc needs a network with --key-id-mode 1, 2 or 3: frames "
                "must name their key while two nodes agree on the first one"
            )
            raise SettingError(message)
        made = invitations.drawn(
            settings, known, records, name, key_size, ends_s, edhoc=edhoc
        )
        displaced = invitations.displaced(records, made.name)
        added = Change({made.record_name: made.as_record()})
        return Invited(made.text, made.name, displaced.and_(added))

    def known(self, records: Mapping[str, Record]) -> NeighbourList:
        """Return what users may see of neighbours and invitations."""
        ends = invitations.open_names(records)
        open_ones = {name: ends_s or None for name, ends_s in ends.items()}
        return NeighbourList(neighbours.described(records), open_ones)

    def withdraw(self, records: Mapping[str, Record], name: str) -> Change:
        """Return what removes the invitation of a name that nobody has used."""
        return invitations.without(records, name)

    def join(self, text: str, given: Mapping[str, Any]) -> Joining:
        """Return the end of a newcomer with an invitation."""
        invitation = invitations.Invitation.of(text)
        own, _ = two_addresses()
        own["short"] = f"{invitation.short:04x}"
        settings = {
            **invitation.settings,
            **given,
            "own": own,
            "peer": None,
            "name": invitation.name,
        }
        end = _checked(settings)
        key_size = ieee802154.frame_cipher(settings["suite"]).key_size
        check_keys({"key": invitation.key}, {"key": key_size})
        inviter = invitation.neighbour()
        return Joining(
            end,
            invitation.id,
            {inviter.record_name: inviter.as_record()},
            by_edhoc=bool(invitation.credential),
        )

    def take_oscore(
        self, settings: Settings, records: Mapping[str, Record], name: str | None
    ) -> tuple[OscoreSecret, Change]:
        """Return a neighbour's secret for OSCORE, and what removes it."""
        key_size = ieee802154.frame_cipher(settings["suite"]).key_size
        return oscore.taken(records, name, key_size)

    def forget(
        self, settings: Settings, records: Mapping[str, Record], name: str
    ) -> Change:
        """Return what removes a neighbour, and the key of the group that it has."""
        change = neighbours.forgotten(records, name)
        key_size = ieee802154.frame_cipher(settings["suite"]).key_size
        known = neighbours.of_records(records, key_size)
        gone = next(each for each in known if each.name == name)
        change = change.and_(introducing.after_forgetting(records, name))
        return change.and_(group.after_forgetting(records, gone, key_size))


def _checked(settings: Settings) -> End:
    check(settings, None)
    if not authenticates(settings["level"]):
        message = (
            f"security level {settings['level']} does not authenticate: a network "
            "has levels 1 to 3 or 5 to 7"
        )
        raise SettingError(message)
    return End(settings, {})
