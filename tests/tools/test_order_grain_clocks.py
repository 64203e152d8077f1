# SPDX-License-Identifier: Apache-2.0
"""tools/order-grain-clocks prices orders as the generator does, and keeps the best."""

import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
GENERATOR = ROOT / "core" / "arch" / "x86_64" / "generate" / "grain128_clocks.py"
OPERATION = 0.25


def output(*words: object) -> list[str]:
    command = [sys.executable, *map(str, words)]
    return subprocess.run(
        command, check=True, capture_output=True, text=True
    ).stdout.splitlines()


def searched(*words: object) -> dict[str, float]:
    lines = output(ROOT / "tools" / "order-grain-clocks", *words)
    pairs = (line.split(": ") for line in lines)
    return {name: float(rest.split()[0]) for name, rest in pairs}


@pytest.mark.parametrize(("lanes", "line"), [(256, 0), (512, 1)])
def test_the_committed_order_costs_what_the_generator_counts(
    lanes: int, line: int
) -> None:
    words = output(GENERATOR, "--count")[line].replace(",", "").split()
    assert words[0] == str(lanes)
    operations, loads, stores = (float(words[n]) for n in (4, 6, 8))
    found = searched("--lanes", lanes, "--tries", 1)
    expected = loads + stores + OPERATION * operations
    assert found["committed"] == pytest.approx(expected, abs=0.02)
    assert found["found"] <= found["first"] == found["committed"]


def test_a_search_from_zero_finds_a_cheaper_order_and_the_same_one_again() -> None:
    words = ("--from-zero", "--tries", 12, "--seed", 3)
    found = searched(*words)
    assert found["found"] < found["first"]
    assert found["committed"] < found["found"]
    assert searched(*words) == found
