# SPDX-License-Identifier: Apache-2.0
"""A core beside a microcontroller: figures by hand, and what it refuses."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from samara import energy
from samara.chip import clocks, results, stimuli
from samara.chip.results import Power, Synthesis
from samara.crypto import UnknownNameError
from samara.energy import NotMeasuredError, Operation, Work, catalogue, coprocessor
from samara.energy.parts import Part
from samara.energy.quantity import Listed, Sampled
from samara.energy.receipt_costs import with_costs
from samara.energy.scenario import Scenario
from samara.energy.security import Call, CounterStore, measured
from samara.errors import MisuseError
from samara.figure import Origin
from samara.link.node.kinds import planned_receipt
from samara.link.node.receipt import Direction

if TYPE_CHECKING:
    from collections.abc import Iterator

FRAME = "ieee802154-grain128aead-8"


def row(core: str, library: str, process: str, goal: str = "area") -> Power:
    return Power(
        core=core,
        goal=goal,
        library=library,
        library_sha256="00",
        process=process,
        corner="typical",
        sources="old",
        tools={"yosys": "1"},
        messages=2,
        message_bytes=32,
        start_clocks=97,
        run_clocks=84,
        leakage_w=1e-6 if goal == "area" else 1.0,
        start_j=20e-12,
        run_j=40e-12,
        start_parts_j={},
        run_parts_j={},
        leakage_parts_w={},
    )


ROWS = (
    row("grain-n8", "osu018_stdcells", "OSU018 180 nm"),
    row("grain-n8", "sky130_fd_sc_hd", "SkyWater 130 nm", goal="speed"),
    row("grain-n8", "sky130_fd_sc_hd", "SkyWater 130 nm"),
    row("grain-ple-n8", "osu018_stdcells", "OSU018 180 nm"),
)


def netlist(top: str, area_ge: float) -> Synthesis:
    """Return a netlist of grain-n8 that reaches 200 MHz, in a wrapper 100."""
    fields = {name: getattr(ROWS[2], name) for name in ("core", "goal", "library")}
    return Synthesis(
        **fields,
        library_sha256="00",
        process="SkyWater 130 nm",
        corner="typical",
        sources="old",
        tools={},
        top=top,
        nand2="nand2",
        nand2_area=4,
        flip_flop_ge=5,
        area_ge=area_ge,
        flip_flops=400,
        flip_flops_ge=2000,
        latches=0,
        clock_gates=0,
        clock_gates_ge=0,
        inside_ns=5 if top == "core" else 10,
        with_ports_ns=10,
    )


@pytest.fixture(autouse=True)
def rows(monkeypatch: pytest.MonkeyPatch) -> None:
    """Results of the tests' own: those in results/ may change."""
    monkeypatch.setattr(coprocessor, "_rows", lambda: ROWS)


HOST_CYCLES = 4 * 9 * 4 + (16 + 20 + 20) * 6
"""Of a host of 8 bits for the message below: 9 registers of 4 bytes, 4 cycles each; 36
bytes in and 20 out, 6 cycles each. It has 16 MHz."""
HOST_S = HOST_CYCLES / 16e6


def fed_j() -> float:
    """Return what the usual host draws in these cycles."""
    host = energy.device(coprocessor.HOST)
    return host.active_current_a.value * host.supply_voltage_v.value * HOST_S


def idle_w() -> float:
    """Return what the usual host draws while its processor stands still."""
    host = energy.device(coprocessor.HOST)
    current = catalogue.controller(host.name).idle_a.value
    return current * host.supply_voltage_v.value


def test_a_message_by_hand() -> None:
    """20 bytes, 15 of header and 1 of level: 37 with the length, 74 words of 4 bits.

    Before them 1 + 16 + 48 + 32 clocks; behind them the bit that ends the message and
    the end. At 10 MHz these are 17.3 µs, in which 1 µW leaks 17.3 pJ.
    """
    cost = energy.cost_of(Work("grain-n8", FRAME, Operation.SEAL, 20, 15))
    assert cost.cycles.value == 97 + 74 + 2
    assert cost.time.value == pytest.approx(17.3e-6 + HOST_S)
    core_j = 97 * 20e-12 + 76 * 40e-12 + 17.3e-12
    assert cost.energy.value == pytest.approx(core_j + 17.3e-6 * idle_w() + fed_j())
    assert f"{HOST_CYCLES} cycles" in cost.energy.source
    assert "9 accesses and 56 beats, host of 8 bits" in cost.energy.source
    assert "area of its AXI wrapper in this library is not known" in cost.energy.source
    assert "sky130_fd_sc_hd" in cost.energy.source
    assert "typical" in cost.energy.source
    assert "other sources" in cost.energy.source
    assert "idle meanwhile" in cost.energy.source
    assert cost.energy.origin is Origin.ASSUMED
    # The tag of 8 bytes is 16 words, and a clock compares it.
    opened = energy.cost_of(Work("grain-n8", FRAME, Operation.OPEN, 20, 15))
    assert opened.cycles.value == cost.cycles.value + 17


def test_what_is_only_authenticated_is_associated_data() -> None:
    both = energy.cost_of(
        Work("grain-n8", "ieee802154-grain128aead-mic-8", Operation.SEAL, 120, 15)
    )
    # 136 bytes of associated data have a length of two bytes.
    assert both.cycles.value == 97 + 2 * (2 + 136) + 2


def test_payloads_have_no_level() -> None:
    cost = energy.cost_of(Work("grain-n8", "grain128aead", Operation.SEAL, 20, 3))
    assert cost.cycles.value == 97 + 2 * (1 + 3 + 20) + 2


def test_what_is_only_authenticated_does_not_come_out() -> None:
    core = coprocessor.named("cortex-m0+grain-n8")
    assert core is not None
    suite = "ieee802154-grain128aead-mic-8"
    feed = core.feed(Work("grain-n8", suite, Operation.OPEN, 120, 15))
    assert feed is not None
    assert (feed.accesses, feed.beats) == (9, 136)
    cycles = core.host_cycles(Work("grain-n8", suite, Operation.OPEN, 120, 15))
    assert cycles.value == 9 * 4 + 136 * 6


def test_what_a_wrapper_adds_is_reported(monkeypatch: pytest.MonkeyPatch) -> None:
    rows = tuple(netlist(*each) for each in (("core", 4000.0), ("axi", 9000.5)))
    monkeypatch.setattr(coprocessor, "_rows", lambda: (*ROWS, *rows))
    found = coprocessor.named("grain-n8")
    assert found is not None
    sentence = "its AXI wrapper adds 5,000 gate equivalents to the 4,000 of the core"
    assert sentence in found.title
    assert (
        sentence
        in found.cost(Work("grain-n8", FRAME, Operation.SEAL, 20)).energy.source
    )


def test_nothing_feeds_a_keystream() -> None:
    found = coprocessor.named("grain-ple-n8")
    assert found is not None
    work = Work("grain-ple-n8", "grain128ple", Operation.SEAL, 514)
    assert found.host_cycles(work).value == 0
    assert "no wrapper has this core" in found.cost(work).energy.source


def test_a_keystream_by_hand() -> None:
    """1 + 64 clocks and 128 bits of nothing, 8 in a clock; then 514 bytes."""
    work = Work("grain-ple-n8", "grain128ple", Operation.SEAL, 514)
    assert energy.cost_of(work).cycles.value == 1 + 64 + 16 + 514
    with pytest.raises(NotMeasuredError, match=r"makes the keystream of grain128ple"):
        energy.cost_of(Work("grain-ple-n8", "grain128aead", Operation.SEAL, 20))


@pytest.mark.parametrize(
    "suite",
    [
        "grain128ple",
        "aes128-ccm-8",
        "ieee802154-aes128-ccm-8",
        "ieee802154-grain128aead-4",
        "ieee802154-grain128aead-0",
    ],
)
def test_other_suites_are_refused(suite: str) -> None:
    with pytest.raises(NotMeasuredError, match=rf"does not compute {suite}: it seals"):
        energy.cost_of(Work("grain-n8", suite, Operation.SEAL, 20, 15))


def test_names() -> None:
    plain = coprocessor.named("grain-n8")
    assert plain is not None
    assert (plain.host, plain.clock_hz) == ("atmega128rfa1", 10e6)
    assert (plain.row.library, plain.row.goal) == ("sky130_fd_sc_hd", "area")
    assert coprocessor.named(plain.name) == plain
    full = coprocessor.named("nrf52840+grain-n8@osu018@100kHz")
    assert full is not None
    assert full.name == "cortex-m4+grain-n8@osu018_stdcells@100kHz"
    assert coprocessor.named("grain-n8@skywater") == plain
    assert coprocessor.named("atmega328p") is None
    assert energy.host_of("atmega328p") == "atmega328p"
    assert energy.host_of("msp430f1611+grain-n8") == "msp430f1611"


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("grain-n8@", "is not valid"),
        ("+grain-n8", "is not valid"),
        ("grain-n8@1MHz@2MHz", "is not valid"),
        ("grain-n8@ihp", "libraries with results of it: sky130_fd_sc_hd, osu018"),
        ("grain-n16-fast", "samara chip power --n 16 --variant fast"),
        ("grain-ple-n1", "--ple"),
    ],
)
def test_wrong_names_are_reported(name: str, expected: str) -> None:
    with pytest.raises(MisuseError, match=expected):
        coprocessor.named(name)


def test_a_clock_that_the_netlist_does_not_reach_is_refused(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    rows = (*ROWS, netlist("axi", 9000.0), netlist("core", 4000.0))
    monkeypatch.setattr(coprocessor, "_rows", lambda: rows)
    found = coprocessor.named("grain-n8@200MHz")
    assert found is not None
    assert found.clock_hz == 200e6
    with pytest.raises(MisuseError, match=r"201MHz.* reaches 200 MHz at most"):
        coprocessor.named("grain-n8@201MHz")


def test_unknown_names_are_reported() -> None:
    for name in ("grain-n3", "atmega999+grain-n8"):
        with pytest.raises(UnknownNameError, match="unknown"):
            coprocessor.named(name)


def test_parts_add_up_and_the_rest_is_the_host_s() -> None:
    call = (Call(FRAME, 20, 15),)
    host = Scenario(calls=call).node().message(300.0)
    core = Scenario(device="grain-n8", calls=call).node().message(300.0)
    assert sum(float(core[part]) for part in Part) == pytest.approx(float(core.total))
    for part in (Part.DATA, Part.LISTEN, Part.COUNTER, Part.CONTROL, Part.SECURITY):
        assert core[part] == pytest.approx(host[part])
    sealed = energy.cost_of(Work("grain-n8", FRAME, Operation.SEAL, 20, 15))
    assert core[Part.CIPHER] == pytest.approx(sealed.energy.value)
    # A µW at all times.
    assert core[Part.SLEEP] - host[Part.SLEEP] == pytest.approx(300e-6)


def test_a_core_that_secures_nothing_is_not_there() -> None:
    with_core = Scenario(device="grain-n8").unsecured().node().message(300.0)
    assert with_core.total == pytest.approx(
        Scenario().unsecured().node().message(300.0).total
    )


def test_what_a_layout_adds_is_assumed() -> None:
    scenario = Scenario(device="grain-n8", calls=(Call(FRAME, 20, 15),))
    assert "grain-n8.layout" in scenario.unchecked()
    store = CounterStore(catalogue.controller(coprocessor.HOST))
    listed = Listed()
    measured("grain-n8", scenario.calls, 14, counters=store, draw=listed)
    assert listed.quantities["grain-n8.layout"].tolerance == 1.0
    assert "assumed" in listed.quantities["grain-n8.layout"].source
    drawn = measured("grain-n8", scenario.calls, 14, draw=Sampled(50))
    assert len(set(drawn.seal_j)) == 50  # type: ignore[arg-type]
    assert drawn.seal_s == pytest.approx(17.3e-6 + HOST_S)


def test_receipts() -> None:
    given = {"suite": "grain128aead", "level": 6}
    receipt = planned_receipt("ieee802154", Direction.SENT, 20, given)
    costed = with_costs(receipt, "grain-n8")
    assert costed.figures["crypto_cycles"].value == 173
    assert costed.figures["crypto_time"].value == pytest.approx(17.3e-6 + HOST_S)
    assert any("480 cycles of atmega128rfa1" in note for note in costed.remarks)
    assert costed.radio == "at86rf231"
    refused = with_costs(
        planned_receipt("ieee802154", Direction.SENT, 20, {"level": 6}), "grain-n8"
    )
    assert "crypto_energy" not in refused.figures
    assert any("grain-n8 does not compute" in note for note in refused.remarks)


def test_a_short_tag_is_refused() -> None:
    given = {"suite": "grain128aead", "tag_size": 4}
    receipt = planned_receipt("rf-serial", Direction.SENT, 20, given)
    costed = with_costs(receipt, "grain-n8")
    assert any("a tag of 4 bytes" in note for note in costed.remarks)
    whole = planned_receipt("rf-serial", Direction.SENT, 300, given | {"tag_size": 8})
    assert with_costs(whole, "grain-n8").figures["crypto_cycles"].value > 173


def of_the_sources() -> Iterator[Power]:
    for each in results.read(results.committed()):
        if isinstance(each, Power) and each.design.authenticates and not each.is_stale:
            yield each


def test_clocks_are_those_of_simulated_netlists() -> None:
    for each in of_the_sources():
        assert each.start_clocks == clocks.start_up_clocks(each.design)
        whole = clocks.message_clocks(each.design, stimuli.AD_BYTES, each.message_bytes)
        assert each.start_clocks + each.run_clocks == whole
