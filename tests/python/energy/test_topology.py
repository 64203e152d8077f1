# SPDX-License-Identifier: Apache-2.0
"""Who relays for whom, who hears whom, and tables of edges."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from samara.energy import topology
from samara.energy.topology import Link, flows
from samara.errors import MisuseError

if TYPE_CHECKING:
    from pathlib import Path


def test_a_chain_by_hand() -> None:
    found = flows(topology.chain(4))
    assert found.messages.tolist() == [4, 3, 2, 1]
    assert found.received.tolist() == [3, 2, 1, 0]
    # Each hears what its parent sends on; the first one's is the sink.
    assert found.overheard.tolist() == [0, 4, 3, 2]
    # Around the second node, the first three share a medium: 4 + 3 + 2.
    assert found.around.tolist() == [9, 9, 9, 6]
    assert found.neighbours.tolist() == [2, 2, 2, 1]


def test_a_tree_by_hand() -> None:
    """The sink has 1 and 2; 1 has 3 and 4; 2 has 5."""
    found = flows(topology.tree(5))
    assert found.messages.tolist() == [3, 2, 1, 1, 1]
    assert found.received.tolist() == [2, 1, 0, 0, 0]
    # 1 hears its brother 2; 3 hears its parent and its brother.
    assert found.overheard.tolist() == [2, 3, 4, 4, 2]


def test_a_lattice_by_hand() -> None:
    """Three by two, the sink in a corner.

    0 1 2      The sink has 1 and 3. Then 1 has 2; 4 takes 3, which has none yet;
    3 4 5      5 has the choice of 2 and 4, which have none, and takes the first.
    """
    found = topology.grid(3, 2)
    assert list(found.parents) == [0, 1, 0, 3, 2]
    assert found.neighbours[4] == {1, 3, 5}


def test_the_sink_can_be_anywhere() -> None:
    middle = flows(topology.grid(5, 5, (2, 2)))
    corner = flows(topology.grid(5, 5))
    assert middle.messages.max() < corner.messages.max()
    for column in range(4):
        for row in range(3):
            placed = topology.grid(4, 3, (column, row))
            at_sink = [n for n, p in enumerate(placed.parents) if p == 0]
            assert flows(placed).messages[at_sink].sum() == 11
    with pytest.raises(MisuseError, match="the sink is within 4 columns and 3 rows"):
        topology.grid(4, 3, (4, 0))


def _hops(found: topology.Topology) -> list[int]:
    """Return how far each node is from the sink."""
    hops = [0] * (found.nodes + 1)
    # Parents may have higher numbers than their children.
    for _ in found.parents:
        for node, parent in enumerate(found.parents, start=1):
            hops[node] = hops[parent] + 1
    return hops[1:]


@pytest.mark.parametrize("side", [3, 5, 7])
def test_the_centre_of_a_square_is_its_middle(side: int) -> None:
    """From the middle, the farthest are the corners, half a side away both ways."""
    middle = topology.square(side * side - 1, topology.CENTRE)
    corner = topology.square(side * side - 1, topology.CORNER)
    half = side // 2
    assert max(_hops(middle)) == 2 * half
    assert max(_hops(corner)) == 2 * (side - 1)
    # Sum of the distances to a middle: once for the columns, once for the rows.
    along = sum(abs(column - half) for column in range(side))
    assert sum(_hops(middle)) == 2 * side * along
    named = topology.square(side * side - 1, f"{half},{half}")
    assert list(middle.parents) == list(named.parents)


@given(st.integers(1, 48))
def test_no_place_of_a_square_is_nearer_to_all_than_its_centre(nodes: int) -> None:
    """One hop is left where the sides are even, or the last row is not full."""
    columns = math.isqrt(nodes) + 1
    places = [divmod(number, columns)[::-1] for number in range(nodes + 1)]
    farthest = {
        place: max(abs(place[0] - x) + abs(place[1] - y) for x, y in places)
        for place in places
    }
    found = max(_hops(topology.square(nodes, topology.CENTRE)))
    assert min(farthest.values()) <= found <= min(farthest.values()) + 1
    corner = max(_hops(topology.square(nodes, topology.CORNER)))
    assert corner == farthest[0, 0]


@given(st.sampled_from(sorted(topology.SHAPES)), st.integers(1, 80))
def test_every_message_reaches_the_sink(shape: str, nodes: int) -> None:
    found = topology.SHAPES[shape](nodes)
    assert found.nodes == nodes
    flow = flows(found)
    first = [number for number, parent in enumerate(found.parents) if parent == 0]
    assert flow.messages[first].sum() == nodes
    assert (flow.received == flow.messages - 1).all()
    for node, near in enumerate(found.neighbours):
        assert node not in near
        assert all(node in found.neighbours[other] for other in near)
    for node, parent in enumerate(found.parents, start=1):
        assert parent in found.neighbours[node]


def test_poor_links_cost_more_and_are_avoided(tmp_path: Path) -> None:
    table = tmp_path / "edges.csv"
    table.write_text(
        "from,to,delivery\nsink,near,1\nsink,far,0.5\nnear,far,0.9\nfar,last,0.8\n"
    )
    found = topology.read_edges(table)
    # The direct way of `far` takes 1 / 0.5² = 4, by `near` 1 / 0.9² + 1 = 2.23.
    assert list(found.parents) == [0, 1, 2]
    flow = flows(found)
    assert flow.messages.tolist() == [3, 2, 1]
    assert flow.sent == pytest.approx([3, 2 / 0.81, 1 / 0.64])
    # An acknowledgement that is lost brings the message again.
    assert flow.received == pytest.approx([2 / 0.9, 1 / 0.8, 0])


def test_a_link_that_loses_messages_one_by_one() -> None:
    """Expected transmissions are a geometric series: summed here."""
    link = Link(0.7, 0.9)
    both = 0.7 * 0.9
    tries = sum(n * both * (1 - both) ** (n - 1) for n in range(1, 200))
    assert link.transmissions == pytest.approx(tries)
    # Each try arrives with 0.7.
    assert link.receptions == pytest.approx(tries * 0.7)


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("", ":1: expected from,to"),
        ("a,b\n1,2\n", ":1: expected from,to"),
        ("from,to\n", "joins no node to the sink: call it sink"),
        ("from,to\na,b\n", "joins no node to the sink: call it sink"),
        ("from,to,delivery\nsink,a,0\n", ":2: expected two names, and a delivery"),
        ("from,to,delivery\nsink,a,1.5\n", ":2: expected two names, and a delivery"),
        ("from,to,delivery\nsink,a,x\n", ":2: expected two names, and a delivery"),
        ("from,to,delivery\nsink,a,nan\n", ":2: expected two names, and a delivery"),
        ("from,to\nsink,a\n,b\n", ":3: expected two names"),
        ("from,to\nsink\n", ":2: expected two names"),
        ("from,to\nsink,a\nb,c\n", ": b has no way to sink"),
        ("from,to\nsink,sink\n", ":2: expected two names"),
        ("from,to\nsink,a\na,a\n", ":3: expected two names"),
        ("from,to\nsink,a\na,sink\n", ":3: a and sink are joined above already"),
        ("from,to\nsink,\udcff\n", "is no text of lines"),
    ],
)
def test_tables_that_are_none(tmp_path: Path, text: str, problem: str) -> None:
    table = tmp_path / "edges.csv"
    table.write_bytes(text.encode(errors="surrogateescape"))
    with pytest.raises(MisuseError, match=problem):
        topology.read_edges(table)


def test_an_empty_network() -> None:
    for shape in topology.SHAPES.values():
        with pytest.raises(MisuseError, match="at least one node"):
            shape(0)


def test_the_sink_of_a_square() -> None:
    """24 nodes are 5 by 5: the sink has 4 neighbours, in a corner 2."""
    for sink, neighbours in (("centre", 4), ("2,2", 4), ("corner", 2), ("2,0", 3)):
        for made in (
            topology.square(24, sink),
            topology.shaped("grid", sink)(24),
        ):
            first = [n for n, parent in enumerate(made.parents) if parent == 0]
            assert len(first) == neighbours
            assert sum(flows(made).messages[first]) == 24


@pytest.mark.parametrize("sink", ["5,0", "0,5", "-1,0", "1", "1,2,3", "²,0", ""])
def test_a_sink_that_is_outside(sink: str) -> None:
    with pytest.raises(MisuseError, match=r"give corner, centre, or COLUMN,ROW"):
        topology.square(24, sink)


def test_a_place_that_has_another_name() -> None:
    with pytest.raises(MisuseError, match="'cornr': did you mean corner or centre"):
        topology.square(24, "cornr")


def test_a_sink_of_other_shapes() -> None:
    with pytest.raises(MisuseError, match="applies to --topology grid"):
        topology.shaped("tree", "centre")
    with pytest.raises(MisuseError, match="unknown --topology"):
        topology.shaped("ring")


def test_leaves_of_a_large_star_are_not_looked_at_one_by_one() -> None:
    """The same as of a smaller one, whose leaves are."""
    link = topology.Link(0.9, 0.8)
    for nodes in (999, 1000, 1001, 2500):
        found = topology.flows(topology.star(nodes, link))
        assert found.others_in_reach.tolist() == [nodes] * nodes
        assert found.fewest_in_reach.tolist() == [1.0] * nodes
        assert found.in_reach == pytest.approx((nodes - 1) * link.transmissions)
        assert found.distinct == [0]


def test_nodes_to_which_the_same_happens() -> None:
    """Of six nodes in two levels, two and four are alike."""
    assert topology.flows(topology.tree(6)).distinct == [0, 2]
    assert topology.flows(topology.chain(4)).distinct == [0, 1, 2, 3]
