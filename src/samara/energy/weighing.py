# SPDX-License-Identifier: Apache-2.0
"""Which platform is the best with what secures it: a search that is bounded.

Security never makes a life longer: the life of a platform without it, in the same
draws, is a bound of its life with any suite. So platforms are sorted by that bound, and
weighed with all suites one after the other, until the bound of the next is below what
was found. The best by the data sheets' figures get that bound (`_BOUNDED` of them), and
at most `_WEIGHED` are weighed.

The order of platforms: where batteries are compared, the one with the least energy that
does; then that of choices (`Choice.rank`).
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from samara.energy.choices import choices, life_steps, ways
from samara.energy.cryptography import NotMeasuredError
from samara.energy.limits import broken_kinds, low_years
from samara.energy.recommending import recommend
from samara.energy.supply import YEAR_S
from samara.errors import MisuseError
from samara.records import Progress

if TYPE_CHECKING:
    from collections.abc import Callable, Generator, Iterable, Sequence

    from samara.energy.candidates import Candidate
    from samara.energy.choices import BuiltCandidate, Choice, Use
    from samara.energy.limits import Limits
    from samara.energy.platforms import Offered, Platform
    from samara.energy.recommending import Recommendation

_BOUNDED = 24
_PER_DEVICE = 6
"""Of these, at most so many have one device: limits of memory may exclude it."""
_WEIGHED = 8


@dataclass(frozen=True, slots=True)
class Bound:
    """What a platform gives at most, whatever secures it."""

    platform: Platform
    years: float
    """That it lives without security, as stated."""
    latency_s: float
    low_years: float = 0.0
    """That nine of ten live without security; 0: not computed."""


@dataclass(frozen=True, slots=True)
class Weighed:
    """A platform with all choices of what secures it, judged."""

    platform: Platform
    recommendation: Recommendation
    missing: Sequence[str]
    """Suites that the bench has not measured on the device."""
    choices: Sequence[Choice]
    rest: Sequence[Candidate]
    """What has not been weighed, since a limit does not allow it."""


@dataclass(frozen=True, slots=True)
class Search:
    """Which platforms were weighed, the best first, and those that were bounded."""

    weighed: Sequence[Weighed]
    bounds: Sequence[Bound]
    """The best first."""
    count: int
    """All platforms that rules left."""
    out: dict[str, int]
    """How many platforms are out, by the rule."""

    @property
    def best(self) -> Weighed:
        """The platform that is recommended; if nothing fits, the nearest."""
        return self.weighed[0]


@dataclass(frozen=True, slots=True)
class Question:
    """What platforms are weighed for."""

    limits: Limits
    use: Use
    candidates: Callable[[Platform], Sequence[Candidate]]
    """Returns what can secure the messages of a platform."""
    build: str | None
    """Implementation that is taken alone."""
    compares_batteries: bool


def search(question: Question, offered: Offered) -> Generator[Progress, None, Search]:
    """Return the best platform, and what was weighed beside it.

    Raises
    ------
    MisuseError
        When no platform sends messages so often, or the bench has measured nothing on
        any of their devices.
    """
    bounds, out = _bounds(question, offered)
    leaders = _leaders(question, bounds)
    weighed: list[Weighed] = []
    unmeasured: MisuseError | None = None
    for done, bound in enumerate(leaders[:_WEIGHED]):
        if weighed and not _may_be_better(question, bound, weighed):
            break
        yield Progress(done / len(leaders[:_WEIGHED]), "platforms")
        try:
            weighed.append(_weighed(question, bound.platform))
        except MisuseError as error:
            unmeasured = error
    if not weighed:
        raise unmeasured or MisuseError("no platform is left")
    weighed.sort(key=lambda each: _order(question, each))
    best = _with_the_rest(question, weighed[0])
    return Search([best, *weighed[1:]], leaders, len(bounds), out)


def _bounds(question: Question, offered: Offered) -> tuple[list[Bound], dict[str, int]]:
    """Return what each platform gives without security, as stated."""
    out = Counter(offered.out)
    error = offered.error
    powers: dict[tuple[Any, ...], tuple[float, float]] = {}
    found: list[Bound] = []
    for each in offered.platforms:
        parts = each.parts[:-1]
        try:
            if parts not in powers:
                powers[parts] = _power(each, question.use)
        except MisuseError as problem:
            out["cannot send so often"] += 1
            error = problem
            continue
        power_w, latency_s = powers[parts]
        years = float(each.scenario.supply().life_s(power_w)) / YEAR_S
        found.append(Bound(each, years, latency_s))
    if not found:
        raise error or MisuseError(_no_platform(offered))
    return found, dict(out)


def _no_platform(offered: Offered) -> str:
    rules = "; ".join(offered.out) or "no medium access and radio take what was given"
    return (
        f"no parts of the catalogue can be such a node: {rules}. Name other parts, or "
        "all of them to weigh them all the same"
    )


def _power(platform: Platform, use: Use) -> tuple[float, float]:
    """Return what a node takes without security, in watts, and its latency."""
    scenario = platform.scenario
    node = scenario.node()
    power_w = scenario.power_of(node, use.topology, use.interval_s, (0,))
    return float(power_w), float(node.latency_s())


def _leaders(question: Question, bounds: Sequence[Bound]) -> list[Bound]:
    """Return the best by the stated figures, in the order of their bounds."""
    per_device: Counter[str] = Counter()
    several = len({each.platform.scenario.device for each in bounds}) > 1
    leaders: list[Bound] = []
    for each in sorted(bounds, key=lambda one: _hopes(question, one, one.years)):
        device = each.platform.scenario.device
        per_device[device] += 1
        if several and per_device[device] > _PER_DEVICE:
            continue
        leaders.append(each)
        if len(leaders) == _BOUNDED:
            break
    bounded = [
        Bound(
            each.platform,
            each.years,
            each.latency_s,
            low_years(each.platform.scenario, question.use),
        )
        for each in leaders
    ]
    return sorted(bounded, key=lambda one: _hopes(question, one, one.low_years))


def _hopes(question: Question, bound: Bound, years: float) -> tuple[Any, ...]:
    """Return the order of platforms before they are weighed."""
    limits = question.limits
    fails = (limits.years is not None and years < limits.years) + (
        limits.latency_s is not None and bound.latency_s > limits.latency_s
    )
    return fails, *_prefix(question, bound.platform, years), bound.latency_s


def _prefix(question: Question, platform: Platform, years: float) -> tuple[float, int]:
    energy_j = platform.energy_j if question.compares_batteries else 0.0
    return energy_j, -life_steps(years)


def _may_be_better(
    question: Question, bound: Bound, weighed: Sequence[Weighed]
) -> bool:
    """Return whether a platform can be better than those that were weighed."""
    fitting = [each for each in weighed if each.recommendation.recommended]
    if not fitting:
        return True
    best = min(_order(question, each) for each in fitting)
    return (False, *_prefix(question, bound.platform, bound.low_years)) <= best[:3]


def _order(question: Question, weighed: Weighed) -> tuple[Any, ...]:
    """Return the order of platforms that were weighed; the smallest is the best."""
    choice = weighed.recommendation.recommended or weighed.recommendation.relaxed
    nothing = weighed.recommendation.recommended is None
    if choice is None:
        return nothing, float("inf"), 0, ()
    prefix = _prefix(question, weighed.platform, choice.years.low)
    breaks = len(weighed.recommendation.relax)
    return nothing, *prefix, breaks, choice.rank[1:]


def _weighed(question: Question, platform: Platform) -> Weighed:
    """Return a platform with what its limits allow; with all if that is nothing.

    Raises
    ------
    MisuseError
        When the bench has measured nothing of it on the device.
    """
    every = question.candidates(platform)
    usable = [each for each in every if not any(broken_kinds(each, question.limits))]
    asked = usable or every
    choices_, missing = _choices(question, platform, asked)
    if not choices_:
        device = platform.scenario.measured_as
        message = (
            f"the bench has measured nothing of that on {device}: run `samara bench "
            f"run --device {device}`, or leave out --build"
        )
        raise MisuseError(message)
    rest = [each for each in every if each not in asked]
    found = recommend(choices_, question.limits)
    return Weighed(platform, found, missing, choices_, rest)


def _with_the_rest(question: Question, weighed: Weighed) -> Weighed:
    """Return a platform with what its limits do not allow beside what they do."""
    more, missing = _choices(question, weighed.platform, weighed.rest)
    every = [*weighed.choices, *more]
    found = recommend(every, question.limits)
    return Weighed(weighed.platform, found, [*weighed.missing, *missing], every, ())


def _choices(
    question: Question, platform: Platform, candidates: Iterable[Candidate]
) -> tuple[list[Choice], list[str]]:
    """Return all choices, and the suites that the bench has not measured."""
    found: list[BuiltCandidate] = []
    missing: list[str] = []
    for candidate in candidates:
        try:
            found += [
                way
                for way in ways(platform.scenario, candidate)
                if question.build in (None, way.build.implementation)
            ]
        except NotMeasuredError:
            missing.append(candidate.calls[0].suite)
    return choices(found, question.use), missing
