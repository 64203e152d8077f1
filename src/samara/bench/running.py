# SPDX-License-Identifier: Apache-2.0
"""Measuring many things, a few at a time."""

from __future__ import annotations

from concurrent.futures import ProcessPoolExecutor, as_completed
from dataclasses import dataclass
from itertools import product
from typing import TYPE_CHECKING

from samara.bench import building, children
from samara.bench.building import Build
from samara.bench.measuring import Task, WrongAnswerError, measure
from samara.bench.simulators import CrashError
from samara.bench.simulators.cortex_timing import UnknownCoreError
from samara.bench.sizes import sizes_of
from samara.bench.toolchain import BuildError, ToolMissingError

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from samara.bench.devices import Device
    from samara.bench.rows import Row
    from samara.bench.subjects import Subject


@dataclass(frozen=True, slots=True)
class Outcome:
    """What became of one task."""

    task: Task
    rows: list[Row]
    error: str = ""
    """Why there are no rows."""


def plan(
    devices: Sequence[Device],
    subjects: Sequence[Subject],
    sizes: Sequence[tuple[int, int]] | None = None,
    opts: Sequence[str] = building.OPTIMISATIONS,
) -> list[Task]:
    """Return one task for each way to compile each subject for each device.

    Parameters
    ----------
    sizes
        Bytes of message and header; by default what `sizes_of` has for a subject.
    """
    return [
        Task(
            Build(device, implementation, opt),
            subject,
            sizes_of(subject) if sizes is None else tuple(sizes),
        )
        for device, opt, subject in product(devices, opts, subjects)
        for implementation in building.implementations(device, subject)
    ]


def carry_out(tasks: Sequence[Task], jobs: int) -> Iterator[Outcome]:
    """Measure, and yield what comes of each task as it is done.

    Whatever ends this process, or the loop over the outcomes, ends the processes
    that measure, and their simulators: see `samara.bench.children`.
    """
    pool = ProcessPoolExecutor(jobs, initializer=children.begin_worker)
    futures = [pool.submit(_attempt, task) for task in tasks]
    try:
        for future in as_completed(futures):
            yield future.result()
    except BaseException:
        # Nobody waits for what is being measured: an MSP430 takes half a minute.
        children.end_workers()
        raise
    finally:
        pool.shutdown(cancel_futures=True)


def _attempt(task: Task) -> Outcome:
    build = task.build
    what = f"{task.subject.slug} on {build.device.name}, -{build.opt}"
    try:
        return Outcome(task, measure(task))
    except CrashError as error:
        return Outcome(task, [], f"{what}: {error}")
    except (ToolMissingError, UnknownCoreError) as error:
        # The same for all programs of the device, and nothing to other devices.
        return Outcome(task, [], f"{build.device.name} is left out: {error}")
    except WrongAnswerError as error:
        return Outcome(task, [], str(error))
    except BuildError as error:
        # Other flags seldom change why: so they are not named.
        what = f"{task.subject.slug} cannot be built for {build.device.name}"
        return Outcome(task, [], f"{what}: {error}")
