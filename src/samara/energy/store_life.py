# SPDX-License-Identifier: Apache-2.0
"""How long a memory lasts that keeps a counter, or a key (core/store).

A record of a counter covers `step` messages, and each reset takes one more record. At
a step of 1 a reset takes none, because no number is reserved ahead.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

from samara.energy.origins import model_figure
from samara.energy.own_parts import own_parts
from samara.energy.remarks import unchecked_remark
from samara.energy.requests import Interval, PartFiles, part_names
from samara.energy.store_ring import PAYLOAD_MAX, Ring, ring_of
from samara.energy.supply import YEAR_S
from samara.errors import MisuseError
from samara.figure import Figure
from samara.records import (
    Answer,
    Between,
    Field,
    Parameter,
    Record,
    Remark,
    Request,
    Title,
    record_class,
    request_class,
)
from samara.records.numbers import digits
from samara.units import BYTES, NUMBER, YEARS

if TYPE_CHECKING:
    from collections.abc import Sequence

    from samara.energy.catalogue import Memory

_DAY_S = 86_400.0
_DAYS_OF_YEAR = YEAR_S / _DAY_S
_RECORDS = 32
_STEP_MAX = 1 << 31
_STEPS = tuple(1 << exponent for exponent in range(13))
_OF_ENERGY = (
    *("write_bytes", "write_s", "write_a", "supply_v"),
    *("page_bytes", "erase_s", "erase_a"),
)


@request_class
class StoreRequest(Request):
    """A memory, what is kept in it, and how often it changes."""

    memory: Annotated[
        str,
        Parameter(help="Memory that keeps the value.", names=part_names("memory")),
    ] = "atmega328p-eeprom"
    parts: PartFiles = ()
    step: Annotated[
        tuple[int, ...],
        Parameter(
            help="Messages that one record covers (repeatable).",
            values=Between(1, _STEP_MAX),
            default_text="the powers of 2 from 1 to 4096",
        ),
    ] = ()
    interval_s: Interval = 60.0
    resets: Annotated[
        float,
        Parameter(help="Resets a day.", unit=NUMBER, values=Between(0, 1e6)),
    ] = 0.0
    records: Annotated[
        int | None,
        Parameter(
            help="Room for this many records, at least.",
            values=Between(4, 1_000_000),
            default_text=f"{_RECORDS}, and at least two pages of flash",
        ),
    ] = None
    size: Annotated[
        int | None,
        Parameter(
            help="Size of the part of the memory that is used, instead of --records.",
            unit=BYTES,
            values=Between(1, 1 << 31),
            default_text="as --records says",
        ),
    ] = None
    payload: Annotated[
        int,
        Parameter(
            help="Size of a value that each message replaces, such as a key. "
            "0 stands for a counter.",
            unit=BYTES,
            values=Between(0, PAYLOAD_MAX),
        ),
    ] = 0
    years: Annotated[
        float,
        Parameter(
            help="Life that the recommended step has to reach.",
            unit=YEARS,
            values=Between(0.001, 1000),
        ),
    ] = 10.0

    @property
    def messages_per_day(self) -> float:
        """Messages a day."""
        return _DAY_S / self.interval_s

    @property
    def steps(self) -> Sequence[int]:
        """The steps to compute.

        Raises
        ------
        MisuseError
            When a step is given for a value that is no counter.
        """
        if not self.payload:
            return sorted(set(self.step)) or _STEPS
        if set(self.step) - {1}:
            message = "--step is for counters: expected 1 or none with --payload"
            raise MisuseError(message)
        return (1,)

    def ring(self) -> Ring:
        """Return the part of the memory that is used.

        Raises
        ------
        samara.crypto.UnknownNameError
            When there is no such memory.
        MisuseError
            When both sizes are given, or the store refuses such a ring.
        """
        memory = own_parts(self.parts).memory(self.memory)
        if self.size is None:
            return ring_of(memory, self.payload, self.records or _RECORDS)
        if self.records is not None:
            message = "--records and --size were both given: expected one of them"
            raise MisuseError(message)
        return Ring(memory, self.size, self.payload)


@record_class
class StoreLife(Record):
    """How long a memory lasts that keeps a counter, at a step."""

    memory: Annotated[str, Field("Name of the memory.")]
    step: Annotated[
        int, Field("Messages that one record covers.", heading="step", rank=0)
    ]
    record_bytes: Annotated[
        int, Field("Size of a record, with its filler.", unit="byte")
    ]
    slots: Annotated[int, Field("Number of records that there is room for.")]
    records: Annotated[
        Figure, Field("Records that can be written until the endurance is used.")
    ]
    records_per_message: Annotated[
        Figure, Field("Records written for a message.", heading="records a message")
    ]
    records_per_day: Annotated[
        Figure, Field("Records written in a day.", heading="a\xa0day")
    ]
    erases_per_day: Annotated[
        Figure, Field("Pages erased in a day.", heading="erases a\xa0day")
    ]
    life: Annotated[
        Figure,
        Field("Until the endurance is used.", heading="life", unit="year", rank=0),
    ]
    lost_numbers: Annotated[
        int,
        Field("Numbers that a reset skips at most.", heading="lost at a\xa0reset"),
    ]
    energy_per_day: Annotated[
        Figure,
        Field(
            "What writes and erases take in a day.",
            heading="energy a\xa0day",
            unit="\N{MICRO SIGN}J",
        ),
    ]


def store_life(request: StoreRequest) -> Answer[StoreLife]:
    """Yield how long a memory lasts at each step.

    Without a step, the last remark recommends one.

    Raises
    ------
    MisuseError, samara.crypto.UnknownNameError
        As `StoreRequest.ring` and `StoreRequest.steps`.
    """
    ring, steps = request.ring(), request.steps
    yield Title(
        f"{ring.memory.title}: {ring.slots:,} records of {ring.slot_size} bytes, "
        f"a message every {request.interval_s:g} s"
    )
    lifetimes = [life_at(request, ring, step) for step in steps]
    yield from lifetimes
    yield Remark(
        "A reset that cuts a write takes one more record. The time for which a memory "
        "keeps its content is another limit: see its data sheet."
    )
    yield from unchecked_remark(set(_unchecked(ring.memory, *_OF_LIFE, *_OF_ENERGY)))
    if not request.step and not request.payload:
        yield Remark(_recommended(lifetimes, request.years))


def life_at(request: StoreRequest, ring: Ring, step: int) -> StoreLife:
    """Return how long a memory lasts at a step."""
    messages = request.messages_per_day
    # A record is written for a message, so there are never more records than messages.
    per_day = min(messages / step + request.resets, messages)
    erases = per_day / ring.slots_of_page if ring.is_erased else 0.0
    of_life = _unchecked(ring.memory, *_OF_LIFE)
    of_energy = _unchecked(ring.memory, *_OF_ENERGY)
    joules = per_day * _write_j(ring) + erases * _erase_j(ring.memory)
    return StoreLife(
        memory=ring.memory.name,
        step=step,
        record_bytes=ring.slot_size,
        slots=ring.slots,
        records=model_figure(ring.records, "record", of_life),
        records_per_message=model_figure(per_day / messages, "record", ()),
        records_per_day=model_figure(per_day, "record", ()),
        erases_per_day=model_figure(erases, "erase", ()),
        life=model_figure(ring.records / per_day / _DAYS_OF_YEAR, "year", of_life),
        lost_numbers=0 if ring.payload else _lost(step),
        energy_per_day=model_figure(joules, "J", of_energy),
    )


_OF_LIFE = ("endurance_cycles", "unit_bytes", "page_bytes")


def _unchecked(memory: Memory, *names: str) -> list[str]:
    """Return those of a memory's quantities that were not read in their sources."""
    return [
        f"{memory.name}.{name}"
        for name in dict.fromkeys(names)
        if not getattr(memory, name).checked
    ]


def _lost(step: int) -> int:
    """Return how many numbers a reset skips at most: a power of 2.

    A reset that cuts a write skips as many as a record tells, which are that many.
    """
    return 1 << (step - 1).bit_length()


def _write_j(ring: Ring) -> float:
    """Return what the write of a record takes."""
    memory = ring.memory
    power_w = memory.write_a.value * memory.supply_v.value
    return ring.writes_of_record * memory.write_s.value * power_w


def _erase_j(memory: Memory) -> float:
    """Return what the erase of a page takes."""
    return memory.erase_s.value * memory.erase_a.value * memory.supply_v.value


def _recommended(lifetimes: Sequence[StoreLife], years: float) -> str:
    """Return a sentence with the smallest step that is enough."""
    fine = next((each for each in lifetimes if each.life.value >= years), None)
    if fine is None:
        return (
            f"No step up to {lifetimes[-1].step:,} reaches {years:g} years: "
            "take a larger ring (--records), or a memory of more endurance."
        )
    return (
        f"Take step {fine.step:,}: it is the smallest with a life of {years:g} years "
        f"or more: {digits(fine.life.value)} years. Numbers that a reset skips: "
        f"{fine.lost_numbers:,} at most."
    )
