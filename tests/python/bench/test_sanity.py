# SPDX-License-Identifier: Apache-2.0
"""Committed figures that cannot be true are found without measuring again."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Any

import pytest
from bench.results import changed

from samara.bench import devices, sanity, store, subjects
from samara.bench.recording import derived
from samara.bench.results import Operation, Sizes
from samara.bench.sizes import periods_of

if TYPE_CHECKING:
    from samara.bench.results import Result

DEVICE = "cortex-m4"
SUITE, PHASES = "aes128-ccm-16", "aes128-ccm-16-phases"
BIG = {"implementation": "portable", "opt": "O2"}


@cache
def program(suite: str = SUITE, device: str = DEVICE) -> tuple[Result, ...]:
    """Return the committed results of one program."""
    rows = store.read(store.committed_of(device), suites=[suite], strict=True)
    return tuple(
        row
        for row in rows
        if (row.suite, row.implementation, row.opt) == (suite, *BIG.values())
    )


def complaints(*rows: Result) -> list[str]:
    """Return what is told of results when they stand in the place of committed ones."""
    others = {row.identity: row for row in (*program(rows[0].suite), *rows)}
    return sanity.faults(others.values())


def row(message: int = 128, ad: int = 14, suite: str = SUITE) -> Result:
    (found,) = (one for one in program(suite) if one.sizes == (message, ad))
    return found


def other(one: Result, **fields: Any) -> Result:  # noqa: ANN401 - of all kinds
    return changed(one, **fields, files=one.files)


def scaled(one: Result, field: str, by: float) -> Result:
    values = {key.value: value * by for key, value in getattr(one, field).items()}
    return other(one, **{field: values})


def with_cycles(one: Result, **cycles: int) -> Result:
    """Return a result with other cycles, and the times and energies of these."""
    counts = {key.value: count for key, count in one.counts.items()} | cycles
    device = devices.device(one.device)
    by_name = {Operation(name): count for name, count in counts.items()}
    exact = derived(device, by_name)._asdict()
    fields = {
        name: {key.value: value for key, value in values.items()}
        for name, values in exact.items()
    }
    return other(one, cycles=counts, **fields)


def test_what_is_right_is_not_reported() -> None:
    assert complaints(row()) == []
    assert complaints(row(suite=PHASES)) == []
    assert complaints(with_cycles(row(), seal=row().protect_cycles)) == []


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"code_bytes": -270}, "code_bytes is -270"),
        ({"code_bytes": 0}, "code_bytes is 0"),
        ({"code_bytes": None}, "code_bytes is -1"),
        ({"code_bytes": 1 << 30}, "code_bytes is 1073741824"),
        ({"static_ram_bytes": -1}, "static_ram_bytes is -1"),
        ({"stack_bytes": 0}, "stack_bytes is 0"),
        ({"stack_bytes": 1 << 20}, "stack_bytes is 1048576"),
        ({"samples": 63}, "63 samples, not 64"),
        ({"origin": "measured"}, "origin is measured"),
        ({"flags": "-O2"}, "flags are not those of its build"),
        ({"revision": "abc1234-dirty"}, "abc1234-dirty"),
        ({"constant_time": False}, "constant_time"),
        ({"varies": {"seal": -1}, "constant_time": False}, "seal varies by -1"),
        ({"problem": "does not fit"}, "figures and a problem"),
        ({"compiler": ""}, "no compiler"),
        ({"sources": ""}, "no compiler or no sources"),
    ],
)
def test_a_field_that_cannot_be_true(change: dict[str, Any], words: str) -> None:
    found = complaints(other(row(), **change))
    assert any(words in text and "128+14" in text for text in found), found


@pytest.mark.parametrize("field", ["time_us", "energy_uj"])
@pytest.mark.parametrize("by", [1000, 0.001, -1])
def test_another_unit_or_sign(field: str, by: float) -> None:
    (found,) = complaints(scaled(row(), field, by))
    assert "128+14: time or energy is not that of its cycles" in found


def test_counts_that_cannot_be_true() -> None:
    (found,) = complaints(scaled(row(), "instructions", 3))[:1]
    assert "instructions" in found
    assert any(
        "seal takes -5 cycles" in text
        for text in complaints(with_cycles(row(), seal=-5))
    )
    # More work takes more cycles: two sizes that were exchanged, and a digit too many.
    few, many = row(64, 0), row(128, 0)
    exchanged = (
        with_cycles(few, seal=many.protect_cycles),
        with_cycles(many, seal=few.protect_cycles),
    )
    assert any("128+0: seal takes" in text for text in complaints(*exchanged))
    tenfold = with_cycles(few, open=10 * few.unprotect_cycles)
    assert any(
        "open takes" in text and "for 64+0" in text for text in complaints(tenfold)
    )
    set_up = with_cycles(few, set_up=few.set_up_cycles + 1)
    assert any("set_up takes" in text for text in complaints(set_up))
    missing = other(few, cycles={"set_up": 1, "seal": 2})
    assert any(
        "cycles are those of set_up, seal" in text for text in complaints(missing)
    )


def test_parts_are_the_whole() -> None:
    one = row(95, 14, PHASES)
    (found,) = complaints(
        with_cycles(one, encryption=one.parts[Operation.ENCRYPTION] + 1)
    )
    assert "95+14: the parts of seal are not" in found


def test_without_figures_there_is_a_reason_and_nothing_else() -> None:
    none = other(row(), cycles=None, time_us=None, energy_uj=None, stack_bytes=None)
    none = other(none, instructions=None)
    assert complaints(other(none, problem="does not fit")) == []
    assert sanity.faults([other(none, problem="does not fit")]) == []
    assert any("neither figures nor a problem" in text for text in complaints(none))
    half = other(none, problem="does not fit", stack_bytes=40)
    assert any("stack_bytes without cycles" in text for text in complaints(half))


def test_a_program_has_one_code_size() -> None:
    found = complaints(other(row(), code_bytes=(row().code_bytes or 0) + 1))
    assert any("several values of code_bytes" in text for text in found)


def test_cycles_are_compared_over_a_period() -> None:
    assert periods_of(subjects.subject(SUITE)).message == sanity.RISES_AFTER


def test_a_cipher_with_odd_blocks_is_compared_over_whole_periods() -> None:
    """NORX32's 47 bytes, left over byte by byte, cost more than two blocks of 48."""
    place = store.committed_of("msp430f1611")
    rows = {
        each.sizes: each
        for each in store.read(place, suites=["norx32"], strict=True)
        if (each.suite, each.opt) == ("norx32", "O2")
    }
    seal = Operation.SEAL
    assert rows[Sizes(47, 1)].cycles_of(seal) > rows[Sizes(96, 1)].cycles_of(seal)
    assert sanity.faults(rows.values()) == []
    # By a whole block more, it is never less.
    less, more = next(
        (sizes, longer)
        for sizes in sorted(rows)
        if (longer := Sizes(sizes.message + 48, sizes.ad)) in rows
    )
    rows[more] = with_cycles(rows[more], seal=rows[less].cycles_of(seal))
    assert any("cycles, and" in text for text in sanity.faults(rows.values()))
