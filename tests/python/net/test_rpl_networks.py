# SPDX-License-Identifier: Apache-2.0
"""Networks of RPL in virtual time: they form and heal, without loops."""

from __future__ import annotations

import itertools
from dataclasses import replace

import pytest
from rpl_networks import Air, address_of, local_of, number_of

from samara.net.rpl.children import ROUTES_MAX, Routes
from samara.net.rpl.counters import following
from samara.net.rpl.messages import (
    FOREVER,
    INFINITE_RANK,
    NON_STORING,
    STORING,
    Advertised,
    Configuration,
    Dao,
    DaoAck,
    Dio,
    Dis,
    Message,
)
from samara.net.rpl.neighbours import NEIGHBOURS_MAX
from samara.net.rpl.objectives import MRHOF, OF0, Objective
from samara.net.rpl.own_node import OwnNode, Role
from samara.net.rpl.router import Router
from samara.net.rpl.tree import Tree

PARTS = Configuration(9, 11, 10, 896, 128, MRHOF.code, 30, 60)


def chain(nodes: int) -> list[tuple[int, int]]:
    return [(number, number + 1) for number in range(1, nodes)]


def grid(width: int) -> list[tuple[int, int]]:
    edges = []
    for number in range(1, width * width + 1):
        if number % width:
            edges.append((number, number + 1))
        if number + width <= width * width:
            edges.append((number, number + width))
    return edges


def healed(air: Air, most_s: int = 600) -> bool:
    """Let all send to all until all arrive; look for loops of parents meanwhile."""
    for _ in range(most_s // 10):
        air.run(10)
        for source, destination in itertools.permutations(list(air.nodes), 2):
            air.way(source, destination, sends=True)
        if air.all_arrive() and not air.has_loop():
            return True
    return False


@pytest.mark.parametrize(
    ("objective", "first", "hop"), [(MRHOF, 128, 128), (OF0, 256, 256)]
)
def test_a_chain_forms_with_the_ranks_of_its_objective(
    objective: Objective, first: int, hop: int
) -> None:
    air = Air(chain(8), objective=objective)
    air.run(60)
    assert [air.nodes[n].rank for n in range(1, 9)] == [
        first + hop * n for n in range(8)
    ]
    assert air.way(8, 1) == [8, 7, 6, 5, 4, 3, 2, 1]
    assert air.way(1, 8) == [1, 2, 3, 4, 5, 6, 7, 8]
    assert air.way(3, 6) == [3, 4, 5, 6]
    assert air.all_arrive()


def test_a_root_alone_knows_all_ways() -> None:
    air = Air(chain(8), mode=NON_STORING)
    air.run(60)
    assert air.way(8, 1) == [8, 7, 6, 5, 4, 3, 2, 1]
    assert air.way(1, 8) == [1, 2, 3, 4, 5, 6, 7, 8]
    # From one branch to another a packet passes the root.
    air = Air([(1, 2), (2, 3), (1, 4), (4, 5)], mode=NON_STORING)
    air.run(60)
    assert air.way(3, 5) == [3, 2, 1, 4, 5]
    assert not air.nodes[2].routes.advertised(air.now_s, 60)
    assert not air.nodes[2].way(address_of(3))


def test_a_grid_takes_the_shortest_ways_and_grows_silent() -> None:
    air = Air(grid(5))
    air.run(60)
    assert air.all_arrive()
    for number in range(1, 26):
        column, row = (number - 1) % 5, (number - 1) // 5
        assert air.depth(number) == column + row
    begun = len(air.sent)
    air.run(3600)
    assert air.all_arrive()
    kinds = [type(message) for _, _, message in air.sent[begun:]]
    # A probe a minute, DIOs of Trickle, and what each node refreshes, which climbs to
    # the root: it is acknowledged at each hop.
    hops = sum(air.depth(number) for number in air.nodes)
    assert kinds.count(Dis) == 0
    assert kinds.count(Dao) <= 3 * hops
    assert kinds.count(DaoAck) == kinds.count(Dao)
    assert kinds.count(Dio) <= 25 * 75


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("objective", [MRHOF, OF0])
@pytest.mark.parametrize("loss", [0.0, 0.15])
@pytest.mark.parametrize("mode", [STORING, NON_STORING])
def test_networks_heal(seed: int, objective: Objective, loss: float, mode: int) -> None:
    """Nodes die and come back, one moves, and the root starts again."""
    air = Air(grid(5), seed=seed, loss=loss, objective=objective, mode=mode)
    assert healed(air)
    for number in (7, 8, 14):
        air.stop(number)
    assert healed(air)
    for number in (7, 8, 14):
        air.start(number)
    assert healed(air)
    moved = {frozenset((25, 2)), frozenset((25, 3))}
    air.edges = {each for each in air.edges if 25 not in each} | moved
    assert healed(air)
    # The hysteresis lets it keep a way that is one hop longer.
    assert air.depth(25) <= 3 or loss
    air.stop(1)
    air.run(120)
    air.start(1)
    assert healed(air)


@pytest.mark.slow
@pytest.mark.parametrize(("loss", "most_s"), [(0.0, 30), (0.15, 120)])
def test_the_root_soon_reaches_who_has_lost_a_router(loss: float, most_s: int) -> None:
    """Nodes send to the root and back alone: nobody asks for other routes."""
    for seed in range(10):
        air = Air(grid(5), seed=seed, loss=loss)
        assert healed(air)
        for number in (7, 8, 14):
            air.stop(number)
        without_s = 0
        for _ in range(60):
            air.run(10)
            others = [number for number in air.nodes if number != 1]
            is_whole = all(air.way(1, number) for number in others)
            without_s = 0 if is_whole else without_s + 10
            assert without_s <= most_s, seed
            for number in others:
                air.way(number, 1, sends=True)
                air.way(1, number, sends=True)


def test_who_is_cut_off_says_so_and_makes_no_loop() -> None:
    air = Air(grid(4))
    air.run(60)
    # The root has gone, and nobody but the root can make a graph.
    air.stop(1)
    for _ in range(60):
        air.run(10)
        for number in air.nodes:
            air.way(number, 1, sends=True)
        assert not air.has_loop()
    assert all(node.rank == INFINITE_RANK for node in air.nodes.values())
    assert all(node.parent is None for node in air.nodes.values())
    assert "there is no parent any more" in {text for _, text in air.notices}


def test_a_leaf_has_its_own_packets_carried_and_no_others() -> None:
    edges = [(1, 2), (2, 3), (3, 4)]
    air = Air(edges, roles={1: Role.ROOT, 3: Role.LEAF})
    air.run(120)
    assert air.way(3, 1) == [3, 2, 1]
    assert air.way(1, 3) == [1, 2, 3]
    # Behind the leaf nobody is reached: it advertises nothing.
    assert not air.nodes[4].is_joined
    assert not [
        m
        for _, n, m in air.sent
        if n == 3 and isinstance(m, Dio) and m.rank != INFINITE_RANK
    ]


class Alone:
    """A router whose neighbours are made by the test."""

    def __init__(self, role: Role = Role.ROUTER) -> None:
        self.now_s = 0.0
        self.sent: list[tuple[bytes | None, Message]] = []
        own = OwnNode(address_of(9), role)
        self.router = Router(own, lambda: self.now_s, self._send)

    def _send(self, to: bytes | None, message: Message) -> None:
        self.sent.append((to, message))

    def hear(self, number: int, message: Message, *, is_to_all: bool = False) -> None:
        self.router.hear(local_of(number), message, is_to_all=is_to_all)

    def wait(self, time_s: float) -> None:
        end_s = self.now_s + time_s
        while self.router.due_s < end_s:
            self.now_s = max(self.now_s, self.router.due_s)
            self.router.work()
        self.now_s = end_s


DIO = Dio(0, 10, 128, address_of(1), PARTS)


def test_a_better_parent_must_be_better_by_the_hysteresis() -> None:
    alone = Alone()
    alone.hear(1, replace(DIO, rank=384))
    assert alone.router.parent == local_of(1)
    alone.hear(2, replace(DIO, rank=192))
    assert alone.router.parent == local_of(1)
    alone.hear(2, replace(DIO, rank=191))
    assert alone.router.parent == local_of(2)
    assert alone.router.rank == 191 + 128
    # The one before is told that nothing is behind this node for it.
    gone = [m for to, m in alone.sent if to == local_of(1) and isinstance(m, Dao)]
    assert [each.lifetime for dao in gone for each in dao.advertised] == [0]


def test_losses_lengthen_a_link_until_another_one_is_shorter() -> None:
    alone = Alone()
    alone.hear(1, DIO)
    alone.hear(2, replace(DIO, rank=200))
    for _ in range(20):
        alone.router.sent(local_of(1), 4, is_missed=False)
    assert alone.router.parent == local_of(2)
    for _ in range(4):
        alone.router.sent(local_of(2), 4, is_missed=True)
    assert alone.router.parent == local_of(1)


def test_a_neighbour_that_comes_back_is_taken_again() -> None:
    alone = Alone()
    alone.hear(1, DIO)
    for _ in range(4):
        alone.router.sent(local_of(1), 4, is_missed=True)
    assert alone.router.parent is None
    alone.hear(1, DIO)
    assert alone.router.parent is None
    alone.wait(5)
    alone.hear(1, DIO)
    assert alone.router.parent == local_of(1)


def test_a_dao_without_an_answer_is_repeated_and_then_the_parent_is_lost() -> None:
    alone = Alone()
    alone.hear(1, DIO)
    alone.wait(20)
    daos = [m for to, m in alone.sent if isinstance(m, Dao) and to == local_of(1)]
    assert len(daos) == 4
    assert len({each.sequence for each in daos}) == 1
    assert daos[0].advertised[0].address == address_of(9)
    assert alone.router.parent is None


def test_an_answered_dao_is_refreshed_before_it_ends() -> None:
    alone = Alone()
    alone.hear(1, DIO)
    alone.wait(1)
    (dao,) = [m for _, m in alone.sent if isinstance(m, Dao)]
    alone.hear(1, DaoAck(0, dao.sequence))
    alone.wait(1800 * 0.4 - 2)
    assert len([m for _, m in alone.sent if isinstance(m, Dao)]) == 1
    alone.wait(1800 * 0.1 + 2)
    again = [m for _, m in alone.sent if isinstance(m, Dao)][1]
    assert again.advertised[0].lifetime == 30


def test_sequence_numbers_grow_by_one_also_over_hours() -> None:
    """Routers compare them over 16 numbers: they must not depend on the time."""
    air = Air(chain(2))
    air.run(6 * 3600)
    daos = [message for _, _, message in air.sent if isinstance(message, Dao)]
    numbers = [each.advertised[0].sequence for each in daos]
    assert len(numbers) > 20
    for before, after in itertools.pairwise(numbers):
        assert after in (before, following(before))


def behind(alone: Alone, node: int) -> int | None:
    """Return the lifetime by which the last DAO told of a node; None: it did not."""
    (*_, dao) = [m for _, m in alone.sent if isinstance(m, Dao)]
    lifetimes = {each.address: each.lifetime for each in dao.advertised}
    return lifetimes.get(address_of(node))


def with_child() -> Alone:
    """Return a router with the parent 1, and node 20 behind its child 3."""
    alone = Alone()
    alone.hear(1, DIO)
    alone.hear(3, Dao(0, 1, (Advertised(address_of(20), 7, 30),)))
    alone.wait(1)
    assert behind(alone, 20) == 29
    return alone


def test_nothing_is_behind_a_child_that_has_no_parent() -> None:
    asks = with_child()
    asks.hear(3, Dis(), is_to_all=False)
    asks.wait(1)
    assert behind(asks, 20) == 29
    asks.hear(3, Dis(), is_to_all=True)
    asks.wait(1)
    assert behind(asks, 20) == 0

    says = with_child()
    # A leaf never has a rank to tell.
    says.hear(3, replace(DIO, rank=INFINITE_RANK))
    says.wait(1)
    assert behind(says, 20) == 29
    says.hear(3, replace(DIO, rank=500))
    says.hear(3, replace(DIO, rank=INFINITE_RANK))
    says.wait(1)
    assert behind(says, 20) == 0
    assert says.router.next_hop(address_of(20)) == local_of(1)


def test_who_begins_anew_tells_that_others_are_not_behind_it() -> None:
    """Its next parent can be the one of before, which has routes by it still."""
    alone = with_child()
    alone.hear(1, replace(DIO, rank=INFINITE_RANK))
    assert alone.router.parent is None
    # A child that is lost meanwhile leaves nothing to be done at once.
    for _ in range(4):
        alone.router.sent(local_of(3), 4, is_missed=True)
    alone.wait(5)
    alone.hear(1, DIO)
    alone.wait(1)
    assert behind(alone, 20) == 0
    assert behind(alone, 9) == 30


def test_a_root_that_lacks_an_address_asks_all_for_theirs() -> None:
    alone = Alone(Role.ROOT)

    def dtsn() -> int:
        alone.hear(2, Dis(), is_to_all=False)
        (*_, dio) = [m for to, m in alone.sent if isinstance(m, Dio) and to is not None]
        return dio.dtsn

    def tell(sequence: int, lifetime: int) -> None:
        alone.hear(2, Dao(0, 1, (Advertised(address_of(20), sequence, lifetime),)))

    first = dtsn()
    tell(1, 30)
    alone.wait(60)
    # It is there again soon enough, and then it is not.
    tell(2, 0)
    alone.wait(4)
    tell(3, 30)
    alone.wait(60)
    assert dtsn() == first
    tell(4, 0)
    alone.wait(4)
    assert dtsn() == first
    alone.wait(2)
    assert dtsn() == following(first)
    # Not again within a minute, and not when it is there in the end.
    for sequence in (5, 7):
        tell(sequence, 30)
        tell(sequence + 1, 0)
        alone.wait(26)
        assert dtsn() == following(first)
    alone.wait(10)
    assert dtsn() == following(following(first))


def test_the_root_that_alone_keeps_routes_is_told_and_answers() -> None:
    alone = Alone()
    alone.hear(1, replace(DIO, dodag=address_of(7), mode=NON_STORING))
    alone.wait(1)
    ((to, dao),) = [(to, m) for to, m in alone.sent if isinstance(m, Dao)]
    assert to == address_of(7)
    assert [(e.address, e.parent) for e in dao.advertised] == [
        (address_of(9), address_of(1))
    ]
    # Others cannot answer in its place.
    for source in (address_of(1), address_of(8)):
        alone.router.hear_far(source, DaoAck(0, dao.sequence))
    alone.wait(3)
    assert len([m for _, m in alone.sent if isinstance(m, Dao)]) == 2
    alone.router.hear_far(address_of(7), DaoAck(0, dao.sequence))
    alone.wait(60)
    assert len([m for _, m in alone.sent if isinstance(m, Dao)]) == 2
    # It carries no routes, and takes none.
    alone.hear(3, Dao(0, 1, (Advertised(address_of(30), 1, 30),)))
    assert alone.router.next_hop(address_of(30)) == local_of(1)
    # Who keeps routes otherwise is no parent of it.
    alone.hear(2, replace(DIO, dodag=address_of(7), rank=1))
    assert alone.router.parent == local_of(1)


def test_a_parent_that_was_started_again_is_told_everything() -> None:
    alone = Alone()
    alone.hear(1, replace(DIO, dtsn=20))
    alone.wait(1)
    (dao,) = [m for _, m in alone.sent if isinstance(m, Dao)]
    alone.hear(1, DaoAck(0, dao.sequence))
    alone.hear(1, replace(DIO, dtsn=20))
    alone.wait(60)
    assert len([m for _, m in alone.sent if isinstance(m, Dao)]) == 1
    # Any other number: it may have begun with a lower one.
    alone.hear(1, replace(DIO, dtsn=3))
    alone.wait(1)
    assert len([m for _, m in alone.sent if isinstance(m, Dao)]) == 2


def test_a_neighbour_deeper_than_the_node_is_no_parent() -> None:
    """It may be behind it, although it has not said so yet."""
    alone = Alone()
    alone.hear(1, DIO)
    alone.hear(2, replace(DIO, rank=700))
    for _ in range(4):
        alone.router.sent(local_of(1), 4, is_missed=True)
    assert alone.router.parent is None
    (advertised,) = [m for to, m in alone.sent if to is None and isinstance(m, Dio)][
        -1:
    ]
    assert advertised.rank == INFINITE_RANK


def test_what_cannot_be_is_not_joined() -> None:
    """Also nothing that would divide by nothing, or speak without end."""
    alone = Alone()
    for dio in (
        replace(DIO, mode=0),
        replace(DIO, mode=3),
        replace(DIO, instance=1),
        replace(DIO, rank=INFINITE_RANK),
        replace(DIO, configuration=replace(PARTS, objective=7)),
        replace(DIO, configuration=replace(PARTS, hop_rank_increase=0)),
        replace(DIO, configuration=replace(PARTS, interval_min=0)),
        replace(DIO, configuration=replace(PARTS, doublings=255)),
        replace(DIO, configuration=replace(PARTS, lifetime=0)),
        replace(DIO, configuration=replace(PARTS, lifetime_unit_s=0)),
    ):
        alone.hear(1, dio)
        assert not alone.router.is_joined
    # One without a configuration is asked for it.
    alone.sent.clear()
    alone.hear(1, replace(DIO, configuration=None))
    assert alone.sent == [(local_of(1), Dis())]


def test_tables_are_bounded() -> None:
    alone = Alone()
    for number in range(2, NEIGHBOURS_MAX + 50):
        alone.hear(number, replace(DIO, rank=200))
    assert len(alone.router._neighbours) == NEIGHBOURS_MAX  # noqa: SLF001
    alone.sent.clear()
    alone.hear(70, Dao(0, 1, (Advertised(address_of(5000), 1, 30),), wants_ack=True))
    for number in range(ROUTES_MAX + 10):
        target = Advertised(address_of(10_000 + number), 1, 30)
        alone.hear(3, Dao(0, 2, (target,), wants_ack=True))
    statuses = [m.status for _, m in alone.sent if isinstance(m, DaoAck)]
    assert statuses == [0] * ROUTES_MAX + [128] * 11
    assert alone.router.next_hop(address_of(10_000)) == local_of(3)
    assert alone.router.next_hop(address_of(10_000 + ROUTES_MAX)) == alone.router.parent
    # They end when nobody refreshes them.
    alone.now_s += 1801
    assert alone.router.next_hop(address_of(10_000)) == alone.router.parent


def test_a_route_ends_with_its_lifetime_unless_that_is_endless() -> None:
    last_s = 254 * 60
    told = [Advertised(address_of(20 + n), 1, n, address_of(1)) for n in (254, 255)]
    routes, tree = Routes(), Tree(address_of(1))
    routes.take(local_of(2), told, 60, 0.0, own=address_of(1))
    tree.take(told, 60, 0.0)
    assert [each.lifetime for each in routes.advertised(0.0, 60)] == [254, FOREVER]
    for now_s, are_there in ((last_s - 1, [True, True]), (1e9, [False, True])):
        addresses = [each.address for each in told]
        assert [bool(tree.way(each, now_s)) for each in addresses] == are_there
        assert [routes.via(each, now_s) is not None for each in addresses] == are_there
    assert [each.lifetime for each in routes.advertised(1e9, 60)] == [FOREVER]


def test_routes_follow_who_moves_and_not_who_was_left() -> None:
    alone = Alone(Role.ROOT)
    target = address_of(20)
    alone.hear(2, Dao(0, 1, (Advertised(target, 50, 30),)))
    assert number_of(alone.router.next_hop(target) or b"") == 2
    alone.hear(3, Dao(0, 1, (Advertised(target, 52, 30),)))
    assert number_of(alone.router.next_hop(target) or b"") == 3
    # What is older, and what the node of before takes back, changes nothing.
    alone.hear(2, Dao(0, 2, (Advertised(target, 51, 30),)))
    alone.hear(2, Dao(0, 3, (Advertised(target, 53, 0),)))
    assert number_of(alone.router.next_hop(target) or b"") == 3
    alone.hear(3, Dao(0, 2, (Advertised(target, 54, 0),)))
    assert alone.router.next_hop(target) is None


def test_a_parent_is_never_behind_its_child() -> None:
    alone = Alone()
    alone.hear(1, DIO)
    alone.hear(2, replace(DIO, rank=250))
    # Two is behind this node, and its rank is stale.
    alone.hear(2, Dao(0, 1, (Advertised(address_of(2), 1, 30),)))
    for _ in range(4):
        alone.router.sent(local_of(1), 4, is_missed=True)
    assert alone.router.parent is None
    # And its own parent tells it of nothing behind.
    alone = Alone()
    alone.hear(1, DIO)
    alone.hear(1, Dao(0, 1, (Advertised(address_of(30), 1, 30),)))
    assert alone.router.next_hop(address_of(30)) == local_of(1)
    assert not alone.router.routes.advertised(alone.now_s, 60)
