# SPDX-License-Identifier: Apache-2.0
"""Running a network of nodes on this machine, from a request to the nodes that run."""

from __future__ import annotations

import shlex
import time
from collections.abc import Callable, Mapping
from dataclasses import field
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

from samara.crypto.names import find
from samara.link.node.kinds import kind, kinds
from samara.link.node.link_parameters import LinkOptions
from samara.net.addresses import DEFAULT_PREFIX, prefix_of
from samara.net.lab import Lab
from samara.net.lab_steering import LabSteering
from samara.net.plan import Plan
from samara.net.requests import DEFAULT_PREFIX_TEXT, Prefix
from samara.net.rpl.messages import MODES, mode_names
from samara.net.topology import NODES_MAX, NODES_MIN, TOPOLOGIES, Network
from samara.records import (
    Answer,
    Between,
    Digest,
    Field,
    Line,
    Notice,
    Parameter,
    Record,
    Request,
    record_class,
    request_class,
)
from samara.records.tables import table_of
from samara.records.usual import Seed
from samara.steering import Control, ControlDone, ControlRefused
from samara.units import SHARE

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from samara.net.lab import Member
    from samara.records.tables import Table

_NODES = 3
_PAIR = 2
# What the air and all nodes must have in common, though it says where the link is.
_RATES = ("baud", "rate")
_OPTIONS = LinkOptions(lambda option: not option.at_each_run or option.name in _RATES)
_LOOK_S = 0.2


def _topologies() -> Iterable[str]:
    return TOPOLOGIES


def _with_networks() -> list[str]:
    return [name for name, each in kinds().items() if each.networks is not None]


@request_class
class LabRequest(Request):
    """A network that is to run."""

    nodes: Annotated[
        int | None,
        Parameter(
            metavar="COUNT",
            help="Number of nodes.",
            values=range(NODES_MIN, NODES_MAX + 1),
            default_text=f"{_NODES}; {_PAIR} over links that join two nodes",
        ),
    ] = None
    topology: Annotated[
        str,
        Parameter(
            metavar="TOPOLOGY",
            help="Who is whose neighbour.",
            names=_topologies,
        ),
    ] = "chain"
    link: Annotated[
        str | None,
        Parameter(
            metavar="LINK",
            help="Kind of link; those other than ieee802154 join two nodes.",
            names=kinds,
            default_text="ieee802154",
        ),
    ] = None
    rpl: Annotated[
        bool,
        Parameter(
            help="Let the nodes find their routes by RPL (RFC 6550), the first one"
            " being the root.",
        ),
    ] = False
    rpl_mode: Annotated[
        str,
        Parameter(
            metavar="MODE",
            help="With --rpl: who keeps routes, each router (storing), or the root"
            " alone (non-storing).",
            names=mode_names,
        ),
    ] = "storing"
    loss: Annotated[
        float,
        Parameter(
            help="Probability that a receiver misses a frame; over rf-serial, a packet"
            " of the modem.",
            unit=SHARE,
            values=Between(0, 1),
        ),
    ] = 0.0
    seed: Seed = 0
    prefix: Prefix = DEFAULT_PREFIX_TEXT
    pcap: Annotated[
        Path | None,
        Parameter(
            metavar="FILE",
            help="Write all frames on the air to a capture file, as an eavesdropper"
            " gets them; ieee802154 only.",
        ),
    ] = None
    keep: Annotated[
        bool, Parameter(help="Keep the directory with the nodes at the end.")
    ] = False
    control: Control = False
    link_options: Annotated[
        Mapping[str, Any],
        _OPTIONS,
    ] = field(default_factory=dict)
    """Options of the kind of link that were given, by name."""

    def plan(self) -> Plan:
        """Return what a lab is to run.

        Raises
        ------
        MisuseError
            When there is no such kind of link or topology.
        """
        link = kind(self.link or _with_networks()[0])
        find("topology", self.topology, dict.fromkeys(TOPOLOGIES))
        usual = _PAIR if link.networks is None else _NODES
        return Plan(
            network=Network.of(self.topology, self.nodes or usual),
            link=link.name,
            options=self.link_options,
            # A lab is there to compare.
            allow_unauthenticated=True,
            loss=self.loss,
            seed=self.seed,
            prefix=prefix_of(self.prefix),
            keeps_nodes=self.keep,
            capture=self.pcap,
            uses_rpl=self.rpl,
            rpl_mode=find("mode", self.rpl_mode, MODES),
        )


@record_class
class LabRow:
    """A node of a lab as people are shown it."""

    node: Annotated[str, Field("Its name.", heading="node")]
    neighbours: Annotated[str, Field("Names of neighbours.", heading="neighbours")]
    address: Annotated[str, Field("Its address.", heading="address", rank=0)]
    entrance: Annotated[
        str,
        Field(
            "What runs a program in its namespace.",
            heading="run\xa0a\xa0program\xa0there",
            rank=0,
            wraps=True,
        ),
    ]


@record_class
class LabNode(Record):
    """A node of a lab that runs."""

    node: Annotated[str, Field("Its name.")]
    directory: Annotated[Path, Field("Its directory.")]
    medium: Annotated[str | None, Field("Address of the medium, if there is one.")]
    address: Annotated[str, Field("Its IPv6 address.")]
    neighbours: Annotated[tuple[str, ...], Field("Names of neighbours.")]
    pid: Annotated[int, Field("Its process.")]
    enter: Annotated[str, Field("What runs a program in its namespace.")]

    def table_rows(self) -> Sequence[LabRow]:
        """Return the row that people are shown."""
        entrance = f"{self.enter} PROGRAM"
        return [LabRow(self.node, " ".join(self.neighbours), self.address, entrance)]


def run_lab(
    request: LabRequest,
    *,
    is_over: Callable[[], bool] = lambda: False,
    say: Callable[[str], None] = lambda _: None,
) -> Answer[LabNode | ControlDone | ControlRefused]:
    """Run a network until told to end; yield its nodes, and what lines of control did.

    Parameters
    ----------
    is_over
        Asked several times a second: whether to end.
    say
        Called in the processes of the nodes, with sentences about their links.

    Raises
    ------
    MisuseError
        When it cannot be run here; nothing is left then.
    """
    plan = request.plan()
    with Lab(plan, say) as running:
        steering = LabSteering(running)
        yield _beginning(plan, running)
        count = len(running.members)
        kept = f"; they are kept in {running.folder}" if plan.keeps_nodes else ""
        yield Notice(f"{count} nodes are up; press Ctrl-C to end all of them{kept}")
        while not is_over():
            running.check()
            if request.control:
                yield from _controlled(running, steering)
            time.sleep(_LOOK_S)


def _controlled(
    running: Lab, steering: LabSteering
) -> Iterator[LabNode | ControlDone | ControlRefused]:
    """Do what lines of control ask for; yield nodes that changed, and the answers."""
    for answer in steering.lines.attend():
        while steering.changed:
            member = steering.changed.popleft()
            yield _record_of(running, member, running.address_options[1].get("medium"))
        yield answer


def _beginning(plan: Plan, running: Lab) -> Digest[LabNode]:
    medium = running.address_options[1].get("medium")
    nodes = [_record_of(running, member, medium) for member in running.members]
    return Digest(nodes, _parts(plan, running, nodes))


def _record_of(running: Lab, member: Member, medium: str | None) -> LabNode:
    neighbours = running.network.neighbours(member.number)
    return LabNode(
        node=member.name,
        directory=member.folder,
        medium=medium,
        address=str(member.address),
        neighbours=tuple(f"n{number}" for number in neighbours),
        pid=member.child.pid,
        enter=shlex.join(member.entrance),
    )


def _parts(
    plan: Plan, running: Lab, nodes: Sequence[LabNode]
) -> Iterator[Table | Line]:
    yield table_of(nodes, "")
    yield Line("")
    yield Line(f"Try: {nodes[0].enter} ping -c 3 {nodes[-1].address}")
    if (medium := nodes[0].medium) is not None:
        other = "" if plan.prefix == DEFAULT_PREFIX else f" --prefix {plan.prefix}"
        folders = f"{shlex.quote(str(running.folder))}/n*"
        yield Line(f"See: samara ip watch {folders} --medium {medium}{other}")
