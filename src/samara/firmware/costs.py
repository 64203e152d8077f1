# SPDX-License-Identifier: Apache-2.0
"""What a run of firmware took: cycles of the simulator times currents of the device."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated

from samara.energy import catalogue
from samara.figure import Figure, Origin, weakest
from samara.records import Field, Record, record_class

if TYPE_CHECKING:
    from samara.bench.devices import Device
    from samara.firmware.project import Project


@dataclass(frozen=True, slots=True)
class Counts:
    """What the program that simulates a board told at its end."""

    torn: bool
    """Whether the end was within a write to the memory of counters."""
    cycles: int
    idle: int
    asleep: int
    waited: int
    eeprom_bytes: int
    uart_bytes: int
    held: int
    """The most in a row in which an interrupt had to wait."""
    talked: int
    """Cycles in which its UART sent."""
    sends: int
    """How many times it sent something between two sleeps."""
    stack_bytes: int

    @classmethod
    def of_line(cls, line: str) -> Counts:
        """Read its line.

        >>> Counts.of_line("whole 100 5 60 10 1 2 4 8 1 99").active
        25
        """
        word, *numbers = line.split()
        return cls(word == "torn", *map(int, numbers))

    @property
    def active(self) -> int:
        """Cycles in which the processor computed, or waited for its UART."""
        return self.cycles - self.idle - self.asleep - self.waited


@record_class
class FirmwareReceipt(Record):
    """What a device took while its firmware ran; its radio is not in it."""

    project: Annotated[str, Field("Name of its project.")]
    device: Annotated[str, Field("The device.")]
    torn: Annotated[
        bool,
        Field("Whether the end, a power cut, was within a write to the memory."),
    ]
    messages: Annotated[
        int, Field("Messages that the node, or board, at the other end received.")
    ]
    lost: Annotated[
        int | None, Field("Messages that it missed; none where a board receives.")
    ]
    uart_bytes: Annotated[
        Figure,
        Field(
            "Bytes of its UART to the modem or display, or to the radio of its chip."
        ),
    ]
    eeprom_bytes: Annotated[
        Figure, Field("Bytes written to the EEPROM, or flash memory, of counters.")
    ]
    time: Annotated[Figure, Field("All of the run, by the clock of the device.")]
    active_time: Annotated[Figure, Field("Computing, or waiting for the UART.")]
    eeprom_time: Annotated[Figure, Field("Waiting for writes to that memory.")]
    idle_time: Annotated[Figure, Field("Asleep while the clock runs.")]
    asleep_time: Annotated[Figure, Field("Asleep while the clock stands.")]
    interrupts_off: Annotated[
        Figure, Field("Longest time in which an interrupt had to wait.")
    ]
    active_energy: Annotated[Figure, Field("Of `active_time`.")]
    eeprom_energy: Annotated[Figure, Field("Of `eeprom_time`.")]
    idle_energy: Annotated[Figure, Field("Of `idle_time`.")]
    asleep_energy: Annotated[Figure, Field("Of `asleep_time`.")]
    energy: Annotated[Figure, Field("Their sum.")]


@record_class
class PartOfReceipt:
    """One line of what people are shown of a receipt."""

    part: Annotated[str, Field("What the device did.", heading="the device", rank=0)]
    time: Annotated[Figure, Field("Its time.", heading="time", unit="ms", rank=0)]
    energy: Annotated[
        Figure,
        Field("Its energy.", heading="energy", unit="\N{MICRO SIGN}J", rank=0),
    ]


def receipt(
    project: Project, counts: Counts, *, messages: int, lost: int | None
) -> FirmwareReceipt:
    """Return the receipt of a run."""
    device = project.device
    times = {
        name: time_of(device, cycles)
        for name, cycles in (
            ("active", counts.active),
            ("eeprom", counts.waited),
            ("idle", counts.idle),
            ("asleep", counts.asleep),
        )
    }
    energies = {name: energy_of(device, name, time) for name, time in times.items()}
    return FirmwareReceipt(
        project=project.name,
        device=device.name,
        torn=counts.torn,
        messages=messages,
        lost=lost,
        uart_bytes=counted(device, counts.uart_bytes),
        eeprom_bytes=counted(device, counts.eeprom_bytes),
        time=time_of(device, counts.cycles),
        **{f"{name}_time": time for name, time in times.items()},
        interrupts_off=time_of(device, counts.held),
        **{f"{name}_energy": energy for name, energy in energies.items()},
        energy=sum_of(list(energies.values())),
    )


def parts_of(made: FirmwareReceipt) -> list[PartOfReceipt]:
    """Return the lines of a receipt for people."""
    return [
        PartOfReceipt(
            "computes, waits for its UART", made.active_time, made.active_energy
        ),
        PartOfReceipt("waits for its memory", made.eeprom_time, made.eeprom_energy),
        PartOfReceipt("sleeps, clock on", made.idle_time, made.idle_energy),
        PartOfReceipt("sleeps, clock off", made.asleep_time, made.asleep_energy),
        PartOfReceipt("all", made.time, made.energy),
    ]


def counted(device: Device, number: float) -> Figure:
    """Return bytes that a simulator counted."""
    source = f"counted in {device.family.simulator}"
    return Figure(number, "byte", Origin.MEASURED, source)


def time_of(device: Device, cycles: float) -> Figure:
    """Return the time of cycles of a simulator."""
    clock = f"{device.clock_hz / 1e6:g} MHz"
    source = f"cycles of {device.family.simulator} at {clock}"
    return Figure(cycles / device.clock_hz, "s", device.family.cycles, source)


def energy_of(device: Device, part: str, time: Figure) -> Figure:
    """Return what a time takes at the current of what the device does."""
    current_a, source, checked = _current(device, part)
    voltage = device.supply_voltage_v
    is_known = checked and voltage.checked
    return Figure(
        time.value * current_a * voltage.value,
        "J",
        Origin.ESTIMATED if is_known else Origin.ASSUMED,
        f"{time.source}, {current_a:.3g} A at {voltage.value:g} V ({source})",
    )


def _current(device: Device, part: str) -> tuple[float, str, bool]:
    """Return a current in amperes, its source, and whether it was read there.

    While a byte is written, the processor waits and computes nothing else.
    """
    if part in ("active", "eeprom"):
        active = device.active_current_a
        return active.value, active.source, active.checked
    controller = catalogue.controller_of(device)
    found = controller.idle_a if part == "idle" else controller.sleep_a
    return found.value, found.source, found.checked


def sum_of(energies: list[Figure]) -> Figure:
    """Return a sum, which is no more certain than its least certain part."""
    origin = weakest(*(each.origin for each in energies))
    return Figure(sum(each.value for each in energies), "J", origin, "sum of the parts")
