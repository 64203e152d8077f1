# SPDX-License-Identifier: Apache-2.0
"""What `samara advise` shows: a sentence, and tables."""

from __future__ import annotations

import math
import shlex
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from samara.bench.devices import device
from samara.cli.shared.json_lines import print_json
from samara.cli.shared.tables import Column, console, print_table, print_text
from samara.crypto import Standing
from samara.energy.advise import LAYERS, NEVER_SUGGESTED, Saving, best_builds
from samara.figure import Figure, Origin

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from rich.console import Console

    from samara.energy.advise import (
        Advice,
        Alternative,
        Broken,
        Candidate,
        Choice,
        Limits,
    )
    from samara.energy.scenario import Scenario

_MODEL = "energy model, closed form"


@dataclass(frozen=True, slots=True)
class Asked:
    """What advice was asked for."""

    link: str
    scenario: Scenario
    interval_s: float
    limits: Limits
    missing: Sequence[str]
    """Suites that the bench has not measured on the device."""
    unreachable: Sequence[Broken]
    """Limits that a node without any security does not keep either."""


def _round_up(value: float, digits: int) -> float:
    scale = 10.0**digits
    return math.ceil(value * scale - 1e-9) / scale


def _round_down(value: float, digits: int) -> float:
    scale = 10.0**digits
    return math.floor(value * scale + 1e-9) / scale


def _chance_up(value: float) -> float:
    """Return a chance with two digits, not below it."""
    if value <= 0 or value >= 1:
        return value
    digits = 1 - math.floor(math.log10(value))
    return min(1.0, _round_up(value, digits))


_OPTIONS: Mapping[str, tuple[str, Callable[[float], str]]] = {
    "years": ("--years", lambda value: f"{_round_down(value, 3):.15g}"),
    "flash_bytes": ("--flash", lambda value: f"{value:.0f}"),
    "ram_bytes": ("--ram", lambda value: f"{value:.0f}"),
    "latency_s": ("--latency", lambda value: f"{_round_up(value * 1e3, 1):.15g}ms"),
    "tag_bytes": ("--tag", lambda value: f"{value:.0f}"),
    "forgery": ("--forgery", lambda value: f"{_chance_up(value):.1e}"),
    "band": (
        "--interval",
        lambda value: f"{_round_up(3600 / value, 1):.1f}",
    ),
    "frame_counter": ("--years", lambda value: f"{_round_down(value, 3):.15g}"),
}
"""Options that set the limits, and how their values are written."""


def relaxing(broken: Broken) -> str:
    """Return which option to relax, from which value to which.

    >>> from samara.energy.advise import Broken
    >>> relaxing(Broken("ram_bytes", 200, 408))
    '--ram from 200 to 408'
    """
    if broken.found is None or broken.allowed is None:
        return f"{_FLAGS[broken.limit]} to any"
    option, text = _OPTIONS[broken.limit]
    return f"{option} from {text(broken.allowed)} to {text(broken.found)}"


_FLAGS = {
    "authentication": "--allow-unauthenticated",
    "encryption": "--allow-unencrypted",
    "standing": "--allow-research",
    "layer": "--layer",
    "interoperable": "--interoperable",
}
"""Options of limits that are no numbers."""
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


def sentence(told: Advice) -> str:
    """Return the recommendation, or what to relax."""
    best = told.recommended
    if best is not None:
        left = _OF_APPLICATION.get(best.candidate.layer, "")
        return f"Take {_what(best)}. {_gives(best)} {left}".rstrip()
    if told.relaxed is None:
        return (
            "Nothing fits: nothing that authenticates and encrypts with a cipher to be "
            "relied on takes such messages on this device and link."
        )
    steps = " and ".join(relaxing(each) for each in told.relax)
    return f"Nothing fits. Relax {steps}: then {_what(told.relaxed)} fits."


_PLACES = {
    "link": "frames of the link",
    "payload": "payload",
    "physical": "bits of the physical layer",
}


def _what(choice: Choice) -> str:
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
        f"The battery lasts {_years(years.low)} to {_years(years.high)} years (10 and "
        f"90 %; median {_years(years.middle)}); a message takes "
        f"{choice.energy_j * 1e6:,.0f} µJ, "
        f"{choice.security_j * 1e6:,.0f} µJ of them for security; "
        f"{choice.flash_bytes:,} bytes of flash, {choice.ram_bytes:,} of RAM."
    )


_STANDING = {
    Standing.STANDARD: "a standard",
    Standing.FINALIST: "a finalist, no standard",
    Standing.RESEARCH: "for research only",
}


def instead(told: Advice) -> list[str]:
    """Return what would take less energy or less flash, and why it is not taken."""
    return [_beside(each, told.recommended) for each in told.alternatives()]


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
    if best is not None and own.standing is not best.candidate.standing:
        text += f"; {_STANDING[own.standing]}"
    return f"{text}."


def _more_or_less(value: float, unit: str) -> str:
    return f"{abs(value):,.0f} {unit} {'less' if value < 0 else 'more'}"


def _years(years: float) -> str:
    return f"{years:.2f}" if years >= 1 else f"{years:.2g}"


def unreached(limits: Sequence[Broken]) -> str:
    """Return what no suite can reach, and what to change instead.

    >>> from samara.energy.advise import Broken
    >>> unreached([Broken("latency_s", 0.05, 0.1293)])
    'No suite keeps --latency 50ms: without any security it is 129.3ms. Change --mac, \
--wake-interval, --interval, --radio or --battery.'
    """
    asked, found = [], []
    for each in limits:
        option, text = _OPTIONS[each.limit]
        asked.append(f"{option} {text(each.allowed or 0.0)}")
        found.append(text(each.found or 0.0))
    verb = "they are" if len(found) > 1 else "it is"
    return (
        f"No suite keeps {' or '.join(asked)}: without any security {verb} "
        f"{' and '.join(found)}. Change --mac, --wake-interval, --interval, --radio or "
        "--battery."
    )


def _forging(choice: Choice, asked: Asked) -> str:
    frames = 365.25 * 86_400 / asked.interval_s
    text = f"The node sends {frames:,.0f} messages a year. "
    if not choice.candidate.tag_bytes:
        return text + "Nothing authenticates them: every forged frame is accepted."
    years = asked.limits.years or 1.0
    return text + (
        f"An attacker can send {choice.forgeries_per_year:.1e} forged frames a year; "
        f"the chance that one is accepted within {years:g} year{'s' * (years != 1)} is "
        f"{choice.forgery:.1e}."
    )


def print_advice(told: Advice, asked: Asked, *, wide: bool) -> None:
    """Print the sentence, what fits, what does not, and the commands."""
    screen = console()
    print_text(screen, f"[bold]{sentence(told)}[/]")
    best = told.recommended
    if best is not None:
        print_text(screen, _forging(best, asked))
        print_text(screen, _ORDER)
        for text in instead(told):
            print_text(screen, text)
    elif asked.unreachable:
        print_text(screen, unreached(asked.unreachable))
    fitting = best_builds(told.fitting)
    print_table(
        screen,
        _COLUMNS,
        [_row(choice) for choice in fitting],
        title="What fits, the best first",
        caption="Years: 10 % of draws from tolerances are below. At the layer link, "
        "flash and RAM include the frame security; at payload, the suite alone.",
        empty="nothing",
        wide=wide,
    )
    _print_out(screen, told)
    if asked.missing:
        print_text(
            screen,
            f"Not measured on {asked.scenario.device}: {len(asked.missing)} suites, "
            f"such as {asked.missing[0]}. To measure: samara bench run --device "
            f"{asked.scenario.device} --suite {asked.missing[0]}",
        )
    if best is not None:
        print_text(screen, "To make it:")
        for command in commands(best, asked):
            # Not wrapped: it is to be copied.
            print(f"  {command}")


_ORDER = (
    "Why this one: lives within 1 % are equal; then a standard comes first, then the "
    "least flash, RAM and energy."
)
_COLUMNS = (
    Column("suite", rank=0),
    Column("layer", rank=0),
    Column("build", rank=3),
    Column("air,\nbytes", numeric=True),
    Column("µJ a\nmessage", numeric=True),
    Column("of it\nsecurity", numeric=True, rank=2),
    Column("years,\n10 %", numeric=True, rank=0),
    Column("flash,\nbytes", numeric=True),
    Column("RAM,\nbytes", numeric=True),
    Column("latency,\nms", numeric=True),
)


def _row(choice: Choice) -> list[str]:
    return [
        choice.candidate.suite,
        choice.candidate.layer,
        f"{choice.build.implementation} {choice.build.opt}",
        str(choice.air_bytes),
        f"{choice.energy_j * 1e6:,.0f}",
        f"{choice.security_j * 1e6:,.0f}",
        _years(choice.years.low),
        f"{choice.flash_bytes:,}",
        f"{choice.ram_bytes:,}",
        f"{choice.latency_s * 1e3:,.1f}",
    ]


def _print_out(screen: Console, told: Advice) -> None:
    """Print by limit how many are out by it, and which is the nearest."""
    limits = dict.fromkeys(each.limit for _, breaks in told.out for each in breaks)
    rows = []
    for limit in limits:
        by_it = [
            (choice, next(each for each in breaks if each.limit == limit), len(breaks))
            for choice, breaks in told.out
            if any(each.limit == limit for each in breaks)
        ]
        kinds = {(c.candidate.layer, c.candidate.suite) for c, _, _ in by_it}
        only = {(c.candidate.layer, c.candidate.suite) for c, _, n in by_it if n == 1}
        nearest, broken, _ = min(by_it, key=lambda each: (each[2], each[1].factor))
        text = nearest.candidate.suite
        if broken.found is not None:
            text += f": {relaxing(broken)}"
        rows.append([_option(limit), str(len(kinds)), str(len(only)), text])
    print_table(
        screen,
        (
            Column("limit"),
            Column("suites\nout", numeric=True),
            Column("by it\nalone", numeric=True),
            Column("the nearest", wraps=True, rank=0),
        ),
        rows,
        title="What is out, and by which limit",
        caption="All of them, with their limits: --json.",
        empty="nothing",
    )
    for layer in LAYERS:
        if text := _out_of_layer(told, layer):
            print_text(screen, text)


def _option(limit: str) -> str:
    return _FLAGS.get(limit) or _OPTIONS[limit][0]


def _out_of_layer(told: Advice, layer: str) -> str:
    """Return why nothing of a layer fits; nothing when something does."""
    at_layer = [pair for pair in told.out if pair[0].candidate.layer == layer]
    fits = any(each.candidate.layer == layer for each in told.fitting)
    if fits or not at_layer or not told.fitting:
        return ""
    choice, breaks = min(at_layer, key=lambda pair: len(pair[1]))
    if any(each.limit == "layer" for each in breaks):
        return ""
    reasons = [
        _REASONS.get(each.limit) or f"does not keep {_option(each.limit)}"
        for each in breaks
    ]
    return (
        f"Out at the layer {layer}: {choice.candidate.suite} {' and '.join(reasons)}."
    )


def commands(choice: Choice, asked: Asked) -> list[str]:
    """Return what makes a choice real, as commands of a shell."""
    own = choice.candidate
    compiler = device(asked.scenario.device).family.compiler
    flags = f"-I {_AMALGAMATION} {choice.flags}"
    target = choice.flags.split(" ", 1)[0]
    return [
        *_MAKERS[own.layer](own, asked.link),
        "cmake --build build/release --target amalgamation",
        f"{compiler} {flags} -c {_AMALGAMATION}/samara.c -o samara.o",
        f"{compiler} {flags} -c main.c -o main.o",
        f"{compiler} {target} -Wl,--gc-sections main.o samara.o -o main.elf",
    ]


_AMALGAMATION = "build/release/amalgamation"


def _made_of_link(own: Candidate, link: str) -> list[str]:
    options = " ".join(
        f"--{name.replace('_', '-')} {shlex.quote(str(value))}"
        for name, value in own.options.items()
    )
    doubtful = "" if own.tag_bytes else " --allow-unauthenticated"
    return [
        f"samara node init sensor --link {link} {options}{doubtful}",
        "samara node init gateway --pair-with sensor",
    ]


def _made_of_payload(own: Candidate, _: str) -> list[str]:
    return [
        f"samara keygen {own.suite} -o link.key",
        f"samara seal {own.suite} --key @link.key --nonce random -i message",
    ]


def _made_of_bits(_own: Candidate, _link: str) -> list[str]:
    return [
        "samara node init sensor --link sdr",
        "samara node init gateway --pair-with sensor",
    ]


_MAKERS: Mapping[str, Callable[[Candidate, str], list[str]]] = {
    "link": _made_of_link,
    "payload": _made_of_payload,
    "physical": _made_of_bits,
}


def print_as_json(told: Advice, asked: Asked) -> None:
    """Print the advice, then each choice that fits, then each that is out."""
    best = told.recommended
    fields = {
        "recommended": None if best is None else _fields(best, asked),
        "sentence": sentence(told),
        "alternatives": [
            {
                "least": each.saving,
                "energy_j_more": each.energy_j,
                "flash_bytes_more": each.flash_bytes,
                **_fields(each.choice, asked),
            }
            for each in told.alternatives()
        ],
        "relax": [_broken(each) for each in told.relax],
        "unreachable": [_broken(each) for each in asked.unreachable],
        "then_fits": None if told.relaxed is None else _fields(told.relaxed, asked),
        "commands": [] if best is None else commands(best, asked),
        "link": asked.link,
        "device": asked.scenario.device,
        "radio": asked.scenario.radio,
        "mac": asked.scenario.mac,
        "battery": asked.scenario.battery,
        "not_measured": list(asked.missing),
    }
    print_json("advice", fields)
    for choice in told.fitting:
        print_json("choice", _fields(choice, asked))
    for choice, breaks in told.out:
        broken = [_broken(each) for each in breaks]
        print_json("excluded_choice", {**_fields(choice, asked), "broken": broken})


def _broken(each: Broken) -> dict[str, Any]:
    """Return a limit; `option` and `value` are what to give to the command."""
    value = None if each.limit in NEVER_SUGGESTED else "any"
    if each.found is not None:
        value = _OPTIONS[each.limit][1](each.found)
    return {
        "limit": each.limit,
        "allowed": each.allowed,
        "found": each.found,
        "option": _option(each.limit),
        "value": value,
    }


def _fields(choice: Choice, asked: Asked) -> dict[str, Any]:
    own = choice.candidate
    origin = Origin.ASSUMED if asked.scenario.unchecked() else Origin.ESTIMATED

    def figure(value: float, unit: str) -> Figure:
        return Figure(value, unit, origin, _MODEL)

    return {
        "layer": own.layer,
        "suite": own.suite,
        "standing": own.standing,
        "tag_bytes": own.tag_bytes,
        "encrypts": own.encrypts,
        "interoperable": own.is_interoperable,
        "options": own.options,
        "implementation": choice.build.implementation,
        "opt": choice.build.opt,
        "air_bytes": choice.air_bytes,
        "energy": figure(choice.energy_j, "J"),
        "security_energy": figure(choice.security_j, "J"),
        "life": {
            "low": figure(choice.years.low, "year"),
            "median": figure(choice.years.middle, "year"),
            "high": figure(choice.years.high, "year"),
        },
        "latency": figure(choice.latency_s, "s"),
        "flash_bytes": choice.flash_bytes,
        "ram_bytes": choice.ram_bytes,
        "forgery": choice.forgery,
        "forgeries_per_year": choice.forgeries_per_year,
    }


def rows(told: Advice) -> list[dict[str, Any]]:
    """Return all choices as a table: what fits, the best first, and what does not."""
    return [
        {
            "suite": choice.candidate.suite,
            "layer": choice.candidate.layer,
            "tag_bytes": choice.candidate.tag_bytes,
            "implementation": choice.build.implementation,
            "opt": choice.build.opt,
            "air_bytes": choice.air_bytes,
            "energy_uj": choice.energy_j * 1e6,
            "security_uj": choice.security_j * 1e6,
            "years_10": choice.years.low,
            "years_50": choice.years.middle,
            "years_90": choice.years.high,
            "flash_bytes": choice.flash_bytes,
            "ram_bytes": choice.ram_bytes,
            "latency_s": choice.latency_s,
            "forgery": choice.forgery,
            "out_by": " ".join(each.limit for each in breaks),
        }
        for choice, breaks in (*((one, ()) for one in told.fitting), *told.out)
    ]
