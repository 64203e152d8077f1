# SPDX-License-Identifier: Apache-2.0
"""What computes tasks in parallel: processes of this machine, or a Dask cluster.

Whoever uses it submits tasks whose results depend on their arguments alone, and takes
them in the order of submission: the answer is then the same for any executor.
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
from dataclasses import dataclass
from multiprocessing.connection import wait
from typing import TYPE_CHECKING, Any, ParamSpec, TypeVar

from samara.errors import MisuseError
from samara.extras import needed

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator
    from multiprocessing.connection import Connection

_CONNECT_TIMEOUT_S = 5

_P = ParamSpec("_P")
_T = TypeVar("_T")


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
    """An executor, and how many tasks it may have at a time."""

    executor: Executor
    tasks: int = 1


@contextlib.contextmanager
def workers(count: int, cluster: str | None = None) -> Iterator[Workers]:
    """Provide workers, and end them afterwards.

    Parameters
    ----------
    count
        Number of processes on this machine; 1: this process. Ignored with a cluster.
    cluster
        Address of a Dask scheduler, such as tcp://HOST:8786. Its workers need
        samara.

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
        # What is read from it is its end: all processes end then, in the middle of a
        # task, too. Without it, an interruption would wait for tasks that have begun.
        ending, open_end = context.Pipe(duplex=False)
        pool = ProcessPoolExecutor(count, context, _initialise_worker, (ending,))
        try:
            # A task more for each, so that none waits while results are counted.
            yield Workers(pool, 2 * count)
        except BaseException:
            open_end.close()
            threading.Thread(target=_drain, args=(pool,), daemon=True).start()
            raise
        finally:
            pool.shutdown(cancel_futures=True)
            open_end.close()
            ending.close()


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


def _initialise_worker(ending: Connection) -> None:
    """Let a process of the pool end with its parent or its pool, and nothing else."""
    # A terminal sends Ctrl-C to all processes; the parent ends this one.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    threading.Thread(target=_end_with, args=(ending,), daemon=True).start()


def _drain(pool: Any) -> None:  # noqa: ANN401 - it has no public way to do this
    """Read the tasks that are left over when all processes of a pool have ended.

    Python before 3.12 waits until they are written, which nobody reads.
    """
    for process in list((pool._processes or {}).values()):  # noqa: SLF001
        wait([process.sentinel])
    with contextlib.suppress(OSError, EOFError):
        while True:
            pool._call_queue._reader.recv_bytes()  # noqa: SLF001


def _end_with(ending: Connection) -> None:
    parent = multiprocessing.parent_process()
    wait([ending] if parent is None else [ending, parent.sentinel])
    os._exit(1)


def in_order(
    workers: Workers, function: Callable[..., _T], arguments: Iterable[tuple[Any, ...]]
) -> Iterator[_T]:
    """Call a function many times in parallel; yield the results in order.

    No more calls are submitted than the workers may have at a time, and those that
    are left when the iterator is closed are cancelled.

    Parameters
    ----------
    arguments
        Of each call; they are taken as the calls are submitted.
    """
    pending: deque[Future[_T]] = deque()
    rest = iter(arguments)
    try:
        while True:
            for each in itertools.islice(rest, workers.tasks - len(pending)):
                pending.append(workers.executor.submit(function, *each))
            if not pending:
                return
            yield pending.popleft().result()
    finally:
        for future in pending:
            future.cancel()
