# SPDX-License-Identifier: Apache-2.0
"""Running the firmware of a project: a simulated board, two modems, and a node.

What runs is a copy of the project with a key of its own. The record of the project is
for a board: in a simulator, too, it would count from 0, and nonces would repeat.
"""

from __future__ import annotations

import contextlib
import json
import shutil
import time
from collections.abc import Callable  # noqa: TC003 - read at run time
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Annotated, Any

from samara.demo.processes import ProgramError, Stage
from samara.firmware import project as projects
from samara.firmware.costs import Counts, FirmwareReceipt, parts_of, receipt
from samara.firmware.making import make_ends
from samara.firmware.project import (
    BAUD,
    HOST,
    RECORD,
    SIMULATED,
    ProjectRequest,
)
from samara.records import (
    Answer,
    Between,
    Digest,
    Field,
    Line,
    Notice,
    Record,
    record_class,
    request_class,
)
from samara.records.tables import table_of_rows
from samara.records.usual import seconds_until_end

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from samara.demo.processes import Program
    from samara.firmware.project import Project

_EEPROM = "eeprom"
_START_S, _END_S, _LOOK_S = 30.0, 10.0, 0.1
_SILENCE_S = 1.0
"""Without a message for so long, none is on its way any more."""
_FOREVER_CYCLES = 1 << 62
_LONGEST_S = 1e6


@request_class
class RunRequest(ProjectRequest):
    """A project whose firmware is to run."""

    seconds: Annotated[
        float | None,
        replace(
            seconds_until_end("seconds", "runs until Ctrl-C"),
            values=Between(0.1, _LONGEST_S),
        ),
    ] = None


@record_class
class FirmwareMessage(Record):
    """A message of a device that runs in a simulator, as the node received it."""

    text: Annotated[str, Field("Its bytes as UTF-8; others are escaped.")]
    bytes: Annotated[int, Field("Its size.", unit="byte")]
    number: Annotated[int, Field("Number of messages since the start of the command.")]


@dataclass
class _Heard:
    """What the node of the host has told."""

    messages: int = 0
    lost: int = 0

    def records(self, event: dict[str, Any]) -> Iterator[Digest[FirmwareMessage]]:
        """Count an event of the node, and yield its message if it has one."""
        self.lost += int(event.get("count", 0)) if event["type"] == "lost" else 0
        if event["type"] == "received":
            self.messages += 1
            made = FirmwareMessage(event["text"], event["bytes"], self.messages)
            yield Digest([made], [Line(made.text)])


def run(
    request: RunRequest, *, is_over: Callable[[], bool] = lambda: False
) -> Answer[FirmwareMessage | FirmwareReceipt]:
    """Build and run a project; yield its messages, and what the device took.

    The end is a power cut. The memory of counters is kept for the next run.

    Parameters
    ----------
    is_over
        Asked several times a second: whether to end.

    Raises
    ------
    MisuseError
        When there is no project, it does not build, or it cannot run.
    """
    project = projects.read(request.project)
    copy = _simulated(project)
    image = copy.make()
    yield Notice(
        f"{project.device.title} is simulated, in real time; "
        + ("press Ctrl-C to stop" if request.seconds is None else "please wait"),
        at_once=True,
    )
    heard = _Heard()
    with Stage() as stage:
        node = _host(stage, copy)
        board = _board(stage, copy, image, request.seconds)
        for event in _events(node, board, is_over):
            yield from heard.records(event)
        counts = _counts(board)
        for event in _rest(node):
            yield from heard.records(event)
    made = receipt(project.device, counts, messages=heard.messages, lost=heard.lost)
    lines = [Line(_summary(made)), Line(_waiting(made))]
    yield Digest([made], [*lines, table_of_rows("receipt", parts_of(made))])


def _summary(made: FirmwareReceipt) -> str:
    return (
        f"{made.messages} messages arrived, {made.lost} were lost; "
        f"{made.uart_bytes.value:g} bytes to the modem, "
        f"{made.eeprom_bytes.value:g} to the memory; the radio is not in the figures"
    )


def _waiting(made: FirmwareReceipt) -> str:
    longest = made.interrupts_off
    return (
        f"an interrupt had to wait for {longest.value * 1e6:.4g} microseconds at most "
        f"({longest.origin})"
    )


def _simulated(project: Project) -> Project:
    """Return a copy of the project as it is now, which has keys of its own."""
    folder = project.folder / SIMULATED
    folder.mkdir(mode=0o700, exist_ok=True)
    left_out = shutil.ignore_patterns(
        *(RECORD, HOST, SIMULATED, "*.elf", "build", ".pio")
    )
    # With their times: what has not changed is not built again.
    shutil.copytree(project.folder, folder, ignore=left_out, dirs_exist_ok=True)
    copy = replace(project, folder=folder)
    record = folder / project.build.code / RECORD
    if not (folder / HOST).exists():
        # Of an earlier start that was cut off.
        record.unlink(missing_ok=True)
        (folder / _EEPROM).unlink(missing_ok=True)
        options = {"suite": project.suite, "packet_size": project.packet_size}
        make_ends(folder / HOST, record, project.link, {"baud": BAUD, **options})
    return copy


def _host(stage: Stage, project: Project) -> Program:
    """Start two modems and the node at the other end; return the node."""
    device_port, host_port = _ports(stage)
    modem = stage.samara(
        *("modem", "--json", "--baud", str(BAUD)),
        *("--packet-size", str(project.packet_size)),
        *("--link-a", str(device_port), "--link-b", str(host_port)),
    )
    modem.line(_START_S)
    node = stage.samara(
        *("node", "listen", str(project.folder / HOST), "--json"),
        *("--port", str(host_port), "--baud", str(BAUD)),
    )
    node.wait_until_said("listens", _START_S)
    return node


def _ports(stage: Stage) -> tuple[Path, Path]:
    return stage.folder / "device", stage.folder / "host"


def _board(
    stage: Stage, project: Project, image: Path, seconds: float | None
) -> Program:
    clock = project.device.clock_hz
    cycles = _FOREVER_CYCLES if seconds is None else round(seconds * clock)
    return stage.start(
        *(*project.simulator(), project.device.mcu, str(clock), str(image)),
        *(str(project.folder / _EEPROM), str(cycles), "0", "1"),
        str(_ports(stage)[0]),
        name="the simulated board",
    )


def _events(
    node: Program, board: Program, is_over: Callable[[], bool]
) -> Iterator[dict[str, Any]]:
    """Yield what the node tells, until the board ends."""
    while not is_over() and _runs(board):
        line = node.line_or_none(_LOOK_S)
        if line is not None:
            yield json.loads(line)


def _runs(board: Program) -> bool:
    """Whether the board runs: it says nothing on stdout, but ends that."""
    try:
        board.line_or_none(0)
    except ProgramError:
        return False
    return True


def _counts(board: Program) -> Counts:
    """End the board, if it runs, and return what it told.

    Raises
    ------
    samara.demo.processes.ProgramError
        When it failed.
    """
    board.ask_to_end()
    # It has no lines on stdout: this waits for its end.
    with contextlib.suppress(ProgramError):
        board.line(_END_S)
    said = board.said()
    if not said.startswith(("whole ", "torn ")):
        message = f"the simulated board failed: {said.strip()}"
        raise ProgramError(message)
    return Counts.of_line(said)


def _rest(node: Program) -> Iterator[dict[str, Any]]:
    """Yield what is still on its way to the node."""
    end_s = time.monotonic() + _END_S
    while time.monotonic() < end_s:
        line = node.line_or_none(_SILENCE_S)
        if line is None:
            return
        yield json.loads(line)
