# SPDX-License-Identifier: Apache-2.0
"""Nodes with several neighbours: made alone, joined by invitation, forgotten.

What changes after a node was made is in its state. A new neighbour with its key, or an
invitation, is stored with one durable write: if the process is killed, all of it is
stored or nothing.
"""

from __future__ import annotations

import contextlib
import hashlib
import time
from dataclasses import dataclass
from typing import TYPE_CHECKING

from samara.extras import need
from samara.link.node import folder as folders
from samara.link.node import inbox, records, rekeying, state_file
from samara.link.node.kinds import kind, kinds, run_options
from samara.link.node.members import NeighbourList
from samara.link.node.records import FolderError
from samara.link.node.state import State
from samara.link.node.state_file import IDENTITY_SIZE
from samara.link.node.streams import numbers_of_messages
from samara.records.parameters import spelled

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from pathlib import Path
    from typing import Any

    from samara.link.node.folder import Described
    from samara.link.node.kind_networks import Networks
    from samara.link.node.members import Change, Invited, OscoreSecret
    from samara.link.node.options import Settings

INVITED_FOR_S = 24 * 3600
"""How long an invitation is accepted unless another time is given."""


def make(
    folder: Path,
    link: str,
    name: str | None,
    given: Mapping[str, Any],
    *,
    group: bool = False,
) -> None:
    """Make the first node of a network, which has no neighbour yet.

    Parameters
    ----------
    folder
        Must be empty, or not be there.
    name
        By which its neighbours know it. Default: that of the folder.
    given
        Options of the kind of link.
    group
        Whether the network has a key for messages to all.

    Raises
    ------
    MisuseError
        When it cannot be made so; then nothing is left of it.
    """
    chosen, identity = _network(link), state_file.new_identity()
    own_name = name or folder.absolute().name
    end = chosen.new_network(own_name, given)
    made = chosen.new_group(end.settings) if group else {}
    with (
        folders.new_node(folder, link, end, identity, None),
        State(folder, identity=identity) as state,
    ):
        if made:
            state.store({}, made)


@dataclass(frozen=True, slots=True)
class Members:
    """Neighbours and invitations of a node, while its state is open.

    What changes is stored with one durable write, and then holds.
    """

    link: str
    settings: Settings
    state: State

    def invite(
        self, name: str | None, ends_s: int | None, *, edhoc: bool = False
    ) -> Invited:
        """Draw an invitation, and store that it is open; as `networks.invite`."""
        records = self.state.records()
        if ends_s is None:
            ends_s = int(time.time() + INVITED_FOR_S)
        made = _network(self.link).invite(
            self.settings, records, name, ends_s, edhoc=edhoc
        )
        self._store(made.change)
        return made

    def withdraw(self, name: str) -> None:
        """Remove an invitation that nobody has used; as `networks.withdraw`."""
        self._store(_network(self.link).withdraw(self.state.records(), name))

    def take_oscore(self, name: str | None) -> OscoreSecret:
        """Return a neighbour's secret for OSCORE, which is removed first.

        Raises
        ------
        MisuseError
            When there is no such neighbour, or no secret of it.
        """
        chosen = _network(self.link)
        secret, change = chosen.take_oscore(self.settings, self.state.records(), name)
        self._store(change)
        return secret

    def forget(self, name: str) -> Sequence[str]:
        """Remove a neighbour and its keys; as `networks.forget`."""
        change = _network(self.link).forget(self.settings, self.state.records(), name)
        # Also the ids of its messages: who is invited under this name begins anew.
        forgotten = [*change.forgotten, *numbers_of_messages(name)]
        self.state.store(
            {},
            change.records,
            forgotten=forgotten,
            also=lambda database: inbox.forget(database, name),
        )
        return change.notices

    def _store(self, change: Change) -> None:
        self.state.store({}, change.records, forgotten=change.forgotten)


@contextlib.contextmanager
def members(folder: Path) -> Iterator[Members]:
    """Open the state of a node that no process uses, to change its neighbours.

    Raises
    ------
    MisuseError
        When the node is in use, or cannot be used.
    """
    rekeying.finish(folder)
    described = folders.read(folder)
    _network(described.link)
    with State(folder, identity=described.identity) as state:
        yield Members(described.link, described.end.settings, state)


def invite(
    folder: Path, name: str | None, ends_s: int | None, *, edhoc: bool = False
) -> Invited:
    """Draw an invitation of a node, and store that it is open.

    Parameters
    ----------
    name
        Of the newcomer. Default: drawn.
    ends_s
        When it expires by the clock of the node, in seconds since 1970. Default: after
        `INVITED_FOR_S`.
    edhoc
        Whether the two agree on their first key by EDHOC, so that who learns the
        invitation later reads nothing of what was recorded.

    Raises
    ------
    MisuseError
        When the node is in use, or cannot invite.
    """
    with members(folder) as of:
        return of.invite(name, ends_s, edhoc=edhoc)


def withdraw(folder: Path, name: str) -> None:
    """Remove an invitation that nobody has used.

    Raises
    ------
    MisuseError
        When the node is in use, or there is none of this name.
    """
    with members(folder) as of:
        of.withdraw(name)


def join(
    folder: Path,
    text: str,
    given: Mapping[str, Any],
    witnesses: Path | None = None,
    *,
    edhoc: bool = False,
) -> str:
    """Make a newcomer; as `joined`, but return its link alone."""
    return joined(folder, text, given, witnesses, edhoc=edhoc)[0]


def joined(
    folder: Path,
    text: str,
    given: Mapping[str, Any],
    witnesses: Path | None = None,
    *,
    edhoc: bool = False,
) -> tuple[str, bool]:
    """Make a newcomer from an invitation, once on this machine.

    Who has invited it accepts it when it runs: see `Node.waiting_for_answers`.

    Parameters
    ----------
    folder
        Must be empty, or not be there.
    given
        Where the link is, when that differs for the newcomer.
    witnesses
        Where its witness is. Default: as `folders.make_pair`.
    edhoc
        Whether to refuse an invitation to join without EDHOC.

    Returns
    -------
    tuple[str, bool]
        Its link, and whether it joins by EDHOC.

    Raises
    ------
    MisuseError
        When it cannot be made so; then nothing is left of it.
    """
    link, chosen = next(_kinds_with_networks())
    if other := set(given) - {option.name for option in run_options(kind(link))}:
        message = (
            f"{spelled(min(other))} cannot be given here: the invitation has set it "
            "for all nodes"
        )
        raise FolderError(message)
    joining = chosen.join(text, given)
    if joining.by_edhoc:
        need("lakers", "edhoc")
    elif edhoc:
        message = (
            "this invitation is not one for EDHOC: ask for one of `samara node invite "
            "--edhoc`, or leave out --edhoc"
        )
        raise FolderError(message)
    # Of the invitation, so that its witness refuses a second node of it.
    identity = hashlib.sha256(b"samara invitation " + joining.id).hexdigest()
    identity = identity[: 2 * IDENTITY_SIZE]
    with (
        folders.new_node(folder, link, joining.end, identity, witnesses),
        State(folder, identity=identity) as state,
    ):
        state.store({}, joining.records)
    return link, joining.by_edhoc


def known(folder: Path, link: str) -> NeighbourList:
    """Return the neighbours and open invitations of a node, which may be running.

    Raises
    ------
    StateError
        When its state cannot be read.
    """
    chosen = kind(link).networks
    return (
        NeighbourList()
        if chosen is None
        else chosen.known(state_file.records_in(folder))
    )


def forget(folder: Path, name: str) -> Sequence[str]:
    """Remove a neighbour and its keys: its frames are refused from now on.

    Returns
    -------
    Sequence[str]
        What the user has to know of it.

    Raises
    ------
    MisuseError
        When the node is in use, or there is no such neighbour.
    """
    with members(folder) as of:
        return of.forget(name)


def check_renewable(link: str) -> None:
    """Refuse a kind of link whose nodes cannot agree on new keys.

    Raises
    ------
    FolderError
        When it is one.
    """
    if kind(link).networks is None:
        message = (
            f"keys of {link} are not changed over the air: give --offline, and make "
            "the other node anew"
        )
        raise FolderError(message)


def drop_keys(folder: Path, described: Described) -> None:
    """Remove the keys of keys.json, since the state has those that replaced them."""
    fields = {"identity": described.identity, "keys": {}}
    records.write(folder / folders.KEYS, fields, is_new=False)


def _kinds_with_networks() -> Iterator[tuple[str, Networks]]:
    """Yield the names of the kinds of link that have networks, and these."""
    for name, each in kinds().items():
        if each.networks is not None:
            yield name, each.networks


def _network(link: str) -> Networks:
    chosen = kind(link).networks
    if chosen is not None:
        return chosen
    able = " or ".join(name for name, _ in _kinds_with_networks())
    message = f"a link of {link} joins two nodes; networks are made with --link {able}"
    raise FolderError(message)
