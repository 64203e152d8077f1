# SPDX-License-Identifier: Apache-2.0
"""The graph (DODAG) that a node of RPL is in, as its root has configured it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from samara.net.rpl.messages import INFINITE_RANK, Configuration, Dio
from samara.net.rpl.objectives import BY_CODE, Objective
from samara.net.rpl.trickle import Trickle

if TYPE_CHECKING:
    import random

    from samara.net.rpl.neighbours import Neighbour
    from samara.net.rpl.own_node import OwnNode

PREFIX_SIZE = 8
_LIFETIME, _LIFETIME_UNIT_S = 30, 60
_INTERVAL_MIN, _DOUBLINGS, _REDUNDANCY = 9, 11, 10
_INCREASE_HOPS = 7
_INTERVAL_MIN_LEAST, _INTERVAL_MIN_MOST, _DOUBLINGS_MOST = 3, 20, 20


@dataclass(slots=True)
class Graph:
    """The graph that a node is in."""

    dodag: bytes
    version: int
    configuration: Configuration
    prefix: bytes | None
    mode_preference: tuple[bool, int]
    """Grounded, preference."""
    trickle: Trickle
    mode: int
    lowest: int = INFINITE_RANK
    """The lowest rank that this node has had in this version."""

    @property
    def highest(self) -> int:
        """The highest rank that it may have, so that no loop counts to infinity."""
        increase = self.configuration.rank_increase_max
        return self.lowest + increase if increase else INFINITE_RANK

    @property
    def objective(self) -> Objective:
        """What a rank follows from."""
        return BY_CODE[self.configuration.objective]

    def depth(self, rank: int) -> int:
        """Return the whole hops of a rank, by which loops are found."""
        return rank // self.configuration.hop_rank_increase

    def rank_by(self, parent: Neighbour) -> int:
        """Return the rank by a parent."""
        return self.objective.rank(parent.rank, parent.etx, self.configuration)

    def dio(self, instance: int, rank: int, dtsn: int) -> Dio:
        """Return what a node with this rank advertises."""
        is_grounded, preference = self.mode_preference
        return Dio(
            instance=instance,
            version=self.version,
            rank=rank,
            dodag=self.dodag,
            configuration=self.configuration,
            prefix=self.prefix,
            is_grounded=is_grounded,
            preference=preference,
            dtsn=dtsn,
            mode=self.mode,
        )


def graph_of(
    dio: Dio, configuration: Configuration, chance: random.Random, now_s: float
) -> Graph:
    """Return the graph of a DIO, with a configuration of its root."""
    least_s = 2**configuration.interval_min / 1000
    doublings, redundancy = configuration.doublings, configuration.redundancy
    trickle = Trickle(least_s, doublings, redundancy, chance)
    trickle.start(now_s)
    return Graph(
        dodag=dio.dodag,
        version=dio.version,
        configuration=configuration,
        prefix=dio.prefix,
        mode_preference=(dio.is_grounded, dio.preference),
        trickle=trickle,
        mode=dio.mode,
    )


def graph_of_root(
    own: OwnNode, version: int, chance: random.Random, now_s: float
) -> Graph:
    """Return the graph that a root makes."""
    hop = own.objective.hop_rank_increase
    configuration = Configuration(
        interval_min=_INTERVAL_MIN,
        doublings=_DOUBLINGS,
        redundancy=_REDUNDANCY,
        rank_increase_max=_INCREASE_HOPS * hop,
        hop_rank_increase=hop,
        objective=own.objective.code,
        lifetime=_LIFETIME,
        lifetime_unit_s=_LIFETIME_UNIT_S,
    )
    prefix = own.address[:PREFIX_SIZE]
    dio = Dio(own.instance, version, hop, own.address, prefix=prefix, mode=own.mode)
    return graph_of(dio, configuration, chance, now_s)


def is_sane(configuration: Configuration) -> bool:
    """Refuse what would make a node speak all the time, or divide by nothing."""
    return (
        configuration.objective in BY_CODE
        and configuration.hop_rank_increase > 0
        and configuration.lifetime > 0
        and configuration.lifetime_unit_s > 0
        and _INTERVAL_MIN_LEAST <= configuration.interval_min <= _INTERVAL_MIN_MOST
        and configuration.doublings <= _DOUBLINGS_MOST
    )
