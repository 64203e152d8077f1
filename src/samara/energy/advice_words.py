# SPDX-License-Identifier: Apache-2.0
"""Recommendation in sentences: what to take and why, or what to relax."""

from __future__ import annotations

from typing import TYPE_CHECKING

from samara.crypto import Standing
from samara.energy.aes_units import does, unit_on
from samara.energy.choices import life_steps, ways
from samara.energy.limit_options import option_of, relaxing, value_of
from samara.energy.recommending import Saving, best_builds
from samara.energy.supply import YEAR_S
from samara.records.numbers import digits

if TYPE_CHECKING:
    from collections.abc import Sequence

    from samara.energy.choices import Choice, Use
    from samara.energy.limits import Broken
    from samara.energy.ranges import Range
    from samara.energy.recommending import Alternative, Recommendation
    from samara.energy.scenario import Scenario


_REASONS = {
    "authentication": "does not authenticate",
    "encryption": "does not encrypt",
    "standing": "is for research only",
    "layer": "is at another layer",
    "interoperable": "is not of the link's standard",
}
_OF_APPLICATION = {
    "payload": "The application keeps the frame counters and refuses replays.",
    "physical": "The radio has to encrypt all bits, and the receiver to search the "
    "frame counter.",
}
"""What is left to do, by layer."""


def sentence(found: Recommendation) -> str:
    """Return the recommendation, or what to relax."""
    best = found.recommended
    if best is not None:
        left = _OF_APPLICATION.get(best.candidate.layer, "")
        return f"Take {_suite_in_words(best)}. {_gives(best)} {left}".rstrip()
    if found.relaxed is None:
        return (
            "Nothing fits: nothing that authenticates and encrypts with a cipher to be "
            "relied on takes such messages on this device and link."
        )
    steps = " and ".join(relaxing(each) for each in found.relax)
    return f"Nothing fits. Relax {steps}: then {_suite_in_words(found.relaxed)} fits."


_PLACES = {
    "link": "frames of the link",
    "payload": "payload",
    "physical": "bits of the physical layer",
}


def _suite_in_words(choice: Choice) -> str:
    own = choice.candidate
    tag = f"a tag of {own.tag_bytes} bytes" if own.tag_bytes else "no tag"
    place = _PLACES[own.layer]
    level = f", level {own.options['level']}" if own.options.get("level") else ""
    return (
        f"{own.suite} in the {place}{level}, with {tag}, {choice.build.implementation} "
        f"code at -{choice.build.opt}"
    )


def _gives(choice: Choice) -> str:
    years = choice.years
    return (
        f"The battery lasts {_life(years)}; a message takes "
        f"{choice.energy_j * 1e6:,.0f} µJ, "
        f"{choice.security_j * 1e6:,.0f} µJ of them for security; "
        f"{choice.flash_bytes:,} bytes of flash, {choice.ram_bytes:,} of RAM."
    )


def _life(years: Range) -> str:
    """Return a range of lives: in days where they are less than a tenth of a year."""
    in_days = years.high < _DAYS_BELOW
    shown = _days if in_days else _years
    return (
        f"{shown(years.low)} to {shown(years.high)} {'days' if in_days else 'years'} "
        f"(10 and 90 %; median {shown(years.middle)})"
    )


_DAYS_BELOW = 0.1


def _days(years: float) -> str:
    return f"{years * 365.25:.1f}"


_STANDING = {
    Standing.STANDARD: "a standard",
    Standing.FINALIST: "a finalist, no standard",
    Standing.RESEARCH: "for research only",
}


def of_unit(scenario: Scenario, best: Choice) -> str:
    """Return what the AES unit of the chip would take; empty if nothing is known."""
    unit = unit_on(scenario.own.radio(scenario.radio).chip)
    if unit is None or not does(best.candidate.calls):
        return ""
    way = next(
        each for each in ways(scenario, best.candidate) if each.build == best.build
    )
    frames = way.scenario.frames
    seconds = sum(each.count * unit.seconds(each.calls) for each in frames)
    joules = seconds * float(scenario.own.board(scenario.device).active_w())
    own_j = sum(
        each.count * float(security.seal_j)
        for each, security in zip(frames, way.securities, strict=True)
    )
    return (
        f"The {unit.title} would seal a message in {seconds * 1e6:,.0f} µs, which are "
        f"{digits(joules * 1e6)} µJ, by published figures; this build takes "
        f"{digits(own_j * 1e6)} µJ. samara has no code for that unit."
    )


def alternatives(found: Recommendation) -> list[str]:
    """Return what would take less energy or less flash, and why it is not taken."""
    return [_beside(each, found.recommended) for each in found.alternatives()]


def _beside(other: Alternative, best: Choice | None) -> str:
    own, build = other.choice.candidate, other.choice.build
    energy = _more_or_less(other.energy_j * 1e6, "µJ a message")
    flash = _more_or_less(other.flash_bytes, "bytes of flash")
    first, second = (
        (energy, flash) if other.saving is Saving.ENERGY else (flash, energy)
    )
    text = (
        f"Least {other.saving}: {own.suite}, layer {own.layer}, {build.implementation} "
        f"code at -{build.opt}: {first}, {second}"
    )
    if best is not None:
        if life_steps(other.choice.years.low) != life_steps(best.years.low):
            text += f"; it lives {_years(other.choice.years.low)} years (10 %)"
        if own.standing is not best.candidate.standing:
            text += f"; {_STANDING[own.standing]}"
    return f"{text}."


def _more_or_less(value: float, unit: str) -> str:
    """Return how much more or less it is, but never that it is 0 less.

    >>> _more_or_less(-1234.5, "bytes"), _more_or_less(-0.1234, "bytes")
    ('1,234 bytes less', '0.123 bytes less')
    """
    size = abs(value)
    text = digits(size) if 0 < size < 1 else f"{size:,.0f}"
    return f"{text} {unit} {'less' if value < 0 else 'more'}"


def _years(years: float) -> str:
    return f"{years:.2f}" if years >= 1 else f"{years:.2g}"


def unreached(limits: Sequence[Broken]) -> str:
    """Return what no suite can reach, and what to change instead.

    >>> from samara.energy.limits import Broken
    >>> unreached([Broken("latency_s", 0.05, 0.1293)])
    'No suite keeps --latency 50ms: without any security it is 129.3ms. Change --mac, \
--wake-interval, --interval, --radio or --battery.'
    """
    asked = [f"{option_of(one.limit)} {value_of(one, one.allowed)}" for one in limits]
    found = [value_of(one, one.value) for one in limits]
    verb = "they are" if len(found) > 1 else "it is"
    return (
        f"No suite keeps {' or '.join(asked)}: without any security {verb} "
        f"{' and '.join(found)}. Change --mac, --wake-interval, --interval, --radio or "
        "--battery."
    )


def forging(choice: Choice, use: Use) -> str:
    """Return how likely a forged frame is accepted, beside how many there can be."""
    frames = YEAR_S / use.interval_s
    text = f"The node sends {frames:,.0f} messages a year. "
    if not choice.candidate.tag_bytes:
        return text + "Nothing authenticates them: every forged frame is accepted."
    years = use.years
    return text + (
        f"An attacker can send {choice.forgeries_per_year:.1e} forged frames a year; "
        f"the chance that one is accepted within {years:g} year{'s' * (years != 1)} is "
        f"{choice.forgery:.1e}."
    )


def order(found: Recommendation) -> str:
    """Return what the recommended choice is the best by, and how many are equal."""
    equal = _as_long(len(best_builds(found.ties)) - 1)
    return (
        f"Why this one: lives within 1 % are equal ({equal}); then a standard comes "
        "first, then the least flash, energy and RAM."
    )


def _as_long(others: int) -> str:
    """Return how many other suites live as long.

    >>> _as_long(0), _as_long(1)
    ('no other lives as long', 'one other suite lives as long')
    """
    if others > 1:
        return f"{others} other suites live as long"
    return "one other suite lives as long" if others else "no other lives as long"


def out_of_layer(found: Recommendation, layer: str) -> str:
    """Return why nothing of a layer fits; nothing when something does."""
    at_layer = [pair for pair in found.out if pair[0].candidate.layer == layer]
    fits = any(each.candidate.layer == layer for each in found.fitting)
    if fits or not at_layer or not found.fitting:
        return ""
    choice, breaks = min(at_layer, key=lambda pair: len(pair[1]))
    if any(each.limit == "layer" for each in breaks):
        return ""
    reasons = [
        _REASONS.get(each.limit) or f"does not keep {option_of(each.limit)}"
        for each in breaks
    ]
    return (
        f"Out at the layer {layer}: {choice.candidate.suite} {' and '.join(reasons)}."
    )
