# SPDX-License-Identifier: Apache-2.0
"""Replacing committed figures by new ones, with the reason.

The reasons are in results/accepted.jsonl, one line for each program: what it is, the
reason, and for each figure that changed the number of sizes and the greatest change.
"""

from __future__ import annotations

import json
from dataclasses import replace
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Annotated, Any, ClassVar

from samara.bench import checking, requests, running, store, ways
from samara.bench.checking import Difference, difference_notices
from samara.bench.requests import (
    DeviceNames,
    ImplementationNames,
    Jobs,
    Optimisations,
    SuiteNames,
)
from samara.bench.results import ProgramName
from samara.errors import MisuseError
from samara.records import (
    Answer,
    Field,
    Parameter,
    Record,
    Refusal,
    Remark,
    Request,
    record_class,
    request_class,
)

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from samara.bench.measuring import Task
    from samara.bench.results import Result, Sizes


@request_class
class AcceptRequest(Request):
    """What is measured again and accepted, and why."""

    CHANGES = "results"

    why: Annotated[
        str,
        Parameter(
            metavar="TEXT",
            help="Reason for the new figures, kept in results/accepted.jsonl.",
        ),
    ]
    devices: DeviceNames = ()
    suites: SuiteNames = ()
    opts: Optimisations = ()
    implementations: ImplementationNames = ()
    everything: Annotated[
        bool, Parameter(name="all", help="Accept everything, not a selection.")
    ] = False
    jobs: Jobs = None

    def tasks(self) -> list[Task]:
        """Return what is to be measured.

        Raises
        ------
        samara.crypto.UnknownNameError
            If a device or a suite is not known.
        MisuseError
            If the reason is empty, or nothing can be accepted.
        """
        if not self.why.strip():
            message = (
                "--why is empty: give the reason for the new figures in a sentence"
            )
            raise MisuseError(message)
        selects = self.devices or self.suites or self.opts or self.implementations
        if not (selects or self.everything):
            message = (
                "select what to accept by --device, --suite, --opt or --implementation,"
                " or give --all"
            )
            raise MisuseError(message)
        subjects = requests.chosen_subjects(self.suites)
        added = [one.slug for one in subjects if one.source is not None]
        if added:
            message = f"{added[0]} is not a cipher of samara: results/ has only those"
            raise MisuseError(message)
        devices = requests.chosen_devices(self.devices)
        planned = running.plan(
            devices,
            subjects,
            None,
            self.opts or ways.OPTIMISATIONS,
            all_named=bool(self.suites),
        )
        return tasks(requests.only(planned, self.implementations))


@record_class
class Acceptance(Record):
    """How many results were accepted; the last line."""

    TYPE: ClassVar[str] = "accept"

    accepted: Annotated[int, Field("Results that were measured and accepted.")]
    differences: Annotated[int, Field("Figures that changed.")]


def accept(request: AcceptRequest) -> Answer[Difference | Acceptance]:
    """Measure again, replace committed figures, and yield those that changed.

    If anything cannot be measured, nothing is replaced.

    Raises
    ------
    samara.crypto.UnknownNameError, MisuseError
        As `AcceptRequest.tasks`.
    """
    yield from requests.notices(request.devices)
    found = yield from running.measured(request.tasks(), request.jobs)
    if found.errors:
        yield from found.refusals()
        yield Refusal("nothing is accepted")
        return
    changes = replace_committed(found.results, request.why.strip())
    yield from changes
    yield Acceptance(len(found.results), len(changes))
    yield from difference_notices(changes)
    yield Remark(
        f"{len(found.results)} results accepted, {len(changes)} figures changed",
        is_line=True,
    )


def replace_committed(rows: Sequence[Result], reason: str) -> list[Difference]:
    """Put results into the committed ones; return the figures that changed.

    Parameters
    ----------
    rows
        All sizes of each program that they are about: these are replaced.
    reason
        The reason for the new figures.
    """
    changes: list[Difference] = []
    entries = []
    committed = store.read(store.committed(), strict=True)
    known = {result.identity: result for result in committed}
    for program in _by_program(rows):
        pairs = [(known.get(new.identity), new) for new in program]
        differences = [
            each
            for old, new in pairs
            if old is not None
            for each in checking.differences_of(old, new)
        ]
        changes += differences
        added = sum(old is None for old, _ in pairs)
        if differences or added:
            entries.append(_entry(program[0], reason, differences, added))
    store.replace(store.committed(), rows)
    _write(entries)
    return changes


def tasks(plan: Sequence[Task]) -> list[Task]:
    """Return the tasks with all committed sizes of their programs added."""
    sizes: dict[ProgramName, list[Sizes]] = {}
    for result in store.read(store.committed(), strict=True):
        sizes.setdefault(result.program, []).append(result.sizes)
    return [_with_sizes(task, sizes) for task in plan]


def _with_sizes(
    task: Task, sizes: Mapping[ProgramName, Sequence[tuple[int, int]]]
) -> Task:
    build = task.build
    name = ProgramName(
        build.device.name, task.subject.slug, build.implementation, build.opt
    )
    every = dict.fromkeys([*task.sizes, *sizes.get(name, ())])
    return replace(task, sizes=tuple(every))


def _by_program(rows: Iterable[Result]) -> list[list[Result]]:
    programs: dict[ProgramName, list[Result]] = {}
    for row in rows:
        programs.setdefault(row.program, []).append(row)
    return list(programs.values())


def _entry(
    result: Result, reason: str, differences: Sequence[Difference], added: int
) -> dict[str, Any]:
    entry = {
        "date": datetime.now(UTC).date().isoformat(),
        **result.program._asdict(),
        "why": reason,
        "revision": result.revision,
        "sources": result.sources,
        "compiler": result.compiler,
        "changed": _summary(differences),
    }
    return entry | ({"new_sizes": added} if added else {})


def _summary(differences: Sequence[Difference]) -> dict[str, Any]:
    """Return, for each figure, how many changed and the greatest change."""
    by_figure: dict[str, list[Difference]] = {}
    for each in differences:
        by_figure.setdefault(each.figure, []).append(each)
    summary = {}
    for figure, group in by_figure.items():
        most = max(group, key=_growth)
        summary[figure] = {
            "count": len(group),
            "from": most.committed,
            "to": most.found,
        }
    return summary


def _growth(difference: Difference) -> float:
    try:
        return abs(float(difference.found) / float(difference.committed) - 1)
    except (TypeError, ValueError, ZeroDivisionError):
        # A change from or to 0, or of something that is not a number, comes first.
        return float("inf")


def _write(entries: Sequence[dict[str, Any]]) -> None:
    path = store.committed() / store.ACCEPTED
    with path.open("a", encoding="utf-8") as file:
        for entry in entries:
            file.write(json.dumps(entry, separators=(",", ":")) + "\n")
