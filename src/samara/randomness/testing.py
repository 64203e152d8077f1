# SPDX-License-Identifier: Apache-2.0
"""Testing a source by NIST's tests in several processes: a run that can go on."""

from __future__ import annotations

from contextlib import closing, suppress
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from samara.errors import MisuseError
from samara.randomness import running, sts
from samara.randomness.judging import judge
from samara.randomness.storing import Folder
from samara.records import Notice, Progress
from samara.workers import PROCESSORS
from samara.workers import workers as parallel

if TYPE_CHECKING:
    from collections.abc import Generator, Iterator
    from pathlib import Path

    from samara.randomness.judging import Verdict
    from samara.randomness.running import Row
    from samara.randomness.settings import Settings
    from samara.randomness.sources import GivenSource

_MINUTE_S = 60
_DIGITS = b"01 \r\n"
"""Characters of a file with bits as text, which NIST's program reads, too."""
_START_S = 3.0
"""What it takes until processes have begun, in seconds."""


class WorkerSettings(NamedTuple):
    """Who computes."""

    workers: int = PROCESSORS
    """Processes of this machine."""
    cluster: str | None = None
    """Address of a Dask scheduler, in place of them."""


class Tested(NamedTuple):
    """The outcome of a run."""

    verdict: Verdict
    is_whole: bool
    """Whether all sequences are in it: it was not interrupted."""


def tested(
    settings: Settings,
    given: GivenSource | None,
    worker_settings: WorkerSettings,
    output: Path | None,
) -> Generator[Progress | Notice, None, Tested]:
    """Test sequences, yield how far it is, and return what was found.

    Ctrl-C ends the run with the sequences that are done, if there are any.

    Parameters
    ----------
    given
        The source, if it is not computed.
    output
        Directory of the run, where one that was interrupted goes on.

    Raises
    ------
    MisuseError
        If the source is too short, or the directory has another run.
    """
    folder = None if output is None else Folder(output, settings)
    rows = [] if folder is None else list(folder.found)
    _go_on(settings, given, len(rows))
    count = _wanted(settings, given, len(rows))
    is_whole = False
    work = _work(settings, given, range(len(rows), count), worker_settings)
    with suppress(KeyboardInterrupt), closing(work):
        for each in work:
            if isinstance(each, (Progress, Notice)):
                yield each
                continue
            rows.append(each)
            if folder is not None:
                folder.add(each)
        is_whole = True
    if folder is not None:
        folder.close()
    if not rows and not is_whole:
        raise KeyboardInterrupt
    if not rows:
        raise MisuseError(_too_short(settings, None))
    sections = [test.section for test in sts.TESTS for _ in test.names]
    return Tested(judge(sts.NAMES, sections, np.array(rows)), is_whole)


def _go_on(settings: Settings, given: GivenSource | None, done: int) -> None:
    """Pass over what an interrupted run has tested, where that can be done."""
    if given is None or not done or given.goes_on:
        return
    if not given.can_be_read_again:
        message = (
            f"a run of {settings.source} cannot go on: what it tested was not stored; "
            "give another directory"
        )
        raise MisuseError(message)
    given.skip(done * running.sequence_size(settings.bits))


def _wanted(settings: Settings, given: GivenSource | None, done: int) -> int:
    """Return how many sequences there will be: a file may hold fewer than wanted."""
    size = None if given is None else given.size
    if size is None:
        return settings.sequences
    holds = done + size // running.sequence_size(settings.bits)
    if not holds:
        raise MisuseError(_too_short(settings, size))
    return min(settings.sequences, holds)


def _too_short(settings: Settings, size: int | None) -> str:
    """Return the sentence on a source of so many bytes; None: of a stream."""
    has = "ended before its first sequence did"
    if size is not None:
        has = f"holds {8 * size:,} bits"
    return (
        f"{settings.source} {has}, and a sequence takes {settings.bits:,}: give "
        "--bits, or more data"
    )


def _work(
    settings: Settings,
    given: GivenSource | None,
    indices: range,
    worker_settings: WorkerSettings,
) -> Generator[Row | Progress | Notice, None, None]:
    """Test sequences; the first one here, which tells how long all will take."""
    if not indices:
        return
    first = yield from _first(settings, given, indices[0])
    if first is None:
        return
    row, seconds = first
    yield row
    rest = indices[1:]
    workers = min(worker_settings.workers, len(rest) or 1)
    yield from _time(
        settings, len(rest), seconds, worker_settings._replace(workers=workers)
    )
    with parallel(workers, worker_settings.cluster) as pool:
        found: Iterator[Row] = (
            running.of_computed(settings, rest, pool)
            if given is None
            else running.of_given(settings, given, len(rest), pool)
        )
        for done, row in enumerate(found, start=1):
            yield row
            yield Progress(done / len(rest), "sequences")


def _first(
    settings: Settings, given: GivenSource | None, index: int
) -> Generator[Notice, None, tuple[Row, float] | None]:
    if given is None:
        return running.timed(settings, index)
    size = running.sequence_size(settings.bits)
    data = given.read(size)
    if data and not data.translate(None, _DIGITS):
        text = (
            f"{settings.source} has nothing but the characters 0 and 1, each of which"
            " is tested as eight bits: pack eight digits into a byte"
        )
        yield Notice(text, warns=True)
    return running.timed_bytes(data, settings.bits) if len(data) == size else None


def _time(
    settings: Settings, count: int, each_s: float, worker_settings: WorkerSettings
) -> Iterator[Notice]:
    """Yield how long the run will take, before it begins."""
    if not count:
        return
    others = "sequence" if count == 1 else f"{count} sequences"
    what = f"the other {others} of {settings.bits:,} bits"
    if worker_settings.cluster is not None:
        cluster = worker_settings.cluster
        text = f"{what}, {each_s:.2f} s each on this machine, for {cluster}"
        yield Notice(text, at_once=True)
        return
    workers = worker_settings.workers
    whole_s = count * each_s / min(workers, PROCESSORS)
    whole_s += _START_S if workers > 1 else 0
    by = "one process" if workers == 1 else f"{workers} processes"
    take = "takes" if count == 1 else "take"
    text = f"{what} {take} about {duration(whole_s)} by {by} ({each_s:.2f} s each)"
    yield Notice(text, at_once=True)


def duration(seconds: float) -> str:
    """Return a time as people say it, such as ``2 min``."""
    if seconds < 2 * _MINUTE_S:
        return f"{max(seconds, 1):.0f} s"
    if seconds < 2 * _MINUTE_S**2:
        return f"{seconds / _MINUTE_S:.0f} min"
    return f"{seconds / _MINUTE_S**2:.1f} h"
