# SPDX-License-Identifier: Apache-2.0
"""Choices: candidates with a build that the bench has measured, and what they give."""

from __future__ import annotations

import math
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from samara.crypto import Standing
from samara.energy.airtime import airtime
from samara.energy.cryptography import NotMeasuredError, builds, memory_of
from samara.energy.parts import Part
from samara.energy.quantity import QUANTILES, Sampled, nominal
from samara.energy.ranges import Range
from samara.energy.security import side_by_side
from samara.energy.supply import YEAR_S
from samara.energy.topology import star

if TYPE_CHECKING:
    from collections.abc import Hashable, Iterable, Iterator, Sequence

    from samara.energy.candidates import Candidate
    from samara.energy.cryptography import Build
    from samara.energy.scenario import Scenario
    from samara.energy.security import Call, Security
    from samara.energy.topology import Topology

LIFE_STEP = math.log(1.01)
"""Lives that differ by less are equal: it is below what is known."""
_STANDINGS = tuple(Standing)
_COUNTERS = 2**32
"""Frame counters before a key has to be changed, on all links."""
_OF_SECURITY = (Part.SECURITY, Part.CIPHER, Part.COUNTER)


@dataclass(frozen=True, slots=True)
class Choice:
    """A candidate with one build, and what it gives."""

    candidate: Candidate
    build: Build
    years: Range
    energy_j: float
    """A message, with listening and sleep until the next."""
    security_j: float
    """Part of that energy that security takes."""
    latency_s: float
    flash_bytes: int
    ram_bytes: int
    flags: str
    """Arguments of the compiler for this build."""
    forgery: float
    """Chance that, in the years asked for, one forged frame is accepted, when forged
    frames fill all of the radio's time."""
    forgeries_per_year: float
    """As many as the radio can carry."""
    counters_years: float
    """Years until the frame counters of a key are used up."""
    messages_per_hour: float
    """That the band allows; infinite without one."""

    @property
    def air_bytes(self) -> int:
        """All frames of a message."""
        first = self.candidate.frame_bytes + self.candidate.added_bytes
        return first + sum(each.whole_bytes for each in self.candidate.more)

    @property
    def rank(self) -> tuple[Any, ...]:
        """The order of choices: the smallest is the best."""
        return (
            -life_steps(self.years.low),
            _STANDINGS.index(self.candidate.standing),
            self.flash_bytes,
            self.energy_j,
            self.ram_bytes,
            self.candidate.layer,
            self.candidate.suite,
            self.build,
        )

    @property
    def tie(self) -> tuple[Any, ...]:
        """What choices have in common that only memory and energy tell apart."""
        return self.rank[:2]


def life_steps(years: float) -> int:
    """Return a life in steps of 1 %.

    >>> life_steps(1.0), life_steps(1.009), life_steps(1.011)
    (0, 0, 1)
    """
    return math.floor(math.log(years) / LIFE_STEP)


@dataclass(frozen=True, slots=True)
class Use:
    """How a product uses its node: interval, years, band; and how ranges are drawn."""

    interval_s: float
    """From one message to the next."""
    years: float = 1.0
    """In which forged frames are tried."""
    band: str | None = None
    """Whose duty cycle counts."""
    nodes: int = 1
    """That send to one receiver."""
    draws: int = 1000
    seed: int = 0

    @property
    def topology(self) -> Topology:
        """The nodes around their receiver; all of them are alike."""
        return _star(self.nodes)


# What follows from a topology is kept with it.
@lru_cache(maxsize=8)
def _star(nodes: int) -> Topology:
    return star(nodes)


@dataclass(frozen=True, slots=True)
class BuiltCandidate:
    """A candidate with one build, on a node."""

    candidate: Candidate
    build: Build
    scenario: Scenario
    """The node, with the candidate's frames, and its calls with this build."""
    securities: Sequence[Security]
    """What secures its frames, as stated."""

    @property
    def frames(self) -> Hashable:
        """What ways have in common whose frames are the same."""
        own = self.scenario
        sizes = [(each.frame_bytes, each.added_bytes, each.count) for each in own.more]
        return (
            *(own.frame_bytes, own.added_bytes, tuple(sizes), own.plain),
            own.secures_control,
        )


def weighed(scenario: Scenario, candidate: Candidate, use: Use) -> list[Choice]:
    """Return a candidate with each build that the bench has measured.

    Parameters
    ----------
    scenario
        The node; the candidate sets its frame and what secures it.

    Raises
    ------
    NotMeasuredError, samara.crypto.UnknownNameError
        As `ways`.
    """
    return choices(ways(scenario, candidate), use)


def ways(scenario: Scenario, candidate: Candidate) -> list[BuiltCandidate]:
    """Return a candidate with each build that the bench has measured.

    A build whose results do not tell the cycles of these sizes is left out.

    Raises
    ------
    NotMeasuredError
        When the bench has not measured the candidate on the device.
    samara.crypto.UnknownNameError
        When a name of the scenario is unknown.
    """
    slug = candidate.calls[0].suite
    found = []
    for build in builds(scenario.measured_as, slug):
        secured = _secured(scenario, candidate, build)
        with suppress(NotMeasuredError):
            found.append(
                BuiltCandidate(candidate, build, secured, secured.securities())
            )
    if not found:
        message = (
            f"{slug} has not been measured on {scenario.measured_as} yet: run `samara "
            f"bench run --device {scenario.measured_as} --suite {slug}`"
        )
        raise NotMeasuredError(message)
    return found


def _secured(scenario: Scenario, candidate: Candidate, build: Build) -> Scenario:
    return replace(
        scenario,
        frame_bytes=candidate.frame_bytes,
        added_bytes=candidate.added_bytes,
        calls=_of_build(candidate.calls, build),
        more=tuple(
            replace(each, calls=_of_build(each.calls, build)) for each in candidate.more
        ),
        plain=candidate.plain,
        secures_control=candidate.layer != "payload",
    )


def _of_build(calls: Iterable[Call], build: Build) -> tuple[Call, ...]:
    return tuple(replace(call, build=build) for call in calls)


def choices(found: Sequence[BuiltCandidate], use: Use) -> list[Choice]:
    """Return what ways give, in their order.

    Those whose frames are the same are computed at once: they differ in what computing
    takes alone.

    Raises
    ------
    MisuseError
        When messages come faster than the medium access can send them.
    """
    groups: dict[Hashable, list[BuiltCandidate]] = {}
    for way in found:
        groups.setdefault(way.frames, []).append(way)
    made: dict[int, Choice] = {}
    for group in groups.values():
        amounts = _amounts(group, use)
        for way, each in zip(group, amounts, strict=True):
            made[id(way)] = _choice(way, each, use)
    return [made[id(way)] for way in found]


class _Amounts(NamedTuple):
    """What a way takes and gives, as `Choice` has it."""

    years: Range
    energy_j: float
    security_j: float
    latency_s: float
    per_year: float
    """Frames that the radio can carry."""
    messages_per_hour: float
    frame_count: int


def _amounts(group: Sequence[BuiltCandidate], use: Use) -> Iterator[_Amounts]:
    """Yield the amounts of ways whose frames are the same."""
    scenario, shape = group[0].scenario, (len(group),)
    node = scenario.node(nominal, _beside([way.securities for way in group]))
    parts = node.message(use.interval_s)
    allowed = math.inf
    if use.band is not None:
        of_band = airtime(node, scenario.band(use.band))
        allowed = float(of_band.messages_per_hour)
    per_year = YEAR_S / float(node.mac.air_s(node.hop()))
    security_j = sum(parts[part] for part in _OF_SECURITY)
    amounts = (
        np.broadcast_to(each, shape).tolist()
        for each in (parts.total, security_j, node.latency_s())
    )
    rest = per_year, allowed, node.frame_count
    for years, joules, of_security, seconds in zip(
        _years(group, use), *amounts, strict=True
    ):
        yield _Amounts(years, joules, of_security, seconds, *rest)


def _years(group: Sequence[BuiltCandidate], use: Use) -> list[Range]:
    """Return the lives of nodes whose frames are the same."""
    scenario, draw = group[0].scenario, Sampled(use.draws, use.seed)
    beside = _beside([way.scenario.securities(draw) for way in group])
    # The axis of the ways follows that of the draws.
    wide = replace(draw, axes=1)
    node = scenario.node(wide, beside)
    lifetimes_s = scenario.life_of(node, use.topology, use.interval_s, wide, (0,))
    years = np.broadcast_to(lifetimes_s, (use.draws, len(group))).T / YEAR_S
    # One way after another in memory: quantiles are found much faster so.
    every = np.quantile(np.ascontiguousarray(years), QUANTILES, axis=1)
    return [Range(*map(float, each)) for each in every.T]


def _beside(securities: Sequence[Sequence[Security]]) -> list[Security]:
    """Return what secures each frame, with the ways side by side."""
    return [side_by_side(each) for each in zip(*securities, strict=True)]


def _choice(way: BuiltCandidate, amounts: _Amounts, use: Use) -> Choice:
    own = way.candidate
    memory = memory_of(way.scenario.measured_as, own.calls[0].suite, way.build)
    return Choice(
        candidate=own,
        build=way.build,
        years=amounts.years,
        energy_j=amounts.energy_j,
        security_j=amounts.security_j,
        latency_s=amounts.latency_s,
        flash_bytes=int(memory.flash.value),
        ram_bytes=int(memory.ram.value),
        flags=memory.flags,
        forgery=forgery(amounts.per_year * use.years, own.tag_bytes),
        forgeries_per_year=amounts.per_year,
        counters_years=_COUNTERS * use.interval_s / YEAR_S / amounts.frame_count,
        messages_per_hour=amounts.messages_per_hour,
    )


def forgery(attempts: float, tag_bytes: int) -> float:
    """Return the chance that one of many forged frames is accepted.

    >>> forgery(1e12, 0)
    1.0
    >>> f"{forgery(2**32, 8):.2e}"
    '2.33e-10'
    """
    if not tag_bytes:
        return 1.0
    return -math.expm1(-attempts * 2.0 ** (-8 * tag_bytes))
