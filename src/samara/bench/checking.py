# SPDX-License-Identifier: Apache-2.0
"""Comparing new figures with the committed ones.

Simulated runs are exact, so every difference counts, whatever changed in the sources,
until somebody accepts it and gives the reason. Figures of another version of the
compiler cannot be compared; they are counted.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Annotated, Any

from samara.bench import requests, running, sanity, store
from samara.bench.requests import DeviceNames, ImplementationNames, Jobs, SuiteNames
from samara.records import (
    Answer,
    Field,
    Notice,
    Parameter,
    Record,
    Refusal,
    Remark,
    Request,
    record_class,
    request_class,
)

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from samara.bench.devices import Device
    from samara.bench.measuring import Task
    from samara.bench.results import Result
    from samara.bench.subjects import Subject

_SHOWN_MAX = 20
"""Sentences of one kind that people are told."""

SIZES = ((95, 14),)
OPTS = ("Os",)
SAMPLES = 2
"""What `tasks` measures of every suite, unless it is to be everything."""

NUMBERS = ("code_bytes", "static_ram_bytes", "stack_bytes")
BY_OPERATION = ("cycles", "instructions", "time_us", "energy_uj", "varies")
"""Figures by operation. An operation that is missing in `varies` has 0."""
_OTHERS = ("problem", "constant_time", "origin")
_OF_SAMPLES = ("constant_time", "varies")


@record_class
class Difference(Record):
    """A figure that differs from the committed one."""

    device: Annotated[str, Field("Name of the device.")]
    suite: Annotated[str, Field("Suite or block cipher.")]
    implementation: Annotated[str, Field("`portable` (C), or that of core/arch.")]
    opt: Annotated[str, Field("Optimisation of the compiler.")]
    message_bytes: Annotated[int, Field("Size of the message.", unit="byte")]
    ad_bytes: Annotated[int, Field("Size of the associated data.", unit="byte")]
    figure: Annotated[str, Field("Its name, such as `code_bytes` or `cycles seal`.")]
    committed: Annotated[Any, Field("The figure in results/.")]
    found: Annotated[Any, Field("The figure that was measured now.")]
    better: Annotated[bool, Field("Whether it is a number that is smaller now.")]

    def __str__(self) -> str:
        program = f"{self.device} {self.suite} {self.implementation} {self.opt}"
        kind = "better" if self.better else "worse or other"
        return (
            f"{program} {self.message_bytes}+{self.ad_bytes}: {self.figure} was"
            f" {self.committed}, is {self.found} ({kind})"
        )


def _is_better(figure: str, before: object, now: object) -> bool:
    if figure == "constant_time":
        return False
    return _is_number(before) and _is_number(now) and now < before  # type: ignore[operator]


def _is_number(value: object) -> bool:
    return isinstance(value, int | float)


@request_class
class CheckRequest(Request):
    """What is measured again."""

    CHANGES = "builds and results"

    devices: DeviceNames = ()
    suites: SuiteNames = ()
    everything: Annotated[
        bool,
        Parameter(
            name="all", help="Measure all that `bench run` measures: 30 minutes."
        ),
    ] = False
    implementations: ImplementationNames = ()
    jobs: Jobs = None


@record_class
class Check(Record):
    """How many figures differ from the committed ones; the last line."""

    compared: Annotated[int, Field("Results that were compared.")]
    differences: Annotated[int, Field("Figures that differ.")]
    better: Annotated[int, Field("Of these, improvements.")]
    cannot_be_true: Annotated[
        tuple[str, ...], Field("What is wrong with committed results, in sentences.")
    ]
    not_committed: Annotated[int, Field("Results of which none are committed.")]
    other_compiler: Annotated[
        Mapping[str, int],
        Field("Results that were committed with another compiler, by both compilers."),
    ]


@dataclass(frozen=True, slots=True)
class Comparison:
    """The outcome of comparing results."""

    differences: list[Difference]
    compared: int
    """Results that were compared."""
    unknown: int
    """Results of which none are committed."""
    other_compiler: dict[str, int]
    """Those that were committed with another compiler, by the names of both."""

    @property
    def better(self) -> int:
        """How many of the differences are improvements."""
        return sum(each.better for each in self.differences)


def check(request: CheckRequest) -> Answer[Difference | Check]:
    """Measure again, and yield what differs from the committed results.

    Raises
    ------
    samara.crypto.UnknownNameError
        If a device or a suite is not known.
    MisuseError
        If an implementation is not known, or nothing is selected.
    """
    yield from requests.notices(request.devices)
    devices = requests.chosen_devices(request.devices)
    committed = store.read(
        *(store.committed_of(one.name) for one in devices), strict=True
    )
    faults = sanity.faults(committed)
    planned = tasks(
        devices,
        requests.chosen_subjects(request.suites),
        everything=request.everything,
        all_named=bool(request.suites),
    )
    found = yield from running.measured(
        requests.only(planned, request.implementations), request.jobs
    )
    compared = compare(found.results, committed)
    yield from compared.differences
    yield Check(
        compared=compared.compared,
        differences=len(compared.differences),
        better=compared.better,
        cannot_be_true=tuple(faults),
        not_committed=compared.unknown,
        other_compiler=compared.other_compiler,
    )
    yield from found.refusals()
    yield from map(Refusal, first([f"cannot be true: {fault}" for fault in faults]))
    yield from _summary(compared)


def _summary(compared: Comparison) -> Iterator[Notice | Remark | Refusal]:
    """Yield what a comparison has found, in sentences."""
    yield from difference_notices(compared.differences)
    for compilers, count in compared.other_compiler.items():
        text = f"{count} results not compared: other compiler: {compilers}"
        yield Notice(text, at_once=True)
    if compared.unknown:
        text = f"{compared.unknown} results not compared: none are committed"
        yield Notice(text, at_once=True)
    count, better = len(compared.differences), compared.better
    yield Remark(
        f"{compared.compared} results compared, {count} figures differ:"
        f" {better} better, {count - better} worse or other",
        is_line=True,
    )
    if compared.differences:
        yield Refusal(
            "to commit to the new figures, with the reason:"
            f" samara bench accept {_selection(compared.differences)} --why TEXT"
        )
    elif not compared.compared:
        yield Refusal()


def difference_notices(differences: Sequence[Difference]) -> Iterator[Notice]:
    """Yield which figures differ, the worse ones first."""
    worst_first = sorted(differences, key=lambda each: each.better)
    for text in first(list(map(str, worst_first))):
        yield Notice(text, at_once=True)


def first(sentences: Sequence[str]) -> Iterator[str]:
    """Yield the first of many sentences, and how many more there are."""
    yield from sentences[:_SHOWN_MAX]
    if len(sentences) > _SHOWN_MAX:
        yield f"... and {len(sentences) - _SHOWN_MAX} more"


def _selection(differences: Sequence[Difference]) -> str:
    """Return the options that select all programs with a difference."""
    chosen = dict.fromkeys(f"--device {each.device}" for each in differences)
    suites = dict.fromkeys(f"--suite {each.suite}" for each in differences)
    return " ".join([*chosen, *suites])


def tasks(
    devices: Sequence[Device],
    suites: Sequence[Subject],
    *,
    everything: bool = False,
    all_named: bool = True,
) -> list[Task]:
    """Return one size of every suite with -Os, or all that a run measures of them."""
    if everything:
        return running.plan(devices, suites, all_named=all_named)
    few = running.plan(devices, suites, SIZES, OPTS, all_named=all_named)
    return [replace(task, samples=SAMPLES) for task in few]


def compare(found: Sequence[Result], committed: Sequence[Result]) -> Comparison:
    """Compare results with the committed ones."""
    known = {result.identity: result for result in committed}
    differences: list[Difference] = []
    other_compiler: dict[str, int] = {}
    compared = unknown = 0
    for new in found:
        old = known.get(new.identity)
        if old is None:
            unknown += 1
        elif old.compiler != new.compiler:
            said = f"{new.device}: {new.compiler}, and not {old.compiler}"
            other_compiler[said] = other_compiler.get(said, 0) + 1
        else:
            compared += 1
            differences += differences_of(old, new)
    return Comparison(differences, compared, unknown, other_compiler)


def differences_of(old: Result, new: Result) -> list[Difference]:
    """Return the figures that differ between two results about the same."""
    return [
        Difference(
            *new.program,
            new.message_bytes,
            new.ad_bytes,
            figure,
            before,
            now,
            _is_better(figure, before, now),
        )
        for figure, before, now in _pairs(old, new)
        if before != now
    ]


def _pairs(old: Result, new: Result) -> Iterator[tuple[str, Any, Any]]:
    # Fewer samples may not show that times vary.
    unknown = () if new.samples == old.samples else _OF_SAMPLES
    for name in (*NUMBERS, *_OTHERS):
        if name not in unknown:
            yield name, getattr(old, name), getattr(new, name)
    for name in BY_OPERATION:
        if name in unknown:
            continue
        before, now = getattr(old, name) or {}, getattr(new, name) or {}
        missing = 0 if name == "varies" else None
        for operation in dict.fromkeys([*before, *now]):
            figure = f"{name} {operation}"
            yield figure, before.get(operation, missing), now.get(operation, missing)
