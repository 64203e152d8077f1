# SPDX-License-Identifier: Apache-2.0
"""`samara bench show --sort`: results are sorted before they are made."""

from __future__ import annotations

import json
from operator import attrgetter
from typing import TYPE_CHECKING, Any

import pytest
from bench.results import changed, refused, result, write

from samara.bench import store
from samara.bench.packing import pack
from samara.bench.results_table import parts_of_sorted
from samara.bench.sorting import Sort, sortable, sorted_places
from samara.records.tables import Table

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from samara.bench.programs import Program
    from samara.bench.results import Result

KEYS: dict[Sort, Callable[[Result], Any]] = {
    Sort.CYCLES: attrgetter("protect_cycles"),
    Sort.CODE: attrgetter("code_bytes"),
    Sort.RAM: attrgetter("static_ram_bytes"),
    Sort.STACK: attrgetter("stack_bytes"),
    Sort.ENERGY: attrgetter("protect_energy_uj"),
}


def _made(suite: str, size: int, seed: int) -> Result:
    """Return a result whose values have another order in each respect."""
    # The same for suites that differ in the length of the tag.
    length = len(suite.partition("-")[0])
    found = result("atmega128", suite, (size, 0), code=1000 + 7 * length)
    seal, other = 100 + 37 * seed % 101, 100 + 53 * seed % 101
    names = ("encrypt", "decrypt") if suite == "aes128" else ("seal", "open")
    by_verb = {"set_up": 3000 - seal, names[0]: seal, names[1]: other}
    return changed(
        found,
        cycles=by_verb,
        energy_uj={verb: 500.0 - each for verb, each in by_verb.items()},
        static_ram_bytes=40 + length * 31 % 17,
        stack_bytes=30 + 11 * seed % 13,
    )


SUITES = ("aes128-ccm-4", "aes128-ccm-16", "grain128aead", "ascon-aead128", "aes128")
SIZES = (1, 16, 64, 95)
ROWS = [
    *(
        _made(suite, size, len(SIZES) * i + j)
        for i, suite in enumerate(SUITES)
        for j, size in enumerate(SIZES[:1] if suite == "aes128" else SIZES)
    ),
    refused("atmega128", "aes192-ccm-16", "does not fit"),
]


@pytest.fixture
def programs(tmp_path: Path) -> list[Program]:
    lines = pack(each.as_json() for each in ROWS)
    text = "".join(f"{json.dumps(line)}\n" for line in lines)
    (tmp_path / "atmega128.jsonl").write_text(text)
    return store.programs(tmp_path)


@pytest.mark.parametrize("sort", KEYS)
def test_places_are_in_the_order_of_the_results(
    sort: Sort, programs: list[Program]
) -> None:
    assert len(programs) < len(ROWS), "many results share a line"
    found = sortable(programs, sort)
    results = [each.result for each in sorted_places(found, sort, found)]
    with_figures = [each for each in ROWS if each.has_figures]
    assert results == sorted(with_figures, key=KEYS[sort])
    assert len({KEYS[sort](each) for each in results}) > 2


def test_of_equal_results_that_of_the_earlier_line_comes_first(
    tmp_path: Path,
) -> None:
    late = result("atmega128", "aes128-gcm", (16, 0), cycles=200)
    soon, equal = (
        result("atmega128", "grain128aead", (size, 0), cycles=cycles)
        for size, cycles in ((1, 50), (16, 200))
    )
    programs = store.programs(write(tmp_path / "own.jsonl", [late, soon, equal]))
    places = sorted_places(programs, Sort.CYCLES, programs)
    assert [each.result for each in places] == [soon, late, equal]


def test_a_folded_table_is_in_the_order_of_what_it_shows(
    programs: list[Program],
) -> None:
    found = sortable(programs, Sort.CYCLES)
    table, *_ = parts_of_sorted(found, Sort.CYCLES, fold=True)
    assert isinstance(table, Table)
    number = [each.name for each in table.columns].index("seal")
    shown = [row.cells[number].text for row in table.rows]
    expected = sorted(
        each.protect_cycles
        for each in ROWS
        if each.has_figures and each.suite != "aes128-ccm-4"
    )
    assert shown == [str(each) for each in expected]
