# SPDX-License-Identifier: Apache-2.0
"""A runner: a program of the bench's own around a processor, in its own process.

Each family of devices that has one describes its lines at the head of its source.
"""

from __future__ import annotations

import subprocess
from typing import TYPE_CHECKING, Self

from samara import children
from samara.bench.simulators.base import CrashError, Run, StackOverflowError, repeated

if TYPE_CHECKING:
    from collections.abc import Sequence


class Runner:
    """A processor with a program in it, behind the standard streams of a runner."""

    def __init__(self, command: Sequence[str]) -> None:
        self._process = subprocess.Popen(  # noqa: S603 - the bench's own program
            children.tied(command),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
        )

    def write(self, address: int, data: bytes) -> None:
        """Write into memory."""
        self._say(f"w {address} {data.hex()}")

    def fill(self, address: int, size: int, pattern: bytes) -> None:
        """Write a pattern again and again."""
        self.write(address, repeated(pattern, size))

    def read(self, address: int, size: int) -> bytes:
        """Read from memory."""
        return bytes.fromhex(self._ask(f"r {address} {size}"))

    def go(self, until: int, *, limit: int, floor: int, watch_stack: int = 0) -> Run:
        """Run until the program counter is at `until`; the stack is always seen."""
        del watch_stack
        kind, _, rest = self._ask(f"g {until} {limit} {floor}").partition(" ")
        if kind != "ok":
            overflown = rest.startswith("the stack reached the data")
            raise StackOverflowError(rest) if overflown else CrashError(rest)
        cycles, instructions, stack = (int(word) for word in rest.split())
        return Run(cycles, instructions, stack)

    def _words(self, line: str) -> Sequence[bytes]:
        """Return what is answered as words in hex."""
        return [bytes.fromhex(word) for word in self._ask(line).split()]

    def _say(self, line: str) -> None:
        assert self._process.stdin is not None  # noqa: S101 - for the type checker
        try:
            self._process.stdin.write(f"{line}\n")
        except BrokenPipeError:
            message = "the simulator ended"
            raise CrashError(message) from None

    def _ask(self, line: str) -> str:
        self._say(line)
        assert self._process.stdin is not None  # noqa: S101 - for the type checker
        assert self._process.stdout is not None  # noqa: S101
        try:
            self._process.stdin.flush()
        except BrokenPipeError:
            message = "the simulator ended"
            raise CrashError(message) from None
        answer = self._process.stdout.readline()
        if not answer:
            message = "the simulator ended"
            raise CrashError(message)
        return answer.rstrip("\n")

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._process.kill()
        self._process.communicate()
