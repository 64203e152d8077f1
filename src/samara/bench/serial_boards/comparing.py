# SPDX-License-Identifier: Apache-2.0
"""The same programs on a real board and in the simulator, side by side."""

from __future__ import annotations

import shlex
import shutil
import subprocess
from contextlib import contextmanager
from itertools import product
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, ClassVar

from samara.bench import measuring, requests, running, toolchain
from samara.bench.jobs import Layout
from samara.bench.measuring import WrongAnswerError, measure, measure_in
from samara.bench.requests import (
    ImplementationNames,
    OneAd,
    OneMessage,
    OneOptimisation,
    OneSuite,
)
from samara.bench.serial_boards import firmware, ports
from samara.bench.serial_boards.board import Board, greeting
from samara.bench.serial_boards.line import BoardError, Line
from samara.bench.simulators import CrashError
from samara.errors import ArgumentError, MisuseError
from samara.figure import Figure, Origin
from samara.records import (
    Answer,
    Between,
    Field,
    Notice,
    Parameter,
    Progress,
    Record,
    Refusal,
    Remark,
    Request,
    Title,
    record_class,
    request_class,
)
from samara.units import BIT_RATE

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from samara.bench.measuring import Task
    from samara.bench.results import Result
    from samara.bench.serial_boards.board import Timer
    from samara.bench.serial_boards.firmware import Firmware
    from samara.bench.serial_boards.ports import Port

_FLASH_TIMEOUT_S = 300
_PATIENCE_S, _SLOWER = 10.0, 20
# What the measuring program puts on the stack around a call, and while it serves the
# host, rounded up.
_OWN_STACK_BYTES, _SERVING_STACK_BYTES = 64, 256


@request_class
class BoardRequest(Request):
    """Which board, at which port, and what is measured on it."""

    CHANGES = "boards"

    device: Annotated[
        str,
        Parameter(
            metavar="NAME",
            help="Board or chip that is at the port.",
            names=ports.names,
            names_in_words="",
        ),
    ]
    port: Annotated[
        str | None,
        Parameter(
            metavar="PORT",
            help="Serial port of the board, such as /dev/ttyACM0.",
            default_text="none: the programs are only built",
        ),
    ] = None
    suites: OneSuite = ("aes128-ccm-8",)
    messages: OneMessage = (95,)
    ads: OneAd = (14,)
    opts: OneOptimisation = ("Os",)
    implementations: ImplementationNames = ()
    flash: Annotated[
        str | None,
        Parameter(
            metavar="COMMAND",
            help="Command that writes a program to the board, called before each"
            " program; {hex} and {elf} are replaced by its files, {port} by the port.",
            default_text="none: the board has the program already",
        ),
    ] = None
    write: Annotated[
        Path | None,
        Parameter(
            metavar="DIR",
            help="Directory that the programs are copied to, as .elf and .hex.",
        ),
    ] = None
    baud: Annotated[
        int,
        Parameter(
            help="Rate of the serial port.",
            unit=BIT_RATE,
            values=Between(1200, 1_000_000),
        ),
    ] = 38_400
    emulator: Annotated[
        bool,
        Parameter(
            help="An emulator that does not count cycles, such as QEMU, is at the"
            " port: its counts are marked as assumed."
        ),
    ] = False

    def tasks(self, row: Port) -> list[Task]:
        """Return what is measured.

        Raises
        ------
        samara.crypto.UnknownNameError
            If a suite is not known.
        MisuseError
            If nothing can be measured, or a board cannot have all of it.
        """
        device = ports.device_with(self.device, row)
        subjects = requests.chosen_subjects(self.suites)
        for each in subjects:
            if each.parts:
                message = f"{each.slug} is timed in parts, which needs the simulator"
                raise ArgumentError(message)
        sizes = list(product(self.messages, self.ads))
        planned = running.plan([device], subjects, sizes, self.opts)
        chosen = requests.only(planned, self.implementations)
        if self.port and not self.flash and len(chosen) > 1:
            message = (
                f"{len(chosen)} programs are selected, and a board has one at a time:"
                " select one by --suite, --implementation and --opt, or give --flash"
            )
            raise MisuseError(message)
        return chosen


@record_class
class BoardCount(Record):
    """What an operation takes on a board and in the simulator."""

    TYPE: ClassVar[str] = "board"

    device: Annotated[str, Field("Board or chip.")]
    suite: Annotated[str, Field("Suite or block cipher.", heading="suite", rank=0)]
    implementation: Annotated[
        str, Field("`portable` (C), or that of core/arch.", heading="implementation")
    ]
    opt: Annotated[str, Field("Optimisation of the compiler.", heading="opt")]
    message_bytes: Annotated[
        int, Field("Size of the message.", heading="message", unit="byte")
    ]
    ad_bytes: Annotated[
        int, Field("Size of the associated data.", heading="ad", unit="byte")
    ]
    operation: Annotated[
        str, Field("`set_up`, `seal` and others.", heading="operation", rank=0)
    ]
    simulated: Annotated[
        Figure, Field("In the simulator.", heading="simulator", own_unit="cycle")
    ]
    counted: Annotated[
        Figure,
        Field("On the board, by its timer.", heading="board", own_unit="cycle"),
    ]
    ratio: Annotated[
        float | None,
        Field(
            "Simulator over board; none if the board counted 0.", heading="sim/board"
        ),
    ]


@record_class
class BoardProgram(Record):
    """A program that was copied for a board."""

    TYPE: ClassVar[str] = "board_program"

    program: Annotated[
        str, Field("What it tells of itself.", heading="program", rank=0)
    ]
    elf: Annotated[str, Field("File of the linker.")]
    hex_file: Annotated[str, Field("The same in Intel's format.", heading="file")]


def compare(request: BoardRequest) -> Answer[BoardCount | BoardProgram]:
    """Build programs, measure them on a board and in the simulator, and compare.

    Raises
    ------
    MisuseError
        As `BoardRequest.tasks`; if there is no such board or port.
    """
    row = ports.port_of(request.device)
    if not (request.port or request.write):
        message = (
            "nothing to do: give the board's serial port by --port, or a directory for"
            " the programs by --write"
        )
        raise MisuseError(message)
    tasks = request.tasks(row)
    yield Notice(f"serial port: {row.title}; tried in {row.tried}, not on hardware")
    yield Title("", empty="" if request.port is None else "Nothing was compared.")
    for done, task in enumerate(tasks):
        yield Progress(done / len(tasks), f"measuring {done + 1} of {len(tasks)}")
        try:
            yield from _of_task(request, row, task)
        except (BoardError, CrashError, WrongAnswerError) as error:
            yield Refusal(str(error))
        except (toolchain.BuildError, toolchain.TooLargeError) as error:
            yield Refusal(f"{task.subject.slug} cannot be built: {error}")
    if request.port:
        yield from _remarks(request)


def _remarks(request: BoardRequest) -> Iterator[Remark]:
    yield Remark(
        "The board's cycles are those of its own timer, without what reading that took."
    )
    if request.emulator:
        yield Remark(
            "An emulator such as QEMU does not count a chip's cycles: here the ratios"
            " say nothing, and only the answers were checked."
        )


def _of_task(
    request: BoardRequest, row: Port, task: Task
) -> Iterator[BoardCount | BoardProgram | Refusal]:
    made = firmware.made(task.build, task.subject, row, request.baud)
    if request.write:
        yield _copied(made, request.write)
    if request.port is None:
        return
    if request.flash:
        _flash(request.flash, made, request.port)
    simulated = measure(measuring.Task(task.build, task.subject, task.sizes, 1))
    reasons = [_lack_of_memory(made, task, row) for row in simulated]
    yield from (Refusal(f"{task.subject.slug}: {text}") for text in reasons if text)
    fitting = [row for row, text in zip(simulated, reasons, strict=True) if not text]
    if fitting:
        on_board = _on_board(request, made, task, fitting)
        for ours, theirs in zip(fitting, on_board, strict=True):
            if theirs.has_figures:
                yield from _counts(request, ours, theirs)
            else:
                yield Refusal(f"{task.subject.slug}: {theirs.problem}")


def _lack_of_memory(made: Firmware, task: Task, simulated: Result) -> str:
    """Return why a message does not fit into the board's memory; empty if it does.

    A board does not notice that its stack reaches the data.
    """
    if not simulated.has_figures:
        return simulated.problem or "has no figures"
    device = task.build.device
    layout = Layout(device, made.program.image, task.subject, simulated.sizes)
    stack = max((simulated.stack_bytes or 0) + _OWN_STACK_BYTES, _SERVING_STACK_BYTES)
    needed = layout.end - device.ram_start + stack
    if needed <= device.ram_bytes:
        return ""
    return (
        f"a message of {simulated.message_bytes:,} bytes needs {needed:,} bytes of RAM"
        f" on the board, which has {device.ram_bytes:,}"
    )


def _on_board(
    request: BoardRequest, made: Firmware, task: Task, simulated: Sequence[Result]
) -> list[Result]:
    """Measure on the board, whose program must be the one that was built."""
    times = (us for row in simulated for us in (row.time_us or {}).values())
    longest = max(times, default=0)
    patience_s = _PATIENCE_S + _SLOWER * longest * 1e-6
    with _greeted(request, made) as (line, timer):
        timer.check(max(max((row.cycles or {}).values()) for row in simulated))
        symbols, uses_up = made.program.image.symbols, task.subject.set_up_takes_nonce
        board = Board(line, timer, symbols, patience_s, uses_up=uses_up)
        sizes = tuple(row.sizes for row in simulated)
        one = measuring.Task(task.build, task.subject, sizes, 1)
        return measure_in(one, made.program, lambda: board)


@contextmanager
def _greeted(request: BoardRequest, made: Firmware) -> Iterator[tuple[Line, Timer]]:
    assert request.port is not None  # noqa: S101 - for the type checker
    line = Line.opened(request.port, request.baud)
    try:
        timer, name = greeting(line.greet())
        if name != made.name:
            message = (
                f"the board has the program {name!r}, not {made.name!r}: write"
                f" {made.hex_file} to it, or give --flash"
            )
            raise BoardError(message)
        yield line, timer
    finally:
        line.close()


def _counts(
    request: BoardRequest, ours: Result, theirs: Result
) -> Iterator[BoardCount]:
    """Yield a record for each operation of one size."""
    source = "an emulator's timer" if request.emulator else "the chip's timer"
    origin = Origin.ASSUMED if request.emulator else Origin.MEASURED
    for verb in ours.verbs:
        simulated, counted = ours.cycles_of(verb), theirs.cycles_of(verb)
        yield BoardCount(
            device=request.device,
            suite=ours.suite,
            implementation=ours.implementation,
            opt=ours.opt,
            message_bytes=ours.message_bytes,
            ad_bytes=ours.ad_bytes,
            operation=verb,
            simulated=Figure(simulated, "cycle", ours.origin, "the simulator"),
            counted=Figure(counted, "cycle", origin, source),
            ratio=simulated / counted if counted else None,
        )


def _copied(made: Firmware, folder: Path) -> BoardProgram:
    """Copy a program into a directory."""
    folder.mkdir(parents=True, exist_ok=True)
    stem = made.name.replace(" ", "-")
    copies = [folder / f"{stem}{path.suffix}" for path in (made.elf, made.hex_file)]
    for path, copy in zip((made.elf, made.hex_file), copies, strict=True):
        shutil.copyfile(path, copy)
    return BoardProgram(made.name, *map(str, copies))


def _flash(command: str, made: Firmware, port: str) -> None:
    """Write a program to the board by the user's command.

    Raises
    ------
    BoardError
        If the command fails.
    """
    values = {"{elf}": str(made.elf), "{hex}": str(made.hex_file), "{port}": port}
    words = []
    for word in shlex.split(command):
        for name, value in values.items():
            word = word.replace(name, value)  # noqa: PLW2901 - one after the other
        words.append(word)
    try:
        done = subprocess.run(  # noqa: S603 - the user's own command
            words,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            errors="replace",
            timeout=_FLASH_TIMEOUT_S,
            check=False,
        )
    except (OSError, subprocess.TimeoutExpired, IndexError) as error:
        message = f"the command of --flash cannot be run: {error}"
        raise BoardError(message) from None
    if done.returncode != 0:
        lines = (done.stderr or done.stdout).strip().splitlines()
        reason = lines[-1] if lines else f"exit status {done.returncode}"
        message = f"the command of --flash failed: {reason}"
        raise BoardError(message)
