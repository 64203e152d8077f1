# SPDX-License-Identifier: Apache-2.0
"""Whether committed results can be true at all, by themselves and beside each other.

A figure that was changed by hand, cut off or mixed up with another unit contradicts the
device, the other figures of its row, or the rows of other sizes. To measure again finds
such a row as well, but takes hours for all of them.
"""

from __future__ import annotations

from collections import defaultdict
from itertools import islice
from typing import TYPE_CHECKING

from samara.bench import devices, subjects
from samara.bench.measuring import SAMPLES, sizes_for
from samara.bench.recording import Derived, derived
from samara.bench.results import (
    OPENING_PARTS,
    SEALING_PARTS,
    Operation,
    ProgramName,
)
from samara.bench.running import plan
from samara.bench.sizes import Periods, periods_of
from samara.bench.ways import Build

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from samara.bench.devices import Device
    from samara.bench.results import Result, Sizes

RISES_AFTER = 32
"""Bytes of message, or of associated data, by which cycles rise in any case. By fewer
they may fall: what is left over of a block can cost more than the whole block. Where
blocks do not divide these bytes, cycles rise by whole periods (`Periods`)."""

_OF_PROGRAM = (
    *("code_bytes", "static_ram_bytes", "compiler", "samples", "origin"),
    *("flags", "revision", "sources", "constant_time", "varies"),
)
"""Fields that are the same for all sizes of a program that was measured."""


_PARTS = {Operation.SEAL: SEALING_PARTS, Operation.OPEN: OPENING_PARTS}


def faults(results: Iterable[Result]) -> list[str]:
    """Return what cannot be true of committed results, a line each."""
    return [
        f"{' '.join(name)} {text}"
        for name, rows in _by_program(results).items()
        for text in _of_program(rows)
    ]


def missing(results: Iterable[Result], of: Iterable[Device]) -> list[str]:
    """Return the programs and sizes of a run of everything that have no results.

    Parameters
    ----------
    of
        The devices whose programs must all be there.
    """
    programs = _by_program(results)
    found: list[str] = []
    for task in plan(list(of), subjects.subjects(), all_named=False):
        build, slug = task.build, task.subject.slug
        name = ProgramName(build.device.name, slug, build.implementation, build.opt)
        there = {row.sizes for row in programs.get(name, ())}
        found += [
            f"{' '.join(name)} {_words(*sizes)}: no results"
            for sizes in sizes_for(task.subject, task.sizes)
            if sizes not in there
        ]
    return found


def _by_program(results: Iterable[Result]) -> dict[ProgramName, list[Result]]:
    programs: dict[ProgramName, list[Result]] = {}
    for result in results:
        programs.setdefault(result.program, []).append(result)
    return programs


def _words(message: int, ad: int) -> str:
    return f"{message}+{ad}"


def _of_program(rows: Sequence[Result]) -> Iterator[str]:
    device = {one.name: one for one in devices.devices()}.get(rows[0].device)
    if device is None:
        yield "is of no device"
        return
    for row in rows:
        checks = _of_row(row, device) if row.has_figures else _without_figures(row)
        yield from (f"{_words(*row.sizes)}: {text}" for text in checks)
    measured = [row for row in rows if row.has_figures]
    for field in _OF_PROGRAM:
        if len({str(getattr(row, field)) for row in measured}) > 1:
            yield f"has several values of {field}"
    whole = [row for row in measured if {*row.verbs} <= {*row.counts}]
    # A program may be too large for the device at every size.
    if whole:
        yield from _falling(whole)


def _without_figures(row: Result) -> Iterator[str]:
    if not row.problem:
        yield "neither figures nor a problem"
    for field in ("stack_bytes", "time_us", "energy_uj", "instructions", "varies"):
        if getattr(row, field):
            yield f"{field} without cycles"


def _of_row(row: Result, device: Device) -> Iterator[str]:
    """Yield what cannot be true of a result with figures."""
    yield from _broken(_rules(row, device))
    yield from _broken(_rules_of_sizes(row, device))
    if {*row.counts} - {*row.parts} != {*row.verbs}:
        yield f"cycles are those of {', '.join(row.counts)}"
    else:
        yield from _operations(row)


def _broken(rules: Mapping[str, bool]) -> Iterator[str]:
    return (text for text, is_broken in rules.items() if is_broken)


def _rules(row: Result, device: Device) -> dict[str, bool]:
    """Return whether the fields of a result contradict each other, by the text."""
    build = Build(device, row.implementation, row.opt)
    times = Derived(row.time_us or {}, row.energy_uj or {})
    return {
        "time or energy is not that of its cycles": times
        != derived(device, row.counts),
        "constant_time is not what varies says": row.constant_time is bool(row.varies),
        "figures and a problem": bool(row.problem),
        f"{row.samples} samples, not {SAMPLES}": row.samples != SAMPLES,
        f"origin is {row.origin}": row.origin is not device.family.cycles,
        "flags are not those of its build": row.flags != build.comparable_flags,
        "no compiler or no sources": not (row.compiler and row.sources and row.files),
        f"revision is {row.revision}: sources that nobody has": "-dirty"
        in row.revision,
    }


def _rules_of_sizes(row: Result, device: Device) -> dict[str, bool]:
    """Return the same of the sizes of a result, all in bytes."""
    code, static, stack = (
        -1 if size is None else size
        for size in (row.code_bytes, row.static_ram_bytes, row.stack_bytes)
    )
    return {
        "a message of less than nothing": min(row.sizes) < 0,
        f"code_bytes is {code}": not 0 < code <= device.flash_bytes,
        f"static_ram_bytes is {static}": not 0 <= static <= device.ram_bytes,
        f"stack_bytes is {stack}": not 0 < stack <= device.ram_bytes - static,
    }


def _operations(row: Result) -> Iterator[str]:
    """Yield what is wrong with the counts of a result."""
    whole, parts = row.counts, row.parts
    for name, cycles in whole.items():
        # A call that takes the key has no set-up; a part may have nothing to do.
        least = 0 if name is Operation.SET_UP or name in parts else 1
        if cycles < least:
            yield f"{name} takes {cycles} cycles"
        if name in row.varies and not 0 < row.varies[name] <= cycles:
            yield f"{name} varies by {row.varies[name]} of {cycles} cycles"
        # Every instruction takes a cycle, at least.
        if row.instructions and not 0 <= row.instructions.get(name, -1) <= cycles:
            yield f"{name} has {row.instructions.get(name)} instructions"
    for verb, own in _PARTS.items() if parts else ():
        if sum(parts.get(part, 0) for part in own) != whole[verb]:
            yield f"the parts of {verb} are not {whole[verb]} cycles"


def _periods_of(suite: str) -> Periods:
    known = {subject.slug: subject for subject in subjects.subjects()}
    return periods_of(known[suite]) if suite in known else Periods()


def _falling(rows: Sequence[Result]) -> Iterator[str]:
    """Yield the sizes at which more work takes fewer cycles."""
    by_size = {row.sizes: row for row in rows}
    for one, other in _lines(by_size, _periods_of(rows[0].suite)):
        before, after = by_size[one], by_size[other]
        for verb in before.verbs:
            if verb is Operation.SET_UP:
                falls = before.cycles_of(verb) != after.cycles_of(verb)
            else:
                falls = before.cycles_of(verb) >= after.cycles_of(verb)
            if falls and not before.varies.get(verb):
                yield (
                    f"{_words(*other)}: {verb} takes {after.cycles_of(verb)} cycles,"
                    f" and {before.cycles_of(verb)} for {_words(*one)}"
                )


def _lines(sizes: Iterable[Sizes], periods: Periods) -> Iterator[tuple[Sizes, Sizes]]:
    """Yield pairs of sizes of which the second is more in one respect, by enough."""
    lines: defaultdict[tuple[str, int], list[Sizes]] = defaultdict(list)
    for size in sorted(sizes):
        lines["message", size.ad].append(size)
        lines["ad", size.message].append(size)
    for (grows, _), line in lines.items():
        period = getattr(periods, grows)
        # Two sizes are compared if they differ by a multiple of this.
        step = period if RISES_AFTER % period else 1
        for place, one in enumerate(line):
            least = getattr(one, grows) + RISES_AFTER
            above = (
                o
                for o in line[place:]
                if getattr(o, grows) >= least
                and (getattr(o, grows) - getattr(one, grows)) % step == 0
            )
            yield from ((one, other) for other in islice(above, 1))
