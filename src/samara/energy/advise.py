# SPDX-License-Identifier: Apache-2.0
"""Which suite to take: all candidates against the limits of a product.

A `Candidate` is a suite at a layer, as a frame that somebody who knows the links has
encoded. Each is weighed with every build that the bench has measured (`weighed`), and
held against `Limits` (`advise`). Of those that fit, the best is recommended:

1. the longest life. Lives are compared in steps of 1 %: less is below what is known;
2. a standard before a finalist before research;
3. the least flash, then RAM, then energy a message.

The order is a fixed one: with looser limits the answer is never worse.
"""

from __future__ import annotations

import math
from contextlib import suppress
from dataclasses import dataclass, field, replace
from enum import StrEnum
from typing import TYPE_CHECKING, Any

import numpy as np

from samara.crypto import Standing
from samara.energy import catalogue
from samara.energy.airtime import airtime
from samara.energy.cryptography import NotMeasuredError, builds, memory_of
from samara.energy.parts import Part
from samara.energy.quantity import Sampled
from samara.energy.ranges import quantiles
from samara.energy.supply import YEAR_S
from samara.energy.topology import chain

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

    from samara.energy.cryptography import Build
    from samara.energy.frames import Frames
    from samara.energy.ranges import Range
    from samara.energy.scenario import Scenario
    from samara.energy.security import Call

_LIFE_STEP = math.log(1.01)
_STANDINGS = tuple(Standing)
_COUNTERS = 2**32
"""Frame counters before a key has to be changed, on all links."""
_OF_SECURITY = (Part.SECURITY, Part.CIPHER, Part.COUNTER)
LAYERS = ("link", "payload", "physical")
FORGERY_MAX = 1e-6


@dataclass(frozen=True, slots=True)
class Candidate:
    """A suite at a layer. Sizes are in bytes."""

    layer: str
    """One of `LAYERS`."""
    suite: str
    standing: Standing
    tag_bytes: int
    encrypts: bool
    frame_bytes: int
    """Without security, with the check sequence."""
    added_bytes: int
    calls: tuple[Call, ...]
    is_interoperable: bool = False
    """Whether others' software for the standard of the link opens its frames."""
    more: tuple[Frames, ...] = ()
    """The other frames of a message that takes several."""
    plain: tuple[Frames, ...] = ()
    """All frames of the message without security, where they are not the same."""
    options: Mapping[str, Any] = field(default_factory=dict)
    """What makes it on the link: options of a new node."""


@dataclass(frozen=True, slots=True)
class Choice:
    """A candidate with one build, and what it gives."""

    candidate: Candidate
    build: Build
    years: Range
    energy_j: float
    """A message, with listening and sleep until the next."""
    security_j: float
    """What of it security takes."""
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
    """How long the frame counters of a key last."""
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
            -math.floor(math.log(self.years.low) / _LIFE_STEP),
            _STANDINGS.index(self.candidate.standing),
            self.flash_bytes,
            self.ram_bytes,
            self.energy_j,
            self.candidate.layer,
            self.candidate.suite,
            self.build,
        )


@dataclass(frozen=True, slots=True)
class Limits:
    """What a product demands; None demands nothing."""

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
    found: float | None

    @property
    def factor(self) -> float:
        """How far it is beyond; infinite where that cannot be told."""
        if self.allowed is None or self.found is None:
            return math.inf
        low, high = sorted((self.allowed, self.found))
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
    return [*_broken_kinds(choice.candidate, limits), *_broken_numbers(choice, limits)]


def _broken_kinds(candidate: Candidate, limits: Limits) -> Iterator[Broken]:
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


class Saving(StrEnum):
    """What a choice that is not recommended takes less of."""

    ENERGY = "energy"
    FLASH = "flash"


@dataclass(frozen=True, slots=True)
class Alternative:
    """A choice that fits too, and what it takes beside the one recommended."""

    choice: Choice
    saving: Saving
    energy_j: float
    """A message, more than with the one recommended; negative: less."""
    flash_bytes: int
    """More than the one recommended; negative: less."""


@dataclass(frozen=True, slots=True)
class Advice:
    """What fits, what does not, and why."""

    fitting: Sequence[Choice]
    """The best first: that one is recommended."""
    out: Sequence[tuple[Choice, Sequence[Broken]]]
    relax: Sequence[Broken]
    """When nothing fits: what to relax, and to which value, so that something does."""
    relaxed: Choice | None
    """What then fits."""

    @property
    def recommended(self) -> Choice | None:
        """The best that fits."""
        return self.fitting[0] if self.fitting else None

    def alternatives(self) -> list[Alternative]:
        """Return what fits with the least energy, and with the least flash.

        One that is recommended itself is left out.
        """
        best = self.recommended
        if best is None:
            return []
        least = {
            Saving.ENERGY: min(self.fitting, key=lambda each: each.energy_j),
            Saving.FLASH: min(self.fitting, key=lambda each: each.flash_bytes),
        }
        found = [
            Alternative(
                choice,
                saving,
                choice.energy_j - best.energy_j,
                choice.flash_bytes - best.flash_bytes,
            )
            for saving, choice in least.items()
        ]
        return [
            each
            for each in found
            if (each.energy_j if each.saving is Saving.ENERGY else each.flash_bytes) < 0
        ]


def advise(choices: Iterable[Choice], limits: Limits) -> Advice:
    """Return what fits, the best first.

    When nothing fits, the limits to relax are those of the choice that breaks the
    fewest, and of such the one that is the least beyond. Limits of `NEVER_SUGGESTED`
    are not among them.
    """
    judged = sorted(
        ((choice, broken(choice, limits)) for choice in choices),
        key=lambda pair: pair[0].rank,
    )
    fitting = [choice for choice, breaks in judged if not breaks]
    out = [(choice, breaks) for choice, breaks in judged if breaks]
    near = [
        (choice, breaks)
        for choice, breaks in out
        if not any(each.limit in NEVER_SUGGESTED for each in breaks)
    ]
    if fitting or not near:
        return Advice(fitting, out, (), None)
    choice, breaks = min(near, key=lambda pair: (_beyond(pair[1]), pair[0].rank))
    return Advice(fitting, out, breaks, choice)


def _beyond(breaks: Sequence[Broken]) -> tuple[int, float]:
    """Return how many limits are broken, and how far, in steps of 1 %."""
    factor = math.prod(each.factor for each in breaks)
    return len(breaks), math.log(factor) // _LIFE_STEP if factor < math.inf else factor


def best_builds(choices: Iterable[Choice]) -> list[Choice]:
    """Return of each candidate the choice that comes first."""
    found: dict[tuple[str, str, int, bool], Choice] = {}
    for choice in choices:
        own = choice.candidate
        key = own.layer, own.suite, own.tag_bytes, own.encrypts
        found.setdefault(key, choice)
    return list(found.values())


@dataclass(frozen=True, slots=True)
class Use:
    """What a product does with its node."""

    interval_s: float
    """From one message to the next."""
    years: float = 1.0
    """In which forged frames are tried."""
    band: str | None = None
    """Whose duty cycle counts."""
    draws: int = 1000
    seed: int = 0


def weighed(scenario: Scenario, candidate: Candidate, use: Use) -> list[Choice]:
    """Return a candidate with each build that the bench has measured.

    A build whose results do not tell the cycles of these sizes is left out.

    Parameters
    ----------
    scenario
        The node; the candidate sets its frame and what secures it.

    Raises
    ------
    NotMeasuredError
        When the bench has not measured the candidate on the device.
    samara.crypto.UnknownNameError
        When a name of the scenario is unknown.
    """
    slug = candidate.calls[0].suite
    found = []
    for build in builds(scenario.device, slug):
        secured = replace(
            scenario,
            frame_bytes=candidate.frame_bytes,
            added_bytes=candidate.added_bytes,
            calls=_of_build(candidate.calls, build),
            more=tuple(
                replace(each, calls=_of_build(each.calls, build))
                for each in candidate.more
            ),
            plain=candidate.plain,
            secures_control=candidate.layer != "payload",
        )
        with suppress(NotMeasuredError):
            found.append(_weighed(secured, candidate, build, use))
    if not found:
        message = (
            f"{slug} has not been measured on {scenario.device} yet: run `samara bench "
            f"run --device {scenario.device} --suite {slug}`"
        )
        raise NotMeasuredError(message)
    return found


def _of_build(calls: Iterable[Call], build: Build) -> tuple[Call, ...]:
    return tuple(replace(call, build=build) for call in calls)


def _weighed(
    scenario: Scenario, candidate: Candidate, build: Build, use: Use
) -> Choice:
    node = scenario.node()
    memory = memory_of(scenario.device, candidate.calls[0].suite, build)
    parts = node.message(use.interval_s)
    lives_s = scenario.life_s(chain(1), use.interval_s, Sampled(use.draws, use.seed))
    per_year = YEAR_S / float(node.hop().frame_s)
    allowed = math.inf
    if use.band is not None:
        of_band = airtime(node, catalogue.band_for(scenario.radio, use.band))
        allowed = float(of_band.messages_per_hour)
    return Choice(
        candidate=candidate,
        build=build,
        years=quantiles(np.asarray(lives_s) / YEAR_S),
        energy_j=float(parts.total),
        security_j=float(sum(parts[part] for part in _OF_SECURITY)),
        latency_s=float(node.latency_s()),
        flash_bytes=int(memory.flash.value),
        ram_bytes=int(memory.ram.value),
        flags=memory.flags,
        forgery=forgery(per_year * use.years, candidate.tag_bytes),
        forgeries_per_year=per_year,
        counters_years=_COUNTERS * use.interval_s / YEAR_S / node.frame_count,
        messages_per_hour=allowed,
    )


def unreachable(scenario: Scenario, limits: Limits, use: Use) -> list[Broken]:
    """Return the limits that a node without any security does not keep either.

    No suite helps there: the radio, the medium access, the interval or the battery
    have to be others.
    """
    plain = scenario.unsecured()
    lives_s = plain.life_s(chain(1), use.interval_s, Sampled(use.draws, use.seed))
    years = quantiles(np.asarray(lives_s) / YEAR_S).low
    latency_s = float(plain.node().latency_s())
    found = []
    if limits.years is not None and years < limits.years:
        found.append(Broken("years", limits.years, years))
    if limits.latency_s is not None and latency_s > limits.latency_s:
        found.append(Broken("latency_s", limits.latency_s, latency_s))
    return found


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
