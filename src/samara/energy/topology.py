# SPDX-License-Identifier: Apache-2.0
"""Networks that collect messages at a sink, and how many pass each node.

Node 0 is the sink: it has a supply of its own and sends no messages. Each other
node sends its messages to its parent, which is nearer to the sink.
"""

from __future__ import annotations

import csv
import heapq
import math
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple

from samara.crypto.names import find
from samara.energy.flows import SINK, flows_of
from samara.errors import ArgumentError, MisuseError
from samara.units import SHARE

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
    from pathlib import Path

    from samara.energy.flows import Flows


class Link(NamedTuple):
    """Delivery ratios of frames and acknowledgements between two nodes."""

    delivery: float = 1.0
    """The share of frames that arrive."""
    ack_delivery: float = 1.0
    """The share of acknowledgements that arrive."""

    @property
    def transmissions(self) -> float:
        """Expected transmissions of a message (ETX), without a limit of tries.

        >>> Link(0.8, 0.5).transmissions
        2.5
        """
        return 1 / (self.delivery * self.ack_delivery)

    @property
    def receptions(self) -> float:
        """How often the other end receives the same message."""
        return 1 / self.ack_delivery


GOOD = Link()


class UnreachedError(MisuseError):
    """A node of a network has no way to the sink."""

    def __init__(self, node: int) -> None:
        super().__init__(f"node {node} has no way to the sink")
        self.node = node


@dataclass(frozen=True)
class Topology:
    """Parents and neighbours of the nodes of a network."""

    parents: Sequence[int]
    """Of the nodes from 1 on."""
    neighbours: Sequence[frozenset[int]]
    """Of all nodes, the sink too."""
    uplinks: Sequence[Link]
    """Of the nodes from 1 on, to their parents."""

    @property
    def nodes(self) -> int:
        """How many nodes there are besides the sink."""
        return len(self.parents)

    @cached_property
    def _flows(self) -> Flows:
        return flows_of(
            self.parents,
            self.neighbours,
            [link.transmissions for link in self.uplinks],
            [link.receptions for link in self.uplinks],
        )


def flows(topology: Topology) -> Flows:
    """Return what happens at each node while every node sends one message."""
    return topology._flows  # noqa: SLF001 - kept with it: the work of a moment, often


def chain(nodes: int, link: Link = GOOD) -> Topology:
    """Return a line of nodes, with the sink at one end.

    >>> flows(chain(3)).messages
    array([3., 2., 1.])
    """
    ends = range(nodes + 1)
    near = [frozenset({*ends[max(node - 1, 0) : node + 2]} - {node}) for node in ends]
    return Topology(range(_checked(nodes)), near, [link] * nodes)


def star(nodes: int, link: Link = GOOD) -> Topology:
    """Return nodes that all hear the sink, and not each other.

    They keep each other from sending where the medium is shared: the sink hears all.

    >>> flows(star(3)).messages, flows(star(3)).overheard
    (array([1., 1., 1.]), array([0., 0., 0.]))
    """
    everybody = range(1, _checked(nodes) + 1)
    near = [frozenset(everybody), *(frozenset({SINK}) for _ in everybody)]
    return Topology([SINK] * nodes, near, [link] * nodes)


def tree(nodes: int, link: Link = GOOD, *, children: int = 2) -> Topology:
    """Return a tree that is filled level by level; brothers hear each other.

    >>> flows(tree(6)).messages
    array([3., 3., 1., 1., 1., 1.])
    """
    parents = [(node - 1) // children for node in range(1, _checked(nodes) + 1)]
    near: list[set[int]] = [set() for _ in range(nodes + 1)]
    for node, parent in enumerate(parents, start=1):
        first = parent * children + 1
        brothers = {*range(first, min(first + children, nodes + 1))}
        near[node] |= {parent} | (brothers - {node})
        near[parent].add(node)
    return Topology(parents, [frozenset(each) for each in near], [link] * nodes)


def grid(
    columns: int, rows: int, sink: tuple[int, int] = (0, 0), link: Link = GOOD
) -> Topology:
    """Return a lattice in which each node hears the four around it.

    Parameters
    ----------
    sink
        Its column and row; by default a corner.

    >>> grid(3, 3, sink=(1, 1)).nodes
    8
    """
    _checked(columns * rows - 1)
    if not (0 <= sink[0] < columns and 0 <= sink[1] < rows):
        message = f"the sink is within {columns} columns and {rows} rows, not at {sink}"
        raise MisuseError(message)
    places = [(x, y) for y in range(rows) for x in range(columns)]
    return _lattice([sink, *(place for place in places if place != sink)], link)


CORNER, CENTRE = "corner", "centre"


def square(nodes: int, sink: str = CORNER, link: Link = GOOD) -> Topology:
    """Return a lattice of this many nodes, as close to a square as possible.

    Parameters
    ----------
    sink
        `CORNER`, `CENTRE`, or its column and row, from 0: such as ``"2,0"``.

    >>> list(square(8, "centre").parents).count(0), list(square(8).parents).count(0)
    (4, 2)

    Raises
    ------
    MisuseError
        When the sink is not a place of the lattice.
    """
    columns = math.isqrt(_checked(nodes)) + 1
    rows_of_all = (divmod(number, columns) for number in range(nodes + 1))
    places = [(x, y) for y, x in rows_of_all]
    last_column, last_row = places[-1]
    place = _place(sink, columns, last_row + 1)
    if place not in places:
        if sink.isalpha():
            find("place of the sink", sink, {CORNER: place, CENTRE: place})
        message = (
            f"the sink of {nodes} nodes cannot be at {sink!r}: their grid has "
            f"{columns} columns and {last_row + 1} rows, {last_column + 1} places in "
            f"the last; give {CORNER}, {CENTRE}, or COLUMN,ROW from 0,0"
        )
        raise MisuseError(message)
    return _lattice([place, *(each for each in places if each != place)], link)


def _place(sink: str, columns: int, rows: int) -> tuple[int, int] | None:
    """Return the column and the row that a text names; None when it names none."""
    named = {CORNER: (0, 0), CENTRE: ((columns - 1) // 2, (rows - 1) // 2)}
    if sink in named:
        return named[sink]
    column, _, row = sink.partition(",")
    column, row = column.strip(), row.strip()
    if not (column.isascii() and row.isascii() and column.isdigit() and row.isdigit()):
        return None
    return int(column), int(row)


def shaped(
    name: str, sink: str = CORNER, link: Link = GOOD
) -> Callable[[int], Topology]:
    """Return what makes networks of a shape, for any number of nodes.

    Parameters
    ----------
    name
        One of `SHAPES`.
    sink
        As for `square`; other shapes have theirs at the root.
    link
        How well all links are.

    Raises
    ------
    MisuseError
        When there is no such shape, or it has no choice of the sink's place.
    """
    shape = find("--topology", name, SHAPES)
    if name == "grid":
        return lambda nodes: square(nodes, sink, link)
    if sink != CORNER:
        message = f"--sink applies to --topology grid, not to {name}"
        raise MisuseError(message)
    return lambda nodes: shape(nodes, link=link)


def _lattice(places: Sequence[tuple[int, int]], link: Link) -> Topology:
    """Return a node at each of these places, joined with those beside it."""
    numbers = {place: number for number, place in enumerate(places)}
    edges = (
        (numbers[x, y], numbers[other], link)
        for x, y in places
        for other in ((x + 1, y), (x, y + 1))
        if other in numbers
    )
    return connected(len(places) - 1, edges)


def connected(nodes: int, edges: Iterable[tuple[int, int, Link]]) -> Topology:
    """Return a network with these edges; each node takes the way that costs least.

    A way costs the expected transmissions over its edges. Of parents that are as
    good, each node takes the one that has the fewest children so far.

    Raises
    ------
    MisuseError
        When an edge leads to a node that is not there, or a node has no way to
        the sink.
    """
    links: list[dict[int, Link]] = [{} for _ in range(_checked(nodes) + 1)]
    for one, other, link in edges:
        if not (0 <= one <= nodes and 0 <= other <= nodes and one != other):
            message = (
                f"an edge joins two of the nodes 0 to {nodes}, not {one} and {other}"
            )
            raise MisuseError(message)
        links[one][other] = links[other][one] = link
    costs = _costs(links)
    if math.inf in costs:
        raise UnreachedError(costs.index(math.inf))
    parents = _parents(links, costs)
    return Topology(
        parents,
        [frozenset(near) for near in links],
        [links[node][parent] for node, parent in enumerate(parents, start=1)],
    )


def _costs(links: Sequence[dict[int, Link]]) -> list[float]:
    """Return the expected transmissions from each node to the sink (Dijkstra)."""
    costs = [math.inf] * len(links)
    costs[SINK] = 0.0
    reached = [(0.0, SINK)]
    while reached:
        cost, node = heapq.heappop(reached)
        if cost > costs[node]:
            continue
        for other, link in links[node].items():
            through = cost + link.transmissions
            if through < costs[other]:
                costs[other] = through
                heapq.heappush(reached, (through, other))
    return costs


def _parents(links: Sequence[dict[int, Link]], costs: Sequence[float]) -> list[int]:
    children = [0] * len(links)
    parents = [SINK] * len(links)
    for node in sorted(range(1, len(links)), key=lambda node: (costs[node], node)):

        def cost(other: int, node: int = node) -> tuple[float, int, int]:
            through = costs[other] + links[node][other].transmissions
            return round(through, 9), children[other], other

        nearer = (other for other in links[node] if costs[other] < costs[node])
        parents[node] = min(nearer, key=cost)
        children[parents[node]] += 1
    return parents[1:]


def read_edges(path: Path) -> Topology:
    """Return the network of a CSV file with the columns `from`, `to`, `delivery`.

    Nodes have any names; `sink` is the sink. The third column is the share of
    frames that arrive, the same both ways; without it, all do.

    Raises
    ------
    MisuseError
        When the file is no such table; the text has the line.
    """
    names = {_SINK: SINK}
    edges: dict[frozenset[int], tuple[int, int, Link]] = {}
    for line, row in _lines(path):
        one, other, share = _edge(path, line, row)
        ends = [names.setdefault(name, len(names)) for name in (one, other)]
        if frozenset(ends) in edges:
            message = (
                f"{path}:{line}: {one} and {other} are joined above already: give one "
                "line, which counts for both ways"
            )
            raise MisuseError(message)
        edges[frozenset(ends)] = (ends[0], ends[1], Link(share, share))
    joined = {number for ends in edges for number in ends}
    if SINK not in joined:
        message = f"{path} joins no node to the sink: call it {_SINK}"
        raise MisuseError(message)
    try:
        return connected(len(names) - 1, edges.values())
    except UnreachedError as error:
        name = next(name for name, number in names.items() if number == error.node)
        message = f"{path}: {name} has no way to {_SINK}"
        raise MisuseError(message) from None


_SINK = "sink"
_COLUMNS = "expected from,to or from,to,delivery"


def _lines(path: Path) -> Iterator[tuple[int, Mapping[str, str | None]]]:
    """Yield the lines of a table below its head, with their numbers."""
    with path.open(encoding="utf-8", newline="") as file:
        rows = csv.DictReader(file)
        try:
            if not {"from", "to"} <= {*(rows.fieldnames or ())}:
                message = f"{path}:1: {_COLUMNS}"
                raise MisuseError(message)
            for row in rows:
                yield rows.line_num, row
        except (UnicodeDecodeError, csv.Error):
            message = f"{path} is no text of lines: {_COLUMNS}"
            raise MisuseError(message) from None


def _edge(
    path: Path, line: int, row: Mapping[str, str | None]
) -> tuple[str, str, float]:
    """Return the ends of an edge, and the share of frames that arrive."""
    one, other = ((row[name] or "").strip() for name in ("from", "to"))
    try:
        share = SHARE.parse(row.get("delivery") or "1")
    except ArgumentError:
        share = math.nan
    if not (one and other and 0 < share <= 1) or one == other:
        message = f"{path}:{line}: expected two names, and a delivery above 0, up to 1"
        raise MisuseError(message)
    return one, other, share


SHAPES: dict[str, Callable[..., Topology]] = {
    "chain": chain,
    "tree": tree,
    "grid": square,
    "star": star,
}
"""Networks of any number of nodes; the grid has its sink in a corner."""


def _checked(nodes: int) -> int:
    if nodes < 1:
        message = f"a network has at least one node besides the sink, not {nodes}"
        raise MisuseError(message)
    return nodes
