# SPDX-License-Identifier: Apache-2.0
"""What work costs is read from results, and says how sure it is."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from samara import energy
from samara.bench import store
from samara.bench.sizes import Periods
from samara.energy import NotMeasuredError, Operation, Work
from samara.energy.grid import Grid
from samara.errors import DamagedWarning
from samara.figure import Figure, Origin

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

DEVICE, SUITE = "atmega328p", "aes128-ccm-16"


def row(**changes: object) -> str:
    fields = {
        "device": DEVICE, "suite": SUITE, "implementation": "portable", "opt": "Os",
        "message_bytes": 64, "ad_bytes": 0, "origin": "measured",
        "cycles": {"set_up": 5000, "seal": 64_000, "open": 65_000}, "sources": "0",
        "compiler": "cc 1.0", "samples": 64, "revision": "abc1234",
    }  # fmt: skip
    return json.dumps(fields | changes, separators=(",", ":")) + "\n"


def timed(seal: int, **changes: object) -> str:
    return row(cycles={"set_up": 5000, "seal": seal, "open": seal + 1}, **changes)


@pytest.fixture
def results(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """Return an empty file that is read as the device's results."""
    monkeypatch.setattr(store, "committed", lambda: tmp_path)
    monkeypatch.setattr(store, "own", lambda: tmp_path / "own.jsonl")
    energy.cryptography.programs.cache_clear()
    yield tmp_path / f"{DEVICE}.jsonl"
    energy.cryptography.programs.cache_clear()


def work(message: int, ad: int = 0, suite: str = SUITE) -> Work:
    return Work(DEVICE, suite, Operation.SEAL, message, ad)


def test_what_was_measured_is_measured(results: Path) -> None:
    results.write_text(row())
    cost = energy.cost_of(work(64))
    assert (cost.cycles.value, cost.cycles.origin) == (64_000, Origin.MEASURED)
    assert cost.time.value == pytest.approx(64_000 / 16e6)
    # The current of this device was read in its data sheet: a model, then.
    assert cost.energy.origin in {Origin.ESTIMATED, Origin.ASSUMED}
    opened = energy.cost_of(Work(DEVICE, SUITE, Operation.OPEN, 64))
    assert opened.cycles.value == 65_000


def test_a_size_between_is_estimated(results: Path) -> None:
    results.write_text(timed(1000, message_bytes=0) + timed(65_000))
    cost = energy.cost_of(work(16))
    assert (cost.cycles.value, cost.cycles.origin) == (17_000, Origin.ESTIMATED)
    assert "interpolated between messages of 0 and 64 bytes" in cost.cycles.source


def test_the_cheapest_build_at_that_size(results: Path) -> None:
    fast = timed(60_000, opt="O3") + timed(9_000, opt="O3", message_bytes=0)
    results.write_text(timed(64_000) + timed(1_000, message_bytes=0) + fast)
    assert "-O3" in energy.cost_of(work(64)).cycles.source
    assert "-Os" in energy.cost_of(work(0)).cycles.source


def test_your_own_results_count_more(results: Path) -> None:
    results.write_text(timed(64_000))
    (results.parent / "own.jsonl").write_text(timed(50_000) + "no JSON\n")
    with pytest.warns(DamagedWarning, match=r"own.jsonl is damaged at line 2, which"):
        assert energy.cost_of(work(64)).cycles.value == 50_000


def test_another_length_of_tag_stands_in(results: Path) -> None:
    results.write_text(row())
    cycles = energy.cost_of(work(64, suite="aes128-ccm-4")).cycles
    assert (cycles.value, cycles.origin) == (64_000, Origin.ESTIMATED)
    assert "measured with aes128-ccm-16" in cycles.source


@pytest.mark.parametrize(
    ("suite", "ad"),
    [
        *(("aes128-ccm-16", 14), ("aes128-ccm-0", 0)),
        *(("aes128-gcm", 0), ("grain128aead", 0)),
    ],
)
def test_what_was_not_measured(results: Path, suite: str, ad: int) -> None:
    problem = row(suite="grain128aead", cycles=None, problem="does not fit")
    results.write_text(row() + problem)
    with pytest.raises(NotMeasuredError, match=f"samara bench run .* {suite}`"):
        energy.cost_of(work(64, ad, suite))


def blocks(message: int, header: int) -> int:
    """Return what a made-up mode of a block cipher takes, like CCM."""
    of_header = -(-(header + 2) // 16) * 700 + header if header else 0
    # Two blocks at once: the second of a pair is for nothing.
    pairs = -(-message // 32)
    return 3000 + of_header + 900 * -(-message // 16) + 1300 * pairs + 5 * message


IN_BLOCKS = [
    *((m, a) for m in (0, 1, 15, 16, 17, 31, 32, 64, 128) for a in (0, 14, 40)),
    *((16, a) for a in (1, 15, 16, 17, 30, 31, 32)),
]


def test_whole_blocks_are_told_exactly() -> None:
    grid = Grid({size: blocks(*size) for size in IN_BLOCKS})
    for message in range(200):
        for header in (0, 1, 2, 13, 14, 15, 18, 30, 31, 45, 47, 62, 63, 90):
            assert grid.spans(message, header)
            cycles = grid.at(message, header)
            assert cycles == pytest.approx(blocks(message, header), abs=1e-6)
    assert (
        grid.derivation(20, 14)
        == ", by the steps of whole blocks for a message of 20 bytes"
    )
    assert grid.derivation(16, 15) == ""


def test_steps_may_repeat_from_the_second_period_on_only() -> None:
    """As of CCM that opens, with two blocks at once: one is alone from the third on."""

    def opened(message: int) -> int:
        alone = message > 16 and message % 32 > 0
        return 3000 + 2700 * -(-message // 16) + 2600 * alone + 5 * message

    firsts = (0, 1, 15, 16, 17, 31, 32)
    sizes = (*firsts, *(33, 47, 48, 49, 63, 64), 128, 256)
    grid = Grid({(size, 0): opened(size) for size in sizes})
    for message in (*range(300), 1000, 1001):
        assert grid.at(message, 0) == pytest.approx(opened(message)), message
    # With the first period alone it is told wrongly: the sizes above are needed.
    fewer = Grid({(size, 0): opened(size) for size in (*firsts, 64)})
    assert fewer.at(40, 0) < 0.85 * opened(40)


@pytest.mark.parametrize(("block", "of_ad"), [(64, 16), (48, 48)])
def test_blocks_may_be_longer(block: int, of_ad: int) -> None:
    def cycles(message: int, header: int) -> int:
        of_header = 700 * -(-header // of_ad)
        return 3000 + of_header + 4000 * -(-message // block) + 9 * message + header

    messages, headers = (*range(block + 9), 2 * block), range(2 * of_ad + 1)
    sizes = [(m, 14) for m in messages] + [(16, a) for a in headers]
    values = {size: cycles(*size) for size in sizes}
    grid = Grid(values, periods=Periods(block, of_ad))
    for message in (*range(200), 1000):
        for header in (0, 14, 40, 50, 99):
            assert grid.at(message, header) == pytest.approx(cycles(message, header))


def test_what_is_only_authenticated_goes_on_where_the_header_ends() -> None:
    def joined(message: int, header: int) -> int:
        return blocks(0, header + message) + 11 * header

    sizes = [(m, 14) for m in (0, 1, 15, 16, 17, 31, 32, 64)]
    sizes += [(16, a) for a in (15, 19, 35)]
    grid = Grid({size: joined(*size) for size in sizes}, joined=True)
    for message in range(96):
        for header in (14, 15, 19, 35):
            cycles = grid.at(message, header)
            assert cycles == pytest.approx(joined(message, header), abs=1e-6)


@pytest.mark.parametrize("word", [4, 8])
def test_a_word_may_hold_header_and_message(word: int) -> None:
    """As Grain does: what counts is how many words both fill together."""

    def words(message: int, header: int) -> int:
        return 5000 + 400 * -(-(message + header) // word) + 7 * message

    bases = {ad % word: ad for ad in (*range(word), 14)}.values()
    sizes = [(m, a) for m in (*range(41), 64) for a in bases]
    sizes += [(16, a) for a in range(33)]
    values = {size: words(*size) for size in sizes}
    grid = Grid(values, periods=Periods(word=word))
    for message in (*range(70), 1000):
        for header in (*range(33), 50, 51, 52, 53):
            assert grid.at(message, header) == pytest.approx(words(message, header))


def test_the_second_of_blocks_one_at_a_time_stands_for_the_later_ones() -> None:
    """As of CCM without a tag: what follows a first block costs less at its end."""

    def sealed(message: int) -> int:
        whole = message // 16
        return 700 + 2200 * -(-message // 16) + 10 * message - 150 * max(whole - 1, 0)

    sizes = (0, 1, 15, 16, 17, 31, 32, 64, 128)
    values = {(size, 0): sealed(size) for size in sizes}
    grid = Grid(values, periods=Periods(block=16))
    for message in (*range(200), 1000):
        assert grid.at(message, 0) == pytest.approx(sealed(message)), message
    assert Grid(values).at(35, 0) < sealed(35)


def test_a_few_sizes_make_lines() -> None:
    grid = Grid({(m, a): 100 + 10 * m + 3 * a for m in (0, 16, 64) for a in (0, 40)})
    for message, header in ((5, 7), (64, 40), (95, 14), (20, 100), (200, 90)):
        assert grid.at(message, header) == pytest.approx(
            100 + 10 * message + 3 * header
        )
    assert grid.derivation(16, 40) == ""
    assert grid.derivation(95, 14) == (
        ", continued beyond a message of 64 bytes"
        ", interpolated between associated data of 0 and 40 bytes"
    )


def test_a_size_that_was_measured_alone() -> None:
    values = {(m, a): 10 + m + a for m in (0, 64, 128) for a in (0, 14)}
    grid = Grid({**values, (0, 109): 100})
    assert (grid.at(0, 109), grid.derivation(0, 109)) == (100, "")
    assert grid.spans(0, 109)
    assert not Grid({(16, 14): 9}).spans(16, 15)
    assert not Grid({(16, 14): 9, (16, 0): 8}).spans(17, 0)


def test_committed_results_are_enough() -> None:
    cost = energy.cost_of(Work("atmega128rfa1", SUITE, Operation.SEAL, 95, 14))
    assert cost.cycles.origin is Origin.MEASURED
    assert "engine" in cost.cycles.source


@pytest.mark.parametrize("radio", energy.radios(), ids=lambda radio: str(radio.name))
@pytest.mark.parametrize("sending", [True, False])
def test_radios(radio: energy.Radio, *, sending: bool) -> None:
    air_time = Figure(4.256e-3, "s", Origin.ESTIMATED, "133 bytes")
    joules = energy.radio_energy(radio, air_time, sending=sending)
    assert 10e-6 < joules.value < 2e-3
    used = (radio.supply_v, radio.transmit_a if sending else radio.receive_a)
    checked = all(quantity.checked for quantity in used)
    assert (joules.origin is Origin.ESTIMATED) == checked
    assert ("not checked" in joules.source) == (not checked)
