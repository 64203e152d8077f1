# SPDX-License-Identifier: Apache-2.0
"""How long a memory lasts: counts are those of core/store, compiled here."""

from __future__ import annotations

import math
import subprocess
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import pytest
from shell import assert_done, assert_misuse, samara

from samara.energy import catalogue
from samara.energy.quantity import exact
from samara.energy.store_life import StoreLife, StoreRequest, life_at, store_life
from samara.energy.store_ring import Ring, ring_of
from samara.errors import MisuseError
from samara.figure import Origin
from samara.records import Remark, records_of

if TYPE_CHECKING:
    from collections.abc import Callable

    from samara.energy.catalogue import Memory

ROOT = Path(__file__).parents[3]
EEPROM = catalogue.memory("atmega328p-eeprom")
FLASH = catalogue.memory("nrf52840-flash")
SIZES = (1, 11, 12, 47, 48, 128, 384, 1000, 1024, 2048, 3072, 4096, 8192, 12288)


class Counted(NamedTuple):
    """What core/store did."""

    is_valid: int
    slots: int
    records: int
    writes: int
    erases: int
    skipped: int
    years: int


class Asked(NamedTuple):
    """A ring, and what is done with it."""

    memory: Memory
    size: int
    payload: int = 0
    step: int = 1
    messages: int = 0
    between: int = 0
    cut: int = 0
    messages_per_year: int = 0
    resets_per_year: int = 0

    def line(self) -> str:
        memory = self.memory
        # The C function takes 32 bits; no flash or EEPROM has as many.
        endurance = min(memory.endurance_cycles.value, 2**32 - 1)
        kept = (memory.unit_bytes.value, memory.page_bytes.value)
        numbers = (*kept, self.size, self.payload, self.step, endurance, *self[4:])
        return " ".join(str(int(number)) for number in numbers)


@pytest.fixture(scope="module")
def count(
    tmp_path_factory: pytest.TempPathFactory,
) -> Callable[[list[Asked]], list[Counted]]:
    """Return what asks the store in C."""
    core = ROOT / "core"
    program = tmp_path_factory.mktemp("store") / "count"
    flags = ("-std=c11", "-Wall", "-Wextra", "-Werror", "-O1", "-ffunction-sections")
    command = ["cc", *flags, f"-I{core}", f"-I{core}/include", "-o", str(program)]
    command += [str(Path(__file__).with_name("store_count.c"))]
    command += map(str, sorted(core.glob("store/*.c")))
    shared = ("crc32.c", "memory.c", "stack.c")
    command += [str(core / "common" / name) for name in shared]
    # Which registers there are to be cleared.
    command += map(str, sorted(core.glob("arch/x86_64/cpu_x86_64.c")))
    subprocess.run([*command, "-Wl,--gc-sections"], check=True, timeout=120)

    def counted(asked: list[Asked]) -> list[Counted]:
        done = subprocess.run(
            [program],
            input="".join(f"{each.line()}\n" for each in asked),
            capture_output=True,
            text=True,
            check=True,
            timeout=120,
        )
        lines = [Counted(*map(int, line.split())) for line in done.stdout.splitlines()]
        assert len(lines) == len(asked)
        return lines

    return counted


def _toy(unit: int, page: int) -> Memory:
    """Return a memory that is larger than any ring here."""
    return replace(
        FLASH if page else EEPROM,
        unit_bytes=exact(unit, "a test"),
        page_bytes=exact(page, "a test"),
        size_bytes=exact(1 << 20, "a test"),
        endurance_cycles=exact(10_007, "a test"),
    )


def test_layouts_are_those_of_the_store(
    count: Callable[[list[Asked]], list[Counted]],
) -> None:
    asked = [
        Asked(_toy(unit, page), size, payload)
        for unit, page in ((1, 0), (4, 0), (2, 1024), (8, 2048), (32, 4096), (4, 16))
        for size in SIZES
        for payload in (0, 1, 16, 64)
    ]
    results = count(asked)
    assert {each.is_valid for each in results} == {0, 1}
    for each, found in zip(asked, results, strict=True):
        if not found.is_valid:
            with pytest.raises(MisuseError):
                Ring(each.memory, each.size, each.payload)
            continue
        ring = Ring(each.memory, each.size, each.payload)
        assert (ring.slots, ring.records) == (found.slots, found.records), each


def test_known_answers_are_those_of_the_store(
    count: Callable[[list[Asked]], list[Counted]],
) -> None:
    """The years of docs/store.md, to the last digit that they had by hand."""
    both = [(EEPROM, 384, 3_200_000), (FLASH, 8192, 6_820_000)]
    found = count([Asked(memory, size) for memory, size, _ in both])
    assert [each.records for each in found] == [3_200_000, 6_820_000]
    for memory, size, records in both:
        ring = ring_of(memory, 0, 32)
        assert (ring.size, ring.records) == (size, records)
    assert _years(EEPROM) == ["6.1", "97.3", "1557.5"]
    assert _years(FLASH) == ["13.0", "207.5", "3319.5"]


def test_the_store_tells_years_as_the_model(
    count: Callable[[list[Asked]], list[Counted]],
) -> None:
    """It rounds down; the model has fractions of records, it has none."""
    lives = [
        (memory, step, per_day, resets)
        for memory in (EEPROM, FLASH)
        for step in (1, 2, 3, 16)
        for per_day in (24, 720, 1440)
        for resets in (0, 1, 2000)
    ]
    found = count(
        [
            Asked(
                memory,
                ring_of(memory, 0, 32).size,
                step=step,
                messages_per_year=round(365.25 * per_day),
                resets_per_year=round(365.25 * resets),
            )
            for memory, step, per_day, resets in lives
        ]
    )
    for (memory, step, per_day, resets), record in zip(lives, found, strict=True):
        request = StoreRequest(
            memory=memory.name, interval_s=86_400 / per_day, resets=resets
        )
        years = life_at(request, ring_of(memory, 0, 32), step).life.value
        assert record.years == pytest.approx(years, rel=0.01, abs=1), (step, per_day)
    assert len({each.years for each in found}) > 30


def test_years_at_their_bounds(count: Callable[[list[Asked]], list[Counted]]) -> None:
    most = 2**32 - 1
    endless = _toy(1, 0)
    endless = replace(endless, endurance_cycles=exact(most, "a test"))
    asked = [
        # A message a minute in 384 bytes of EEPROM: the year of docs/store.md.
        Asked(EEPROM, 384, step=16, messages_per_year=525_960),
        # More resets than messages write no more records than messages.
        Asked(EEPROM, 384, step=16, messages_per_year=100, resets_per_year=most),
        Asked(EEPROM, 384, step=1, messages_per_year=most, resets_per_year=most),
        # Nothing is sent, and nothing written.
        Asked(EEPROM, 384, resets_per_year=most),
        # One message writes one record, whatever it covers.
        Asked(endless, 1 << 20, step=1 << 31, messages_per_year=1),
        # Of a key each change is a record.
        Asked(EEPROM, 28 * 8, payload=16, messages_per_year=800_001),
    ]
    assert [each.years for each in count(asked)] == [
        *(97, 32_000, 0, 2**64 - 1),
        (1 << 20) // 12 * most,
        0,
    ]


def _years(memory: Memory) -> list[str]:
    request = StoreRequest(memory=memory.name, step=(1, 16, 256))
    return [f"{each.life.value:.1f}" for each in records_of(store_life(request))]


@pytest.mark.parametrize("memory", [EEPROM, FLASH], ids=lambda each: each.name)
@pytest.mark.parametrize("step", [1, 2, 3, 16])
def test_a_life_writes_and_erases_as_often(
    memory: Memory, step: int, count: Callable[[list[Asked]], list[Counted]]
) -> None:
    """Turns of the ring: without resets the counts are the same."""
    ring = ring_of(memory, 0, 32)
    messages = 4 * ring.slots * step
    (found,) = count([Asked(memory, ring.size, 0, step, messages)])
    request = StoreRequest(memory=memory.name, interval_s=86_400 / messages)
    day = life_at(request, ring, step)
    assert day.records_per_day.value == pytest.approx(found.writes)
    # samara_store_start has written two records before, which began the turn.
    assert day.erases_per_day.value == pytest.approx(found.erases, abs=1)
    assert found.writes == 4 * ring.slots
    assert found.skipped == 0


@pytest.mark.parametrize("step", [1, 2, 3, 16, 100])
@pytest.mark.parametrize("between", [1, 7, 16, 33])
def test_resets_take_no_more_than_the_model_says(
    step: int, between: int, count: Callable[[list[Asked]], list[Counted]]
) -> None:
    ring, lives = ring_of(EEPROM, 0, 32), 60
    messages = between * lives
    (found,) = count([Asked(EEPROM, ring.size, 0, step, messages, between)])
    request = StoreRequest(interval_s=86_400 / messages, resets=lives)
    day = life_at(request, ring, step)
    assert found.writes == lives * math.ceil(between / step)
    model = day.records_per_day.value
    assert found.writes <= model + 1e-6
    assert model <= found.writes + lives + 1e-6
    # Each reset, but for the end of the last life.
    assert found.skipped <= (lives - 1) * day.lost_numbers


@pytest.mark.parametrize("step", [1, 2, 3, 5, 16, 100])
def test_a_reset_that_cuts_a_write_skips_as_many_and_takes_one_more(
    step: int, count: Callable[[list[Asked]], list[Counted]]
) -> None:
    ring = ring_of(EEPROM, 0, 32)
    whole, torn = count(
        [
            Asked(EEPROM, ring.size, 0, step, messages, 0, cut)
            # The second record is the one that is cut; the first are those of start.
            for messages, cut in ((step + 1, 0), (step + 1, 4))
        ]
    )
    day = life_at(StoreRequest(), ring, step)
    assert whole.skipped == 0
    assert 0 < torn.skipped <= day.lost_numbers
    assert torn.writes <= whole.writes + 2
    assert day.lost_numbers < 2 * step


def test_energy_by_hand() -> None:
    """12 bytes of 3.4 ms at 9.2 mA and 5 V; a word of flash, and 1/341 of an erase."""
    eeprom, flash = (
        next(iter(records_of(store_life(StoreRequest(memory=name, step=(1,))))))
        for name in ("atmega328p-eeprom", "nrf52840-flash")
    )
    assert eeprom.energy_per_day.value == pytest.approx(
        1440 * 12 * 3.4e-3 * 9.2e-3 * 5, rel=1e-9
    )
    assert flash.energy_per_day.value == pytest.approx(
        1440 * (3 * 41e-6 + 85e-3 / 341) * 3.3e-3 * 3, rel=1e-9
    )


def test_a_record_over_the_end_of_a_block_is_two_writes() -> None:
    """Of 341 records of 12 bytes, 10 lie across one of 15 borders of 256 bytes."""
    ring = ring_of(catalogue.memory("w25q16jv"), 0, 32)
    across = sum((12 * slot) // 256 != (12 * slot + 11) // 256 for slot in range(341))
    assert across == 10
    assert ring.writes_of_record == pytest.approx(1 + across / 341)


def _remarks(request: StoreRequest) -> list[str]:
    return [each.text for each in store_life(request) if isinstance(each, Remark)]


def test_the_smallest_step_that_is_enough_is_recommended() -> None:
    assert _remarks(StoreRequest())[-1].startswith("Take step 2: ")
    assert _remarks(StoreRequest(years=6.0))[-1].startswith("Take step 1: ")
    assert _remarks(StoreRequest(years=100))[-1].startswith("Take step 32: ")
    fast = StoreRequest(interval_s=0.001)
    assert _remarks(fast)[-1].startswith("No step up to 4,096 reaches 10 years")
    for request in (StoreRequest(step=(16,)), StoreRequest(payload=16)):
        assert not any("Take step" in text for text in _remarks(request))


def test_steps_are_powers_of_2_in_order_or_as_given() -> None:
    def steps(request: StoreRequest) -> list[int]:
        return [each.step for each in records_of(store_life(request))]

    assert steps(StoreRequest()) == [1 << exponent for exponent in range(13)]
    assert steps(StoreRequest(step=(16, 3, 16))) == [3, 16]
    assert steps(StoreRequest(payload=16)) == [1]


def test_a_key_loses_nothing_at_a_reset_and_its_record_is_larger() -> None:
    (key,) = records_of(store_life(StoreRequest(payload=16, resets=5)))
    assert (key.record_bytes, key.lost_numbers, key.slots) == (28, 0, 32)
    assert key.records_per_day.value == 1440


def test_a_life_is_assumed_where_the_endurance_was_not_read() -> None:
    def origin(name: str) -> Origin:
        life: StoreLife = next(
            iter(records_of(store_life(StoreRequest(memory=name, step=(1,)))))
        )
        return life.life.origin

    assert origin("atmega328p-eeprom") is Origin.ASSUMED
    assert origin("fm25v02a") is Origin.ESTIMATED


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ("--memory fm25", "fm25v02a"),
        ("--records 86", "a ring of 1,032 bytes: atmega328p-eeprom has 1,024 bytes"),
        ("--size 47", "has room for 3 records of 12 bytes: expected 4 or more"),
        ("--memory nrf52840-flash --size 4096", "whole pages of 4,096 bytes, two or"),
        ("--size 48 --records 4", "--records and --size were both given"),
        ("--payload 16 --step 2", "--step is for counters: expected 1 or none"),
        ("--step 0", "--step"),
    ],
)
def test_what_cannot_be_is_one_sentence(
    arguments: str, said: str, tmp_path: Path
) -> None:
    done = samara("energy", "store", *arguments.split(), folder=tmp_path)
    assert_misuse(done, said)


def test_every_memory_has_a_life(tmp_path: Path) -> None:
    for memory in catalogue.memories():
        done = samara("energy", "store", "--memory", memory.name, folder=tmp_path)
        assert memory.title in assert_done(done).decode()


def test_an_endurance_of_no_memory_is_refused() -> None:
    """Beyond the numbers of a float, the life was a traceback."""
    most = replace(EEPROM, endurance_cycles=exact(1e18, "a test"))
    assert life_at(StoreRequest(), ring_of(most, 0, 32), 1).life.value < 1e18
    for cycles in (1.001e18, 1e308):
        with pytest.raises(MisuseError, match=r"is 1.*e\+.*: expected at most 1e\+18"):
            ring_of(replace(EEPROM, endurance_cycles=exact(cycles, "a test")), 0, 32)
