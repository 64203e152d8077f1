# SPDX-License-Identifier: Apache-2.0
"""Radios, batteries, bands, memories by name, in data/; controllers, in devices/.

A row of a file is a title, texts, and quantities (`samara.energy.quantity`). A
new radio is a new table in radios.toml, and nothing else.
"""

from __future__ import annotations

import math
from collections.abc import Hashable, Mapping
from dataclasses import dataclass, fields, replace
from functools import cache
from importlib import resources
from itertools import pairwise
from statistics import median
from typing import TYPE_CHECKING, Any, ClassVar, cast

import numpy as np

from samara.bench import devices
from samara.crypto.names import find
from samara.energy.part_values import in_si
from samara.energy.quantity import Quantity, Value, exact
from samara.errors import MisuseError
from samara.toml_rows import row_of, tables_of

if TYPE_CHECKING:
    from samara.energy.quantity import Draw

DATA = "samara/energy/data/"
"""The directory of the files, as users know it."""


@dataclass(frozen=True, slots=True)
class Line:
    """A quantity that depends on something, as a line through points.

    Raises
    ------
    ValueError
        When there is no point, points do not rise, or a value is not possible.
    """

    points: tuple[tuple[float, float], ...]
    """What it depends on, and the value; beyond them it stays as it is."""
    tolerance: float
    """Of all values, as that of a `Quantity`."""
    source: str
    checked: bool

    most: ClassVar[float] = math.inf
    """That a value may be."""
    may_be_zero: ClassVar[bool] = False
    """Whether a value may be 0."""
    values: ClassVar[str] = "values above 0"

    def __post_init__(self) -> None:
        rising = all(low < high for (low, _), (high, _) in pairwise(self.points))
        values = [value for _, value in self.points]
        possible = all(0 <= each <= self.most for each in values) and (
            self.may_be_zero or all(values)
        )
        if not (self.points and rising and possible):
            given = ", ".join(f"{at:g}: {value:g}" for at, value in self.points)
            message = f"points have to rise, with {self.values}: {given or 'no points'}"
            raise ValueError(message)
        _ = self.scale  # refuses a tolerance that cannot be

    @property
    def scale(self) -> Quantity:
        """A factor of one, with the tolerance and the source of all values."""
        return Quantity(1.0, self.tolerance, self.source, self.checked)

    def at(self, where: Value) -> Value:
        """Return the value there, as stated."""
        places, given = zip(*self.points, strict=True)
        found = np.interp(where, places, given)
        return float(found) if np.ndim(found) == 0 else found


@dataclass(frozen=True, slots=True)
class Inflow(Line):
    """What comes in, which may be nothing at times."""

    may_be_zero: ClassVar[bool] = True
    values: ClassVar[str] = "values of 0 or more"


@dataclass(frozen=True, slots=True)
class Curve(Line):
    """A share that depends on something.

    Raises
    ------
    ValueError
        As `Line`; or when a share is above 1.
    """

    most: ClassVar[float] = 1.0
    values: ClassVar[str] = "shares above 0 and up to 1"


@cache
def _names_of(kind: type[Any]) -> tuple[str, ...]:
    return tuple(each.name for each in fields(kind))


@dataclass(frozen=True, slots=True)
class Row:
    """A row of a file."""

    file: ClassVar[str]
    kind: ClassVar[str]
    beside: ClassVar[tuple[str, ...]] = ()
    """Quantities that no energy depends on."""

    name: str
    title: str

    @classmethod
    def place(cls, name: str) -> str:  # noqa: ARG003 - of the rows of one file
        """Return the file of the row of this name, as users know it."""
        return DATA + cls.file

    def draw(self, draw: Draw) -> dict[str, Value]:
        """Return what each of the row's quantities is taken to be."""
        kind: Any = type(self)
        own = ((name, getattr(self, name)) for name in _names_of(kind))
        return {
            name: draw(f"{self.name}.{name}", quantity)
            for name, quantity in own
            if isinstance(quantity, Quantity) and name not in self.beside
        }


_NO_EVENT = exact(
    0.0, "not measured: the radio's states and an idle processor alone are counted"
)


_SENSED_BITS = 32
"""In 8 symbols of IEEE 802.15.4, as long as a medium is sensed."""
_USUAL_MINIMUM = Quantity(1.8, 0.0, "assumed: as most chips of 3 V", checked=False)


WAVEFORMS = ("ble", "lora")
"""What radios send besides frames at their bit rate."""


@dataclass(frozen=True, slots=True)
class Radio(Row):
    """A transceiver."""

    file: ClassVar[str] = "radios.toml"
    kind: ClassVar[str] = "radio"
    beside: ClassVar[tuple[str, ...]] = ("minimum_v",)

    power: str
    """Transmit power at the current `transmit_a`, in words."""
    from_mhz: float
    to_mhz: float
    """Where it can be tuned to."""
    bit_rate: Quantity
    overhead_bytes: Quantity
    """In front of each frame: preamble, sync word, length."""
    turnaround_s: Quantity
    """From receiving to sending, and back."""
    supply_v: Quantity
    transmit_a: Quantity
    receive_a: Quantity
    idle_a: Quantity
    sleep_a: Quantity
    start_s: Quantity
    """From sleep until it can be told to receive, at `idle_a`."""
    minimum_v: Quantity = _USUAL_MINIMUM
    """The least voltage that it runs at."""
    event_c: Quantity = _NO_EVENT
    """Charge of a start from sleep, in coulomb, besides that of the radio's states: the
    processor wakes up, its software runs. Of one chip with one software."""
    send_c: Quantity = _NO_EVENT
    """What more is taken in software by a start in which a frame is sent."""
    sense_c: Quantity = _NO_EVENT
    """What sensing the medium takes before a frame is sent, where that is not in the
    charges that were measured: of chips with a software that nobody measured."""
    connection_c: Quantity = _NO_EVENT
    """Charge of an event of a Bluetooth connection, in place of `event_c`: of chips of
    which it was measured."""
    software: str = ""
    """The software that `event_c` was measured with, and its version."""
    like: str = ""
    """The radio whose fields this one has where it has none of its own: the same chip
    with another software."""
    processor: str = ""
    """The processor on this chip: a device of the bench, or one that it does not
    measure. Sleep and currents of the whole chip are then the radio's figures. Where
    the chip's sleep is among the device's figures, this is empty, and the device names
    the chip in `on_chip_with`. It is empty, too, if the processor is another chip."""
    waveforms: str = ""
    """What it sends besides frames at `bit_rate`: `lora`, `ble`, with spaces between
    them. Some medium accesses need one."""

    links: str = ""
    """The kinds of link whose frames it sends at `bit_rate`, with spaces between them.
    Advice offers it for those alone; who names it may use it for any."""

    def sends(self, waveform: str) -> bool:
        """Return whether it sends a waveform; "" stands for frames at `bit_rate`."""
        return not waveform or waveform in self.waveforms.split()

    @property
    def chip(self) -> str:
        """The name of the radio of this chip."""
        return self.like or self.name


@dataclass(frozen=True, slots=True)
class Controller(Row):
    """Currents of a microcontroller that computes nothing, and its wake-up."""

    file: ClassVar[str] = "device.toml"
    kind: ClassVar[str] = "controller"

    idle_a: Quantity
    """The processor stopped, its clock running."""
    sleep_a: Quantity
    """Waiting for a timer that runs on."""
    wake_s: Quantity
    write_s: Quantity
    """One durable write of a counter, at the active current."""

    @classmethod
    def place(cls, name: str) -> str:
        """Return the description of the device of this name."""
        return f"devices/{name}/{cls.file}"

    on_chip_with: str = ""
    """The radio on the same chip, where the device's figures have the chip's sleep: it
    is all in `sleep_a`. What the processor draws while it waits is in the radio's
    currents. `processor` of a radio is for chips whose sleep is the radio's figure."""


@dataclass(frozen=True, slots=True)
class Battery(Row):
    """One or more cells."""

    file: ClassVar[str] = "batteries.toml"
    kind: ClassVar[str] = "battery"
    beside: ClassVar[tuple[str, ...]] = ("pulse_a", "shelf_years")

    capacity_ah: Quantity
    voltage_v: Quantity
    cutoff_v: Quantity
    pulse_a: Quantity
    """The most that it gives for some milliseconds."""
    shelf_years: Quantity
    """For how long its maker vouches for it."""
    self_discharge_per_year: Quantity
    """Share of what is left."""
    usable_by_load: Curve
    """By the mean current in ampere."""
    usable_by_temperature: Curve
    """By degrees Celsius."""
    voltage_by_use: Line | None = None
    """In volt, of cells that rest, by the share of the capacity that is used. None: not
    known, as the others."""
    resistance_by_use: Line | None = None
    """In ohm, to a pulse of some seconds, by the same."""
    resistance_by_pulse: Curve | None = None
    """The share of it that there is to a shorter pulse, by its length in seconds."""

    def is_known_at(self, celsius: float) -> bool:
        """Return whether it is known what is left of it at this temperature."""
        (coldest, _), *_, (hottest, _) = self.usable_by_temperature.points
        return coldest <= celsius <= hottest


@dataclass(frozen=True, slots=True)
class Band(Row):
    """Frequencies, and for which share of an hour one may send there."""

    file: ClassVar[str] = "bands.toml"
    kind: ClassVar[str] = "band"

    from_mhz: float
    to_mhz: float
    power_mw: float
    duty_cycle: Quantity


_NOT_ERASED = exact(0.0, "its bytes are written over without an erase")


@dataclass(frozen=True, slots=True)
class Memory(Row):
    """A memory that keeps its content without power."""

    file: ClassVar[str] = "memories.toml"
    kind: ClassVar[str] = "memory"

    size_bytes: Quantity
    unit_bytes: Quantity
    """What a write is a multiple of."""
    endurance_cycles: Quantity
    """How often a byte can be written, or a page erased."""
    write_bytes: Quantity
    """What is written at once, in `write_s`: an aligned block of that many bytes."""
    write_s: Quantity
    write_a: Quantity
    supply_v: Quantity
    page_bytes: Quantity = _NOT_ERASED
    """What is erased at once; 0 of a memory whose bytes are written over."""
    erase_s: Quantity = _NOT_ERASED
    erase_a: Quantity = _NOT_ERASED


def read(file: str) -> dict[str, dict[str, Any]]:
    """Return the tables of a file in data/, as they are written.

    Raises
    ------
    MisuseError
        When the file is not TOML.
    """
    return tables_of(resources.files(__package__) / "data" / file, DATA + file)


@cache
def _rows(kind: type[Any]) -> dict[str, Any]:
    given = _of_devices() if kind is Controller else _with_likes(read(kind.file))
    found = {name: _row_of(kind, name, table) for name, table in given.items()}
    return with_estimates(found) if kind is Radio else found


def _row_of(kind: type[Any], name: str, table: Any) -> Any:  # noqa: ANN401 - as in TOML
    what = f"the {kind.kind} {name} of {kind.place(name)}"
    given = in_si(kind, what, table) if isinstance(table, Mapping) else table
    return row_of(kind, what, given, {"name": name, "title": name})


def rows_of(kind: type[Any]) -> Mapping[str, Any]:
    """Return all rows of a kind by name."""
    rows: Mapping[str, Any] = _rows(cast("Hashable", kind))
    return rows


def _with_likes(given: dict[str, dict[str, Any]]) -> dict[str, dict[str, Any]]:
    """Return tables with the fields of the table that each says to be like."""
    return {
        name: {**given.get(table.get("like", ""), {}), **table}
        for name, table in given.items()
    }


def with_estimates(found: dict[str, Radio]) -> dict[str, Radio]:
    """Return radios with the charges of an event where none was measured.

    That is of radios on a chip with a processor, whose software does alike.
    """
    chips = {each.on_chip_with for each in controllers()}
    on_chip = {n: r for n, r in found.items() if r.processor or r.chip in chips}
    measured = {r.chip: r.event_c for r in on_chip.values() if r.event_c.value}
    if not measured:
        return found
    usual = _usual_event(measured)
    return {**found, **{n: _with_usual(r, usual) for n, r in on_chip.items()}}


def with_estimate(one: Radio) -> Radio:
    """Return a radio that is not in the catalogue, with estimates as of those in it."""
    rows: Mapping[str, Radio] = rows_of(Radio)
    if not one.processor and one.chip not in {r.on_chip_with for r in controllers()}:
        return one
    checked = {r.chip: r.event_c for r in rows.values() if r.event_c.checked}
    return _with_usual(one, _usual_event({n: q for n, q in checked.items() if q.value}))


def _usual_event(measured: Mapping[str, Quantity]) -> Quantity:
    """Return the median of what was measured, with a tolerance that has all in it."""
    middle = median(each.value for each in measured.values())
    ends = [each.quantile(share) for each in measured.values() for share in (0.1, 0.9)]
    widest = max(max(ends) / middle, middle / min(ends))
    source = f"estimated: the median of {', '.join(measured)}, which were measured"
    return Quantity(middle, widest - 1, source, checked=False)


def _with_usual(one: Radio, event_c: Quantity) -> Radio:
    """Return a radio with the charges of an event, if it has none of its own."""
    if one.event_c.value:
        return one
    sense_c = one.sense_c
    if not (one.send_c.value or sense_c.value):
        sense_c = _sensing(one)
    return replace(one, event_c=event_c, sense_c=sense_c)


def _sensing(one: Radio) -> Quantity:
    """Return what it takes to sense the medium once; medium accesses that do pay it.

    Of two versions of one software that were measured, one takes that for a frame that
    it sends, and the other nothing.
    """
    time_s = _SENSED_BITS / one.bit_rate.value + one.turnaround_s.value
    source = "estimated: the receiver on for 8 symbols and a turnaround"
    return Quantity(one.receive_a.value * time_s, 1.0, source, checked=False)


def _of_devices() -> dict[str, dict[str, Any]]:
    """Return what the descriptions of devices have for the energy model."""
    found = {each.name: dict(each.controller) for each in devices.devices()}
    return {name: fields for name, fields in found.items() if fields}


def radio(name: str) -> Radio:
    """Return the radio of this name, such as ``"at86rf231"``.

    >>> radio("at86rf231").transmit_a.value
    0.014

    Raises
    ------
    samara.crypto.UnknownNameError
        When there is none; the text tells the nearest names. So do the others.
    """
    found: Radio = find(Radio.kind, name, _rows(Radio))
    return found


def controller(name: str) -> Controller:
    """Return what the device of this name draws while it computes nothing.

    A chip's name stands for the device that was measured in its place.
    """
    device = devices.device(name).name
    found: Controller = find(Controller.kind, device, _rows(Controller))
    return found


def controller_of(device: devices.Device) -> Controller:
    """Return what a device, or a chip with figures of its own, draws meanwhile."""
    found: Controller = _row_of(Controller, device.name, device.controller)
    return found


def battery(name: str) -> Battery:
    """Return the battery of this name, such as ``"cr2032"``."""
    found: Battery = find(Battery.kind, name, _rows(Battery))
    return found


def band(name: str) -> Band:
    """Return the band of this name, such as ``"eu868"``."""
    found: Band = find(Band.kind, name, _rows(Band))
    return found


def memory(name: str) -> Memory:
    """Return the memory of this name, such as ``"atmega328p-eeprom"``."""
    found: Memory = find(Memory.kind, name, _rows(Memory))
    return found


def band_of(tuned: Radio, band_name: str) -> Band:
    """Return a band that a radio can be tuned to.

    Raises
    ------
    samara.crypto.UnknownNameError
        When there is no such band.
    MisuseError
        When the radio cannot be tuned to it.
    """
    wanted = band(band_name)
    if not _reaches(tuned, wanted):
        others = [each.name for each in bands_of(tuned)]
        able = [each.name for each in radios() if _reaches(each, wanted)]
        ways = [
            f"--{option} {', '.join(names)}"
            for option, names in (("band", others), ("radio", able))
            if names
        ]
        message = f"{tuned.title} has no {wanted.title}: give {', or '.join(ways)}"
        raise MisuseError(message)
    return wanted


def bands_of(tuned: Radio) -> list[Band]:
    """Return the bands that a radio can be tuned to."""
    return [each for each in bands() if _reaches(tuned, each)]


def _reaches(tuned: Radio, wanted: Band) -> bool:
    return tuned.from_mhz <= wanted.from_mhz <= wanted.to_mhz <= tuned.to_mhz


def radios() -> list[Radio]:
    """Return all radios, in the order of the file."""
    return list(_rows(Radio).values())


def controllers() -> list[Controller]:
    """Return all controllers, in the order of the file."""
    return list(_rows(Controller).values())


def batteries() -> list[Battery]:
    """Return all batteries, in the order of the file."""
    return list(_rows(Battery).values())


def bands() -> list[Band]:
    """Return all bands, in the order of the file."""
    return list(_rows(Band).values())


def memories() -> list[Memory]:
    """Return all memories, in the order of the file."""
    return list(_rows(Memory).values())
