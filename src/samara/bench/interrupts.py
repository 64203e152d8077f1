# SPDX-License-Identifier: Apache-2.0
"""How long the C library switches interrupts off on each device."""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, ClassVar

from samara.bench import building, machine_code, requests, toolchain, units, ways
from samara.bench.requests import (
    DeviceNames,
    ImplementationNames,
    Optimisations,
)
from samara.bench.ways import Build
from samara.errors import MisuseError
from samara.figure import Figure, Origin
from samara.records import (
    Answer,
    Digest,
    Field,
    Progress,
    Record,
    Request,
    record_class,
    request_class,
)
from samara.records.tables import table_of_rows

if TYPE_CHECKING:
    from collections.abc import Generator, Iterator, Sequence

    from samara.bench.devices import Device
    from samara.bench.machine_code import Window


_TITLE = "Interrupts are off"
_CAPTION = "Counted in the machine code, for the longest time in each function."


@request_class
class InterruptsRequest(Request):
    """Whose machine code is read."""

    CHANGES = "builds"

    devices: DeviceNames = ()
    implementations: ImplementationNames = ()
    opts: Optimisations = ()


@record_class
class InterruptsOff(Record):
    """A function of the library, or of C's, that switches interrupts off."""

    TYPE: ClassVar[str] = "interrupts_off"

    device: Annotated[str, Field("Name of the device.")]
    implementation: Annotated[str, Field("`portable` (C), or that of core/arch.")]
    opt: Annotated[str, Field("Optimisation of the compiler.")]
    function: Annotated[
        str | None, Field("The function; none where no function switches them off.")
    ]
    cycles: Annotated[
        Figure | None,
        Field(
            "Longest time in it without interrupts; 0 where no function switches them"
            " off; none where it is not counted for this processor."
        ),
    ]
    time: Annotated[Figure | None, Field("The same at the clock of the device.")]


@record_class
class TimeOff:
    """A line of what people are shown: functions with the same time."""

    device: Annotated[str, Field("Name of the device.", heading="device", rank=0)]
    implementation: Annotated[
        str, Field("As in the records.", heading="implementation", rank=2)
    ]
    opt: Annotated[str, Field("Optimisation.", heading="opt", rank=2)]
    cycles: Annotated[
        Figure | None,
        Field("The time.", heading="interrupts off", unit="cycle", exact=True, rank=0),
    ]
    time: Annotated[
        Figure | None,
        Field("The same.", heading="time", unit="\N{MICRO SIGN}s", rank=1),
    ]
    functions: Annotated[int, Field("How many.", heading="functions", rank=1)]
    example: Annotated[
        str | None, Field("One of them.", heading="such as", rank=3, wraps=True)
    ]


def interrupts(request: InterruptsRequest) -> Answer[InterruptsOff]:
    """Compile the library for devices, and yield what switches interrupts off there.

    Raises
    ------
    samara.crypto.UnknownNameError, MisuseError
        If a device or an implementation is not known, or a tool is missing.
    """
    yield from requests.notices(request.devices)
    builds = list(_builds(request))
    found = []
    for number, build in enumerate(builds):
        windows = yield from _read(build, number, len(builds))
        found.append((build, windows))
    records = [each for found_in in found for each in _records(*found_in)]
    rows = [row for build, windows in found for row in _rows(build, windows)]
    yield Digest(records, [table_of_rows("interrupts_off", rows, _TITLE, _CAPTION)])


def _builds(request: InterruptsRequest) -> Iterator[Build]:
    known = ways.implementation_names()
    for name in request.implementations:
        if name not in known:
            message = f"unknown implementation {name!r}: expected {', '.join(known)}"
            raise MisuseError(message)
    found = [
        Build(device, name, opt)
        for device in requests.chosen_devices(request.devices)
        for name in _implementations(device)
        if name in (request.implementations or known)
        for opt in request.opts or ("Os",)
    ]
    if not found:
        message = "none of these devices has such an implementation"
        raise MisuseError(message)
    yield from found


def _implementations(device: Device) -> list[str]:
    others = [
        each.name
        for each in ways.known_implementations()
        if device.family.name in each.families
        and set(each.features) <= set(device.features)
    ]
    return [ways.PORTABLE, *others]


def _read(
    build: Build, number: int, of: int
) -> Generator[Progress, None, list[Window]]:
    """Compile the library, and return where interrupts are off in it."""
    total = len(units.library())
    objects = []
    for done, path in enumerate(building.library(build)):
        objects.append(path)
        share = (number + done / total) / of
        yield Progress(share, f"compiling for {build.device.name}")
    return longest(windows_of(build.device, objects))


def windows_of(device: Device, objects: Sequence[Path]) -> list[Window]:
    """Return where interrupts are off in objects, and in what they call of C."""
    family = device.family
    if not family.partial_link:
        return [each for path in objects for each in machine_code.windows(family, path)]
    with tempfile.TemporaryDirectory(prefix="samara-") as folder:
        joined = Path(folder) / "joined.o"
        words = device.words(family.partial_link)
        toolchain.run([family.compiler, *words, *objects, "-o", joined])
        return machine_code.windows(family, joined)


def longest(windows: Sequence[Window]) -> list[Window]:
    """Return the longest of each function, the longest of all first."""
    found: dict[str, Window] = {}
    for each in windows:
        other = found.setdefault(each.function, each)
        if (each.cycles or 0) > (other.cycles or 0):
            found[each.function] = each
    return sorted(found.values(), key=lambda each: (-(each.cycles or 0), each.function))


def _records(build: Build, windows: Sequence[Window]) -> Iterator[InterruptsOff]:
    device = build.device
    source = (
        f"counted in the machine code of {toolchain.version(device.family.compiler)}"
    )
    found: list[tuple[str | None, int | None]] = [*windows]
    for function, cycles in found or [(None, 0)]:
        figure = time = None
        if cycles is not None:
            figure = Figure(cycles, "cycle", Origin.MEASURED, source)
            clock = f"{device.clock_hz / 1e6:g} MHz"
            seconds = cycles / device.clock_hz
            time = Figure(seconds, "s", Origin.MEASURED, f"{source}, at {clock}")
        yield InterruptsOff(
            device.name, build.implementation, build.opt, function, figure, time
        )


def _rows(build: Build, windows: Sequence[Window]) -> Iterator[TimeOff]:
    """Yield a row for all functions with the same time, the longest first."""
    by_cycles: dict[int | None, list[InterruptsOff]] = {}
    for record in _records(build, windows):
        cycles = None if record.cycles is None else int(record.cycles.value)
        by_cycles.setdefault(cycles, []).append(record)
    for records in by_cycles.values():
        first = records[0]
        yield TimeOff(
            first.device,
            first.implementation,
            first.opt,
            first.cycles,
            first.time,
            len(records) if first.function else 0,
            first.function,
        )
