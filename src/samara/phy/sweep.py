# SPDX-License-Identifier: Apache-2.0
"""Many points of a simulation, on this machine's processors or a Dask cluster.

A point is simulated block by block until it has errors enough. Blocks are
worked on in any order, anywhere; they are counted in the order of their
numbers, up to the one that brings enough, so that the result is the same
whatever the workers.
"""

from __future__ import annotations

import contextlib
import itertools
import signal
from collections import deque
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Protocol

from samara.errors import MisuseError
from samara.phy.intervals import Tally
from samara.phy.trial import BLOCK_FRAMES, Case, Receiver, run_block

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

# Blocks handed out ahead, for each worker.
_AHEAD = 2
_CONNECT_TIMEOUT_S = 5

Tallies = dict[Receiver, Tally]


@dataclass(frozen=True, slots=True)
class Limits:
    """When a point is done."""

    frame_errors: int = 100
    """Of the receiver that decrypts soft bits."""
    frames: int = 20_000

    @property
    def blocks(self) -> int:
        """Blocks that a point has at most."""
        return -(-self.frames // BLOCK_FRAMES)


@dataclass(frozen=True, slots=True)
class Point:
    """One case at one Eb/N0 in dB, and what came of it."""

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
        """Of the receiver that decrypts soft bits."""
        return self.tallies[Receiver.PLE].frame_errors


class Pending(Protocol):
    """A block that somebody works on."""

    def result(self) -> Tallies:
        """Wait for it."""

    def cancel(self) -> Any:  # noqa: ANN401 - nobody looks
        """Do not work on it any more."""


class Workers(Protocol):
    """Those who work on blocks."""

    count: int

    def submit(self, case: Case, ebn0_db: float, seed: int, block: int) -> Pending:
        """Hand out a block."""


@dataclass(frozen=True, slots=True)
class _Here:
    """A block that is worked on when its result is asked for."""

    arguments: tuple[Case, float, int, int]

    def result(self) -> Tallies:
        return run_block(*self.arguments)

    def cancel(self) -> None:
        pass


class ThisProcess:
    """No other process at all."""

    count = 1

    def submit(self, case: Case, ebn0_db: float, seed: int, block: int) -> Pending:
        """Hand out a block."""
        return _Here((case, ebn0_db, seed, block))


class DaskWorkers:
    """The workers of a Dask cluster."""

    def __init__(self, client: Any) -> None:  # noqa: ANN401 - imported lazily
        self._client = client
        self.count = max(1, sum(client.nthreads().values()))

    def submit(self, case: Case, ebn0_db: float, seed: int, block: int) -> Pending:
        """Hand out a block."""
        # Not remembered by its arguments: that would keep it on the cluster.
        pending: Pending = self._client.submit(
            run_block, case, ebn0_db, seed, block, pure=False
        )
        return pending


@contextlib.contextmanager
def workers(count: int, cluster: str | None = None) -> Iterator[Workers]:
    """Provide workers for a while.

    Parameters
    ----------
    count
        Processes on this machine; with 1 it is this one. Ignored with a cluster.
    cluster
        Address of a Dask scheduler, such as tcp://HOST:8786. Its workers need
        samara and GNU Radio.

    Raises
    ------
    MisuseError
        When the cluster does not answer.
    """
    if cluster is None and count == 1:
        yield ThisProcess()
        return
    from distributed import Client, LocalCluster  # noqa: PLC0415 - takes a second

    with contextlib.ExitStack() as stack:
        if cluster is None:
            with _interrupts_ignored():
                local = LocalCluster(  # type: ignore[no-untyped-call]
                    n_workers=count,
                    threads_per_worker=1,
                    dashboard_address=None,
                    silence_logs="ERROR",
                )
            target: Any = stack.enter_context(local)
        else:
            target = cluster
        try:
            client = Client(target, timeout=_CONNECT_TIMEOUT_S)  # type: ignore[no-untyped-call]
        except (OSError, ValueError) as error:
            message = f"the Dask scheduler {cluster} does not answer: {error}"
            raise MisuseError(message) from None
        yield DaskWorkers(stack.enter_context(client))


@contextlib.contextmanager
def _interrupts_ignored() -> Iterator[None]:
    """Have processes that are started meanwhile ignore Ctrl-C.

    A terminal sends it to them as well; this process ends them.
    """
    handler = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, handler)


def run(
    points: Sequence[tuple[Case, float]],
    limits: Limits,
    seed: int,
    hands: Workers,
    progress: Callable[[Point], None] = lambda _: None,
) -> Iterator[Point]:
    """Simulate points, one after the other; yield each when it is done.

    `progress` is called after each block with the point as it is.
    """
    for case, ebn0_db in points:
        point = Point(case, ebn0_db)
        for tallies in _in_order(case, ebn0_db, limits.blocks, seed, hands):
            point.add(tallies)
            progress(point)
            if point.frame_errors >= limits.frame_errors:
                break
        yield point


def _in_order(
    case: Case, ebn0_db: float, blocks: int, seed: int, hands: Workers
) -> Iterator[Tallies]:
    """Yield the blocks of a point by their numbers, some of them under way."""
    under_way: deque[Pending] = deque()
    numbers = iter(range(blocks))
    try:
        while True:
            room = _AHEAD * hands.count - len(under_way)
            for block in itertools.islice(numbers, room):
                under_way.append(hands.submit(case, ebn0_db, seed, block))
            if not under_way:
                return
            yield under_way.popleft().result()
    finally:
        for pending in under_way:
            pending.cancel()
