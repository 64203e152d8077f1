# SPDX-License-Identifier: Apache-2.0
"""Parts in an advice: what is held, what is offered, and what is never shorter."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from samara.energy import catalogue, weighing
from samara.energy import mac as medium_accesses
from samara.energy.advice_parts import WeighedParts
from samara.energy.advice_records import Advice
from samara.energy.advise import AdviseRequest, advise
from samara.energy.candidates import without_security
from samara.energy.life import BatteryLife, LifeRequest, life
from samara.energy.platforms import ANY, Demands, Offered, offered
from samara.energy.plots.advice import front
from samara.energy.quantity import nominal
from samara.energy.supply import supply
from samara.energy.topology import chain
from samara.errors import MisuseError
from samara.records import Remark, Written, records_of

if TYPE_CHECKING:
    from samara.energy.recommending import Recommendation

DEVICES = ("cortex-m0", "cortex-m4", "atmega128rfa1", "atmega328p", "nrf52840", ANY)
RADIOS = (None, "at86rf231", "cc2340r5", "sx1262", "hc-12")
MACS = (None, "polling", "tsch", "ble-advertising", "lorawan-a")
BATTERIES = ("cr2032", "2xaa-alkaline", "lisocl2-aa", ANY)
PARTS = st.fixed_dictionaries(
    {
        "device": st.sampled_from(DEVICES),
        "radio": st.sampled_from(RADIOS),
        "mac": st.sampled_from(MACS),
        "battery": st.sampled_from(BATTERIES),
    }
)
FEW = settings(max_examples=8, deadline=None)


def answered(**asked: Any) -> tuple[Advice, list[Any], Recommendation]:  # noqa: ANN401
    """Return the advice, its other records, and the choices that were judged."""
    answer = list(advise(AdviseRequest(**asked)))
    first, *rest = records_of(answer)
    (written,) = (each for each in answer if isinstance(each, Written))
    assert isinstance(first, Advice)
    return first, rest, written.drawn


@pytest.mark.parametrize(
    ("module", "radio"), [("hc-12", "hc-12"), ("xbee", "xbee"), ("rylr896", "sx1276")]
)
def test_a_module_has_its_own_radio(module: str, radio: str) -> None:
    request = AdviseRequest(
        link="rf-serial", device="atmega328p", link_options={"module": module}
    )
    found = offer(request, with_years=False).platforms
    assert {each.scenario.radio for each in found} == {radio}


def offer(request: AdviseRequest, *, with_years: bool) -> Offered:
    plain = without_security(request.used_link)
    of_standards = request.is_of_standard
    demands = Demands(with_years, of_standards, acknowledged=request.acknowledged)
    return offered(request, plain, demands)


@pytest.mark.slow
@FEW
@given(parts=PARTS, years=st.sampled_from([None, 0.5, 3.0]))
def test_what_is_recommended_is_held_and_not_refused(
    parts: dict[str, Any], years: float | None
) -> None:
    try:
        answer, rest, _ = answered(**parts, years=years, interval_s=600.0)
    except MisuseError:
        return  # those parts are no node
    names = {"device": answer.device, "radio": answer.radio}
    names |= {"mac": answer.mac, "battery": answer.battery}
    for kind, name in parts.items():
        if name not in (None, ANY, "nrf52840"):
            assert names[kind] == name
            assert kind not in answer.weighed
    best = answer.recommended
    if best is None:
        return
    assert best.life.low.value <= best.life.median.value <= best.life.high.value
    options = best.options if best.layer == "link" else {"level": 0}
    asked = {**parts, **names, "link": answer.link, "link_options": options}
    alone = LifeRequest(**asked, interval_s=600.0, draws=400, compare=())
    if answer.link == "ieee802154":
        (given_life, *_) = records_of(life(alone))
        assert isinstance(given_life, BatteryLife)
        assert given_life.life.low.value == pytest.approx(best.life.low.value, rel=0.2)
    assert any(isinstance(each, WeighedParts) for each in rest)


@FEW
@given(parts=PARTS)
def test_no_battery_is_offered_that_cannot_feed_the_node(parts: dict[str, Any]) -> None:
    request = AdviseRequest(**parts)
    try:
        found = offer(request, with_years=True)
    except MisuseError:
        return
    for each in found.platforms:
        cells = catalogue.battery(each.scenario.battery)
        radio = catalogue.radio(each.scenario.radio)
        volts = each.scenario.own.board(each.scenario.device).supply_v
        held = parts["battery"] != ANY
        fallback = each.scenario.battery == "2xaa-alkaline"
        if not (held and parts["radio"]) and not fallback:
            assert radio.transmit_a.value <= cells.pulse_a.value
        if not (held and parts["device"] != ANY) and not fallback:
            assert volts <= max(3.6, cells.voltage_v.value)
        if "cr" in each.scenario.battery and not held:
            assert radio.transmit_a.value <= 0.015
            assert volts < 5


def test_a_coin_cell_is_offered_neither_thirty_milliampere_nor_five_volts() -> None:
    found = offer(AdviseRequest(battery="cr2032"), with_years=True)
    assert found.out["the battery gives less than the radio draws at once"] > 50
    assert {each.scenario.device for each in found.platforms} >= {"cortex-m4"}
    for each in found.platforms:
        assert each.scenario.device not in ("atmega328p", "atmega2560")
        assert catalogue.radio(each.scenario.radio).transmit_a.value < 0.015


def test_radios_on_chips_go_with_their_processor_alone() -> None:
    pairs = {
        (each.scenario.device, each.scenario.radio)
        for each in offer(AdviseRequest(), with_years=False).platforms
    }
    assert ("cortex-m0", "cc2340r5") in pairs
    assert ("cortex-m4", "cc2340r5") not in pairs
    assert ("cortex-m4", "nrf52840") in pairs
    assert ("msp430f1611", "nrf52840") not in pairs
    assert {device for device, radio in pairs if radio == "nrf54l15"} == {"cortex-m33"}
    radios = {radio for _, radio in pairs}
    # No processor of theirs was measured; the same part and the same chip again.
    assert not radios & {"esp32-c6", "sx1276", "nrf52840-thread13", "srf"}
    of_chip = offer(AdviseRequest(device="nRF52832"), with_years=False).platforms
    assert {each.scenario.radio for each in of_chip} == {"nrf52832"}


def test_a_radio_that_sends_no_such_frames_is_not_offered() -> None:
    for mac, radios in (("tsch", {"nrf52832", "rfm95"}), ("lorawan-a", {"cc2652"})):
        found = offer(AdviseRequest(mac=mac), with_years=False).platforms
        assert found
        assert not {each.scenario.radio for each in found} & radios


@pytest.mark.slow
def test_what_tells_of_arrival_and_what_is_of_a_standard() -> None:
    def macs(**asked: bool) -> set[str]:
        found = offer(AdviseRequest(**asked), with_years=False)  # type: ignore[arg-type]
        return {each.scenario.mac for each in found.platforms}

    assert macs() == {
        *("always-listening", "polling", "csl", "tsch", "lorawan-a"),
        *("ble-advertising", "ble-connection"),
    }
    assert macs() - macs(acknowledged=True) == {"lorawan-a", "ble-advertising"}
    assert macs(allow_proprietary=True) - macs() >= {"send-only", "x-mac", "lpl"}


def test_settings_choose_the_medium_access() -> None:
    far = AdviseRequest(mac_options={"distance": 2000.0})
    found = offer(far, with_years=False).platforms
    assert {each.scenario.mac for each in found} == {"lorawan-a"}
    factors = {each.scenario.mac_settings["distance_m"] for each in found}
    assert factors == {2000.0}


def test_five_volts_with_no_battery_for_them_are_reported() -> None:
    answer = list(advise(AdviseRequest(device="atmega328p", years=1.0)))
    sentences = " ".join(each.text for each in answer if isinstance(each, Remark))
    assert "only with a step-up converter" in " ".join(sentences.split())
    first = next(iter(records_of(answer)))
    assert isinstance(first, Advice)
    assert (first.battery, "battery" in first.weighed) == ("2xaa-alkaline", False)
    with pytest.raises(MisuseError, match="the battery gives less than the radio"):
        list(advise(AdviseRequest(device="atmega328p", battery="cr2032")))


def test_the_smallest_battery_that_lives_so_long() -> None:
    def battery(years: float) -> str:
        node: dict[str, Any] = {"radio": "nrf52840", "mac": "polling"}
        answer, *_ = answered(device="cortex-m4", years=years, **node)
        assert answer.recommended is not None
        assert answer.recommended.life.low.value >= years
        return answer.battery

    assert battery(2.0) == "cr2032"
    assert battery(5.0) == "cr2450"
    assert battery(9.0) == "2xaa-alkaline"


@pytest.mark.slow
@pytest.mark.parametrize(
    "asked",
    [
        {"device": "nrf52840", "battery": "cr2032"},
        {"device": "nrf52840", "years": 4.0},
        {"radio": "cc2420", "mac": "polling", "battery": "2xaa-alkaline"},
        {"device": "msp430f1611", "battery": "2xaa-alkaline", "ram_bytes": 900},
        # What lives the longest has no build with so little RAM.
        {"mac": "polling", "battery": "2xaa-alkaline", "ram_bytes": 850},
    ],
)
def test_the_bounded_search_finds_what_all_have(
    asked: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    """The best of all platforms, each weighed with all suites."""
    quick, *_ = answered(**asked)
    monkeypatch.setattr(weighing, "_may_be_better", lambda *_: True)
    monkeypatch.setattr(weighing, "_BOUNDED", 10**6)
    monkeypatch.setattr(weighing, "_PER_DEVICE", 10**6)
    monkeypatch.setattr(weighing, "_WEIGHED", 10**6)
    whole, *_ = answered(**asked)
    assert quick.recommended is not None
    assert (quick.radio, quick.mac, quick.battery) == (
        *(whole.radio, whole.mac),
        whole.battery,
    )
    assert quick.recommended == whole.recommended


def test_the_star_lies_on_the_front_that_is_drawn() -> None:
    asked: dict[str, Any] = {"device": "atmega328p", "radio": "at86rf231"}
    for more in ({}, {"mac": "box-mac-2", "allow_proprietary": True}):
        *_, found = answered(**asked, **more)
        assert found.recommended in front(found.ties)
        assert {each.tie for each in found.ties} == {found.recommended.tie}


@pytest.mark.parametrize(
    ("held", "layer"),
    [
        ({"suite": "grain128aead", "level": 6}, "link"),
        ({"suite": "aes128", "level": 7}, "link"),
        ({"suite": "ascon-aead128"}, None),
    ],
)
def test_a_suite_and_a_level_are_held(held: dict[str, Any], layer: str | None) -> None:
    *_, found = answered(
        device="atmega328p", radio="cc2420", allow_proprietary=True, link_options=held
    )
    assert found.recommended is not None
    for choice in (*found.fitting, *(each for each, _ in found.out)):
        own = choice.candidate
        assert layer in (None, own.layer)
        assert own.suite.startswith(held["suite"])
        if own.layer == "link":
            assert held.items() <= own.options.items()


def test_the_engine_is_a_build() -> None:
    answer, *_ = answered(device="atmega128rfa1", radio="at86rf231")
    assert answer.recommended is not None
    assert answer.recommended.implementation == "engine"
    held, *_ = answered(device="atmega128rfa1", radio="at86rf231", build="portable")
    assert held.recommended is not None
    assert held.recommended.implementation == "portable"
    assert held.recommended.security_energy.value > 1.5 * (
        answer.recommended.security_energy.value
    )
    with pytest.raises(MisuseError, match="leave out --build"):
        answered(device="atmega328p", radio="at86rf231", build="engine")


STANDARD = [
    each for each in medium_accesses.names() if medium_accesses.kind(each).standard
]


def lived(mac: str, level: int, interval_s: float, capacity: float) -> float:
    """Return a life as stated, with a battery of so many times the capacity."""
    # Each medium access carries so short a message in one frame.
    room = {"data_bytes": 100} if mac == "ble-connection" else {}
    request = LifeRequest(
        mac=mac,
        mac_options=room,
        message_bytes=4,
        link_options={"level": level},
        device="cortex-m4",
    )
    scenario = request.scenario()
    power_w = scenario.power_of(scenario.node(), chain(1), interval_s)
    cells = catalogue.battery(scenario.battery)
    whole = replace(cells.capacity_ah, value=cells.capacity_ah.value * capacity)
    return float(supply(replace(cells, capacity_ah=whole), nominal).life_s(power_w))


@settings(max_examples=40, deadline=None)
@given(
    mac=st.sampled_from(STANDARD),
    level=st.sampled_from([5, 6, 7]),
    interval_s=st.floats(20, 86_400),
    longer=st.floats(1, 50),
    more=st.floats(1, 50),
)
def test_more_battery_longer_intervals_and_less_tag_never_shorten_a_life(
    mac: str, level: int, interval_s: float, longer: float, more: float
) -> None:
    own = lived(mac, level, interval_s, 1.0)
    assert lived(mac, level, interval_s, more) >= own * (1 - 1e-9)
    assert lived(mac, level, interval_s * longer, 1.0) >= own * (1 - 1e-9)
    # A radio that always listens draws less while it sends: longer frames help it.
    if level > 5 and mac != "always-listening":
        assert lived(mac, level - 1, interval_s, 1.0) >= own * (1 - 1e-9)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("asked", "taken"),
    [
        (
            {"device": "nrf52840", "battery": "cr2032", "message_bytes": 12}
            | {"interval_s": 600.0, "years": 2.0},
            ("nrf52840", "ble-advertising", "cr2032", "payload"),
        ),
        (
            {"device": "nrf52840", "battery": "cr2032", "message_bytes": 12}
            | {"interval_s": 600.0, "years": 2.0, "acknowledged": True},
            ("nrf52840", "polling", "cr2032", "link"),
        ),
        (
            {"mac": "lorawan-a", "mac_options": {"distance": 2000.0}}
            | {"message_bytes": 12, "interval_s": 3600.0, "years": 10.0},
            ("sx1262", "lorawan-a", "2xaa-alkaline", "payload"),
        ),
        (
            {"mac": "tsch", "mac_options": {"send_cells": 2}}
            | {"interval_s": 1.0, "years": 1.0},
            ("nrf54l15", "tsch", "cr2450", "link"),
        ),
        (
            {"device": "atmega328p", "radio": "hc-12", "message_bytes": 16}
            | {"interval_s": 60.0},
            ("hc-12", "serial-radio", "2xaa-alkaline", "payload"),
        ),
        (
            {"nodes": 1000, "acknowledged": True, "years": 2.0},
            ("efr32xg24", "polling", "cr2032", "link"),
        ),
    ],
    ids=["door", "door-acknowledged", "soil", "machine", "hobbyist", "gateway"],
)
def test_five_people_are_answered(
    asked: dict[str, Any], taken: tuple[str, ...]
) -> None:
    answer, _, found = answered(**asked)
    assert answer.recommended is not None
    own = (answer.radio, answer.mac, answer.battery, answer.recommended.layer)
    assert own == taken
    assert answer.recommended.life.low.value >= asked.get("years", 0.0)
    assert found.recommended in front(found.ties)


def test_more_nodes_than_a_receiver_can_hear_are_no_answer() -> None:
    with pytest.raises(MisuseError, match="of its cells"):
        answered(nodes=1000, interval_s=5.0, mac="tsch")
    answer, *_ = answered(nodes=440, interval_s=5.0, mac="tsch", device="cortex-m4")
    assert answer.mac == "tsch"
