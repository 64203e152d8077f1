# SPDX-License-Identifier: Apache-2.0
"""A program that emulates an air, and is changed while it runs (docs/control.md)."""

from __future__ import annotations

import asyncio
import json
from typing import TYPE_CHECKING, Any, Final

from samara.console.programs import ProgramEndedError, started

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from samara.console.programs import Program

_ANSWER_S: Final = 5.0
_ANSWERS = ("control_done", "control_refused")
_READY_TYPES = ("modem", "channel_ready")
_READY = "the medium is at"


class AirProgram:
    """`samara medium`, `modem`, `channel` or `ip lab`.

    Parameters
    ----------
    name
        What people call it.
    hear
        Called with each object that it prints, but for answers.
    tell_end
        Called when it ends without having been asked to.
    """

    def __init__(
        self,
        name: str,
        hear: Callable[[dict[str, Any]], None],
        tell_end: Callable[[Program], None],
    ) -> None:
        self.name = name
        self._hear, self._tell_end = hear, tell_end
        self._program: Program | None = None
        self._ready: str | None = None
        self._answers: asyncio.Queue[dict[str, Any]] = asyncio.Queue()
        self._turn = asyncio.Lock()

    @property
    def is_running(self) -> bool:
        """Whether it runs."""
        return self._program is not None and self._program.is_running

    @property
    def last_words(self) -> list[str]:
        """The last lines that it said."""
        return [] if self._program is None else self._program.last_words

    async def start(
        self, arguments: Sequence[str], timeout_s: float, ready: str = _READY
    ) -> str:
        """Start it, and return the text by which it said that it is ready.

        Parameters
        ----------
        ready
            Words of that text.

        Raises
        ------
        ProgramEndedError
            When it does not start.
        """
        self._answers, self._ready = asyncio.Queue(), None
        program = await started(self.name, arguments, self._tell_end, self._take)
        self._program = program
        await program.until(lambda: bool(self._ready_text(ready)), timeout_s)
        return self._ready_text(ready)

    def _ready_text(self, ready: str) -> str:
        if self._ready is not None:
            return self._ready
        words = [] if self._program is None else self._program.last_words
        return next((line for line in words if ready in line), "")

    async def ask(self, **line: Any) -> str:  # noqa: ANN401 - as JSON has
        """Let it change something; return its sentence.

        Raises
        ------
        ProgramEndedError
            When it does not run, or refuses.
        """
        program = self._program
        if program is None or not program.is_running:
            message = f"the {self.name} does not run: start it first"
            raise ProgramEndedError(message)
        async with self._turn:
            program.write(json.dumps(line).encode() + b"\n")
            try:
                async with asyncio.timeout(_ANSWER_S):
                    answer = await self._answers.get()
            except TimeoutError:
                message = f"the {self.name} does not answer"
                raise ProgramEndedError(message) from None
        if answer["type"] == "control_refused":
            raise ProgramEndedError(answer["reason"])
        return str(answer["sentence"])

    async def kill(self) -> None:
        """End it at once, and wait for that: then it can be started again."""
        if self._program is not None:
            await self._program.kill()

    async def end(self) -> None:
        """Ask it to end in good order."""
        if self._program is not None:
            await self._program.end()

    def _take(self, line: bytes) -> None:
        try:
            found = json.loads(line)
        except ValueError:
            return
        if found.get("type") in _READY_TYPES:
            self._ready = line.decode()
        elif found.get("type") in _ANSWERS:
            self._answers.put_nowait(found)
        else:
            self._hear(found)
