# SPDX-License-Identifier: Apache-2.0
"""The tables of the bench on a terminal, chips by name, and JSON Lines."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

import pytest
from bench.results import changed, refused, result, write
from shell import assert_done, assert_misuse, objects, said, samara

from samara.bench import devices, overview, places, results_table
from samara.bench.places import root
from samara.bench.show import ShowRequest, show
from samara.records import Digest, records_of
from samara.records.tables import Table

if TYPE_CHECKING:
    from pathlib import Path

    from samara.bench.results import Result

CHIPS = [
    ("nrf52840", "cortex-m4"),
    ("NRF52840", "cortex-m4"),
    ("stm32f103", "cortex-m3"),
    ("stm32f103c8t6", "cortex-m3"),
    ("atmega32u4", "atmega328p"),
    ("ATmega328P-AU", "atmega328p"),
    ("msp430f1612", "msp430f1611"),
    ("atmega128", "atmega128"),
]


def timed(one: Result) -> Result:
    """Return a result with a time and an energy of each operation."""
    cycles = one.as_json()["cycles"]
    times = {name: count / 10 for name, count in cycles.items()}
    return changed(one, time_us=times, energy_uj=times, flags="-mmcu=x -Os")


ROWS = [
    timed(result("atmega328p", "aes128-ccm-4", cycles=97_001)),
    timed(result("atmega328p", "aes128-ccm-8", cycles=97_002)),
    timed(result("atmega328p", "aes128-ccm-16", cycles=97_003)),
    timed(result("atmega328p", "aes128-ccm-16", cycles=81_000, code=2000, opt="O3")),
    timed(result("cortex-m4", "ieee802154-grain128aead-16", origin="estimated")),
    timed(result("cortex-m4", "aes128", cycles=123_456_789, origin="estimated")),
    refused("msp430f1611", "aes128-gcm", "needs 99,999 bytes of memory"),
]


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return a directory with these results and no others."""
    for name in ("core", "devices", "firmware", "published"):
        (tmp_path / name).symlink_to(root() / name)
    monkeypatch.setenv("SAMARA_ROOT", str(tmp_path))
    own = tmp_path / "build" / "bench" / "results.jsonl"
    own.parent.mkdir(parents=True)
    write(own, ROWS)
    return tmp_path


def shown(place: Path, *words: str) -> str:
    return assert_done(samara("bench", *words, folder=place)).decode()


# Chips


@pytest.mark.parametrize(("chip", "device"), CHIPS)
def test_a_chip_stands_for_its_device(chip: str, device: str) -> None:
    assert devices.device(chip).name == device


@pytest.mark.parametrize("name", ["atmega32", "stm32f1031", "nrf52", "", "cortex-m7"])
def test_no_other_name_does(name: str) -> None:
    with pytest.raises(LookupError, match="device or chip"):
        devices.device(name)


def test_a_chip_has_one_device() -> None:
    every = [chip for device in devices.devices() for chip in device.chips]
    assert len(every) == len(set(every)) > 40
    assert not set(every) & {device.name for device in devices.devices()}
    assert all(re.fullmatch("[a-z0-9]+", chip) for chip in every)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("words", "expected"),
    [
        ("bench show --device nrf52840", "with the figures of the nRF52840"),
        ("bench show --device stm32f407 --suite aes128", "clock (64 MHz)"),
        (
            "receipt explain --link ieee802154 --bytes 20 --device stm32f407",
            "are those of",
        ),
    ],
)
def test_it_is_said_which_device_stands_for_a_chip(
    words: str, expected: str, place: Path
) -> None:
    done = samara(*words.split(), folder=place)
    assert done.returncode == 0
    (line,) = said(done)
    chip = words.partition("--device ")[2].split()[0]
    assert line.startswith(f"samara: {chip} is measured as cortex-m4: ")
    assert expected in line


@pytest.mark.slow
def test_devices_lists_the_chips(place: Path) -> None:
    text = shown(place, "devices")
    for device in devices.devices():
        assert all(chip in text for chip in device.chips)
    found = objects(shown(place, "devices", "--json").encode())
    assert {one["type"] for one in found} == {"device"}
    (m4,) = [one for one in found if one["name"] == "cortex-m4"]
    assert "nrf52840" in m4["chips"]
    assert m4["supply_voltage"] == {
        "value": 3.0,
        "unit": "V",
        "origin": "published",
        "source": devices.device("cortex-m4").supply_voltage_v.source,
    }


# Tables


@pytest.mark.slow
@pytest.mark.parametrize(
    "words", ["show --opt Os --opt O3", "show --sort fom", "devices", "published"]
)
def test_a_table_fits_a_terminal_and_cuts_no_digit(words: str, place: Path) -> None:
    text = shown(place, *words.split())
    table = text.partition("Not shown in 80")[0].partition("bytes: message")[0]
    assert max(map(len, table.splitlines())) <= 80
    assert "\N{HORIZONTAL ELLIPSIS}" not in text
    if words.startswith("show --opt"):
        assert "123,456,789" in table
        assert "ieee802154-grain128aead-16" in table
        assert "Not shown in 80 columns" in text


def test_each_row_has_the_command_that_measures_it_again() -> None:
    rows = [ROWS[3], ROWS[5]]
    table, *_ = results_table.parts_of(rows)
    assert isinstance(table, Table)
    assert [row.command for row in table.rows] == [
        f"samara bench run --device {device} --suite {suite} --implementation portable"
        f" --opt {opt} --message {row.message_bytes} --ad {row.ad_bytes}"
        for row, device, suite, opt in (
            (rows[0], "atmega328p", "aes128-ccm-16", "O3"),
            (rows[1], "cortex-m4", "aes128", "Os"),
        )
    ]


def test_wide_shows_all_columns(place: Path) -> None:
    text = shown(place, "show", "--wide", "--opt", "Os")
    assert "Not shown" not in text
    assert "stack" in text
    # In milliseconds: 97,003 cycles are 9,700.3 us here.
    assert re.search(r"aes128-ccm-4\.\.16 .* 9\.70", text)


# The overview


def sealing(device: str, suite: str, cycles: int, **others: Any) -> Result:  # noqa: ANN401 - as the function it calls
    """Return a result for the message that the overview compares."""
    return result(device, suite, overview.SIZES, cycles=cycles, **others)


COMPARED = [
    sealing("atmega328p", "aes128-ccm-16", 900),
    sealing("atmega328p", "aes128-gcm", 700, implementation="assembly", code=1234),
    # Faster, but neither a standard, nor with the longest tag, nor of that size.
    sealing("atmega328p", "acorn128", 100),
    sealing("atmega328p", "aes128-ccm-4", 200),
    result("atmega328p", "aes128-gcm", (16, 14), cycles=300),
    # Its fastest is measured in a clone, and is older than the one in COMPARED.
    sealing("cortex-m4", "aes128-ccm-16", 800),
    refused("msp430f1611", "aes128-gcm", "needs 99,999 bytes of memory"),
]


@pytest.fixture
def compared(place: Path) -> Path:
    """Return a directory with a file of a device, and results of a user's own."""
    (place / "results").mkdir()
    committed = [
        sealing("cortex-m4", "aes128-ccm-16", 600),
        sealing("cortex-m4", "ascon-aead128", 801, origin="estimated"),
        sealing("cortex-m4", "speck128-128", 5),
    ]
    write(place / "results" / "cortex-m4.jsonl", committed)
    write(place / "build" / "bench" / "results.jsonl", COMPARED)
    return place


def test_without_a_selection_each_device_has_a_row(compared: Path) -> None:
    text = shown(compared, "show")
    rows = [" ".join(line.split()) for line in text.splitlines()]
    start = next(i for i, row in enumerate(rows) if row.startswith("atmega328p"))
    assert rows[start : start + 4] == [
        "atmega328p 4 aes128-gcm (assembly) Os 700 - - 1,234",
        "cortex-m4 3 aes128-ccm-16 Os 800 - - 1,000",
        "msp430f1611 1 - - - - - -",
        "",
    ]
    assert max(map(len, text.partition("(m)")[0].splitlines())) <= 80
    how = "samara bench show --device atmega328p --message 64 --ad 14 --sort cycles"
    assert how in " ".join(rows)


def test_an_overview_has_the_records_of_all_results(
    compared: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(places, "root", lambda: compared)
    (digest,) = show(ShowRequest())
    assert isinstance(digest, Digest)
    table, *_ = digest.parts
    assert isinstance(table, Table)
    # One of its own takes the place of a committed one.
    assert len(records_of([digest])) == len(COMPARED) + 2
    assert [row.command for row in table.rows] == [
        results_table.command_of(COMPARED[1]),
        results_table.command_of(COMPARED[5]),
        "samara bench show --device msp430f1611",
    ]


@pytest.mark.slow
def test_suites_of_one_program_share_a_row_unless_they_are_named(place: Path) -> None:
    text = shown(place, "show", "--device", "atmega328p")
    assert "97,003" in text
    assert "97,002" not in text
    assert text.count("aes128-ccm") == 2
    named = ("--suite", "aes128-ccm-8", "--suite", "aes128-ccm-16")
    assert "97,002" in shown(place, "show", "--device", "atmega328p", *named)


@pytest.mark.slow
def test_each_implementation_stands_beside_public_code(place: Path) -> None:
    rows = [
        timed(result("atmega328p", "speck128-128", cycles=cycles, implementation=name))
        for name, cycles in (("portable", 4930), ("assembly", 493))
    ]
    write(place / "build" / "bench" / "results.jsonl", rows)
    lines = shown(place, "show", "--suite", "speck128-128", "--wide").splitlines()
    found = {line.split(" yes ")[0].split("  ")[0].strip(): line for line in lines}
    assert found["speck128-128"].split()[-2:] == ["2,465", "2.00"]
    assert found["speck128-128 (assembly)"].split()[-2:] == ["2,465", "0.200"]
    words = ("show", "--suite", "speck128-128", "--implementation", "assembly")
    (only,) = objects(assert_done(samara("bench", *words, "--json", folder=place)))
    assert only["best_known"]["value"] == 2465
    assert only["times"]["value"] == 0.2
    (line,) = [
        text
        for text in shown(
            place, "best", "--suite", "speck128-128", "--wide"
        ).splitlines()
        if "atmega328p" in text and "2,465" in text and " 493 " in text
    ]
    assert "0.20" in line


def test_what_is_the_same_in_all_rows_is_the_title(place: Path) -> None:
    text = shown(place, "show", "--device", "atmega328p", "--opt", "O3")
    assert text.startswith("device atmega328p, opt O3, bytes 64+0\n")


def test_energy_is_in_microjoules_with_its_origin(place: Path) -> None:
    text = shown(place, "show", "--device", "atmega328p", "--opt", "O3")
    assert "\N{MICRO SIGN}J" in text
    assert "uJ" not in text
    # The current of the ATmega328P was not checked.
    assert "(a) assumed: " in text


@pytest.mark.slow
@pytest.mark.parametrize(
    ("words", "sizes"),
    [
        (
            "--device atmega328p --suite aes128-ccm-8 --message 65",
            "There are results for --message 64 and --ad 0. ",
        ),
        ("--device atmega2560", ""),
    ],
)
def test_an_empty_answer_says_why_and_how(words: str, sizes: str, place: Path) -> None:
    sentence = f"No results for {words}. {sizes}To measure: samara bench run {words}"
    assert " ".join(shown(place, "show", *words.split()).split()) == sentence


def test_a_suite_that_is_not_known_is_misuse(place: Path) -> None:
    done = samara("bench", "show", "--suite", "aes128-cmm-8", folder=place)
    assert_misuse(done, "aes128-cmm-8", "aes128-ccm-8")


@pytest.mark.slow
def test_both_a_suite_and_a_cipher_alone_are_taken(place: Path) -> None:
    found = objects(shown(place, "show", "--suite", "aes128", "--json").encode())
    assert [one["suite"] for one in found] == ["aes128"]
    found = objects(shown(place, "show", "--suite", "aes128-ccm-8", "--json").encode())
    assert [one["suite"] for one in found] == ["aes128-ccm-8"]


# JSON Lines


def test_a_result_has_figures_with_origins(place: Path) -> None:
    found = objects(shown(place, "show", "--json").encode())
    assert [one["type"] for one in found] == ["result"] * len(ROWS)
    first, refused_one = found[0], found[-1]
    assert first["cycles"]["seal"] == {
        "value": 97_001,
        "unit": "cycle",
        "origin": "measured",
        "source": "simavr",
    }
    assert first["time"]["seal"]["value"] == pytest.approx(9.7001e-3)
    assert first["energy"]["seal"]["unit"] == "J"
    assert first["energy"]["seal"]["origin"] == "assumed"
    assert (first["code"]["value"], first["code"]["unit"]) == (1000, "byte")
    assert refused_one["cycles"] is None
    assert refused_one["problem"] == "needs 99,999 bytes of memory"


@pytest.mark.slow
@pytest.mark.parametrize(
    ("words", "types"),
    [
        ("best --device atmega328p", {"best_known"}),
        ("published --paper modspeck", {"paper", "published_row"}),
    ],
)
def test_other_lists_are_json_lines_too(
    words: str, types: set[str], place: Path
) -> None:
    found = objects(shown(place, *words.split(), "--json").encode())
    assert {one["type"] for one in found} == types


def test_best_shows_ours_beside_the_public_code(place: Path) -> None:
    found = objects(shown(place, "best", "--suite", "aes128", "--json").encode())
    assert all(one["public"]["value"] > 0 for one in found)
    avr = [one for one in found if one["device"] == "atmega328p"]
    assert avr
    assert all(one["ours"] is None for one in avr)
