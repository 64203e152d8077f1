# SPDX-License-Identifier: Apache-2.0
"""The programs that the console starts: commands of samara, as processes of their own.

Each is the leader of a process group, and ends when the console does, also when that is
killed. What a program says on stderr is kept; its last words are told when it ends.
"""

from __future__ import annotations

import asyncio
import contextlib
import os
import signal
import sys
from collections import deque
from typing import TYPE_CHECKING, Final, TypeVar

from samara import children

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable, Sequence

STOP_S: Final = 3.0
"""What a program gets to end by itself."""
_WORDS_MAX = 20
_LINE_MAX = 1 << 20
_Printed = TypeVar("_Printed")


class ProgramEndedError(Exception):
    """A program ended when it should not; the text has its last words."""


class Program:
    """A program that runs. `started` makes one.

    Parameters
    ----------
    name
        What people call it, such as ``medium``.
    tell_end
        Called with the exit status when it ends without having been asked to.
    hear
        Called with each line that it prints; None: it prints nothing.
    """

    def __init__(
        self,
        name: str,
        process: asyncio.subprocess.Process,
        tell_end: Callable[[Program], None],
        hear: Callable[[bytes], None] | None = None,
    ) -> None:
        self.name = name
        self._process, self._tell_end = process, tell_end
        self._hear = hear
        self._words: deque[str] = deque(maxlen=_WORDS_MAX)
        self._said = asyncio.Condition()
        self._is_asked_to_end = False
        self._watching = asyncio.create_task(self._watch())
        self._listening = asyncio.create_task(self._listen())

    def write(self, line: bytes) -> None:
        """Write a line to its standard input, if it has one."""
        if self._process.stdin is not None:
            with contextlib.suppress(OSError):
                self._process.stdin.write(line)

    @property
    def is_running(self) -> bool:
        """Whether it has not ended."""
        return self._process.returncode is None

    @property
    def status(self) -> int | None:
        """Its exit status; None while it runs, negative when a signal ended it."""
        return self._process.returncode

    @property
    def last_words(self) -> list[str]:
        """The last lines that it said on stderr."""
        return list(self._words)

    async def wait_for_words(self, words: str, timeout_s: float) -> None:
        """Wait until it has said something on stderr.

        Raises
        ------
        ProgramEndedError
            When it ends, or is silent for so long.
        """
        await self.until(lambda: self._has_said(words), timeout_s)

    async def until(self, is_so: Callable[[], bool], timeout_s: float) -> None:
        """Wait until something is so; it is looked at whenever the program says a line.

        Raises
        ------
        ProgramEndedError
            When it ends, or it is not so in time.
        """
        try:
            async with asyncio.timeout(timeout_s), self._said:
                await self._said.wait_for(lambda: is_so() or not self.is_running)
        except TimeoutError:
            message = f"{self.name} is not ready after {timeout_s:g} s"
            raise ProgramEndedError(message) from None
        if not is_so():
            raise ProgramEndedError(self.exit_sentence())

    async def ended(self, timeout_s: float) -> None:
        """Wait until it has ended by itself, and end it if it has not in time."""
        self._is_asked_to_end = True
        try:
            await asyncio.wait({self._watching, self._listening}, timeout=timeout_s)
        finally:
            self._signal(signal.SIGKILL)

    def exit_sentence(self) -> str:
        """Return a sentence with its exit status and its last words."""
        words = " ".join(self._words) or "it said nothing"
        return f"{self.name} ended ({self._process.returncode}): {words}"

    async def kill(self) -> None:
        """End it at once, as a crash or a loss of power does, and wait for that."""
        self._signal(signal.SIGKILL)
        await asyncio.wait({self._watching}, timeout=STOP_S)

    async def end(self) -> None:
        """Ask it to end in good order, and end it if it does not in time."""
        self._is_asked_to_end = True
        self._signal(signal.SIGTERM)
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(STOP_S):
                await self._process.wait()
        # Also when it ended: it may have left some of its own.
        self._signal(signal.SIGKILL)
        await self._watching
        await self._listening

    def _has_said(self, words: str) -> bool:
        return any(words in line for line in self._words)

    async def _listen(self) -> None:
        """Hand on what it prints."""
        async for line in _lines(self._process.stdout):
            if self._hear is not None:
                self._hand_on(self._hear, line)
            async with self._said:
                self._said.notify_all()

    def _hand_on(self, call: Callable[[_Printed], None], what: _Printed) -> None:
        """Call somebody; go on after a defect: a program that nobody reads waits."""
        try:
            call(what)
        except Exception as error:  # noqa: BLE001 - whatever it is, it is told
            message = f"what {self.name} does could not be told"
            context = {"message": message, "exception": error}
            asyncio.get_running_loop().call_exception_handler(context)

    async def _watch(self) -> None:
        async for line in _lines(self._process.stderr):
            async with self._said:
                self._words.append(line.decode(errors="replace").rstrip())
                self._said.notify_all()
        await self._process.wait()
        async with self._said:
            self._said.notify_all()
        if not self._is_asked_to_end:
            self._hand_on(self._tell_end, self)

    def _signal(self, number: signal.Signals) -> None:
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(self._process.pid, number)


async def _lines(stream: asyncio.StreamReader | None) -> AsyncIterator[bytes]:
    while stream is not None:
        try:
            line = await stream.readline()
        except ValueError:
            # Longer than the limit: it is dropped.
            continue
        if not line:
            return
        yield line


async def started(
    name: str,
    arguments: Sequence[str],
    tell_end: Callable[[Program], None],
    hear: Callable[[bytes], None] | None = None,
) -> Program:
    """Start a command of samara.

    Parameters
    ----------
    arguments
        What follows ``samara`` on the command line. No key is ever in it.
    hear
        Called with each line that it prints; it can then be written to as well.
    """
    pipe = asyncio.subprocess.DEVNULL if hear is None else asyncio.subprocess.PIPE
    process = await asyncio.create_subprocess_exec(
        *children.tied([sys.executable, "-m", "samara.cli", *arguments], "TERM"),
        stdin=pipe,
        stdout=pipe,
        stderr=asyncio.subprocess.PIPE,
        start_new_session=True,
        limit=_LINE_MAX,
    )
    return Program(name, process, tell_end, hear)
