# SPDX-License-Identifier: Apache-2.0
"""Results that are made when they are looked at are those that all at once would be."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from bench.results import changed, result, write

from samara.bench import folding, grouping, store

if TYPE_CHECKING:
    from pathlib import Path

    from samara.bench.results import Result

SIZES = [(0, 0), (16, 0), (16, 4)]


def of_suite(suite: str, *sizes: tuple[int, int]) -> list[Result]:
    return [
        result("atmega128", suite, size, cycles=1000 + size[0] + 7 * size[1])
        for size in sizes or SIZES
    ]


def stored(path: Path, *groups: list[Result]) -> Path:
    """Return a file with a line for each group."""
    for rows in groups:
        store.append(path, rows)
    return path


def test_a_program_makes_the_results_of_its_line(tmp_path: Path) -> None:
    rows = of_suite("aes128-ccm-8")
    place = stored(tmp_path / "own.jsonl", rows)
    assert len(place.read_text("utf-8").splitlines()) == 1
    (program,) = store.programs(place)
    assert (len(program), list(program), list(program)) == (3, rows, rows)
    assert list(program.sizes) == SIZES
    assert [list(one) for one in program.by_size()] == [[row] for row in rows]
    assert store.programs(place, wanted=lambda message, _: message == 17) == []
    (some,) = store.programs(place, wanted=lambda message, ad: message > ad)
    assert list(some) == rows[1:]


def test_a_later_result_takes_the_place_of_an_earlier_one(tmp_path: Path) -> None:
    rows, other = of_suite("aes128-ccm-8"), of_suite("aes128-gcm")
    newer = [changed(rows[1], code_bytes=7), *of_suite("aes128-ccm-8", (99, 0))]
    place = stored(tmp_path / "own.jsonl", rows, other, newer)
    assert store.read(place) == [rows[0], newer[0], rows[2], *other, newer[1]]


def test_of_equal_results_of_a_line_the_last_is_taken(tmp_path: Path) -> None:
    rows = of_suite("aes128-ccm-8", (16, 0), (32, 0), (16, 0))
    rows[2] = changed(rows[2], cycles={"set_up": 1, "seal": 2, "open": 3})
    place = stored(tmp_path / "own.jsonl", rows)
    assert len(place.read_text("utf-8").splitlines()) == 1
    assert store.read(place) == [rows[2], rows[1]]


@pytest.mark.parametrize(
    "sizes_of_16",
    [SIZES, SIZES[:1], [(99, 0)], [*SIZES, (99, 0)], SIZES[::-1]],
    ids=["the same", "fewer", "others", "more", "another order"],
)
def test_programs_fold_as_their_results_do(
    sizes_of_16: list[tuple[int, int]], tmp_path: Path
) -> None:
    rows = [
        of_suite("aes128-ccm-8"),
        of_suite("aes128-gcm"),
        of_suite("aes128-ccm-16", *sizes_of_16),
        of_suite("aes128-ccm-4"),
    ]
    place = stored(tmp_path / "own.jsonl", *rows)
    by_program = [
        (one, name)
        for program, name in folding.folded(store.programs(place))
        for one in program
    ]
    by_result = grouping.folded(
        store.read(place), suite=lambda one: one.suite, same=lambda one: one.sizes
    )
    assert by_program == by_result
    assert len(by_result) >= 2 * len(SIZES)


def test_a_problem_is_a_program_without_figures(tmp_path: Path) -> None:
    rows = of_suite("aes128-ccm-8", (16, 0))
    problem = changed(
        rows[0], message_bytes=64, cycles=None, problem="It does not fit."
    )
    place = write(tmp_path / "own.jsonl", [*rows, problem])
    names = [name for _, name in folding.folded(store.programs(place))]
    assert names == ["aes128-ccm-8", "aes128-ccm-8"]
    assert store.read(place) == [rows[0], problem]
