# SPDX-License-Identifier: Apache-2.0
"""What the image of a project takes of its device, and each of its messages."""

from __future__ import annotations

import subprocess
from dataclasses import dataclass, fields
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from samara.bench import images, machine_code
from samara.bench.machine_code import UnknownInstructionError
from samara.errors import MisuseError
from samara.figure import Figure, Origin
from samara.firmware import costs, measuring
from samara.firmware import project as projects
from samara.firmware.costs import Counts
from samara.firmware.project import ProjectRequest
from samara.firmware.simulated import MEMORY, simulated
from samara.firmware.templates import SENSOR
from samara.records import (
    Answer,
    Digest,
    Field,
    Notice,
    Record,
    Refusal,
    record_class,
    request_class,
)
from samara.records.tables import table_of_rows

if TYPE_CHECKING:
    from samara.firmware.project import Project
    from samara.records.tables import Table

_MESSAGES = 16
_LONGEST_S = 300
"""Time of this machine for a life; what a program does then never sends."""


@request_class
class CostRequest(ProjectRequest):
    """A project whose image is measured."""


@record_class
class FirmwareCost(Record):
    """What the image of a project takes of its device, and each of its messages."""

    project: Annotated[str, Field("Name of the project.")]
    device: Annotated[str, Field("The device.")]
    suite: Annotated[str, Field("Suite that seals messages.")]
    image: Annotated[Path, Field("The image, with a key of its own.")]
    flash: Annotated[Figure, Field("Code, constants, initial values of variables.")]
    ram: Annotated[Figure, Field("Variables.")]
    stack: Annotated[Figure, Field("The most bytes of stack.")]
    ram_left: Annotated[Figure, Field("RAM of the device without the two.")]
    messages: Annotated[int, Field("How many messages the means below are of.")]
    computing: Annotated[
        Figure,
        Field("Cycles of a message: the processor computes, and nothing is sent."),
    ]
    computing_time: Annotated[Figure, Field("The same at the clock of the device.")]
    sending_time: Annotated[
        Figure, Field("Time in which UART, or radio, send a message.")
    ]
    memory_time: Annotated[
        Figure, Field("Time of a message that waits for the memory of counters.")
    ]
    uart_bytes: Annotated[Figure, Field("Bytes of a message to the UART or the radio.")]
    memory_bytes: Annotated[
        Figure, Field("Bytes of a message that are written to the memory of counters.")
    ]
    energy: Annotated[
        Figure, Field("Of a message, for these three times; without sleep and radio.")
    ]
    interrupts_off: Annotated[
        Figure | None,
        Field(
            "Most cycles in which the image keeps interrupts out, by its machine code;"
            " none where they are not counted, as with a branch among them."
        ),
    ]


@record_class
class CostOfImage:
    """What people are shown of an image."""

    flash: Annotated[Figure, Field("Flash.", heading="flash", unit="byte")]
    ram: Annotated[Figure, Field("Variables.", heading="variables", unit="byte")]
    stack: Annotated[Figure, Field("Stack.", heading="stack", unit="byte")]
    ram_left: Annotated[Figure, Field("RAM.", heading="RAM left", unit="byte")]
    interrupts_off: Annotated[
        Figure | None,
        Field("Off.", heading="interrupts off", unit="cycle", exact=True),
    ]


@record_class
class CostOfMessage:
    """What people are shown of a message."""

    computing: Annotated[Figure, Field("Computes.", heading="computes", unit="cycle")]
    computing_time: Annotated[Figure, Field("Computes.", heading="computes", unit="ms")]
    sending_time: Annotated[Figure, Field("Sends.", heading="sends", unit="ms")]
    memory_time: Annotated[
        Figure, Field("Waits.", heading="waits for its memory", unit="ms")
    ]
    uart_bytes: Annotated[Figure, Field("UART.", heading="sent", unit="byte")]
    energy: Annotated[
        Figure, Field("Energy.", heading="energy", unit="\N{MICRO SIGN}J")
    ]


@dataclass(frozen=True, slots=True)
class _Mean:
    """Counts of a message."""

    computing: float
    sending: float
    waiting: float
    uart_bytes: float
    memory_bytes: float


def cost(request: CostRequest) -> Answer[FirmwareCost]:
    """Build a project, run it in a simulator, and yield what it takes.

    Raises
    ------
    MisuseError
        When there is no project, it receives, it does not build, or it never sends.
    """
    project = projects.read(request.project)
    if project.role != SENSOR:
        message = (
            f"{request.project} receives, and what it takes depends on what arrives:"
            " give the project of the sensor, or type samara firmware size"
        )
        raise MisuseError(message)
    with simulated(project) as copy:
        image = copy.make()
        yield Notice(f"{_MESSAGES} messages are simulated; please wait", at_once=True)
        made = _measured(copy, image)
    yield Digest([made], _tables(copy, made))
    if made.ram_left.value < 0:
        yield Refusal("variables and stack do not fit into the RAM of the device")


def _measured(project: Project, image: Path) -> FirmwareCost:
    # The first life takes the key; of the others, one has so many messages more.
    _, before, after = (
        _life(project, image, number) for number in (1, 1, 1 + _MESSAGES)
    )
    mean = _mean(before, after)
    device = project.device
    read = images.read(image)
    stack = Figure(
        after.stack_bytes, "byte", Origin.MEASURED, f"seen in {_simulator(project)}"
    )
    used = read.ram_bytes + after.stack_bytes
    times = [
        costs.time_of(device, cycles)
        for cycles in (mean.computing, mean.sending, mean.waiting)
    ]
    energies = [costs.energy_of(device, "active", time) for time in times]
    return FirmwareCost(
        project=project.name,
        device=device.name,
        suite=project.suite,
        image=image,
        flash=measuring.counted(read.flash_bytes),
        ram=measuring.counted(read.ram_bytes),
        stack=stack,
        ram_left=Figure(
            device.ram_bytes - used, "byte", Origin.MEASURED, "without the two"
        ),
        messages=_MESSAGES,
        computing=Figure(
            mean.computing, "cycle", device.family.cycles, _simulator(project)
        ),
        computing_time=times[0],
        sending_time=times[1],
        memory_time=times[2],
        uart_bytes=costs.counted(device, mean.uart_bytes),
        memory_bytes=costs.counted(device, mean.memory_bytes),
        energy=costs.sum_of(energies),
        interrupts_off=_interrupts_off(project, image),
    )


def _mean(before: Counts, after: Counts) -> _Mean:
    messages = after.sends - before.sends
    talked = after.talked - before.talked
    return _Mean(
        computing=(after.active - before.active - talked) / messages,
        sending=talked / messages,
        waiting=(after.waited - before.waited) / messages,
        uart_bytes=(after.uart_bytes - before.uart_bytes) / messages,
        memory_bytes=(after.eeprom_bytes - before.eeprom_bytes) / messages,
    )


def _life(project: Project, image: Path, sends: int) -> Counts:
    """Run a board until it has sent so often; nobody hears it.

    Raises
    ------
    MisuseError
        When it fails, or never sends.
    """
    clock = str(project.device.clock_hz)
    words = [*project.simulator(), project.device.name, clock, str(image)]
    words += [str(project.folder / MEMORY), f"sends:{sends}", "0", "0"]
    try:
        done = subprocess.run(  # noqa: S603 - our own program
            words,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            timeout=_LONGEST_S,
            check=False,
        )
    except subprocess.TimeoutExpired:
        message = f"{project.folder} sent nothing in {_LONGEST_S} s of this machine"
        raise MisuseError(message) from None
    said = done.stderr.decode(errors="replace").strip()
    if done.returncode or not said.startswith("whole "):
        message = f"the simulated board failed: {said}"
        raise MisuseError(message)
    return Counts.of_line(said)


def _interrupts_off(project: Project, image: Path) -> Figure | None:
    """Return the longest time; none where the user's code is not to be counted."""
    try:
        found = machine_code.windows(project.device.family, image)
    except UnknownInstructionError:
        return None
    cycles = [each.cycles for each in found]
    known = [each for each in cycles if each is not None]
    if len(known) < len(cycles):
        return None
    source = "counted in the machine code of the image"
    return Figure(max(known, default=0), "cycle", Origin.MEASURED, source)


def _simulator(project: Project) -> str:
    return project.device.family.simulator


def _tables(project: Project, made: FirmwareCost) -> list[Table]:
    title = f"{project.device.title}, {made.suite}"
    mean = f"Mean of {made.messages} messages; neither sleep nor radio is in it."
    return [
        table_of_rows("image", [_part(CostOfImage, made)], title),
        table_of_rows("message", [_part(CostOfMessage, made)], "A message", mean),
    ]


def _part(kind: type[CostOfImage | CostOfMessage], made: FirmwareCost) -> object:
    return kind(**{each.name: getattr(made, each.name) for each in fields(kind)})
