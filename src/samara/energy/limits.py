# SPDX-License-Identifier: Apache-2.0
"""What a product demands of the security of its messages, and what does not keep it."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from samara.crypto import Standing
from samara.energy.quantity import Sampled
from samara.energy.ranges import quantiles
from samara.energy.supply import YEAR_S

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from samara.energy.candidates import Candidate
    from samara.energy.choices import Choice, Use
    from samara.energy.scenario import Scenario

FORGERY_MAX = 1e-6


@dataclass(frozen=True, slots=True)
class Limits:
    """Limits that a product sets. None: no limit."""

    years: float | None = None
    """That nine of ten nodes live."""
    flash_bytes: float | None = None
    ram_bytes: float | None = None
    latency_s: float | None = None
    tag_bytes: float | None = None
    forgery: float | None = FORGERY_MAX
    layer: str | None = None
    messages_per_hour: float = 0.0
    """That the node sends: a band has to allow them, and the counters to last."""
    allow_unauthenticated: bool = False
    allow_unencrypted: bool = False
    allow_research: bool = False
    interoperable: bool = False
    """Only what others' software for the standard of the link opens."""


@dataclass(frozen=True, slots=True)
class Broken:
    """A limit that a choice does not keep."""

    limit: str
    allowed: float | None
    """None where the limit is no number."""
    value: float | None

    @property
    def factor(self) -> float:
        """How far it is beyond; infinite where that cannot be told."""
        if self.allowed is None or self.value is None:
            return math.inf
        low, high = sorted((self.allowed, self.value))
        return high / low if low > 0 else math.inf


_MOST: Mapping[str, Callable[[Choice], float]] = {
    "flash_bytes": lambda choice: choice.flash_bytes,
    "ram_bytes": lambda choice: choice.ram_bytes,
    "latency_s": lambda choice: choice.latency_s,
    "forgery": lambda choice: choice.forgery,
}
_LEAST: Mapping[str, Callable[[Choice], float]] = {
    "years": lambda choice: choice.years.low,
    "tag_bytes": lambda choice: choice.candidate.tag_bytes,
    "band": lambda choice: choice.messages_per_hour,
    "frame_counter": lambda choice: choice.counters_years,
}
_ASKED = {"band": "messages_per_hour", "frame_counter": "years"}
"""Fields of `Limits` that have another name than what they limit."""
_OF_TAGS = ("forgery", "tag_bytes")
NEVER_SUGGESTED = ("authentication", "encryption", "standing", "interoperable")
"""Limits that are never proposed to be relaxed."""


def broken(choice: Choice, limits: Limits) -> list[Broken]:
    """Return the limits that a choice does not keep; none when it fits."""
    return [*broken_kinds(choice.candidate, limits), *_broken_numbers(choice, limits)]


def broken_kinds(candidate: Candidate, limits: Limits) -> Iterator[Broken]:
    """Yield the limits that a candidate does not keep with whatever build."""
    is_research = candidate.standing is Standing.RESEARCH
    for name, is_so in (
        ("authentication", not (candidate.tag_bytes or limits.allow_unauthenticated)),
        ("encryption", not candidate.encrypts and not limits.allow_unencrypted),
        ("standing", is_research and not limits.allow_research),
        ("layer", limits.layer not in (None, candidate.layer)),
        ("interoperable", limits.interoperable and not candidate.is_interoperable),
    ):
        if is_so:
            yield Broken(name, None, None)


def _broken_numbers(choice: Choice, limits: Limits) -> Iterator[Broken]:
    # What does not authenticate is out by that, or allowed: no tag is asked of it.
    has_tag = choice.candidate.tag_bytes > 0
    for name, of in _MOST.items():
        most, value = getattr(limits, name), of(choice)
        if most is not None and value > most and (has_tag or name not in _OF_TAGS):
            yield Broken(name, most, value)
    for name, of in _LEAST.items():
        least, value = getattr(limits, _ASKED.get(name, name)), of(choice)
        if least is not None and value < least and (has_tag or name not in _OF_TAGS):
            yield Broken(name, least, value)


def unreachable(scenario: Scenario, limits: Limits, use: Use) -> list[Broken]:
    """Return the limits that a node without any security does not keep either.

    No suite helps there: the radio, the medium access, the interval or the battery
    have to be others.
    """
    plain = scenario.unsecured()
    years = low_years(plain, use)
    latency_s = float(plain.node().latency_s())
    found = []
    if limits.years is not None and years < limits.years:
        found.append(Broken("years", limits.years, years))
    if limits.latency_s is not None and latency_s > limits.latency_s:
        found.append(Broken("latency_s", limits.latency_s, latency_s))
    return found


def low_years(scenario: Scenario, use: Use) -> float:
    """Return the years that nine of ten nodes live.

    Raises
    ------
    MisuseError
        When messages come faster than they can be sent, or the receiver can take.
    """
    draw = Sampled(use.draws, use.seed)
    node = scenario.node(draw)
    lifetimes_s = scenario.life_of(node, use.topology, use.interval_s, draw, (0,))
    return quantiles(np.asarray(lifetimes_s) / YEAR_S).low
