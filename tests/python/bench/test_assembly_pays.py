# SPDX-License-Identifier: Apache-2.0
"""Stored results: where assembly is chosen, C is not faster."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from samara.bench import devices, store
from samara.bench.results import Operation
from samara.bench.subjects import subject

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from samara.bench.results import Result, Sizes

# Others, such as `small`, are chosen for their size.
_CHOSEN_BY_DEFAULT = "assembly"
_PORTABLE = "portable"
# What a compiler places differently around the same call.
_TOLERATED = 1.02
# Phases within a call are left out: work moves from one to another.
_CALLS = (
    Operation.SET_UP,
    Operation.ENCRYPT,
    Operation.DECRYPT,
    Operation.SEAL,
    Operation.OPEN,
)
_UNUSED = ("time_us", "energy_uj", "static_ram_bytes")


# A PicoRV32 shifts by four places in a clock, and no macro tells the compiler which
# RISC-V it is (docs/fast-code.md).
_SLOWER = {("picorv32", "grain128ple", "Os")}


def _slower(results: Iterable[Result]) -> list[tuple[tuple[str, str, str], str]]:
    """Return each call that takes more cycles in assembly than in C.

    Device, suite and optimisation come first, then what is told of the call.
    """
    by_program: dict[
        tuple[str, str, str, Sizes], dict[str, Mapping[Operation, int]]
    ] = {}
    for one in results:
        if one.cycles is not None:  # None: it does not fit into the memory
            place = (one.device, one.suite, one.opt, one.sizes)
            by_program.setdefault(place, {})[one.implementation] = one.cycles
    return [
        (place[:3], f"{place}: {call} {ours[call]}, in C {theirs[call]}")
        for place, found in by_program.items()
        if {_CHOSEN_BY_DEFAULT, _PORTABLE} <= set(found)
        for ours, theirs in [(found[_CHOSEN_BY_DEFAULT], found[_PORTABLE])]
        for call in theirs
        if call in _CALLS
        for set_up in [_set_up_of(place[1], call)]
        if _work(ours, call, set_up) > _TOLERATED * _work(theirs, call, set_up)
    ]


def _set_up_of(suite: str, call: Operation) -> bool:
    """Return whether a call has a set-up of its own: one that takes its nonce."""
    return call is not Operation.SET_UP and subject(suite).set_up_takes_nonce


def _work(cycles: Mapping[Operation, int], call: Operation, set_up: bool) -> int:  # noqa: FBT001
    return cycles[call] + (cycles[Operation.SET_UP] if set_up else 0)


@pytest.mark.slow
@pytest.mark.parametrize("device", [device.name for device in devices.devices()])
def test_assembly_is_nowhere_slower_than_c(device: str) -> None:
    results = store.read(store.committed_of(device), without=_UNUSED)
    assert results
    slower = _slower(results)
    assert [told for program, told in slower if program not in _SLOWER] == []
    known = {program for program in _SLOWER if program[0] == device}
    assert {program for program, _ in slower} == known


def test_assembly_that_is_slower_is_found() -> None:
    """With the names of both implementations exchanged, every operation is slower."""
    results = store.read(
        store.committed_of("cortex-m3"), suites=("aes128",), without=_UNUSED
    )
    names = {_CHOSEN_BY_DEFAULT: _PORTABLE, _PORTABLE: _CHOSEN_BY_DEFAULT}
    exchanged = [
        replace(one, implementation=names[one.implementation]) for one in results
    ]
    found = _slower(exchanged)
    assert len(found) == 3 * len({one.opt for one in results})
