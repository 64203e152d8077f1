# SPDX-License-Identifier: Apache-2.0
"""Many points of a simulation, on the processors of this machine or a Dask cluster.

A point is simulated block by block until it has enough errors. Any executor of
`concurrent.futures` can compute the blocks, in any order. They are counted in the
order of their numbers, up to the one that completes the point, so that the result
does not depend on the executor.
"""

from __future__ import annotations

import contextlib
import itertools
import multiprocessing
import os
import signal
import threading
from collections import deque
from concurrent.futures import Executor, Future, ProcessPoolExecutor
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, ParamSpec, TypeVar

from samara.errors import MisuseError
from samara.extras import needed
from samara.phy.intervals import Tally
from samara.phy.trial import BLOCK_FRAMES, Case, Receiver, run_block

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

_CONNECT_TIMEOUT_S = 5

Tallies = dict[Receiver, Tally]
_P = ParamSpec("_P")
_T = TypeVar("_T")


@dataclass(frozen=True, slots=True)
class Limits:
    """When a point is complete: after so many frame errors, or so many frames."""

    frame_errors: int = 100
    """Frame errors of the receiver that decrypts soft bits."""
    frames: int = 20_000

    @property
    def blocks(self) -> int:
        """The largest number of blocks of a point."""
        return -(-self.frames // BLOCK_FRAMES)


@dataclass(frozen=True, slots=True)
class Point:
    """One case at one Eb/N0 in dB, with what was counted."""

    case: Case
    ebn0_db: float
    tallies: Tallies = field(
        default_factory=lambda: {receiver: Tally() for receiver in Receiver}
    )

    def add(self, tallies: Tallies) -> None:
        """Count one block."""
        for receiver, tally in tallies.items():
            self.tallies[receiver].add(tally)

    @property
    def frame_errors(self) -> int:
        """Frame errors of the receiver that decrypts soft bits."""
        return self.tallies[Receiver.PLE].frame_errors


class ThisThread(Executor):
    """An executor that computes in `submit`, without another thread or process."""

    def submit(
        self, fn: Callable[_P, _T], /, *args: _P.args, **kwargs: _P.kwargs
    ) -> Future[_T]:
        """Call the function and return its result as a future that is done."""
        done: Future[_T] = Future()
        done.set_result(fn(*args, **kwargs))
        return done


@dataclass(frozen=True, slots=True)
class Workers:
    """An executor, and how many blocks it may have at a time."""

    executor: Executor
    blocks: int = 1


@contextlib.contextmanager
def workers(count: int, cluster: str | None = None) -> Iterator[Workers]:
    """Provide workers, and end them afterwards.

    Parameters
    ----------
    count
        Number of processes on this machine; 1: this process. Ignored with a cluster.
    cluster
        Address of a Dask scheduler, such as tcp://HOST:8786. Its workers need
        samara and GNU Radio.

    Raises
    ------
    MisuseError
        If Dask is not installed, or the scheduler does not answer.
    """
    if cluster is not None:
        with _dask(cluster) as found:
            yield found
    elif count == 1:
        yield Workers(ThisThread())
    else:
        # Started anew: a copy of this process would have its threads' locks.
        context = multiprocessing.get_context("spawn")
        pool = ProcessPoolExecutor(count, context, _initialise_worker)
        try:
            # A block more for each, so that none waits while results are counted.
            yield Workers(pool, 2 * count)
        finally:
            pool.shutdown(cancel_futures=True)


@contextlib.contextmanager
def _dask(address: str) -> Iterator[Workers]:
    """Provide the workers of a Dask cluster."""
    with needed("phy"):
        from distributed import Client  # noqa: PLC0415 - takes a second

    try:
        client: Any = Client(address, timeout=_CONNECT_TIMEOUT_S)  # type: ignore[no-untyped-call]
    except (OSError, ValueError) as error:
        message = f"the Dask scheduler {address} does not answer: {error}"
        raise MisuseError(message) from None
    with client:
        threads = sum(client.nthreads().values())
        # Not "pure": a result that is kept by its arguments would stay there.
        yield Workers(client.get_executor(pure=False), max(2, 2 * threads))


def _initialise_worker() -> None:
    """Let a process of the pool end with its parent, and with nothing else."""
    # A terminal sends Ctrl-C to all processes; the parent ends this one.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    threading.Thread(target=_end_with_parent, daemon=True).start()


def _end_with_parent() -> None:
    parent = multiprocessing.parent_process()
    if parent is not None:
        parent.join()
        os._exit(1)


def run(
    points: Sequence[tuple[Case, float]],
    limits: Limits,
    seed: int,
    workers: Workers,
    progress: Callable[[Point], None] = lambda _: None,
) -> Iterator[Point]:
    """Simulate points one after the other; yield each when it is complete.

    Parameters
    ----------
    points
        Cases, each with an Eb/N0 in dB.
    limits
        When a point is complete.
    seed
        The same seed gives the same results.
    workers
        What computes the blocks.
    progress
        Called after each block with the point as it is then.
    """
    for case, ebn0_db in points:
        point = Point(case, ebn0_db)
        for tallies in _in_order(case, ebn0_db, limits.blocks, seed, workers):
            point.add(tallies)
            progress(point)
            if point.frame_errors >= limits.frame_errors:
                break
        yield point


def _in_order(
    case: Case, ebn0_db: float, blocks: int, seed: int, workers: Workers
) -> Iterator[Tallies]:
    """Yield the blocks of a point in the order of their numbers."""
    pending: deque[Future[Tallies]] = deque()
    numbers = iter(range(blocks))
    try:
        while True:
            room = workers.blocks - len(pending)
            for block in itertools.islice(numbers, room):
                pending.append(
                    workers.executor.submit(run_block, case, ebn0_db, seed, block)
                )
            if not pending:
                return
            yield pending.popleft().result()
    finally:
        for future in pending:
            future.cancel()
