# SPDX-License-Identifier: Apache-2.0
"""Times and energies worked out by hand, and data sheets' numbers held twice.

What is in devices/ and in radios.toml is written here again, with where it is
from: whoever changes one has to look up the other.
"""

from __future__ import annotations

from dataclasses import replace

import pytest

from samara import energy
from samara.bench import devices, store
from samara.bench.programs import Program
from samara.bench.results import OF_MESSAGES, Result
from samara.energy import Operation, Work, cryptography
from samara.energy.receipt_costs import radio_for, with_costs
from samara.figure import Figure, Origin, weakest
from samara.link.ieee802154.air.channel import air_time_s
from samara.link.node.kinds import planned_receipt
from samara.link.node.receipt import Call, Direction, Receipt, Verb

# MHz, V, mA, and whether voltage and current were read in the text.
DEVICES = {
    # Crossbow MPR/MIB user's manual 7430-0021-06 Rev. A, pp. 21, 22.
    "atmega128": (7.3728, 3.0, 8.0, True, True),
    # ATmega128RFA1 data sheet 8266, front page; not checked.
    "atmega128rfa1": (16, 3.0, 4.1, False, False),
    # The board's voltage; data sheet's figure of active current, not checked.
    "atmega2560": (16, 5.0, 20.0, True, False),
    "atmega328p": (16, 5.0, 9.2, True, False),
    # Data sheet DS40002016B, table 4-5.
    "atmega4809": (20, 5.0, 8.5, True, True),
    # ATxmega A3 data sheet, from memory.
    "atxmega128a1": (32, 3.0, 18.35, False, False),
    # Nordic DevZone, "Current vs Voltage for nrf51 CPU".
    "cortex-m0": (16, 2.957, 4.71, True, True),
    # SAM D21: 70 uA/MHz, from memory.
    "cortex-m0plus": (48, 3.3, 3.36, False, False),
    # CC1350 data sheet SWRS183B, power consumption summary.
    "cortex-m3": (48, 3.6, 2.5, False, True),
    # nRF52840 product specification; nRF52 power profiler: 64 MHz, DC/DC.
    "cortex-m4": (64, 3.0, 3.2, True, True),
    # nRF54L15 data sheet, CPU running: 128 MHz, from its memory.
    "cortex-m33": (128, 3.0, 2.6, True, True),
    # The ESP32-C3's current, as Rob Dobson measured it; its voltage is assumed.
    "ibex": (160, 3.3, 26.8, False, True),
    # Nobody measured a PicoRV32 alone: all assumed.
    "picorv32": (12, 1.2, 7.0, False, False),
    # R. Musaloiu-E., tinyos-devel, 19 July 2006: two Tmote Sky.
    "msp430f1611": (4, 3.0, 1.83, True, True),
    # Its relatives' data sheet SLASE32C: 103 uA/MHz; the voltage is chosen.
    "msp430fr5969": (8, 3.0, 0.824, False, True),
}
# V, mA sending, mA receiving, and whether each was read in the text.
RADIOS = {
    # AT86RF231 data sheet 8111C, features page: +3 dBm.
    "at86rf231": (3.0, 14.0, 12.3, (True, True, True)),
    # CC2420 data sheet SWRS041, p. 14: 0 dBm.
    "at86rf231-0dbm": (3.0, 11.6, 12.3, (True, False, True)),
    "cc2420": (3.0, 17.4, 18.8, (False, True, True)),
    # nRF52840 product specification, radio current, DC/DC, 0 dBm.
    "nrf52840": (3.0, 6.4, 6.53, (True, True, True)),
    # CC2538 data sheet SWRS096D, front page: 0 dBm, processor idle.
    "cc2538": (3.0, 24.0, 20.0, (False, False, False)),
    # CC1110Fx data sheet SWRS033: +10 dBm.
    "srf": (3.0, 36.2, 20.5, (False, False, False)),
    # CC1101 data sheet SWRS061I, table 5: 868 MHz, +10 dBm.
    "nrf52840-thread13": (3.0, 6.4, 6.53, (True, True, True)),
    # nRF52833 product specification, radio current.
    "nrf52833": (3.0, 6.0, 6.2, (True, True, True)),
    "cc1101": (3.0, 30.0, 16.9, (True, False, False)),
    # CC1350 data sheet SWRS183B, power consumption summary; 868 MHz, +10 dBm.
    "cc1350": (3.6, 13.4, 5.4, (False, True, True)),
    # SX1261/2 data sheet; STM32WLE5 DS13105 for receiving; +14 dBm.
    "sx1262": (3.3, 45.0, 4.82, (False, False, True)),
    # An RFM96 measured with a PPK2 at 14 dBm; SX1276 data sheet for receiving.
    "rfm95": (3.3, 63.7, 9.9, (True, True, True)),
    # nRF52832 product specification; CC2340R5 data sheet SWRS272.
    "nrf52832": (3.0, 5.3, 5.4, (False, False, False)),
    "cc2340r5": (3.0, 5.1, 5.3, (False, False, False)),
}
RATE = 250_000
OTHER_RATES = {
    **dict.fromkeys(("cc1350", "sx1262", "rfm95"), 50_000),
    **dict.fromkeys(("nrf52832", "cc2340r5"), 1_000_000),
}
PART_BYTES = 8


def test_every_device_is_held_twice() -> None:
    found = {
        device.name: (
            device.clock_hz / 1e6,
            device.supply_voltage_v.value,
            round(device.active_current_a.value * 1e3, 9),
            device.supply_voltage_v.checked,
            device.active_current_a.checked,
        )
        for device in devices.devices()
    }
    assert found == DEVICES


def test_every_radio_is_held_twice() -> None:
    found = {
        radio.name: (
            radio.supply_v.value,
            round(radio.transmit_a.value * 1e3, 9),
            round(radio.receive_a.value * 1e3, 9),
            tuple(
                quantity.checked
                for quantity in (
                    radio.supply_v,
                    radio.transmit_a,
                    radio.receive_a,
                )
            ),
        )
        for radio in energy.radios()
    }
    # All others are in energy/data_sheets.csv alone.
    assert {name: found[name] for name in RADIOS} == RADIOS
    rates = {name: energy.radio(name).bit_rate.value for name in RADIOS}
    assert rates == dict.fromkeys(RADIOS, RATE) | OTHER_RATES


@pytest.mark.parametrize(
    ("device", "cycles", "us", "uj"),
    [
        # 73,728 cycles at 7.3728 MHz: 10 ms; at 24 mW: 240 uJ.
        ("atmega128", 73_728, 10_000, 240),
        # 16,000 cycles at 16 MHz: 1 ms; at 12.3, 100, 46 and 13.927 mW.
        ("atmega128rfa1", 16_000, 1_000, 12.3),
        ("atmega2560", 16_000, 1_000, 100),
        ("atmega328p", 16_000, 1_000, 46),
        ("cortex-m0", 16_000, 1_000, 13.92747),
        # 48,000 cycles at 48 MHz: 1 ms; at 9 mW.
        ("cortex-m3", 48_000, 1_000, 9),
        # 64,000 cycles at 64 MHz: 1 ms; at 9.6 mW.
        ("cortex-m4", 64_000, 1_000, 9.6),
        # 4,000 cycles at 4 MHz: 1 ms; at 5.49 mW.
        ("msp430f1611", 4_000, 1_000, 5.49),
    ],
)
def test_time_and_energy_of_cycles(
    device: str, cycles: int, us: float, uj: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    chosen = devices.device(device)
    assert chosen.time_us(cycles) == pytest.approx(us)
    assert chosen.energy_uj(cycles) == pytest.approx(uj)
    counts = dict(zip(OF_MESSAGES, (7, cycles, 2 * cycles), strict=True))
    (one,) = measured("aes128-ccm-8", {(20, 3): 0})
    one = replace(one, device=device, cycles=counts)
    monkeypatch.setattr(cryptography, "programs", lambda *_: [Program.of_result(one)])
    cost, opened = (
        energy.cost_of(Work(device, "aes128-ccm-8", operation, 20, 3))
        for operation in (Operation.SEAL, Operation.OPEN)
    )
    assert (cost.cycles.value, cost.cycles.unit) == (cycles, "cycle")
    assert cost.time.value == pytest.approx(us * 1e-6)
    assert cost.energy.value == pytest.approx(uj * 1e-6)
    assert (cost.time.unit, cost.energy.unit) == ("s", "J")
    assert opened.cycles.value == 2 * cycles
    assert opened.energy.value == pytest.approx(2 * uj * 1e-6)
    assert cost.cycles.origin is cost.time.origin is Origin.MEASURED
    _, _, _, *checked = DEVICES[device]
    known = Origin.ESTIMATED if all(checked) else Origin.ASSUMED
    assert cost.energy.origin is known
    assert ("not checked" in cost.energy.source) == (not checked[1])


def test_a_stream_cipher_is_set_up_for_every_message(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    counts = dict(zip(OF_MESSAGES, (700, 2000, 3000), strict=True))
    (one,) = measured("any", {(20, 0): 0})
    one = replace(one, cycles=counts)
    monkeypatch.setattr(cryptography, "programs", lambda *_: [Program.of_result(one)])
    for suite, expected in (
        ("grain128ple", (2700, 3700)),
        # A key is set up once, for many messages.
        ("aes128-ctr", (2000, 3000)),
        ("grain128aead", (2000, 3000)),
    ):
        counted = tuple(
            energy.cost_of(Work("atmega328p", suite, operation, 20)).cycles.value
            for operation in (Operation.SEAL, Operation.OPEN)
        )
        assert counted == expected, suite


@pytest.mark.parametrize("name", sorted(RADIOS))
def test_energy_of_a_radio(name: str) -> None:
    """A frame of 127 + 6 bytes at 250 kbit/s: 4.256 ms."""
    volts, transmit_ma, receive_ma, checked = RADIOS[name]
    air_time = Figure(4.256e-3, "s", Origin.ESTIMATED, "133 bytes")
    radio = energy.radio(name)
    for sending, milliamperes, known in (
        (True, transmit_ma, checked[0] and checked[1]),
        (False, receive_ma, checked[0] and checked[2]),
    ):
        found = energy.radio_energy(radio, air_time, sending=sending)
        assert found.value == pytest.approx(4.256e-3 * milliamperes * 1e-3 * volts)
        assert found.unit == "J"
        assert found.origin is (Origin.ESTIMATED if known else Origin.ASSUMED)
        assert ("sending" in found.source) == sending
        assert f"{milliamperes:g} mA x {volts:g} V" in found.source


def test_a_frame_costs_what_the_data_sheet_says() -> None:
    """The AT86RF231 sends 133 bytes with 14 mA at 3 V: 178.752 uJ; gets: 157.0464."""
    assert air_time_s(127) == pytest.approx(4.256e-3)
    assert air_time_s(0) == pytest.approx(192e-6)
    air_time = Figure(air_time_s(127), "s", Origin.ESTIMATED, "")
    radio = energy.radio("at86rf231")
    sent = energy.radio_energy(radio, air_time, sending=True)
    received = energy.radio_energy(radio, air_time, sending=False)
    assert sent.value == pytest.approx(178.752e-6)
    assert received.value == pytest.approx(157.0464e-6)


@pytest.fixture
def cycles_by_size(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let a call of m bytes and a of header take 16,000 m + 160 a cycles: m ms."""

    def cost_of(work: Work) -> energy.Cost:
        factor = 1 if work.operation is Operation.SEAL else 2
        cycles = factor * (16_000 * work.message_bytes + 160 * work.ad_bytes)
        origin = Origin.MEASURED if factor == 1 else Origin.ESTIMATED
        return energy.Cost(
            Figure(cycles, "cycle", origin, f"{work.suite} on {work.device}"),
            Figure(cycles / 16e6, "s", origin, "clock"),
            Figure(cycles / 16e6 * 12.3e-3, "J", Origin.ASSUMED, "current"),
        )

    monkeypatch.setattr(energy, "cost_of", cost_of)


@pytest.mark.usefixtures("cycles_by_size")
@pytest.mark.parametrize("direction", list(Direction))
def test_an_acknowledged_message_in_frames(direction: Direction) -> None:
    """130 bytes at level 5, key id mode 1: payloads of 106 and 40, then 7 back.

    A frame has 125 - 15 - 4 = 106 bytes of payload, 8 of which mark the part.
    """
    given = {"level": 5, "key_id_mode": 1}
    receipt = planned_receipt("ieee802154", direction, 130, given, acknowledged=True)
    assert (receipt.encrypted_bytes, receipt.authenticated_bytes) == (146, 176)
    air_bytes = (106 + 21 + 6) + (40 + 21 + 6) + (7 + 21 + 6)
    assert receipt.air_bytes == air_bytes == 234
    assert receipt.figures["air_time"].value == pytest.approx(234 * 32e-6)
    costed = with_costs(receipt, "atmega128rfa1")
    figures = costed.figures
    sent = direction is Direction.SENT
    there, back = (1, 2) if sent else (2, 1)
    cycles = there * (16_000 * 146 + 160 * 30) + back * (16_000 * 7 + 160 * 15)
    assert figures["crypto_cycles"].value == cycles
    assert figures["crypto_cycles"].unit == "cycle"
    assert figures["crypto_cycles"].origin is Origin.ESTIMATED
    assert figures["crypto_time"].value == pytest.approx(cycles / 16e6)
    assert figures["crypto_energy"].value == pytest.approx(cycles / 16e6 * 12.3e-3)
    assert figures["crypto_energy"].origin is Origin.ASSUMED
    # 200 bytes one way, 34 the other; 14 mA sending, 12.3 mA receiving, 3 V.
    first, second = (14e-3, 12.3e-3) if sent else (12.3e-3, 14e-3)
    joules = 3 * 32e-6 * (200 * first + 34 * second)
    assert figures["radio_energy"].value == pytest.approx(joules)
    assert figures["radio_energy"].origin is Origin.ESTIMATED
    assert costed.device == "atmega128rfa1"
    assert costed.radio == "at86rf231"


@pytest.mark.usefixtures("cycles_by_size")
def test_a_message_over_a_serial_radio() -> None:
    """20 bytes sealed: 1 + 4 + 20 + 8 = 33, filled up to 36: three packets."""
    receipt = planned_receipt("rf-serial", Direction.SENT, 20, {})
    assert (receipt.link_bytes, receipt.packets) == (36, 3)
    assert (receipt.encrypted_bytes, receipt.authenticated_bytes) == (20, 23)
    assert receipt.calls == (Call("aes128-ccm-8", Verb.SEAL, 20, 3),)
    assert receipt.figures["uart_time"].value == pytest.approx(360 / 115_200)
    overhead = receipt.parts["radio"] / 3
    air_s = 3 * (12 + overhead) * 32e-6
    assert receipt.figures["air_time"].value == pytest.approx(air_s)
    figures = with_costs(receipt, "atmega328p").figures
    assert figures["crypto_cycles"].value == 16_000 * 20 + 160 * 3
    assert figures["radio_energy"].value == pytest.approx(air_s * 36.2e-3 * 3)
    assert figures["radio_energy"].origin is Origin.ASSUMED


@pytest.mark.usefixtures("cycles_by_size")
def test_a_message_in_bursts() -> None:
    """300 bytes in frames of 252 with 250 of payload: 250 and 66, 514 coded each.

    (252 + 4) * 8 + 6 bits at rate 1/2 are 4,108 bits, 513.5 bytes.
    """
    receipt = planned_receipt("sdr", Direction.RECEIVED, 300, {})
    assert (receipt.packets, receipt.encrypted_bytes) == (2, 1027)
    assert receipt.authenticated_bytes == 0
    assert receipt.calls == (Call("grain128ple", Verb.OPEN, 514, 0, count=2),)
    assert receipt.parts["tag"] == 8
    assert receipt.link_bytes == 1027
    figures = with_costs(receipt, "atmega328p").figures
    assert figures["crypto_cycles"].value == 2 * 2 * 16_000 * 514
    assert "radio_energy" not in figures
    both = planned_receipt("sdr", Direction.RECEIVED, 300, {}, acknowledged=True)
    assert both.parts["acknowledgement"] == 513.5
    assert both.figures["air_time"].value == pytest.approx(
        receipt.figures["air_time"].value * 3 / 2
    )


def test_calls_of_one_kind_are_told_together() -> None:
    receipt = planned_receipt("ieee802154", Direction.SENT, 212, {})
    assert [(call.message_bytes, call.count) for call in receipt.calls] == [
        (106, 2),
        (24, 1),
    ]
    again = Receipt.from_json(receipt.as_json())
    assert again.calls == receipt.calls


def test_the_least_sure_origin_counts() -> None:
    order = list(Origin)
    assert [origin.value for origin in order] == [
        *("measured", "published", "estimated"),
        *("host clock", "emulated", "assumed"),
    ]
    for index, origin in enumerate(order):
        assert weakest(*order[: index + 1]) is origin
        assert weakest(*reversed(order[: index + 1])) is origin


def test_no_results_of_other_devices_or_suites(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """What is read of a device and a suite has figures, and is of both."""
    rows = [
        replace(row, device=device, cycles=cycles)
        for device in ("atmega128", "atmega128rfa1")
        for suite in ("aes128-ccm-8", "ieee802154-aes128-ccm-8")
        for row in measured(suite, {(64, 0): 1})
        for cycles in (None, row.cycles)
    ]
    monkeypatch.setattr(
        store, "programs", lambda *_, **__: [Program.of_result(row) for row in rows]
    )
    monkeypatch.setattr(cryptography, "programs", cryptography.programs.__wrapped__)
    assert cryptography.results("atmega128", "aes128-ccm-8") == [rows[1]]


def test_the_radio_that_goes_with_a_device() -> None:
    """As on the board or the chip; else what carries the link most often."""
    expected = {"msp430f1611": "cc2420", "cortex-m4": "nrf52840"}
    expected |= {"cortex-m33": "nrf54l15"}
    for device in DEVICES:
        radio = radio_for("ieee802154", device)
        assert radio == expected.get(device, "at86rf231")
        assert radio_for("rf-serial", device) == "srf"
        assert radio_for("sdr", device) is None


def measured(suite: str, sizes: dict[tuple[int, int], int]) -> list[Result]:
    return [
        Result(
            device="atmega328p",
            suite=suite,
            implementation="portable",
            opt="Os",
            message_bytes=message,
            ad_bytes=ad,
            compiler="",
            samples=1,
            origin=Origin.MEASURED,
            revision="",
            sources="",
            cycles=dict(zip(OF_MESSAGES, (1, count, 1), strict=True)),
        )
        for (message, ad), count in sizes.items()
    ]


def test_a_frame_that_is_only_authenticated_is_told_as_one_text(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """A header of 35 takes a third block, which begins 13 bytes into the frame."""

    def cycles(message: int, header: int) -> int:
        return 1000 * -(-(2 + header + message) // 16) + 5 * header

    sizes = [(m, 14) for m in (0, 1, 15, 16, 17, 31, 32, 64)] + [(16, 35), (16, 15)]
    suite = "ieee802154-aes128-mic-8"
    rows = measured(suite, {size: cycles(*size) for size in sizes})
    monkeypatch.setattr(
        cryptography, "programs", lambda *_: [Program.of_result(row) for row in rows]
    )
    for message in (3, 11, 12, 20, 27, 28, 80):
        for header in (14, 15, 35):
            work = Work("atmega328p", suite, Operation.SEAL, message, header)
            found = energy.cost_of(work).cycles
            assert found.value == cycles(message, header)


def test_the_nearest_tag_stands_in(monkeypatch: pytest.MonkeyPatch) -> None:
    known = {
        "ieee802154-grain128aead-8": measured(
            "ieee802154-grain128aead-8", {(20, 14): 800}
        ),
        "aes128-ccm-4": measured("aes128-ccm-4", {(20, 14): 400}),
        "aes128-ccm-16": measured("aes128-ccm-16", {(20, 14): 1600}),
    }
    monkeypatch.setattr(
        cryptography,
        "programs",
        lambda _, suite: [Program.of_result(row) for row in known.get(suite, [])],
    )
    for suite, other, count in (
        ("ieee802154-grain128aead-4", "ieee802154-grain128aead-8", 800),
        ("aes128-ccm-8", "aes128-ccm-16", 1600),
    ):
        work = Work("atmega328p", suite, Operation.SEAL, 20, 14)
        cycles = energy.cost_of(work).cycles
        assert (cycles.value, cycles.origin) == (count, Origin.ESTIMATED)
        assert cycles.source.endswith(f"; measured with {other}")
    # Without a MIC, half of the work is not done: nothing stands in for that.
    work = Work("atmega328p", "aes128-ccm-0", Operation.SEAL, 20, 14)
    with pytest.raises(energy.NotMeasuredError):
        energy.cost_of(work)


def test_cycles_are_rounded_to_whole_ones(monkeypatch: pytest.MonkeyPatch) -> None:
    sizes = {(0, 0): 1000, (16, 0): 1999}
    rows = measured("aes128-ctr", sizes)
    monkeypatch.setattr(
        cryptography, "programs", lambda *_: [Program.of_result(row) for row in rows]
    )
    cost = energy.cost_of(Work("atmega328p", "aes128-ctr", Operation.SEAL, 3))
    # 999 cycles in 16 bytes: 187.3 in 3.
    assert cost.cycles.value == 1187
    assert cost.time.value == pytest.approx(1187 / 16e6)
    assert cost.cycles.origin is cost.time.origin is Origin.ESTIMATED


def test_what_is_planned_for_each_link() -> None:
    """The counter that nodes send takes 4 bytes; an acknowledged message is a part."""
    serial = planned_receipt("rf-serial", Direction.SENT, 23, {})
    # 1 + 4 + 23 + 8 are three packets of 12 to the byte.
    assert (serial.parts["counter"], serial.parts.get("fill", 0)) == (4, 0)
    for link in ("ieee802154", "rf-serial", "sdr"):
        plain, asked = (
            planned_receipt(link, Direction.SENT, 23, {}, acknowledged=acknowledged)
            for acknowledged in (False, True)
        )
        assert asked.parts["framing"] - plain.parts["framing"] == PART_BYTES
        assert plain.parts.get("acknowledgement", 0) == 0
        assert asked.parts["acknowledgement"] > 0
        assert "acknowledgement_time" not in plain.figures
    two = planned_receipt("rf-serial", Direction.SENT, 70_000, {})
    # Two units, 8 bytes in each that mark the part, 3 that only the tag covers.
    assert two.encrypted_bytes == 70_000 + 2 * 8
    assert two.authenticated_bytes == two.encrypted_bytes + 2 * 3


@pytest.mark.parametrize(
    ("cipher", "level", "suite"),
    [
        ("speck128-128", 6, "ieee802154-speck128-128-ccm-8"),
        ("grain128aead", 5, "ieee802154-grain128aead-4"),
        ("ascon-aead128", 2, "ieee802154-ascon-aead128-mic-8"),
        ("aes256", 4, "ieee802154-aes256-ccm-0"),
    ],
)
def test_frames_of_each_cipher_are_told_as_its_own(
    cipher: str, level: int, suite: str
) -> None:
    given = {"suite": cipher, "level": level}
    receipt = planned_receipt("ieee802154", Direction.SENT, 20, given)
    assert receipt.calls == (Call(suite, Verb.SEAL, 20, 15),)


def test_a_radio_with_another_bit_rate_has_no_energy() -> None:
    """Air times are those of 250 kbit/s: a receipt does not use them for 50 kbit/s."""
    planned = planned_receipt("ieee802154", Direction.SENT, 20, {})
    for name in RADIOS:
        found = with_costs(planned, "cortex-m3", name)
        other = name in OTHER_RATES
        assert ("radio_energy" in found.figures) != other
        assert any("50 kbit/s" in note for note in found.remarks) == other
