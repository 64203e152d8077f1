# SPDX-License-Identifier: Apache-2.0
"""Running the firmware of a project: a simulated board, two modems, and a node.

At the other end can be a second board in place of the node.

What runs is a copy of the project with a key of its own (`samara.firmware.simulated`).
"""

from __future__ import annotations

import contextlib
import json
import time
from collections.abc import Callable  # noqa: TC003 - read at run time
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

from samara.demo.processes import ProgramError, Supervisor
from samara.errors import MisuseError
from samara.firmware import airs
from samara.firmware import project as projects
from samara.firmware.costs import Counts, FirmwareReceipt, parts_of, receipt
from samara.firmware.project import HOST, ProjectRequest
from samara.firmware.simulated import MEMORY, simulated, simulated_pair
from samara.firmware.templates import SENSOR
from samara.firmware.wire import wired
from samara.records import (
    Answer,
    Between,
    Digest,
    Field,
    Line,
    Notice,
    Parameter,
    Record,
    record_class,
    request_class,
)
from samara.records.numbers import digits
from samara.records.tables import table_of_rows
from samara.records.usual import seconds_until_end

if TYPE_CHECKING:
    from collections.abc import Iterator

    from samara.demo.processes import Program
    from samara.firmware.airs import Air
    from samara.firmware.project import Project

_END_S, _LOOK_S = 10.0, 0.1
_SILENCE_S = 1.0
"""Without a message for so long, none is on its way any more."""
_FOREVER_CYCLES = 1 << 62
_LONGEST_S = 1e6


@request_class
class RunRequest(ProjectRequest):
    """A project whose firmware is to run."""

    receiver: Annotated[
        Path | None,
        Parameter(
            name="with_",
            metavar="DIR",
            help="Project of the board that receives, in place of a node.",
        ),
    ] = None
    seconds: Annotated[
        float | None,
        replace(
            seconds_until_end("seconds", "runs until Ctrl-C"),
            values=Between(0.1, _LONGEST_S),
        ),
    ] = None


@record_class
class FirmwareMessage(Record):
    """A message of a device that runs in a simulator, as the other end received it."""

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

    def shown(self, line: bytes) -> Digest[FirmwareMessage]:
        """Count a line that a board shows, and return it as a message."""
        self.messages += 1
        text = line.decode("utf-8", "backslashreplace")
        made = FirmwareMessage(text, len(line), self.messages)
        return Digest([made], [Line(made.text)])


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
    if project.role != SENSOR:
        message = (
            f"{request.project} receives: give the project of the sensor, then"
            f" --with {request.project}"
        )
        raise MisuseError(message)
    if request.receiver is None:
        yield from _beside_node(project, request, is_over)
    else:
        yield from _beside_board(project, request.receiver, request, is_over)


def _beside_node(
    project: Project, request: RunRequest, is_over: Callable[[], bool]
) -> Answer[FirmwareMessage | FirmwareReceipt]:
    heard = _Heard()
    with simulated(project) as copy, Supervisor() as supervisor:
        image = copy.make()
        yield _begin(project, request)
        carrier = airs.air(supervisor, copy)
        node = _host(supervisor, copy, carrier)
        board = _board(supervisor, copy, image, request.seconds, carrier.board)
        for event in _events(node, board, is_over):
            yield from heard.records(event)
        _check_runs(carrier.program)
        counts = _counts(board)
        for event in _rest(node):
            yield from heard.records(event)
    made = receipt(project, counts, messages=heard.messages, lost=heard.lost)
    begin = f"{made.messages} messages arrived, {made.lost} were lost; "
    yield _shown(made, begin, carrier.title)


def _beside_board(
    project: Project,
    folder: Path,
    request: RunRequest,
    is_over: Callable[[], bool],
) -> Answer[FirmwareMessage | FirmwareReceipt]:
    receiver = projects.read(folder)
    heard = _Heard()
    with contextlib.ExitStack() as stack:
        copies = stack.enter_context(simulated_pair(project, receiver))
        sensor_copy, receiver_copy = copies
        images = [each.make() for each in copies]
        yield _begin(project, request)
        supervisor = stack.enter_context(Supervisor())
        carrier = airs.air(supervisor, project)
        wire = stack.enter_context(wired(airs.host_port(supervisor)))
        second = _board(supervisor, receiver_copy, images[1], None, str(wire.port))
        first = _board(
            supervisor, sensor_copy, images[0], request.seconds, carrier.board
        )
        while not is_over() and _runs(first) and _runs(second):
            for text in wire.carry(_LOOK_S):
                yield heard.shown(text)
        ended = _counts(first)
        for text in wire.rest(_SILENCE_S, _END_S):
            yield heard.shown(text)
        counts = (ended, _counts(second))
    ends = (project, receiver), counts, ("the modem", "the display")
    for each, count, to in zip(*ends, strict=True):
        made = receipt(each, count, messages=heard.messages, lost=None)
        yield _shown(made, f"{each.name}: {made.messages} messages arrived; ", to)


def _begin(project: Project, request: RunRequest) -> Notice:
    return Notice(
        f"{project.device.title} is simulated, in real time; "
        + ("press Ctrl-C to stop" if request.seconds is None else "please wait"),
        at_once=True,
    )


def _shown(made: FirmwareReceipt, begin: str, to: str) -> Digest[FirmwareReceipt]:
    lines = [Line(begin + _summary(made, to)), Line(_waiting(made))]
    return Digest([made], [*lines, table_of_rows("receipt", parts_of(made))])


def _summary(made: FirmwareReceipt, to: str) -> str:
    return (
        f"{made.uart_bytes.value:g} bytes to {to}, "
        f"{made.eeprom_bytes.value:g} to the memory; the radio is not in the figures"
    )


def _waiting(made: FirmwareReceipt) -> str:
    longest = made.interrupts_off
    shown = digits(longest.value * 1e6)
    return (
        f"an interrupt had to wait for {shown} microseconds at most ({longest.origin})"
    )


def _host(supervisor: Supervisor, project: Project, carrier: Air) -> Program:
    """Start the node at the other end, and return it when it listens."""
    folder = str(project.folder / HOST)
    node = supervisor.samara("node", "listen", folder, "--json", *carrier.node)
    node.wait_for_words("listens", airs.START_S)
    return node


def _check_runs(program: Program) -> None:
    """Raise if what a board needs has ended: the board fails then, too.

    Raises
    ------
    samara.demo.processes.ProgramError
        Which says how it ended.
    """
    program.line_or_none(_LOOK_S)


def _board(
    supervisor: Supervisor,
    project: Project,
    image: Path,
    seconds: float | None,
    port: str,
) -> Program:
    clock = project.device.clock_hz
    cycles = _FOREVER_CYCLES if seconds is None else round(seconds * clock)
    return supervisor.start(
        *(*project.simulator(), project.device.name, str(clock), str(image)),
        *(str(project.folder / MEMORY), str(cycles), "0", "1"),
        port,
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
