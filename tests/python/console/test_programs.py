# SPDX-License-Identifier: Apache-2.0
"""Programs that the console starts are read to their end, whatever they print."""

from __future__ import annotations

import asyncio
import signal
import sys
from typing import TYPE_CHECKING

from samara.console.programs import Program

if TYPE_CHECKING:
    from collections.abc import Callable

_PRINTS = "import sys; print('one'); print('two', flush=True); sys.stdin.read()"


async def _started(
    hear: Callable[[bytes], None] | None,
    tell_end: Callable[[Program], None] = lambda _: None,
) -> Program:
    process = await asyncio.create_subprocess_exec(
        sys.executable,
        "-c",
        _PRINTS,
        stdin=asyncio.subprocess.PIPE,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.PIPE,
        start_new_session=True,
    )
    return Program("toy", process, tell_end, hear)


def _reported_defects() -> list[str]:
    """Return what the event loop will be told of defects."""
    found: list[str] = []
    asyncio.get_running_loop().set_exception_handler(
        lambda _, context: found.append(repr(context["exception"]))
    )
    return found


def test_what_cannot_be_understood_is_reported_and_the_next_line_is_heard() -> None:
    heard: list[bytes] = []

    def hear(line: bytes) -> None:
        heard.append(line)
        if line == b"one\n":
            message = "no such line"
            raise ValueError(message)

    async def story() -> None:
        defects = _reported_defects()
        program = await _started(hear)
        await program.until(lambda: len(heard) == 2, 30)
        await program.end()
        assert not program.is_running
        assert defects == ["ValueError('no such line')"]

    asyncio.run(story())
    assert heard == [b"one\n", b"two\n"]


def test_a_program_is_ended_although_telling_of_it_fails() -> None:
    def fail(_: Program) -> None:
        message = "nobody can be told"
        raise OSError(message)

    async def story() -> None:
        # As where the disk is full.
        defects = _reported_defects()
        program = await _started(None, fail)
        await program.kill()
        await program.end()
        assert defects == ["OSError('nobody can be told')"]

    asyncio.run(story())


def test_what_was_killed_does_not_run_and_was_told() -> None:
    """Whoever starts it again at once must not be told that it runs."""
    ended: list[Program] = []

    async def story() -> None:
        program = await _started(None, ended.append)
        await program.kill()
        assert not program.is_running
        assert ended == [program]
        assert program.status == -signal.SIGKILL
        await program.end()

    asyncio.run(story())
