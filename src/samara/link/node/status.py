# SPDX-License-Identifier: Apache-2.0
"""What is known of a node: settings, counters, neighbours; keys are in none of it."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, ClassVar

from samara.link.node import folder as folders
from samara.link.node import health, networks, rekeying
from samara.link.node.events import TOTAL_OF
from samara.link.node.inbox import kept_in
from samara.link.node.kinds import kind
from samara.link.node.local_client import RemoteNode
from samara.link.node.members import NeighbourList
from samara.link.node.quantities import Number, Value
from samara.link.node.requests import NodeRequest  # noqa: TC001 - read at run time
from samara.link.node.state import is_in_use
from samara.link.node.state_file import numbers_in
from samara.records import Answer, Field, Notice, Record, Title, record_class

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

TOTALS = frozenset(TOTAL_OF.values())
"""The numbers that tell how many of each event a node has reported."""


@record_class
class LastRefusal:
    """Something that a process has refused, one of the last of its kind."""

    kind: Annotated[str, Field("A value of samara.link.node.events.Alarm.")]
    reason: Annotated[str, Field("Why, in words.")]
    count: Annotated[int, Field("How many of this kind it stands for.")]
    time_s: Annotated[float, Field("When, in s since 1970.", unit="s")]


@record_class
class SecurityStatus:
    """What a process has refused since its start."""

    counts: Annotated[Mapping[str, int], Field("How many, by kind.")]
    last: Annotated[
        tuple[LastRefusal, ...],
        Field("The last three of each kind that were told, by time."),
    ]


@record_class
class ServiceStatus:
    """The process that keeps a node up."""

    pid: Annotated[int, Field("Its number.")]
    listeners: Annotated[int, Field("Programs that want what it receives.")]
    waiting: Annotated[int, Field("Messages to be sent.")]
    undelivered: Annotated[int, Field("Messages that nobody has taken yet.")]
    security: Annotated[SecurityStatus, Field("What it has refused since its start.")]


@record_class
class Setting:
    """One line of what people are shown of a node."""

    name: Annotated[str, Field("What it is.", heading="setting")]
    value: Annotated[str, Field("In words.", heading="value", rank=0, wraps=True)]


@record_class
class NodeStatus(Record):
    """What is known of a node."""

    TYPE: ClassVar[str] = "node"

    node: Annotated[Path, Field("Its directory.")]
    link: Annotated[str, Field("The kind of its link.")]
    in_use: Annotated[bool, Field("Whether a process uses it.")]
    service: Annotated[
        ServiceStatus | None, Field("The process that keeps it up, if there is one.")
    ]
    kept: Annotated[int, Field("Messages that nobody has taken yet.")]
    refused: Annotated[
        str | None,
        Field("Why no process can use it, such as a restored backup."),
    ]
    warning: Annotated[str | None, Field("What users of its link must know.")]
    settings: Annotated[Mapping[str, Any], Field("Of its link, by name.")]
    totals: Annotated[Mapping[str, int], Field("How many of each event, so far.")]
    counters: Annotated[Mapping[str, int], Field("Next values of its counters.")]
    neighbours: Annotated[
        Mapping[str, Mapping[str, Any]],
        Field(
            "By name: addresses, key (its generation), state (settled, changing keys,"
            " joining, or introduced until it was heard)."
        ),
    ]
    invitations: Annotated[
        Mapping[str, int | None],
        Field("Newcomers who have not joined: when that ends, in s since 1970."),
    ]

    def table_rows(self) -> Sequence[Setting]:
        """Return the lines that people are shown."""
        return [Setting(name.replace("_", " "), text) for name, text in _lines_of(self)]


def status(request: NodeRequest) -> Answer[NodeStatus]:
    """Yield what is known of a node; new keys take effect first, if some are due.

    Raises
    ------
    MisuseError
        When it is not a node's directory, or its files are damaged.
    """
    found = status_of(request.node)
    yield Title(f"node {request.node}")
    yield found
    if found.warning is not None:
        yield Notice(found.warning, warns=True)


def status_of(folder: Path) -> NodeStatus:
    """Return what is known of a node; see `status`."""
    rekeying.finish(folder)
    node = folders.read(folder)
    numbers = numbers_in(folder)
    known = networks.known(folder, node.link)
    in_use = is_in_use(folder)
    return NodeStatus(
        node=folder,
        link=node.link,
        in_use=in_use,
        service=_service_of(folder),
        kept=kept_in(folder),
        refused=None if in_use else health.why_refused(folder, node.identity),
        warning=folders.warning_of(node.link, node.end),
        settings=node.end.settings,
        totals={
            str(each): numbers.get(each, Value(0)).value for each in TOTAL_OF.values()
        },
        counters=_counters_of(numbers),
        neighbours=known.neighbours,
        invitations=known.invitations,
    )


def _counters_of(numbers: Mapping[Number, Value]) -> dict[str, int]:
    """Return the counters of a node in words, with the bounds that they continue at."""
    counters = {n: value for n, value in numbers.items() if n not in TOTALS}
    shown = {str(number): value.value for number, value in counters.items()}
    shown |= {
        f"skipped to {number}": value.value
        for number, value in counters.items()
        if value.is_bound
    }
    return dict(sorted(shown.items()))


def _service_of(folder: Path) -> ServiceStatus | None:
    """Return what the process tells that keeps the node up, if there is one."""
    remote = RemoteNode.of(folder)
    if remote is None:
        return None
    with remote:
        answer = remote.status()
    security = answer["security"]
    last = tuple(LastRefusal(**each) for each in security["last"])
    return ServiceStatus(
        **{**answer, "security": SecurityStatus(security["counts"], last)}
    )


def _lines_of(status: NodeStatus) -> Iterator[tuple[str, str]]:
    yield "kind of link", status.link
    yield "in use", "yes" if status.in_use else "no"
    if (service := status.service) is not None:
        yield "kept up by", f"process {service.pid}, listeners: {service.listeners}"
        yield "messages to be sent", f"{service.waiting:,}"
        yield from _lines_of_security(service.security)
    yield "messages that nobody has taken yet", f"{status.kept:,}"
    if status.refused is not None:
        yield "cannot be used", status.refused
    # A kind may have a setting "link": rf-serial has, the number of the link.
    yield from kind(status.link).described(dict(status.settings)).items()
    for name, text in NeighbourList(status.neighbours, status.invitations).described():
        yield f"neighbour {name or 'at the other end'}", text
    for name, count in status.totals.items():
        yield f"messages {name}", f"{count:,}"
    for name, count in status.counters.items():
        yield name, f"{count:,}"


def _lines_of_security(security: SecurityStatus) -> Iterator[tuple[str, str]]:
    """Yield what a process has refused since its start, by kind."""
    last = {each.kind: each for each in security.last}
    for name, count in security.counts.items():
        newest = last[name]
        yield (
            f"refused since the start: {name}",
            f"{count:,}; {_local_time(newest.time_s)}: {newest.reason}",
        )


def _local_time(time_s: float) -> str:
    return f"{datetime.fromtimestamp(time_s, tz=UTC).astimezone():%Y-%m-%d %H:%M:%S}"
