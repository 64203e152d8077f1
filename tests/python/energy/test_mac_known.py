# SPDX-License-Identifier: Apache-2.0
"""Medium accesses beside what others measured or computed, each in two figures.

What software takes of a radio event is the radio's `event_c`; which measurement each
was fitted to stands in radios.toml. None of those is compared with here, but polls.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import pytest

from samara.energy import ble, catalogue, mac
from samara.energy.lora import RAMP_S, Lora, spreading_factor_at
from samara.energy.medium_access import Hop
from samara.energy.node import Node
from samara.energy.parts import Part
from samara.energy.quantity import nominal
from samara.energy.requests import NodeRequest
from samara.energy.security import Security
from samara.energy.supply import supply
from samara.energy.topology import chain
from samara.energy.transceiver import Transceiver
from samara.errors import MisuseError

from .hops import radio

if TYPE_CHECKING:
    from samara.energy.medium_access import MediumAccess

YEAR_S = 365.25 * 86_400


@pytest.mark.parametrize(
    ("factor", "bandwidth_khz", "packet_bytes", "ms"),
    [
        # Computed by The Things Network's calculator: 10 and 51 bytes, and LoRaWAN's
        # 13.
        (7, 125, 23, 61.7),
        (9, 125, 23, 205.8),
        (12, 125, 23, 1482.8),
        (12, 125, 64, 2793.5),
    ],
)
def test_time_on_air(
    factor: int, bandwidth_khz: int, packet_bytes: int, ms: float
) -> None:
    air_s = Lora(factor, bandwidth_khz * 1e3).air_s(packet_bytes)
    assert air_s * 1e3 == pytest.approx(ms, abs=0.06)


@pytest.mark.parametrize(
    ("factor", "bandwidth_khz", "ms"),
    [
        # An RFM96 measured with a PPK2 (CNT_PPK2_RFM96_cycler): coding rate 4/7, a
        # byte.
        (7, 125, 28.071),
        (7, 250, 14.13),
        (7, 500, 7.156),
        (8, 125, 55.98),
        (8, 250, 28.084),
        (8, 500, 14.13),
    ],
)
def test_time_on_air_as_measured(factor: int, bandwidth_khz: int, ms: float) -> None:
    settings = {"spreading_factor": factor, "bandwidth_hz": bandwidth_khz * 1e3}
    access = mac.mac("send-only", coding_rate=3, **settings)
    assert access.air_s(Hop(radio("rfm95"), 1)) * 1e3 == pytest.approx(ms, abs=0.03)


def test_time_on_air_at_sf6_of_both_families() -> None:
    """Measured with an SX1276, by its length without header and check: 10.538 ms."""
    bare: dict[str, Any] = {"coding_rate": 3, "has_header": False, "has_check": False}
    older = Lora(6, is_sx127x=True, **bare).air_s(1) + RAMP_S
    assert older * 1e3 == pytest.approx(10.538, abs=0.03)
    # SX1261/2 data sheet, 6.1.4, by hand: 8 + 16 - 24 + 20 = 20 bits are one block of
    # 5; 8 + 6.25 + 8 + 5 symbols of 0.512 ms. At SF5 24: two blocks, of 0.256 ms.
    assert Lora(6).air_s(1) * 1e3 == pytest.approx(27.25 * 0.512)
    assert Lora(5).air_s(1) * 1e3 == pytest.approx((22.25 + 10) * 0.256)
    with pytest.raises(MisuseError, match="from 6 to 12, not 5"):
        Lora(5, is_sx127x=True)


def test_a_packet_of_an_rfm96() -> None:
    """At 14 dBm it drew 63.74 mA at 3.3 V for 55.98 ms: 11.775 mJ."""
    access = mac.mac("send-only", spreading_factor=8, coding_rate=3)
    sent = access.send(Hop(radio("rfm95"), 1)).energy_j(radio("rfm95"))
    assert sent[Part.DATA] == pytest.approx(55.98e-3 * 63.74e-3 * 3.3, rel=0.002)


# L. Casals, B. Mir, R. Vidal, C. Gomez, "Modeling the Energy Performance of LoRaWAN",
# Sensors 17, 2364: a MultiConnect mDot at 3.3 V, ms and mA of each state. What it draws
# between waking up and sleeping, besides sending and both windows, is told as the
# start.
CASALS_MA_MS = [
    *((22.1, 168.2), (13.3, 83.8), (27.0, 983.3), (27.1, 1.28)),
    *((13.2, 147.4), (21.0, 268.0), (13.3, 38.6)),
]
CASALS_AH, CASALS_SLEEP_A = 2.4, 45e-6


def casals_years(interval_s: float) -> float:
    volts = 3.3
    start_j = sum(ma * ms for ma, ms in CASALS_MA_MS) * 1e-6 * volts
    # Receiving takes 38.1 mA in the first window, 35.0 mA in the second: 36.
    one = Transceiver(
        transmit_w=0.0830 * volts,
        receive_w=0.0360 * volts,
        idle_w=start_j / 3,
        sleep_w=CASALS_SLEEP_A * volts,
        start_s=1.0,
        turnaround_s=0.0,
        byte_s=8 / 50_000,
        overhead_bytes=0,
    )
    # 12.29 ms at DR5, which is SF7; 33 ms of SF12: a symbol.
    access = mac.mac("lorawan-a", rx1_symbols=12, rx2_symbols=1)
    node = Node(one, access, 13 + 12)
    power_w = float(node.message(interval_s).total) / interval_s
    return CASALS_AH * volts * 3600 / power_w / YEAR_S


def test_a_year_and_six_years_of_lorawan() -> None:
    """2400 mAh: more than 1 year at a message every 5 minutes, 6 of rare ones."""
    assert 1.0 < casals_years(300.0) < 1.5
    assert casals_years(30 * 86_400) == pytest.approx(6.0, rel=0.03)


def test_a_spreading_factor_by_distance() -> None:
    near, far = (mac.mac("lorawan-a", distance_m=each) for each in (1000.0, 8000.0))
    one = Hop(radio("rfm95"), 23)
    assert near.air_s(one) == pytest.approx(61.696e-3 + RAMP_S)
    assert far.air_s(one) == pytest.approx(1482.752e-3 + RAMP_S)
    factors = [spreading_factor_at(float(each)) for each in range(100, 8900, 100)]
    assert factors == sorted(factors)
    assert {*factors} == {*range(7, 13)}
    with pytest.raises(MisuseError, match="no spreading factor reaches 20,000 m"):
        mac.mac("lorawan-a", distance_m=20_000.0)


def test_the_law_allows_so_many_messages() -> None:
    """1 % of the time at SF12: 23 bytes, 1.483 s, are allowed every 148.3 s."""
    slow = mac.mac("lorawan-a", spreading_factor=12)
    node = Node(radio("rfm95"), slow, 23)
    assert node.service_s() == pytest.approx(100 * (1482.752e-3 + RAMP_S))
    with pytest.raises(MisuseError, match="cannot be sent: nodes need 148 s"):
        node.message(100.0)
    # At SF7, windows and not the law: 1 s, 1 s, and 262 ms, after the frame.
    free = mac.mac("lorawan-a", duty_cycle=1.0)
    assert free.service_s(Hop(radio("rfm95"), 23)) == pytest.approx(2.324, abs=1e-3)


def event_uj(radio_name: str, *, with_software: bool) -> float:
    """Return what an advertising event takes: 19 bytes on three channels."""
    one = radio(radio_name)
    if not with_software:
        one = replace(one, event_j=0.0)
    sent = mac.mac("ble-advertising").send(Hop(one, 11 + 19))
    return float(sent.energy_j(one).total) * 1e6


@pytest.mark.parametrize(
    ("name", "lean_uj", "usual_uj"),
    [
        # BlueJoule: ADV_NONCONN_IND, 19 bytes, 0 dBm. EM Script, which does little
        # besides, and Zephyr at 3.3 V, SimpleLink at 3.0 V.
        ("nrf52832", 24.3, 28.7),
        ("cc2340r5", 16.4, 30.6),
    ],
)
def test_an_advertising_event(name: str, lean_uj: float, usual_uj: float) -> None:
    """With DC/DC converters, the voltage changes an event by some per cent."""
    assert event_uj(name, with_software=True) == pytest.approx(usual_uj, rel=0.1)
    assert 0.5 * lean_uj < event_uj(name, with_software=False) < lean_uj


def test_a_packet_of_19_bytes_takes_280_us() -> None:
    """16 bytes are around the data, of 8 µs each at 1 Mbit/s."""
    assert ble.packet_s(11 + 19) * 1e6 == pytest.approx((16 + 19) * 8)


# TI, SWRA793A, table 6-1: a CC2340R5 with a connection of 1 s without data, µA.
CONNECTION_UA = {"1M": 7.0, "2M": 6.6, "S2": 11.5, "S8": 13.1}


def connection_ua(phy: str, *, with_software: bool = True) -> float:
    one = radio("cc2340r5")
    if not with_software:
        one = replace(one, event_j=0.0, connection_j=0.0)
    access = mac.mac("ble-connection", phy=ble.PHYS.index(phy))
    node = Node(one, access, 12)
    return float(node.idle_w().total + node.sleep_w().total) / 3.0 * 1e6


@pytest.mark.parametrize(("phy", "within"), [("2M", 0.1), ("S2", 0.6), ("S8", 0.7)])
def test_a_connection_with_another_phy_takes_as_much_more(
    phy: str, within: float
) -> None:
    """What software takes is the same with each: differences are the radio's."""
    measured = CONNECTION_UA[phy] - CONNECTION_UA["1M"]
    found = connection_ua(phy) - connection_ua("1M")
    assert found == pytest.approx(measured, abs=within)


@pytest.mark.parametrize(("phy", "within"), [("2M", 0.01), ("S2", 0.05), ("S8", 0.05)])
def test_a_connection_without_data(phy: str, within: float) -> None:
    """What software takes of an event was fitted to the one with 1M."""
    assert connection_ua(phy) == pytest.approx(CONNECTION_UA[phy], rel=within)
    assert connection_ua(phy, with_software=False) < 0.8 * CONNECTION_UA[phy]
    assert connection_ua("1M") == pytest.approx(CONNECTION_UA["1M"], rel=1e-3)


def test_a_chip_whose_connections_nobody_measured() -> None:
    """Its events take what others of it take."""
    times = mac.mac("ble-connection").idle(Hop(radio("nrf52832"), 12))
    assert times.meetings == times.starts == 1
    one = replace(radio("nrf52832"), connection_j=None)
    same = replace(one, connection_j=one.event_j)
    more = replace(one, connection_j=one.event_j + 1e-6)
    found = [float(times.energy_j(each).total) for each in (one, same, more)]
    assert found[0] == pytest.approx(found[1])
    assert found[2] - found[0] == pytest.approx(1e-6)


# Nordic, OpenThread with SDK 3.0.2 on an nRF52840 at 3.0 V, 1 s, ±20 ppm, ±120 µs, a
# timeout of 20 s: µC.


def windows_uc() -> float:
    one = radio("nrf52840")
    waiting = mac.mac("csl").idle(Hop(one, 31)).energy_j(one)
    return float(waiting.total) / 3.0 * 1e6


def test_a_csl_window() -> None:
    assert windows_uc() == pytest.approx(14.2, rel=0.02)


def waiting_uc(access: MediumAccess) -> float:
    """Return the charge of a minute; requests are 10 bytes longer by security."""
    secured = Security(added_bytes=10)
    node = Node(radio("nrf52840"), access, 31, secured)
    total_w = node.idle_w().total + node.sleep_w().total
    return float(total_w) / 3.0 * 60 * 1e6


def test_a_minute_of_csl() -> None:
    """60 windows and 3 requests."""
    assert waiting_uc(mac.mac("csl")) == pytest.approx(1080, rel=0.05)


def test_a_minute_of_polls() -> None:
    """60 requests; the charge of software is that of one, of 15.3 µC."""
    one = radio("nrf52840")
    requests = mac.mac("polling").requests
    assert requests is not None
    poll_uc = float(requests.times(Hop(one, 22)).energy_j(one).total) / 3.0 * 1e6
    assert poll_uc == pytest.approx(15.3, rel=0.01)
    minute_uc = waiting_uc(mac.mac("polling", poll_interval_s=1.0))
    assert minute_uc == pytest.approx(1110, rel=0.03)


def duty(access: MediumAccess, *, radio_name: str = "cc2538", starts: bool) -> float:
    """Return the share of time, in %, that a node's radio is on while it waits."""
    one = radio(radio_name)
    waiting = access.idle(Hop(one, 31))
    on_s = waiting.on_s + (waiting.starts * one.start_s if starts else 0.0)
    return float(on_s) * 100


# TSCH-Sim (A. Elsts, EDI), commit 20890b2: a root and a node with a link without loss,
# for two hours, no messages; slots of 10 ms. Duty cycles of the radio, in %. It counts
# no starts of radios, and DIO, DAO and keep-alives: 0.007 % of the node.
@pytest.mark.parametrize(
    ("name", "settings", "percent"),
    [
        ("orchestra", {}, 2.019),
        (
            "orchestra",
            {"unicast_slots": 7, "common_slots": 23, "beacon_slots": 101},
            4.147,
        ),
        # Of the root with three children, which hears no time source.
        (
            "orchestra",
            {"sender_based": 1, "children": 3, "beacon_slots": 1e9},
            4.473,
        ),
        ("tsch", {"slots": 7, "receive_cells": 0}, 3.146),
    ],
)
def test_duty_cycles_of_another_simulator(
    name: str, settings: dict[str, float], percent: float
) -> None:
    # The root sends beacons, and the node none: it has nobody who would join.
    access = mac.mac(name, beacon_interval_s=1e9, **settings)
    assert duty(access, starts=False) == pytest.approx(percent, rel=0.005)


# Contiki-NG 4.4 on two Zolertia Fireflies (CC2538), by its own counters, of which each
# is in whole seconds: the minimal schedule of seven slots, with 6TiSCH and without.
@pytest.mark.parametrize(("on_s", "of_s"), [(34 - 15, 610 - 60), (45 - 25, 620 - 50)])
def test_a_shared_cell_of_seven_as_measured(on_s: int, of_s: int) -> None:
    access = mac.mac("tsch", slots=7, receive_cells=0)
    measured = 100 * on_s / of_s
    within = 100 / of_s
    assert duty(access, starts=True) == pytest.approx(measured, abs=within)


def test_contikimac_is_asleep_for_more_than_99_percent() -> None:
    """Contiki's documentation of it: switched off from 99.2 to 99.6 % of idle time."""
    assert 99.2 < 100 - duty(mac.mac("contikimac"), starts=False) < 99.6


def test_a_node_that_always_listens_empties_a_battery_in_days() -> None:
    """WiSense of a CC1101: 9720 J at 2.2 V and 16 mA last for 3.2 days."""
    one = replace(radio("cc1101"), receive_w=2.2 * 0.016)
    node = Node(one, mac.mac("always-listening"), 31)
    days = 9720 / float(node.idle_w().total) / 86_400
    assert days == pytest.approx(3.2, abs=0.05)


# WakeMod, arXiv 2505.21529: a price tag that waits at 7.17 µW, "an estimated 8-year
# battery life with daily updates" on a CR2032. Updates are not told: it waits longer.
def test_a_price_tag_with_a_wake_up_receiver() -> None:
    bare = replace(radio(), sleep_w=0.0)
    access = mac.mac("wake-up-receiver", wake_receiver_power_w=7.17e-6)
    node = Node(bare, access, 31)
    power_w = node.idle_w().total + node.sleep_w().total
    years = supply(catalogue.battery("cr2032"), nominal).life_s(power_w) / YEAR_S
    assert 8.0 < float(years) < 8.0 * 1.25


# Sensors 2023, 23(19), 8188: a wake-up receiver of 5.71 µW that needs 9.02 ms.
def test_a_wake_up_receiver() -> None:
    bare = replace(radio(), sleep_w=0.0)
    node = Node(bare, mac.mac("wake-up-receiver"), 31)
    assert node.idle_w().total + node.sleep_w().total == pytest.approx(5.71e-6)
    starts_s = float(node.latency_s()) - node.radio.start_s - node.hop().frame_s
    assert starts_s == pytest.approx(9.02e-3)


@pytest.mark.parametrize(
    ("name", "radio_name"),
    [
        *(("ble-advertising", "at86rf231"), ("ble-connection", "cc2538")),
        *(("lorawan-a", "nrf52840"), ("lorawan-a", "cc1101")),
    ],
)
def test_a_radio_that_does_not_send_it(name: str, radio_name: str) -> None:
    with pytest.raises(
        MisuseError, match=f"{radio_name} does not send .* give --radio"
    ):
        NodeRequest(mac=name, radio=radio_name).scenario()


@pytest.mark.parametrize("name", ["send-only", "lorawan-a", "ble-advertising", "csl"])
def test_more_to_send_never_lengthens_a_life(name: str) -> None:
    lifetimes = [
        float(
            NodeRequest(mac=name, message_bytes=size)
            .scenario()
            .life_s(chain(1), interval_s)
        )
        for interval_s, size in ((3600.0, 10), (3600.0, 60), (600.0, 60))
    ]
    assert lifetimes == sorted(lifetimes, reverse=True)
    assert lifetimes[0] > lifetimes[-1]
