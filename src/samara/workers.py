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
import queue
import signal
import threading
import traceback
from collections import deque
from concurrent.futures import BrokenExecutor, Executor, Future, ThreadPoolExecutor
from dataclasses import dataclass
from multiprocessing import resource_tracker
from multiprocessing.connection import wait
from typing import TYPE_CHECKING, Any, ParamSpec, TypeVar

from samara.errors import MisuseError
from samara.extras import needed

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator
    from multiprocessing.connection import Connection

PROCESSORS = os.cpu_count() or 1
_CONNECT_TIMEOUT_S = 5

_P = ParamSpec("_P")
_T = TypeVar("_T")


class WorkerEndedError(BrokenExecutor, MisuseError):
    """A process ended in the middle of a task, as where the system lacks memory."""


class ThisThread(Executor):
    """An executor that computes in `submit`, without another thread or process."""

    def submit(
        self, fn: Callable[_P, _T], /, *args: _P.args, **kwargs: _P.kwargs
    ) -> Future[_T]:
        """Call the function and return its result as a future that is done."""
        done: Future[_T] = Future()
        done.set_result(fn(*args, **kwargs))
        return done


class Processes(Executor):
    """An executor with processes that can be killed in the middle of a task.

    Each process has a pipe of its own and is asked for one task at a time, by a thread
    that waits for the answer. Nothing is shared between processes, so killing one
    leaves no lock behind, as it does in `concurrent.futures.ProcessPoolExecutor`.
    """

    def __init__(self, count: int) -> None:
        self._threads = ThreadPoolExecutor(count, initializer=_ignore_broken_pipes)
        with _undisturbed():
            self._children = [_Child() for _ in range(count)]
        self._free: queue.SimpleQueue[_Child] = queue.SimpleQueue()
        for child in self._children:
            self._free.put(child)

    def submit(
        self, fn: Callable[_P, _T], /, *args: _P.args, **kwargs: _P.kwargs
    ) -> Future[_T]:
        """Let a process call the function. Both, and the result, are pickled.

        The future raises WorkerEndedError if the process ends before it answers.
        """
        return self._threads.submit(self._ask, fn, args, kwargs)

    def _ask(
        self, fn: Callable[..., _T], args: tuple[Any, ...], kwargs: dict[str, Any]
    ) -> _T:
        child = self._free.get()
        try:
            return child.call(fn, args, kwargs)
        finally:
            self._free.put(child)

    def kill(self) -> None:
        """Kill the processes; what they were computing is lost."""
        for child in self._children:
            child.kill()

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:  # noqa: FBT001, FBT002 - as Executor has it
        """End the processes after the tasks that have begun, or are not cancelled."""
        self._threads.shutdown(wait, cancel_futures=cancel_futures)
        if wait:
            for child in self._children:
                child.end()


class _Child:
    """A process, and our end of its pipe."""

    def __init__(self) -> None:
        # Started anew: a copy of this process would have its threads' locks.
        context = multiprocessing.get_context("spawn")
        self._pipe, theirs = context.Pipe()
        # Daemon: Python ends it with this process.
        self._process = context.Process(target=_serve, args=(theirs,), daemon=True)
        self._process.start()
        theirs.close()

    def call(
        self, fn: Callable[..., _T], args: tuple[Any, ...], kwargs: dict[str, Any]
    ) -> _T:
        try:
            self._pipe.send((fn, args, kwargs))
            result, error = self._pipe.recv()
        except (EOFError, OSError):
            raise self._ended() from None
        if error is not None:
            raise error
        return result  # type: ignore[no-any-return]

    def _ended(self) -> WorkerEndedError:
        self._process.join(_CONNECT_TIMEOUT_S)
        message = (
            f"a process that computed ended ({self._process.exitcode}) before its task"
            " did: is there enough memory? With fewer --jobs less is needed"
        )
        return WorkerEndedError(message)

    def kill(self) -> None:
        self._process.kill()

    def end(self) -> None:
        self._pipe.close()
        self._process.join()


def _serve(pipe: Connection) -> None:
    """Answer calls until the pipe is closed: the life of a process."""
    # A terminal sends Ctrl-C to all processes; the parent ends this one.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    threading.Thread(target=_end_with_parent, daemon=True).start()
    with contextlib.suppress(EOFError, OSError):
        while True:
            fn, args, kwargs = pipe.recv()
            answer: tuple[Any, Exception | None]
            try:
                answer = fn(*args, **kwargs), None
            except Exception as error:  # noqa: BLE001 - the parent raises it
                error.add_note(traceback.format_exc())
                answer = None, error
            pipe.send(answer)


def _end_with_parent() -> None:
    """End this process with its parent, in the middle of a task, too."""
    parent = multiprocessing.parent_process()
    if parent is not None:
        wait([parent.sentinel])
        os._exit(1)


@contextlib.contextmanager
def _undisturbed() -> Iterator[None]:
    """Start processes: signals wait until that is done.

    Ctrl-C would end a process with a traceback while Python begins there, so SIGINT is
    blocked in what is started. An exception here would leave a process without what
    it is told at its start; another thread may take the signal, so that blocking it in
    this one is not enough.
    """
    # Its start leaves no signal blocked: before, not within.
    resource_tracker.ensure_running()
    came: list[int] = []
    handlers: dict[int, Any] = {}
    if threading.current_thread() is threading.main_thread():
        for number in (signal.SIGINT, signal.SIGTERM):
            if callable(signal.getsignal(number)):
                handlers[number] = signal.signal(number, lambda n, _: came.append(n))
    old = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, old)
        for caught, handler in handlers.items():
            signal.signal(caught, handler)
        for caught in came:
            signal.raise_signal(caught)


def _ignore_broken_pipes() -> None:
    """Make this thread get an error when it writes to a process that has ended.

    Commands leave SIGPIPE to end them, as it ends other programs.
    """
    signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGPIPE})


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
        with processes(count) as pool:
            # A task more for each, so that none waits while results are counted.
            yield Workers(pool, 2 * count)


@contextlib.contextmanager
def threads(count: int) -> Iterator[Workers]:
    """Provide threads for tasks whose work is done by programs that they call."""
    pool = ThreadPoolExecutor(count)
    try:
        yield Workers(pool, count)
    finally:
        pool.shutdown(cancel_futures=True)


@contextlib.contextmanager
def processes(count: int) -> Iterator[Processes]:
    """Provide processes of this machine, and end them afterwards.

    If the block is left by an exception, they are killed: what they compute may take
    minutes.
    """
    pool = Processes(count)
    try:
        yield pool
    except BaseException:
        pool.kill()
        raise
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
