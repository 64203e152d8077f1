# SPDX-License-Identifier: Apache-2.0
"""MSP430: the simulator of mspdebug, driven by its commands in one session.

Commands go through a file that it is told to read: what it reads itself, it
takes key by key, as from a terminal. After them it is asked for the value of a
number, and the answer shows that all before has been done.
"""

from __future__ import annotations

import os
import re
import selectors
import signal
import subprocess
import tempfile
import time
from pathlib import Path
from typing import TYPE_CHECKING, Self

from samara import children
from samara.bench.simulators.base import CrashError, Run, StackWatch
from samara.bench.toolchain import ToolMissingError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from samara.bench.devices import Device

# A command that runs nothing is done by then.
_ANSWER_S = 20.0
# A run cannot be told how many cycles it may take. After so much time of the
# processor, which few runs need, it is interrupted to look how many it has taken.
_SLICE_S = 1.0
# An interrupt has arrived by then.
_DELIVERY_S = 0.1

# Bytes of one command to write memory.
_PART = 128

_REGISTERS = re.compile(r"\( PC: ([0-9a-f]+)\).*?\( SP: ([0-9a-f]+)\)", re.DOTALL)
_GENERAL_REGISTER = re.compile(r"\( ?R(\d+): ([0-9a-f]+)\)")
_COUNTS = re.compile(r"Instruction count: (\d+)\nMCLK: +(\d+)")


_MEMORY_LINE = re.compile(r"^ +[0-9a-f]+:((?: [0-9a-f]{2})+) ", re.MULTILINE)


class MspDebug:
    """An MSP430 with a program in it."""

    _peripherals: Sequence[str] = (
        "simio add hwmult multiplier",
        "simio add tracer tracer",
    )

    def __init__(self, device: Device, image: Path) -> None:
        del device
        # Without a name: there is nothing to remove, however this process ends.
        self._files = [
            tempfile.TemporaryFile("w")  # noqa: SIM115 - closed with the simulator
            for _ in range(2)
        ]
        try:
            self._process = subprocess.Popen(  # noqa: S603 - the simulator
                children.tied(["mspdebug", "-q", "sim"]),
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.STDOUT,
                bufsize=0,
                pass_fds=[each.fileno() for each in self._files],
            )
        except FileNotFoundError:
            raise ToolMissingError("mspdebug") from None  # noqa: EM101 - its name
        stdout = self._process.stdout
        assert stdout is not None  # noqa: S101 - for the type checker
        self._output = stdout
        self._selector = selectors.DefaultSelector()
        self._selector.register(stdout, selectors.EVENT_READ)
        self._number = 0
        self._said = bytearray()
        self._searched = 0
        self._commands: list[str] = []
        self._pc, self._sp = -1, 0
        self._stack = StackWatch(self)
        self._commands += self._peripherals
        self._commands.append(f"prog {image}")
        if "Done" not in self._do_commands():
            message = f"mspdebug cannot load {image}"
            raise CrashError(message)

    def write(self, address: int, data: bytes) -> None:
        """Write into memory, before the next command that is waited for."""
        for start in range(0, len(data), _PART):
            part = data[start : start + _PART].hex(" ")
            self._commands.append(f"mw {address + start} {part}")

    def fill(self, address: int, size: int, pattern: bytes) -> None:
        """Write a pattern again and again, before the next command."""
        # Not load_raw: it resets the processor.
        self._commands.append(f"fill {address} {size} {pattern.hex(' ')}")

    def read(self, address: int, size: int) -> bytes:
        """Read from memory."""
        # Not save_raw: it resets the processor.
        self._commands.append(f"md {address} {size}")
        lines = _MEMORY_LINE.findall(self._do_commands())
        return bytes.fromhex("".join(lines))

    def registers(self) -> Sequence[bytes]:
        """Return R4 to R15, of 2 bytes each."""
        self._commands.append("regs")
        told = dict(_GENERAL_REGISTER.findall(self._do_commands()))
        words = (int(told[str(number)], 16) for number in range(4, 16))
        return [word.to_bytes(2, "little") for word in words]

    def go(self, until: int, *, limit: int, floor: int, watch_stack: int = 0) -> Run:
        """Run until the program counter is at `until`.

        The stack is watched by what is left of a pattern below it.
        """
        if self._pc == until:
            return Run(0, 0, 0)
        if watch_stack:
            self._stack.begin(self._sp, floor, watch_stack)
        self._commands += ["simio config tracer clear", f"setbreak {until} 0", "run"]
        said = self._run(until, limit)
        self._pc, self._sp = registers(said)
        instructions, cycles = counts(said)
        return Run(cycles, instructions, self._stack.grown() if watch_stack else None)

    def _run(self, until: int, limit: int) -> str:
        """Run to the breakpoint; return the output about registers and counts."""
        before = -1
        while True:
            self._commands.append("simio info tracer")
            said = self._until_or_interrupted(self._begin_commands())
            stopped_at, _ = registers(said)
            if stopped_at == until:
                return said
            cycles = counts(said)[1]
            if cycles > limit:
                message = "it takes more cycles than the limit"
                raise CrashError(message)
            if cycles == before or complaint(said):
                reason = complaint(said) or "it does not go on"
                message = f"the program stopped at {stopped_at:#x}: {reason}"
                raise CrashError(message)
            before = cycles
            self._commands.append("run")

    def _until_or_interrupted(self, end: bytes) -> str:
        """Return the output before `end`, which is requested if it is late."""
        begin = self._processor_s()
        while (said := self._until(end, _SLICE_S)) is None:
            # Not by the clock, which goes on while the simulator waits its turn: an
            # interrupt is to meet the run, and no other command.
            if self._processor_s() - begin > _SLICE_S:
                self._process.send_signal(signal.SIGINT)
                time.sleep(_DELIVERY_S)
        return said

    def _processor_s(self) -> float:
        """Return how much time of the processor the simulator has taken."""
        text = Path(f"/proc/{self._process.pid}/stat").read_text(encoding="ascii")
        # After the name, which may have blanks: user and system time.
        ticks = text.rpartition(")")[2].split()[11:13]
        return sum(map(int, ticks)) / os.sysconf("SC_CLK_TCK")

    def _do_commands(self) -> str:
        """Send the gathered commands; return their output."""
        said = self._until(self._begin_commands(), _ANSWER_S)
        if said is None:
            message = "the simulator does not answer"
            raise CrashError(message)
        return said

    def _begin_commands(self) -> bytes:
        """Send the gathered commands without waiting; return the text at their end."""
        self._number += 1
        self._commands.append(f"= {self._number}")
        # Never the file before: its end may not have been read yet.
        file = self._files[self._number % 2]
        file.seek(0)
        file.truncate()
        file.write("".join(f"{line}\n" for line in self._commands))
        file.flush()
        self._commands.clear()
        assert self._process.stdin is not None  # noqa: S101 - for the type checker
        try:
            self._process.stdin.write(f"read /dev/fd/{file.fileno()}\n".encode())
        except BrokenPipeError:
            raise CrashError(_ENDED) from None
        return f"\n0x{self._number:05x} = ".encode()

    def _until(self, end: bytes, timeout_s: float) -> str | None:
        """Return the output before `end`; None if it takes too long."""
        deadline = time.monotonic() + timeout_s
        while (place := self._said.find(end, self._searched)) < 0:
            # What comes may complete what is there: the memory is long to tell.
            self._searched = max(0, len(self._said) - len(end))
            if not self._selector.select(deadline - time.monotonic()):
                return None
            part = os.read(self._output.fileno(), 65536)
            if not part:
                raise CrashError(_ENDED)
            self._said += part
        said = self._said[:place].decode()
        del self._said[: place + len(end)]
        self._searched = 0
        return said

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._process.kill()
        self._process.communicate()
        self._selector.close()
        for file in self._files:
            file.close()


_ENDED = "the simulator ended"
_ODD = "the simulator says what is not understood"


def registers(answer: str) -> tuple[int, int]:
    """Return program counter and stack pointer."""
    found = _REGISTERS.search(answer)
    if found is None:
        raise CrashError(complaint(answer) or _ODD)
    return int(found[1], 16), int(found[2], 16)


def counts(answer: str) -> tuple[int, int]:
    """Return instructions and cycles."""
    found = _COUNTS.search(answer)
    if found is None:
        raise CrashError(complaint(answer) or _ODD)
    return int(found[1]), int(found[2])


def complaint(answer: str) -> str:
    """Return what the simulator says that went wrong, or nothing."""
    lines = [line for line in answer.splitlines() if line.startswith("sim: ")]
    return lines[0] if lines else ""
