# SPDX-License-Identifier: Apache-2.0
"""`samara bench show --sort fom`, beside figures of merit worked out by hand."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from bench.results import changed, refused, result, write
from shell import assert_done, objects, samara

from samara.bench import ranking
from samara.bench.places import root
from samara.bench.programs import Program

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

    from samara.bench.results import Result

# Memory is 40 + 60 bytes and set-up takes 100 cycles, unless it is said.
BEST = result("atmega128", "aes128-ccm-16", code=1000, cycles=900)
LARGE = result("atmega128", "ascon-aead128", code=2500, cycles=900)
DEEP = result("atmega128", "grain128aead", code=1000, cycles=900, stack_bytes=160)
SLOW_START = changed(
    result("atmega128", "aes128-gcm", code=1000),
    cycles={"set_up": 1300, "seal": 700, "open": 700},
)


def ranked(results: Iterable[Result]) -> list[tuple[Result, float]]:
    places = ranking.ranked(map(Program.of_result, results))
    return [(program.at(number), merit) for program, number, merit in places]


def test_code_memory_with_stack_and_cycles_with_set_up_are_added() -> None:
    found = {one.suite: merit for one, merit in ranked([LARGE, DEEP, SLOW_START, BEST])}
    # 1 + 1 + 1; 2500/1000 + 1 + 1; 1 + 200/100 + 1; 1 + 1 + 2000/1000.
    assert found == {
        "aes128-ccm-16": 3.0,
        "ascon-aead128": 4.5,
        "grain128aead": 4.0,
        "aes128-gcm": 4.0,
    }
    assert next(iter(found)) == "aes128-ccm-16"


def test_only_what_does_the_same_is_compared() -> None:
    others = [
        result("atmega128", "grain128ple", code=1, cycles=1),
        result("atmega128", "aes128", code=1, cycles=1),
        result("atmega128", "ieee802154-aes128-ccm-8", code=1, cycles=1),
        result("atmega128", "aes128-ccm-16", (0, 0), code=1, cycles=1),
        result("atmega128", "aes128-ccm-16", (64, 14), code=1, cycles=1),
        result("cortex-m3", "aes128-ccm-16", code=1, cycles=1),
        refused("atmega128", "aes192-ccm-16", "does not fit"),
    ]
    # The transformations of CCM* one by one, which no program would call.
    cycles = dict.fromkeys(("set_up", "seal", "open", "authentication"), 1)
    in_parts = changed(
        result("atmega128", "aes128-ccm-16-phases", code=1), cycles=cycles
    )
    found = ranked([*others, in_parts, BEST, LARGE])
    assert len(found) == len(others) - 1 + 2
    by_place = {
        (one.suite, one.message_bytes, one.code_bytes): merit for one, merit in found
    }
    assert by_place["aes128-ccm-16", 64, 1000] == 3.0
    assert by_place["ascon-aead128", 64, 2500] == 4.5


@pytest.fixture
def own_results(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    for name in ("core", "devices", "firmware", "published"):
        (tmp_path / name).symlink_to(root() / name)
    monkeypatch.setenv("SAMARA_ROOT", str(tmp_path))
    place = tmp_path / "build" / "bench" / "results.jsonl"
    place.parent.mkdir(parents=True)
    rows = [
        changed(
            one,
            flags="-mmcu=atmega128 -std=c11 -Os",
            time_us=one.as_json()["cycles"],
            energy_uj=one.as_json()["cycles"],
        )
        for one in (LARGE, BEST, SLOW_START)
    ]
    write(place, rows)
    return tmp_path


@pytest.mark.slow
def test_show_has_a_column_for_it(own_results: Path) -> None:
    words = ("bench", "show", "--sort", "fom")
    shown = assert_done(samara(*words, folder=own_results)).decode()
    assert "FOM" in shown
    assert shown.index("3.00") < shown.index("4.00") < shown.index("4.50")
    assert "atmega128: -mmcu=atmega128 -std=c11\n" in shown
    made = assert_done(samara(*words, "--json", folder=own_results))
    merits = [one["figure_of_merit"]["value"] for one in objects(made)]
    assert merits == [3.0, 4.0, 4.5]
    table = assert_done(samara(*words, "--csv", folder=own_results)).decode()
    assert "fom" in table.splitlines()[0].split(",")
    assert "-mmcu=atmega128 -std=c11 -Os" in table.splitlines()[1].split(",")
    plain = assert_done(samara("bench", "show", folder=own_results)).decode()
    assert "FOM" not in plain
