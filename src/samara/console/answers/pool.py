# SPDX-License-Identifier: Apache-2.0
"""The processes that compute answers: one for each, few at a time, bounded in time.

A process takes a moment to start, and to import what most questions need. One more is
therefore kept ready, which waits for the next question.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import os
import signal
import sys
from typing import TYPE_CHECKING, Any, Final

from samara import children
from samara.console.answers.lines import AnswerEnd, AnswerProgress
from samara.records.json_lines import record_line

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator, AsyncIterator, Mapping, Sequence

    from samara.records import Record

RUNNING_MAX: Final = 2
"""Answers that are computed at a time."""
WAITING_MAX: Final = 14
"""Answers that wait for their turn."""
TIME_MAX_S: Final = 180.0
"""What one answer gets, waiting not included."""
_UNREAD_S: Final = 1.0
"""What a browser gets to read the end of an answer whose time is over."""
_LINE_MAX: Final = 1 << 25
_OUTPUT_MAX: Final = 1 << 26
_PROGRAM: Final = ("-m", "samara.console.answers.worker")


class BusyError(Exception):
    """Nothing can be asked now: too much is asked at once, or the console ends."""


class NotAcceptedError(Exception):
    """A question does not take a value; the text says which, and what it takes."""


class Answers:
    """What computes answers for the page.

    Parameters
    ----------
    commands
        ``module:function``; the function returns the command of each question and the
        command's help, by the name of the question.
    time_max_s
        What one answer gets.
    """

    def __init__(self, commands: str = "", time_max_s: float = TIME_MAX_S) -> None:
        self._commands, self._time_max_s = commands, time_max_s
        self._turns = asyncio.Semaphore(RUNNING_MAX)
        self._wanted = 0
        self._processes: set[asyncio.subprocess.Process] = set()
        self._spare: asyncio.subprocess.Process | None = None
        self._describing: asyncio.Task[list[dict[str, Any]]] | None = None
        self._tasks: set[asyncio.Task[None]] = set()
        self._is_closed = False

    @property
    def running(self) -> int:
        """How many processes there are, the one that waits for a question included."""
        return len(self._processes)

    async def questions(self) -> list[dict[str, Any]]:
        """Return all questions, described; see `samara.console.answers.schema`.

        Raises
        ------
        BusyError
            When the process that describes them ended early.
        """
        task = self._describing
        if task is None or (task.done() and (task.cancelled() or task.exception())):
            self._describing = task = asyncio.create_task(self._describe())
        return await asyncio.shield(task)

    async def _describe(self) -> list[dict[str, Any]]:
        process = await self._start("--describe", "--commands", self._commands)
        try:
            said, _ = await process.communicate()
        finally:
            await self._end(process)
        if process.returncode:
            message = "the list of questions could not be read: try again"
            raise BusyError(message)
        found: list[dict[str, Any]] = json.loads(said)
        return found

    async def lines(
        self, question: str, given: Mapping[str, Sequence[str]], *, with_records: bool
    ) -> AsyncGenerator[bytes, None]:
        """Yield the lines of an answer. To cancel it, close the iterator.

        The first line comes at once, the second one when the question has taken all
        values.

        Raises
        ------
        BusyError
            When too many wait already.
        NotAcceptedError
            When it does not take them.
        """
        if self._wanted >= RUNNING_MAX + WAITING_MAX:
            message = "too many answers are being computed: try again in a moment"
            raise BusyError(message)
        asked = {"question": question, "given": given, "with_records": with_records}
        with contextlib.ExitStack() as taken:
            self._wanted += 1
            taken.callback(self._one_less)
            yield _line(AnswerProgress(None, "waiting"))
            await self._turns.acquire()
            taken.callback(self._turns.release)
            async for line in self._computed(asked, taken):
                yield line

    def _one_less(self) -> None:
        self._wanted -= 1

    async def _computed(
        self, asked: Mapping[str, Any], taken: contextlib.ExitStack
    ) -> AsyncIterator[bytes]:
        """Yield what a process answers.

        Parameters
        ----------
        taken
            Gives back what the answer takes: at its end, or soon after its time is
            over. A browser that does not read lets nothing here go on, not even that.
        """
        process, self._spare = self._spare, None
        if process is None or process.returncode is not None:
            process = await self._start()
        # A browser that has gone cancels all that is awaited here.
        taken.callback(self._let_go, process)
        loop = asyncio.get_running_loop()
        until = loop.time() + self._time_max_s
        taken.callback(loop.call_at(until + _UNREAD_S, taken.close).cancel)
        try:
            async for line in _exchanged(process, asked, until):
                yield line
        except TimeoutError:
            limit = f"it took more than {self._time_max_s:g} s"
            yield _end(f"{limit}: ask for less, or run the command in a terminal")

    def _let_go(self, process: asyncio.subprocess.Process) -> None:
        async def ended() -> None:
            await self._end(process)
            await self.get_ready()

        task = asyncio.create_task(ended())
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def get_ready(self) -> None:
        """Describe the questions, and start a process that waits for the next one."""
        with contextlib.suppress(BusyError):
            if self._spare is None:
                self._spare = await self._start()
            await self.questions()

    async def _start(self, *arguments: str) -> asyncio.subprocess.Process:
        if self._is_closed:
            message = "the console ends"
            raise BusyError(message)
        process = await asyncio.create_subprocess_exec(
            *children.tied([sys.executable, *_PROGRAM, *arguments], "TERM"),
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.PIPE,
            start_new_session=True,
            limit=_LINE_MAX,
        )
        self._processes.add(process)
        return process

    async def _end(self, process: asyncio.subprocess.Process) -> None:
        with contextlib.suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
        await process.wait()
        self._processes.discard(process)

    async def close(self) -> None:
        """End all processes."""
        self._is_closed, self._spare = True, None
        while self._processes or self._tasks:
            await asyncio.gather(*map(self._end, list(self._processes)))
            await asyncio.gather(*self._tasks, return_exceptions=True)
        if self._describing is not None:
            await asyncio.gather(self._describing, return_exceptions=True)


async def _exchanged(
    process: asyncio.subprocess.Process, asked: Mapping[str, Any], until: float
) -> AsyncIterator[bytes]:
    """Ask a process, and yield what it answers.

    Raises
    ------
    NotAcceptedError
        When the question does not take a value.
    TimeoutError
        When it has not ended at a time of the event loop.
    """
    assert process.stdin is not None  # noqa: S101 - both are pipes
    assert process.stdout is not None  # noqa: S101
    with contextlib.suppress(ConnectionError):
        process.stdin.write(json.dumps(asked).encode() + b"\n")
        await process.stdin.drain()
    size, last = 0, b""
    while True:
        async with asyncio.timeout_at(until):
            line = await _read(process.stdout)
        size += len(line)
        if line is _TOO_LONG or size > _OUTPUT_MAX:
            yield _end("the answer is too large for a page: ask for less")
            return
        if not line:
            break
        if not last and line.startswith(b'{"not_accepted"'):
            raise NotAcceptedError(json.loads(line)["not_accepted"])
        yield line
        last = line
    if not last.startswith(b'{"type": "answer_end"'):
        yield _end("the process that computed the answer has ended: ask again")


_TOO_LONG = b" "


async def _read(stream: asyncio.StreamReader) -> bytes:
    """Return the next line; `_TOO_LONG` for one that is longer than the limit."""
    try:
        return await stream.readline()
    except ValueError:
        return _TOO_LONG


def _end(problem: str) -> bytes:
    return _line(AnswerEnd(problem))


def _line(record: Record) -> bytes:
    return record_line(record).encode() + b"\n"
