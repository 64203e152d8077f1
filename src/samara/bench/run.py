# SPDX-License-Identifier: Apache-2.0
"""Measuring ciphers on devices: of samara, and those that were added."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from samara.bench import requests, running, store, ways
from samara.bench.requests import (
    Ads,
    DeviceNames,
    ImplementationNames,
    Jobs,
    Messages,
    Optimisations,
    SuiteNames,
)
from samara.bench.result_record import ResultRecord, record_of
from samara.bench.results_table import Part, parts_of
from samara.bench.running import Measured, TaskResult
from samara.records import (
    Answer,
    Digest,
    Parameter,
    Progress,
    Request,
    Title,
    request_class,
)

if TYPE_CHECKING:
    from collections.abc import Generator, Iterator, Sequence

    from samara.bench.measuring import Task


@request_class
class RunRequest(Request):
    """What is measured, and where results go."""

    CHANGES = "results"

    devices: DeviceNames = ()
    suites: SuiteNames = ()
    messages: Messages = ()
    ads: Ads = ()
    opts: Optimisations = ()
    implementations: ImplementationNames = ()
    jobs: Jobs = None
    store: Annotated[
        Path | None,
        Parameter(
            metavar="PATH",
            help="File that results are added to, or a directory with a file for each"
            " device.",
            default_text="build/bench/results.jsonl",
        ),
    ] = None

    def tasks(self) -> list[Task]:
        """Return what is to be measured.

        Raises
        ------
        samara.crypto.UnknownNameError
            If a device or a suite is not known.
        MisuseError
            If an implementation is not known, or nothing is selected.
        """
        planned = running.plan(
            requests.chosen_devices(self.devices),
            requests.chosen_subjects(self.suites),
            requests.chosen_sizes(self.messages, self.ads),
            self.opts or ways.OPTIMISATIONS,
            all_named=bool(self.suites),
        )
        return requests.only(planned, self.implementations)


def run(request: RunRequest) -> Answer[ResultRecord]:
    """Compile ciphers, run them on simulators, and yield results as they come.

    Raises
    ------
    samara.crypto.UnknownNameError, MisuseError
        As `RunRequest.tasks`.
    """
    yield from requests.notices(request.devices)
    place = request.store or store.own()
    found = yield from stored(request.tasks(), request.jobs, place)
    yield from found.refusals()


def stored(
    tasks: Sequence[Task], jobs: int | None, place: Path
) -> Generator[Progress | Digest[ResultRecord], None, Measured]:
    """Measure, store and yield results as they come, and return all results.

    Parameters
    ----------
    place
        File or directory that results are added to at once: an interruption loses none.
    """
    found = Measured()
    for each in running.task_results(tasks, jobs):
        if isinstance(each, TaskResult):
            store.append(place, each.results)
            found.add(each)
            # For programs; people are shown all of them as a table.
            yield Digest(map(record_of, each.results), ())
        else:
            yield each
    yield Digest((), _shown(found))
    return found


def _shown(found: Measured) -> Iterator[Title | Part]:
    if found.results:
        yield from parts_of(found.results)
    elif found.errors:
        yield Title("", empty="No results: see the errors.")
    else:
        yield Title("", empty="Nothing to measure.")
