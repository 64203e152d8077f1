# SPDX-License-Identifier: Apache-2.0
"""MSP430: the simulator of mspdebug, driven by its commands in one session."""

from __future__ import annotations

import re
import selectors
import subprocess
import time
from typing import TYPE_CHECKING, Self

from samara.bench.simulators.base import CrashError, Run, gone, paint
from samara.bench.toolchain import ToolMissingError

if TYPE_CHECKING:
    from pathlib import Path
    from types import TracebackType

    from samara.bench.devices import Device

# The simulator takes at least this many cycles in a second; a limit in cycles
# becomes one in time, because a run cannot be told how long it may be.
_CYCLES_PER_S = 5_000_000
_SHORTEST_LIMIT_S = 20.0

# Bytes of one command to write memory.
_PART = 128

_REGISTERS = re.compile(r"\( PC: ([0-9a-f]+)\).*?\( SP: ([0-9a-f]+)\)", re.DOTALL)
_COUNTS = re.compile(r"Instruction count: (\d+)\nMCLK: +(\d+)")
_MEMORY_LINE = re.compile(r"^ +[0-9a-f]+:((?: [0-9a-f]{2})+) ", re.MULTILINE)


class MspDebug:
    """An MSP430 with a program in it."""

    def __init__(self, device: Device, image: Path) -> None:
        del device
        try:
            self._process = subprocess.Popen(
                ["mspdebug", "-q", "sim"],  # noqa: S607 - found as a shell finds it
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.STDOUT,
                bufsize=0,
            )
        except FileNotFoundError:
            raise ToolMissingError("mspdebug") from None  # noqa: EM101 - its name
        self._number = 0
        self._pc, self._sp = -1, 0
        self._ask("simio add hwmult multiplier")
        self._ask("simio add tracer tracer")
        if "Done" not in self._ask(f"prog {image}"):
            message = f"mspdebug cannot load {image}"
            raise CrashError(message)

    def write(self, address: int, data: bytes) -> None:
        """Write into memory."""
        for start in range(0, len(data), _PART):
            part = data[start : start + _PART].hex(" ")
            self._ask(f"mw {address + start} {part}")

    def read(self, address: int, size: int) -> bytes:
        """Read from memory."""
        lines = _MEMORY_LINE.findall(self._ask(f"md {address} {size}"))
        return bytes.fromhex("".join(lines))

    def go(self, until: int, *, limit: int, floor: int, watch_stack: bool) -> Run:
        """Run until the program counter is at `until`.

        The stack is watched by what is left of a pattern below it.
        """
        if self._pc == until:
            return Run(0, 0, 0)
        painted = paint(self, self._sp, floor) if watch_stack else None
        limit_s = max(limit / _CYCLES_PER_S, _SHORTEST_LIMIT_S)
        answer = self._ask(
            f"simio config tracer clear\nsetbreak {until} 0\nrun\nsimio info tracer",
            limit_s,
        )
        self._pc, self._sp = registers(answer)
        if self._pc != until:
            message = f"the program stopped at {self._pc:#x}: {_complaint(answer)}"
            raise CrashError(message)
        instructions, cycles = counts(answer)
        return Run(cycles, instructions, gone(self, *painted) if painted else None)

    def _ask(self, commands: str, timeout_s: float = _SHORTEST_LIMIT_S) -> str:
        """Return what is said to commands: all before the answer to a question."""
        self._number += 1
        assert self._process.stdin is not None  # noqa: S101 - for the type checker
        try:
            self._process.stdin.write(f"{commands}\n= {self._number}\n".encode())
        except BrokenPipeError:
            raise CrashError(_ENDED) from None
        end = f"\n0x{self._number:05x} = ".encode()
        return self._until(end, time.monotonic() + timeout_s).decode()

    def _until(self, end: bytes, deadline: float) -> bytes:
        stream = self._process.stdout
        assert stream is not None  # noqa: S101 - for the type checker
        said = b""
        with selectors.DefaultSelector() as selector:
            selector.register(stream, selectors.EVENT_READ)
            while end not in said:
                if not selector.select(deadline - time.monotonic()):
                    message = "it takes more cycles than the limit"
                    raise CrashError(message)
                part = stream.read(65536)
                if not part:
                    raise CrashError(_ENDED)
                said += part
        return said

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._process.kill()
        self._process.communicate()


_ENDED = "the simulator ended"


def registers(answer: str) -> tuple[int, int]:
    """Return program counter and stack pointer."""
    found = _REGISTERS.search(answer)
    if found is None:
        raise CrashError(_complaint(answer))
    return int(found[1], 16), int(found[2], 16)


def counts(answer: str) -> tuple[int, int]:
    """Return instructions and cycles."""
    found = _COUNTS.search(answer)
    if found is None:
        raise CrashError(_complaint(answer))
    return int(found[1]), int(found[2])


def _complaint(answer: str) -> str:
    lines = [line for line in answer.splitlines() if line.startswith("sim: ")]
    return lines[0] if lines else "no reason given"
