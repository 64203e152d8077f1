# SPDX-License-Identifier: Apache-2.0
"""docs/json.md lists the types that commands print with --json, and their keys."""

from __future__ import annotations

import json
import shlex
from functools import cache
from typing import TYPE_CHECKING, Any

import pytest
from json_page import ROWS
from shell import samara
from vectorfile import ROOT

from record_types.page import PAGE, with_records
from record_types.scanning import commands, types
from samara.cli.commands import COMMANDS
from samara.cli.running import load
from samara.records.checking import problems
from samara.records.json_types import json_type_of

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

KEY = "c0c1c2c3c4c5c6c7c8c9cacbcccdcecf"
PLAIN = "41882a2143020001003231"
KEYS = f'key = [{{ key = "{KEY}" }}]\n'
# A capture with one frame that nobody secured.
CAPTURE = bytes.fromhex(
    "d4c3b2a1 0200 0400 00000000 00000000 ffff0000 e6000000"
    "00000000 00000000 0b000000 0b000000" + PLAIN
)


def commands_with_json() -> set[str]:
    def walk(name: str, command: Any) -> Iterator[str]:  # noqa: ANN401 - Typer does not name the type
        for part, each in getattr(command, "commands", {}).items():
            yield from walk(f"{name} {part}", each)
        if any("--json" in each.opts for each in command.params):
            yield name

    return {name for row in COMMANDS for name in walk(row.name, load(row))}


def test_the_page_describes_records_as_they_are() -> None:
    page = (ROOT / PAGE).read_text(encoding="utf-8")
    assert page.count("Printed by `") >= 10
    assert page == with_records(page, types(), commands()), (
        "docs/json.md is out of date: run tools/types-of-records"
    )


def test_a_record_that_no_room_of_the_page_has_or_that_nobody_prints() -> None:
    (kind, *_) = (each for each in types() if each.type_name() == "battery_life")
    page = "<!-- records: chip ener -->\n<!-- end of records -->"
    with pytest.raises(ValueError, match=r"no mark for records of samara.energy.life"):
        with_records(page, [kind], {kind: ["energy life"]})
    with pytest.raises(ValueError, match=r"no command prints samara.energy.life.Batt"):
        with_records(page.replace("chip", "energy"), [kind], {})


def test_a_record_stands_at_the_mark_that_names_its_room_best() -> None:
    (kind, *_) = (each for each in types() if each.type_name() == "battery_life")
    page = (
        "<!-- records: ener energy -->\n<!-- end of records -->\n"
        "<!-- records: chip energy.life -->\nold\n<!-- end of records -->\n"
    )
    made = with_records(page, [kind], {kind: ["energy life", "life"]})
    before, after = made.split("<!-- records: chip energy.life -->")
    assert before == "<!-- records: ener energy -->\n\n<!-- end of records -->\n"
    assert after.startswith("\n\n### `battery_life`\n\n")
    assert " Printed by `energy life` and `life`.\n" in after
    assert after.endswith("|\n\n<!-- end of records -->\n")


def test_the_page_has_each_command_with_json_and_no_other() -> None:
    assert len(ROWS) > 30
    named = set().union(*(row.commands for row in ROWS))
    # The console sends its events to the page.
    assert named == commands_with_json() | {"console"}


def test_the_page_has_each_type_of_the_sources() -> None:
    printed = {each.type_name() for each in types()}
    known = {row.type for row in ROWS}
    # `samara node` prints events by the names of their classes.
    events = {"received", "lost", "incomplete", "refused", "notice"}
    assert printed | events == known


@pytest.mark.slow
@pytest.mark.parametrize(
    ("command", "arguments", "types"),
    [
        ("suites", "", {"suite", "block_cipher"}),
        ("tour", "", {"forgery"}),
        ("doctor", "", {"doctor_part"}),
        ("frame inspect", PLAIN, {"frame"}),
        (
            "frame inspect",
            "49982a2143020001000d07000000012d00112233",
            {"frame"},
        ),
        ("pcap open", "in out --keys keys.toml", {"refused_frame", "capture"}),
        ("bench devices", "", {"device"}),
        (
            "bench show",
            "--device atmega328p --suite aes128-ccm-8 --message 16 --opt Os",
            {"result"},
        ),
        ("bench show", "--device msp430f1611 --suite aes128 --message 16 --sort fom",
         {"result"}),
        ("bench best", "--device atmega128", {"best_known"}),
        ("bench published", "--paper modspeck", {"paper", "published_row"}),
        ("receipt explain", "--link ieee802154 --bytes 20 --device cortex-m0",
         {"receipt"}),
        ("receipt explain", "--link rf-serial --bytes 20", {"receipt"}),
        ("node status", "alice", {"node"}),
        (
            "advise",
            "--device atmega328p",
            {"advice", "choice", "excluded_choice", "weighed_parts"},
        ),
        ("energy paper", "",
         {"paper_network", "paper_claim", "paper_figure", "contradiction"}),
        ("energy life", "--draws 10", {"battery_life"}),
        ("energy message", "--draws 10", {"energy_message"}),
        ("energy airtime", "--draws 10", {"airtime"}),
        ("energy depends", "", {"influence"}),
        ("energy store", "", {"store_life"}),
        ("chip cores", "", {"core"}),
        ("chip compare", "", {"chip_cost", "chip_answer"}),
        ("modem", "--assumptions", {"assumption"}),
        ("randomness sources", "", {"randomness_source"}),
        ("randomness avalanche", "speck32-64 --samples 10", {"avalanche"}),
        ("randomness run", "aes128-ctr --bits 2000 --sequences 2 --jobs 1",
         {"randomness_run", "randomness_test", "randomness_verdict"}),
    ],
)  # fmt: skip
def test_commands_print_what_the_page_says(
    command: str, arguments: str, types: set[str], tmp_path: Path
) -> None:
    prepare(command, tmp_path)
    line = [*command.split(), *shlex.split(arguments), "--json"]
    done = samara(*line, folder=tmp_path)
    assert done.returncode == int(command == "pcap open"), done
    objects = [json.loads(text) for text in done.stdout.splitlines()]
    assert {each["type"] for each in objects} == types
    for each in objects:
        (row,) = (
            row for row in ROWS if row.type == each["type"] and command in row.commands
        )
        keys = list(each)
        assert keys[0] == "type"
        assert row.required <= set(keys), row.required - set(keys)
        known = {"type"} | row.required | row.optional
        assert set(keys) <= known, set(keys) - known
        assert not list(problems_of(each))
        for figure in figures_in(each):
            assert {"value", "unit", "origin", "source"} <= set(figure), figure


def problems_of(line: dict[str, Any]) -> Iterator[str]:
    """Yield where an object differs from the record of its type, if it is one."""
    inner = {name: each for name, each in line.items() if name != "type"}
    for shape in shapes().get(line["type"], []):
        yield from problems(shape, inner)


@cache
def shapes() -> dict[str, list[Any]]:
    found: dict[str, list[Any]] = {}
    for kind in types():
        found.setdefault(kind.type_name(), []).append(json_type_of(kind))
    return found


def prepare(command: str, folder: Path) -> None:
    if command == "pcap open":
        (folder / "keys.toml").write_text(KEYS)
        (folder / "keys.toml").chmod(0o600)
        (folder / "in").write_bytes(CAPTURE)
    if command == "node status":
        init = samara("node", "init", "alice", "--link", "ieee802154", folder=folder)
        assert init.returncode == 0, init


def figures_in(value: object) -> Iterator[dict[str, Any]]:
    if isinstance(value, dict):
        if "origin" in value and "value" in value:
            yield value
        for each in value.values():
            yield from figures_in(each)
    if isinstance(value, list):
        for each in value:
            yield from figures_in(each)
