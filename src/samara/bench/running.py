# SPDX-License-Identifier: Apache-2.0
"""Measuring many programs, in the processes of an executor."""

from __future__ import annotations

from concurrent.futures import as_completed
from dataclasses import dataclass, field
from itertools import product
from typing import TYPE_CHECKING

from samara.bench import ways
from samara.bench.measuring import Task, WrongAnswerError, measure
from samara.bench.simulators import CrashError
from samara.bench.simulators.cortex_timing import UnknownCoreError
from samara.bench.sizes import sizes_of
from samara.bench.toolchain import BuildError, ToolMissingError
from samara.bench.ways import Build
from samara.extras import MissingPackageError
from samara.records import Progress, Refusal
from samara.workers import PROCESSORS, processes

if TYPE_CHECKING:
    from collections.abc import Generator, Iterable, Iterator, Sequence
    from concurrent.futures import Executor

    from samara.bench.devices import Device
    from samara.bench.results import Result
    from samara.bench.subjects import Subject


@dataclass(frozen=True, slots=True)
class TaskResult:
    """The results of one task, or an error."""

    task: Task
    results: list[Result]
    error: str = ""
    """Why there are no results."""


@dataclass(slots=True)
class Measured:
    """The results of tasks together."""

    results: list[Result] = field(default_factory=list)
    errors: dict[str, None] = field(default_factory=dict)
    """Each once."""

    def add(self, result: TaskResult) -> None:
        """Add the result of a task."""
        self.results += result.results
        if result.error:
            self.errors[result.error] = None

    def refusals(self) -> list[Refusal]:
        """Return what was not measured, for an answer."""
        return [Refusal(error) for error in self.errors]


def plan(
    devices: Sequence[Device],
    subjects: Sequence[Subject],
    sizes: Sequence[tuple[int, int]] | None = None,
    opts: Sequence[str] = ways.OPTIMISATIONS,
    *,
    all_named: bool = True,
) -> list[Task]:
    """Return one task for each way to compile each subject for each device.

    Parameters
    ----------
    all_named
        Whether the subjects were named one by one. If not, those are left out that a
        device measures only when they are named.
    sizes
        Bytes of message and associated data. Default: those of
        `samara.bench.sizes.sizes_of` for each subject.
    """
    return [
        Task(
            Build(device, implementation, opt),
            subject,
            sizes_of(subject, device.family) if sizes is None else tuple(sizes),
        )
        for device, opt, subject in product(devices, opts, subjects)
        if all_named or device.measures(subject.slug)
        for implementation in ways.implementations(device, subject)
    ]


def carry_out(tasks: Iterable[Task], executor: Executor) -> Iterator[TaskResult]:
    """Measure, and yield the result of each task as soon as it is done.

    Parameters
    ----------
    executor
        Such as `samara.workers.processes`, or that of a cluster.
    """
    for future in as_completed([executor.submit(_attempt, task) for task in tasks]):
        yield future.result()


def task_results(
    tasks: Sequence[Task], jobs: int | None
) -> Iterator[Progress | TaskResult]:
    """Measure in processes of this machine; yield results, and how far it is.

    Parameters
    ----------
    jobs
        Number of processes. Default: one for each processor.
    """
    total = len(tasks)
    yield _progress(0, total)
    with processes(jobs or PROCESSORS) as executor:
        for done, result in enumerate(carry_out(tasks, executor), 1):
            yield result
            yield _progress(done, total)


def _progress(done: int, total: int) -> Progress:
    return Progress(done / total if total else 1.0, f"measuring {done} of {total}")


def measured(
    tasks: Sequence[Task], jobs: int | None
) -> Generator[Progress, None, Measured]:
    """Measure as `task_results`, and return all results together."""
    found = Measured()
    for each in task_results(tasks, jobs):
        if isinstance(each, TaskResult):
            found.add(each)
        else:
            yield each
    return found


def _attempt(task: Task) -> TaskResult:
    build = task.build
    what = f"{task.subject.slug} on {build.device.name}, -{build.opt}"
    try:
        return TaskResult(task, measure(task))
    except CrashError as error:
        return TaskResult(task, [], f"{what}: {error}")
    except (MissingPackageError, ToolMissingError, UnknownCoreError) as error:
        # True of all programs of the device, and of no other device.
        return TaskResult(task, [], f"{build.device.name} is left out: {error}")
    except WrongAnswerError as error:
        return TaskResult(task, [], str(error))
    except BuildError as error:
        # The reason seldom depends on the optimisation, so that is not named.
        what = f"{task.subject.slug} cannot be built for {build.device.name}"
        return TaskResult(task, [], f"{what}: {error}")
