# SPDX-License-Identifier: Apache-2.0
"""Parts of users: files with units in their values."""

from __future__ import annotations

import dataclasses
import pickle
import re
from contextlib import suppress
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from samara.crypto import UnknownNameError
from samara.energy import catalogue
from samara.energy.life import LifeRequest, life
from samara.energy.own_parts import own_parts
from samara.energy.part_checks import part_of
from samara.energy.part_entries import (
    KINDS,
    Entry,
    OwnDevice,
    OwnMac,
    entries_of,
    names_of,
)
from samara.energy.part_list import PartRequest, PartsRequest, list_parts, show_part
from samara.energy.part_template import TemplateRequest, template
from samara.energy.part_values import spellings, written
from samara.energy.part_writing import text_of_part
from samara.energy.quantity import Listed, Quantity
from samara.energy.scenario import Scenario
from samara.errors import MisuseError
from samara.figure import Origin
from samara.records import records_of

if TYPE_CHECKING:
    from pathlib import Path

RADIO = """
[radio.mine]
title = "My radio"
power = "+4 dBm"
from = "2400 MHz"
to = "2.48 GHz"
bit_rate = "250 kbit/s"
overhead_bytes = 6
turnaround = "192 us"
supply = "3.0 V"
transmit = { typ = "5.0 mA", max = "6.0 mA", source = "data sheet, p. 3" }
receive = { typ = "5.0 mA", min = "4.0 mA", max = "6.0 mA", source = "the same" }
idle = { typ = "0.5 mA", source = "assumed: as others" }
sleep = { typ = "1.5 uA", tolerance = "50 %", source = "data sheet, p. 3" }
start = { value = 0.001, tolerance = 0.3, source = "data sheet, p. 4", checked = true }
"""
DEVICE = """
[device.board]
measured_as = "cortex-m4"
clock = "32 MHz"
supply = "1.8 V"
active = { typ = "2 mA", source = "p. 1" }
idle = "1 mA"
sleep = "1.5 uA"
wake = "10 us"
write = "1 ms"
"""
MAC = """
[mac.slow]
medium_access = "polling"
poll_interval = "30 s"
response = { typ = "2 ms", max = "4 ms", source = "a trace" }
"""


def parts(text: str) -> dict[tuple[str, str], Any]:
    found = entries_of(text.encode(), "FILE")
    return {(each.kind, each.name): part_of(each) for each in found}


def refused(text: str) -> str:
    with pytest.raises(MisuseError) as error:
        parts(text)
    assert "\n" not in str(error.value)
    return str(error.value)


def test_a_radio_with_units() -> None:
    radio = parts(RADIO)["radio", "mine"]
    assert (radio.from_mhz, radio.to_mhz) == (2400.0, 2480.0)
    assert radio.bit_rate == Quantity(250_000, 0.0, "a setting", checked=True)
    assert radio.turnaround_s.value == 192e-6
    assert radio.sleep_a == Quantity(1.5e-6, 0.5, "data sheet, p. 3", checked=True)
    assert radio.start_s == Quantity(0.001, 0.3, "data sheet, p. 4", checked=True)
    assert not radio.idle_a.checked
    assert radio.idle_a.tolerance == 0.2


def test_min_and_max_are_the_values_that_1_and_99_percent_are_below() -> None:
    radio = parts(RADIO)["radio", "mine"]
    assert radio.transmit_a.value == 0.005
    assert radio.transmit_a.quantile(0.99) == pytest.approx(0.006)
    # Of both, the range keeps its width, and the typical value its place.
    receive = radio.receive_a
    assert receive.quantile(0.99) / receive.quantile(0.01) == pytest.approx(1.5)
    assert receive.value == 0.005
    between = parts(RADIO.replace('typ = "5.0 mA", min = "4.0 mA"', 'min = "4.0 mA"'))[
        "radio", "mine"
    ].receive_a
    assert between.quantile(0.01) == pytest.approx(0.004)
    assert between.quantile(0.99) == pytest.approx(0.006)


def test_a_device_has_cycles_of_the_bench_and_its_own_clock() -> None:
    device = parts(DEVICE)["device", "board"]
    assert isinstance(device, OwnDevice)
    assert (device.measured_as, device.clock_hz.value) == ("cortex-m4", 32e6)


def test_settings_of_a_medium_access() -> None:
    own = parts(MAC)["mac", "slow"]
    assert isinstance(own, OwnMac)
    assert own.settings["poll_interval_s"].value == 30
    assert own.settings["response_s"].quantile(0.99) == pytest.approx(0.004)


@pytest.mark.parametrize(
    ("old", "new", "expected"),
    [
        ("transmit =", "transmitt =", "unknown field 'transmitt': did you mean trans"),
        ('"5.0 mA", max', '"5.0 mV", max', "typ of transmit of the radio mine of FILE"),
        ('"5.0 mA", max', '"5.0 mV", max', "with one of the units A, mA, uA"),
        ('"5.0 mA", max', "5.0, max", "is 5.0: expected such as"),
        ('"5.0 mA", max', '"5.0", max', "is '5.0': expected such as"),
        ('"5.0 mA", max', '"? mA", max', "not filled in"),
        ('supply = "3.0 V"', "", "the radio mine of FILE lacks supply"),
        ('supply = "3.0 V"', 'supply = "0 V"', "supply of the radio mine of FILE is 0"),
        ('supply = "3.0 V"', 'supply_v = "3 V"\nsupply = "3 V"', "supply twice"),
        ('max = "6.0 mA", source', 'max = "4.0 mA", source', "0 < min <= typ <= max"),
        ('max = "6.0 mA", source', 'maxi = "4.0 mA", source', "did you mean max"),
        (
            ', source = "data sheet, p. 3" }\nrec',
            " }\nrec",
            "transmit of the radio mine",
        ),
        ('power = "+4 dBm"', 'power = "a\\nb"', "expected printable text"),
        ("[radio.mine]", "[radios.mine]", "did you mean radio"),
        ("[radio.mine]", "[radio]", "expected a name in front of the fields"),
        ("[radio.mine]", '[radio."a b"]', "has a name that is not possible"),
        ("[radio.mine]", '[radio."grain-n8"]', "has a name that is not possible"),
        ("[radio.mine]", "[radio.mine", "FILE is not TOML"),
        ("power = ", "power = 3 #", "power of the radio mine of FILE is 3"),
        ('"+4 dBm"', '"0 dBmW"', "is '0 dBmW': expected such as \"+14 dBm\""),
        ('"+4 dBm"', '"4"', "power of the radio mine of FILE is '4'"),
        ("[radio.mine]", '[radio.mine]\nlinks = "zigbee"', "has 'zigbee': expected"),
        ("[radio.mine]", '[radio.mine]\nwaveforms = "ble wifi"', "ble or lora, with"),
        ('"2400 MHz"', '"2.6 GHz"', "from of the radio mine of FILE is above its to"),
        (
            "[radio.mine]",
            '[radio.mine]\nminimum = "3.1 V"',
            "minimum of the radio mine",
        ),
    ],
)
def test_what_is_wrong_is_one_sentence(old: str, new: str, expected: str) -> None:
    assert old in RADIO
    assert expected in refused(RADIO.replace(old, new))


BATTERY = """
[battery.cell]
title = "A cell"
capacity = "500 mAh"
voltage = "3.0 V"
cutoff = "2.0 V"
pulse = "20 mA"
shelf_years = 10
self_discharge_per_year = "1 %"
usable_by_load = { points = [["0.1 mA", "100 %"], ["9 mA", "60 %"]], source = "p. 2" }
usable_by_temperature = { points = [["20 C", "100 %"]], source = "assumed: none" }
"""


def test_a_line_has_the_usual_tolerance_and_a_source() -> None:
    cell = parts(BATTERY)["battery", "cell"]
    by_load, by_temperature = cell.usable_by_load, cell.usable_by_temperature
    assert (by_load.points, by_load.tolerance) == (((0.0001, 1.0), (0.009, 0.6)), 0.2)
    assert (by_load.checked, by_temperature.checked) == (True, False)
    no_source = refused(BATTERY.replace(', source = "p. 2"', ""))
    assert "usable_by_load of the battery cell of FILE has no source" in no_source
    above = refused(BATTERY.replace('"2.0 V"', '"3.1 V"'))
    assert "cutoff of the battery cell of FILE is above its voltage" in above


@pytest.mark.parametrize("share", ["100.1 %", "120 %"])
def test_a_battery_loses_at_most_all(share: str) -> None:
    assert parts(BATTERY.replace('"1 %"', '"100 %"'))
    assert "is above 100 %" in refused(BATTERY.replace('"1 %"', f'"{share}"'))


@pytest.mark.parametrize("power", ["25 mW", "0.1 W", "-3 dBm", "+14 dBm, PA_BOOST"])
def test_a_power_has_its_unit(power: str) -> None:
    radio = parts(RADIO.replace("+4 dBm", power))["radio", "mine"]
    assert radio.power == power


def test_settings_that_are_wrong() -> None:
    assert "did you mean poll_interval" in refused(MAC.replace("poll_in", "pol_in"))
    assert "unknown medium access" in refused(MAC.replace('"polling"', '"poling"'))
    assert "medium_access" in refused(MAC.replace("medium_access", "access"))
    assert "unknown device" in refused(DEVICE.replace("cortex-m4", "cortex-m99"))


def test_files_are_found_and_names_are_there_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    assert not own_parts().entries
    for folder, text in (
        (tmp_path / "samara-parts", RADIO),
        (tmp_path / "config" / "samara" / "parts", DEVICE),
    ):
        folder.mkdir(parents=True)
        (folder / "a.toml").write_text(text)
    assert own_parts().radio("mine").transmit_a.value == 0.005
    assert own_parts().board("board").clock_hz == 32e6
    (tmp_path / "b.toml").write_text(RADIO)
    with pytest.raises(MisuseError, match=r"also in .*give it another name"):
        own_parts([tmp_path / "b.toml"])
    # The same file, named too, is one file.
    assert own_parts([tmp_path / "samara-parts" / "a.toml"]).names("radio") == ["mine"]
    (tmp_path / "c.toml").write_text(RADIO.replace("mine", "cc2420"))
    with pytest.raises(MisuseError, match="also in samara's own catalogue"):
        own_parts([tmp_path / "c.toml"])
    with pytest.raises(MisuseError, match="cannot be read"):
        own_parts([tmp_path / "none.toml"])


def test_a_found_file_that_is_wrong_is_reported_when_it_is_used(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "samara-parts").mkdir()
    unfilled = RADIO.replace('"5.0 mA", max', '"? mA", max')
    (tmp_path / "samara-parts" / "a.toml").write_text(unfilled)
    found = own_parts()
    assert found.battery("cr2032").name == "cr2032"
    with pytest.raises(MisuseError, match="not filled in"):
        found.radio("mine")
    with pytest.raises(MisuseError, match="not filled in"):
        own_parts([tmp_path / "samara-parts" / "a.toml"])


def test_parts_travel_to_other_processes(tmp_path: Path) -> None:
    (tmp_path / "a.toml").write_text(RADIO)
    found = own_parts([tmp_path / "a.toml"])
    again = pickle.loads(pickle.dumps(found))  # noqa: S301 - our own
    assert again.radio("mine") == found.radio("mine")


NAMES_ALL = [e.name for e in dataclasses.fields(catalogue.Radio) if e.name != "name"]
NAMES = [e.name for e in dataclasses.fields(catalogue.Radio) if e.type == "Quantity"]
POSITIVE = st.floats(1e-12, 1e12)


@given(
    name=st.sampled_from(NAMES),
    value=POSITIVE,
    tolerance=st.floats(0, 99),
    source=st.text(st.characters(categories=("L", "N", "P", "Zs")), min_size=1),
    checked=st.booleans(),
)
def test_what_is_written_is_read_again(
    name: str, value: float, tolerance: float, source: str, *, checked: bool
) -> None:
    radio = catalogue.radio("cc2420")
    if not source.strip() or source.startswith("?") or not source.isprintable():
        source = "a test"
    made = Quantity(value, tolerance, source, checked=checked)
    fields = {n: getattr(radio, n) for n in NAMES_ALL}
    if name == "supply_v":  # a radio runs at the voltage of its currents
        fields["minimum_v"] = dataclasses.replace(radio.minimum_v, value=value / 2)
    elif name == "minimum_v":
        fields["supply_v"] = dataclasses.replace(radio.supply_v, value=value * 2)
    read = parts(text_of_part("radio", "mine", {**fields, name: made}))
    for field, each in {**fields, name: made}.items():
        again = getattr(read["radio", "mine"], field)
        if isinstance(each, Quantity):
            assert again.value == each.value
            assert again.tolerance == pytest.approx(each.tolerance)
            assert (again.source, again.checked) == (each.source, each.checked)
        else:
            assert again == each


def test_all_of_the_catalogue_can_be_written_and_read() -> None:
    for row in (*catalogue.radios(), *catalogue.batteries(), *catalogue.memories()):
        fields = {
            each.name: getattr(row, each.name)
            for each in dataclasses.fields(row)
            if each.name != "name" and getattr(row, each.name) is not None
        }
        again = parts(text_of_part(row.kind, "mine", fields))[row.kind, "mine"]
        for field, each in fields.items():
            if isinstance(each, Quantity):
                assert getattr(again, field).value == each.value
            elif isinstance(each, catalogue.Line):
                assert getattr(again, field).points == each.points


TEXTS = st.one_of(
    st.text(max_size=20),
    st.sampled_from(["5 mA", "1e99 A", "-3 V", "? mA", "1e-400 s", "nan", "inf MHz"]),
)
VALUES = st.recursive(
    st.one_of(TEXTS, st.integers(), st.floats(), st.booleans(), st.none()),
    lambda inner: st.one_of(
        st.lists(inner, max_size=3),
        st.dictionaries(
            st.sampled_from(
                ["typ", "min", "max", "tolerance", "source", "value", "points", "x"]
            ),
            inner,
            max_size=4,
        ),
    ),
    max_leaves=6,
)
FIELDS = sorted(
    {
        spelled
        for kind in KINDS.values()
        for name in (each.name for each in dataclasses.fields(kind))
        for spelled in (name, written(name).name)
    }
)


@given(
    kind=st.sampled_from(sorted(KINDS)),
    table=st.dictionaries(
        st.one_of(st.sampled_from(FIELDS), st.text(max_size=8)), VALUES, max_size=6
    ),
    whole=st.booleans(),
)
def test_any_table_is_a_part_or_one_sentence(
    kind: str, table: dict[str, Any], *, whole: bool
) -> None:
    if whole and kind == "radio":
        (entry,) = entries_of(RADIO.encode(), "FILE")
        table = {**entry.table, **table}
    with suppress(MisuseError):
        part_of(Entry(kind, "mine", table, "FILE"))


@given(st.one_of(st.binary(max_size=60), st.text(max_size=60).map(str.encode)))
def test_any_bytes_are_a_file_or_one_sentence(content: bytes) -> None:
    with suppress(MisuseError):
        for entry in entries_of(content, "FILE"):
            part_of(entry)


def test_deep_nesting_and_long_numbers_are_refused() -> None:
    with pytest.raises(MisuseError, match="FILE is no text in UTF-8"):
        list(entries_of(b"\xff\xfe", "FILE"))
    assert "not TOML" in refused("a = " + "[" * 100_000)
    assert "not TOML" in refused("a = " + "1" * 10_000)
    assert "not TOML" in refused(
        "a = \udcff".encode("utf-8", "replace").decode() + "\0"
    )


FILLED: dict[str, dict[str, Any]] = {
    # nRF52840 product specification: a data sheet that the catalogue has, too.
    "radio": {
        "title": "nRF52840 as I read it",
        "power": "0 dBm",
        "from": "2360 MHz",
        "to": "2500 MHz",
        "bit_rate": "250 kbit/s",
        "overhead_bytes": "6 B",
        "turnaround": ("192 us", "192 us", "IEEE 802.15.4"),
        "supply": "3.0 V",
        "transmit": ("6.4 mA", "7.0 mA", "product specification, radio, 0 dBm"),
        "receive": ("6.26 mA", "7.0 mA", "product specification, radio, 250 kbit/s"),
        "idle": ("0.5 mA", "0.7 mA", "assumed: as the crystal oscillator"),
        "sleep": ("1.5 uA", None, "product specification, System ON with RTC"),
        "start": ("0.4 ms", "0.5 ms", "product specification, HFXO start"),
    },
    "battery": {
        "title": "a cell",
        "capacity": ("220 mAh", "240 mAh", "data sheet, page 1"),
        "voltage": ("2.9 V", "3.0 V", "data sheet, page 1"),
        "cutoff": "2.0 V",
        "pulse": ("15 mA", "20 mA", "data sheet, page 2"),
        "shelf_years": "10",
        "self_discharge_per_year": ("1 %", "2 %", "data sheet, page 1"),
        "usable_by_load": ["0.2 mA", "3 mA", "60 %"],
        "usable_by_temperature": ["0 C", "85 %"],
    },
}


def fill(template_text: str, values: dict[str, Any]) -> str:
    """Return a template with its question marks replaced, as an engineer would."""
    return "\n".join(_filled(line, values) for line in template_text.splitlines())


def _filled(line: str, values: dict[str, Any]) -> str:
    name = line.partition(" = ")[0]
    if "?" not in line or line.startswith("#"):
        return line
    value = values[name]
    if isinstance(value, str):
        return f'{name} = "{value}"'
    if isinstance(value, list):
        blanks = iter(value)
        filled = re.sub(r'"\? [\w%]+"', lambda _: f'"{next(blanks)}"', line)
        return filled.replace('"?"', '"data sheet, page 3"')
    typ, most, source = value
    filled = re.sub(r'typ = "\? [\w%]+', f'typ = "{typ}', line)
    filled = re.sub(r'max = "\? [\w%]+', f'max = "{most}', filled)
    return filled.replace("?, page ?", source)


def test_templates_that_are_filled_in_answer_how_long_a_node_lives(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    texts = [
        fill(template(TemplateRequest(kind=kind, name=f"my-{kind}")), values)
        for kind, values in FILLED.items()
    ]
    (tmp_path / "mine.toml").write_text("\n".join(texts))
    request = LifeRequest(
        parts=(tmp_path / "mine.toml",),
        radio="my-radio",
        battery="my-battery",
        device="cortex-m4",
        mac="polling",
    )
    found = records_of(list(life(request)))[0]
    own = own_parts([tmp_path / "mine.toml"])
    assert own.radio("my-radio").transmit_a.quantile(0.99) == pytest.approx(0.007)
    assert own.battery("my-battery").usable_by_load.points == (
        (0.0002, 1.0),
        (0.003, 0.6),
    )
    assert 0.5 < found.life.stated.value < 10
    assert found.life.low.value < found.life.stated.value < found.life.high.value
    assert "my-radio.idle_a" in found.unchecked
    assert "my-radio.transmit_a" not in found.unchecked


@pytest.mark.parametrize("kind", sorted(KINDS))
def test_a_template_is_refused_by_name_until_it_is_filled_in(kind: str) -> None:
    text = template(TemplateRequest(kind=kind, name="mine"))
    assert f"of the {kind} mine of FILE is not filled in" in refused(text)


def test_a_name_that_cannot_be_one_has_no_template() -> None:
    with pytest.raises(MisuseError, match="name that is not possible"):
        template(TemplateRequest(kind="radio", name="a b"))


def test_the_same_radio_from_a_file_gives_the_same_life(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    for kind, row in (
        ("radio", catalogue.radio("cc2538")),
        ("battery", catalogue.battery("cr2032")),
    ):
        content = {
            each.name: getattr(row, each.name)
            for each in dataclasses.fields(row)
            if each.name != "name"
        }
        (tmp_path / f"{kind}.toml").write_text(text_of_part(kind, "mine", content))
    files = (tmp_path / "radio.toml", tmp_path / "battery.toml")
    lifetimes = [
        records_of(list(life(LifeRequest(radio=radio, battery=cell, parts=files))))[0]
        for radio, cell in (("cc2538", "cr2032"), ("mine", "mine"))
    ]
    built_in, own = (each.life.stated.value for each in lifetimes)
    assert own == built_in


def test_a_device_of_a_file_takes_its_own_time(tmp_path: Path) -> None:
    """A board at half the clock takes twice the time for a cipher."""
    (tmp_path / "a.toml").write_text(DEVICE)
    own = own_parts([tmp_path / "a.toml"])
    slow, fast = (
        Scenario(device=name, own=own).node().security
        for name in ("board", "cortex-m4")
    )
    assert slow.seal_s == pytest.approx(2 * fast.seal_s)
    assert slow.seal_j == pytest.approx(slow.seal_s * 1.8 * 0.002)


def test_settings_of_a_file_are_used_and_drawn(tmp_path: Path) -> None:
    (tmp_path / "a.toml").write_text(MAC)
    own = own_parts([tmp_path / "a.toml"])
    scenario = Scenario(mac="slow", own=own)
    requests = scenario.node().mac.requests
    assert requests is not None
    assert requests.per_s == pytest.approx(1 / 30)
    listed = Listed()
    scenario.node(listed)
    assert "slow.response_s" in listed.quantities


def test_parts_are_listed_with_their_files(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "samara-parts").mkdir()
    wrong = MAC.replace("poll_interval", "pol_interval")
    (tmp_path / "samara-parts" / "a.toml").write_text(RADIO + wrong)
    found = {
        (each.kind, each.name): each for each in records_of(list_parts(PartsRequest()))
    }
    assert found["radio", "mine"].place == "samara-parts/a.toml"
    assert found["radio", "cc2420"].place == "samara"
    assert "pol_interval" in str(found["mac", "slow"].problem)


def test_a_part_is_shown_with_units_and_sources(tmp_path: Path) -> None:
    (tmp_path / "a.toml").write_text(RADIO)
    request = PartRequest(name="mine", parts=(tmp_path / "a.toml",))
    shown = {each.field: each for each in records_of(show_part(request))}
    assert shown["transmit"].value == "5 mA"
    assert shown["transmit"].tolerance == "10.6\xa0%"
    assert shown["transmit"].source == "data sheet, p. 3"
    assert shown["transmit"].origin is Origin.PUBLISHED
    assert shown["idle"].origin is Origin.ASSUMED
    assert shown["turnaround"].origin is None
    coin = records_of(show_part(PartRequest(name="cr2032")))
    curve = next(each for each in coin if each.field == "usable_by_load")
    assert curve.value.startswith("200 uA: 100 %, 500 uA: 93 %")
    with pytest.raises(UnknownNameError, match="did you mean cr2032"):
        list(show_part(PartRequest(name="cr2023")))


def test_every_built_in_part_can_be_shown() -> None:
    for each in records_of(list_parts(PartsRequest())):
        assert records_of(show_part(PartRequest(name=each.name)))


def test_a_radio_like_a_built_in_one_has_its_other_fields() -> None:
    text = """
[radio.mine]
like = "nrf52840"
transmit = { typ = "9.6 mA", max = "11 mA", source = "measured at +4 dBm" }
event = { typ = "5.8 uC", max = "7 uC", source = "measured" }
"""
    own, chip = parts(text)["radio", "mine"], catalogue.radio("nrf52840")
    assert own.transmit_a.value == 0.0096
    assert own.event_c.value == pytest.approx(5.8e-6)
    assert (own.receive_a, own.bit_rate, own.to_mhz) == (
        *(chip.receive_a, chip.bit_rate, chip.to_mhz),
    )
    assert own.chip == "nrf52840"
    assert "unknown radio" in refused(text.replace("nrf52840", "nrf5284"))


def test_an_own_radio_without_a_charge_of_events_has_that_of_other_chips() -> None:
    """If its processor is on the chip; else the processor's wake-up is counted."""
    other = catalogue.radio("efr32xg24").event_c
    text = RADIO + 'processor = "cortex-m4"\n'
    one = parts(text)["radio", "mine"]
    assert one.event_c == other
    assert one.sense_c.value == pytest.approx(
        one.receive_a.value * (32 / one.bit_rate.value + one.turnaround_s.value)
    )
    own = parts(text + 'send = "0.4 uC"\nevent = "2 uC"\n')["radio", "mine"]
    assert own.event_c.value == pytest.approx(2e-6)
    assert own.sense_c.value == 0
    assert parts(RADIO)["radio", "mine"].event_c.value == 0
    # Another software of a chip: no charge of the one that was measured.
    twin = parts('[radio.twin]\nlike = "nrf52833"\n')["radio", "twin"]
    assert (twin.event_c, twin.send_c.value) == (other, 0)
    assert twin.sense_c.value > 0
    assert twin.chip == "nrf52840"


@pytest.mark.parametrize("kind", sorted(set(KINDS) - {"mac"}))
def test_a_template_has_every_field_with_what_it_is(kind: str) -> None:
    text = template(TemplateRequest(kind=kind, name="mine"))
    for each in spellings(names_of(kind)).values():
        assert re.search(rf"^(# )?{each} = .*\?", text, re.MULTILINE), each
    assert "Optional: " not in text
