# SPDX-License-Identifier: Apache-2.0
"""The nodes of a lab: a pair, or a network whose nodes are all made here."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from samara.errors import MisuseError
from samara.link.node import folder as folders
from samara.link.node import networks, opening, state_file
from samara.link.node.kinds import kind, kinds
from samara.link.node.state import State

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from pathlib import Path

    from samara.link.node.kind_networks import Networks
    from samara.link.node.kinds import Kind
    from samara.link.node.simulated_air import AirPlan, SimulatedAir
    from samara.net.plan import Plan

_PAIR = 2
_WITNESSES = "witnesses"


def name_of(number: int) -> str:
    """Return what a node is called."""
    return f"n{number}"


def check(plan: Plan) -> None:
    """Check that a kind of link can be what a lab is to have.

    Raises
    ------
    MisuseError
        When it cannot; the text names those that can.
    """
    air_of(plan.link)
    if plan.network.nodes > _PAIR:
        _networks_of(plan.link)
    if plan.capture is not None and kind(plan.link).sniffing is None:
        able = _kinds_that(lambda each: each.sniffing)
        message = (
            f"a capture file has frames of {able}, and {plan.link} has none: "
            "leave out --pcap"
        )
        raise MisuseError(message)


def air_of(link: str) -> Callable[[AirPlan], SimulatedAir]:
    """Return what makes the air of a lab over a kind of link.

    Raises
    ------
    MisuseError
        When no lab can run over it.
    """
    found = kind(link).simulated_air
    if found is None:
        able = _kinds_that(lambda each: each.simulated_air)
        message = f"a lab runs over {able}, not over {link}"
        raise MisuseError(message)
    return found


def _networks_of(link: str) -> Networks:
    found = kind(link).networks
    if found is None:
        able = _kinds_that(lambda each: each.networks)
        message = f"{link} joins two nodes; networks of more have --link {able}"
        raise MisuseError(message)
    return found


def _kinds_that(can: Callable[[Kind], object]) -> str:
    return " or ".join(name for name, each in kinds().items() if can(each))


def make(plan: Plan, folder: Path) -> dict[int, str]:
    """Make the nodes of a network, in directories of their names.

    Returns
    -------
    dict
        Their names by their numbers.

    Raises
    ------
    MisuseError
        When there can be no such nodes.
    """
    names = {number: name_of(number) for number in range(1, plan.network.nodes + 1)}
    given = {**kind(plan.link).lab_options, **plan.options}
    witnesses = folder / _WITNESSES
    if len(names) == _PAIR:
        _make_pair(plan, folder, given, witnesses)
    else:
        _make_mesh(plan, names, folder, given, witnesses)
    return names


def invited(inviter: Path, name: str) -> Path:
    """Make a node of this name beside one that invites it; return its directory.

    The invitation, a secret, does not leave this process.

    Raises
    ------
    MisuseError
        When that one does not run, or cannot invite.
    """
    folder = inviter.parent / name
    with opening.members(inviter) as of:
        made = of.invite(name, None)
        try:
            networks.join(folder, made.text, {}, inviter.parent / _WITNESSES)
        except BaseException:
            of.withdraw(name)
            raise
    return folder


def _make_pair(
    plan: Plan, folder: Path, given: Mapping[str, Any], witnesses: Path
) -> None:
    first, second = folder / name_of(1), folder / name_of(2)
    folders.make_pair(
        first,
        plan.link,
        given,
        allow_unauthenticated=plan.allow_unauthenticated,
        witnesses=witnesses,
    )
    folders.make_second(second, first, {}, witnesses)


def _make_mesh(
    plan: Plan,
    names: Mapping[int, str],
    folder: Path,
    given: Mapping[str, Any],
    witnesses: Path,
) -> None:
    members = _networks_of(plan.link).new_mesh(names, plan.network.edges, given)
    for number, name in names.items():
        identity, member = state_file.new_identity(), members[number]
        with (
            folders.new_node(folder / name, plan.link, member.end, identity, witnesses),
            State(folder / name, identity=identity) as state,
        ):
            state.store({}, member.records)
