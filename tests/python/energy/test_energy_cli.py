# SPDX-License-Identifier: Apache-2.0
"""`samara energy` shows what the model tells, and nothing where it tells nothing."""

from __future__ import annotations

import csv
import json
import shlex
import subprocess
import sys
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from shell import TIMEOUT_S, assert_done, assert_misuse, environment, samara

from samara.energy import assumptions, catalogue, mac
from samara.energy.airtime import airtime, is_one_value
from samara.energy.life import life_of
from samara.energy.link_macs import macs_of
from samara.energy.mac.serial_radio import SerialRadio
from samara.energy.parts import Part
from samara.energy.quantity import Stratified
from samara.energy.requests import NodeRequest
from samara.energy.scenario import Scenario
from samara.energy.security import Sealing
from samara.energy.spans import numbers_of
from samara.errors import MisuseError
from samara.link.node.kinds import kinds
from samara.units import COUNT, SECONDS

if TYPE_CHECKING:
    from pathlib import Path

    from samara.energy.node import Node

SHARES = ("low", "median", "high")


def lines(folder: Path, *arguments: str) -> list[dict[str, Any]]:
    shown = assert_done(samara("energy", *arguments, "--json", folder=folder))
    return [json.loads(line) for line in shown.decode().splitlines()]


@pytest.mark.slow
def test_a_message_is_the_model_s(tmp_path: Path) -> None:
    (record,) = lines(tmp_path, "message", "--level", "6", "--bytes", "20")
    expected = assumptions.HONEST.node().message(300.0)
    assert record["type"] == "energy_message"
    assert record["unchecked"]
    assert not [name for name in record["unchecked"] if name.startswith("2xaa")]
    for part in Part:
        figure = record["parts"][part]
        assert figure["value"] == pytest.approx(expected[part])
        assert (figure["unit"], figure["origin"]) == ("J", "assumed")
    parts_j = sum(figure["value"] for figure in record["parts"].values())
    assert parts_j == pytest.approx(record["total"]["value"])
    assert record["low"]["value"] < record["median"]["value"] < record["high"]["value"]
    assert "at86rf231.start_s" in record["unchecked"]
    assert "at86rf231.receive_a" not in record["unchecked"]


@pytest.mark.slow
def test_a_message_as_a_table(tmp_path: Path) -> None:
    arguments = ("message", "--link", "rf-serial", "--bytes", "14")
    shown = assert_done(samara("energy", *arguments, folder=tmp_path)).decode()
    for word in ("serial-radio", "srf", "security bytes", "Range:", "Assumed, since"):
        assert word in shown


@pytest.mark.parametrize("name", mac.names())
def test_every_medium_access_has_a_life(name: str) -> None:
    link = "rf-serial" if name == "serial-radio" else "ieee802154"
    scenario = NodeRequest(
        link=link, device="atmega328p", mac=name, link_options={}
    ).scenario()
    life = life_of("it", scenario, 300.0, draws=50)
    years = life.life
    assert 0 < years.low.value < years.stated.value < years.high.value


def test_ranges_of_numbers() -> None:
    assert numbers_of("--nodes", "3:6", COUNT, whole=True) == [3, 4, 5, 6]
    assert numbers_of("--nodes", "10:60:20", COUNT, whole=True) == [10, 30, 50]
    assert (
        numbers_of("--interval", "7:7", SECONDS)
        == numbers_of("--interval", "7", SECONDS)
        == [7]
    )
    fifty = numbers_of("--interval", "60:3600", SECONDS)
    assert (len(fifty), fifty[0]) == (50, 60)
    assert fifty[-1] == pytest.approx(3600)


@pytest.mark.parametrize(
    "text",
    ["", "0", "0:5", "9:1", "1:inf", "nan:2", "1:1e9:1", "1:9:0", "1:9:-1", "1:2:3:4"],
)
def test_ranges_that_are_none(text: str) -> None:
    with pytest.raises(MisuseError, match=r"--interval .* is not valid: expected FIR"):
        numbers_of("--interval", text, SECONDS)
    with pytest.raises(MisuseError, match="whole numbers above 0, at most 200 of"):
        numbers_of("--nodes", "1:5:0.5", COUNT, whole=True)


@pytest.mark.slow
@pytest.mark.parametrize(
    "command",
    ["message", "life", "network", "simulate", "depends", "airtime", None],
)
def test_a_chip_stands_for_its_device(command: str | None, tmp_path: Path) -> None:
    words = ["energy", command] if command else ["advise", "--radio", "nrf52840"]
    if command == "simulate":
        words += ["--nodes", "3", "--hours", "1"]
    shown = []
    for device in ("nRF52840", "cortex-m4"):
        done = samara(*words, "--device", device, "--json", folder=tmp_path)
        assert done.returncode == 0, done
        shown.append((done.stdout, b"measured as cortex-m4" in done.stderr))
    assert shown[0][0] == shown[1][0]
    assert [record for _, record in shown] == [True, False]


def test_a_chip_of_the_model_s_own() -> None:
    assert Scenario(device="nrf52840").node() == Scenario(device="cortex-m4").node()


def test_the_link_is_the_one_that_the_radio_is_for() -> None:
    for radio, link in (("srf", "rf-serial"), ("cc2420", "ieee802154"), (None, None)):
        described = NodeRequest(radio=radio, link_options={})
        assert described.used_link == (link or "ieee802154")
    assert NodeRequest(link="rf-serial", radio="cc1101", link_options={}).used_link == (
        "rf-serial"
    )


@pytest.mark.parametrize(
    ("radio", "given", "link"),
    [
        (None, {"module": "hc-12"}, "rf-serial"),
        (None, {"level": 5}, "ieee802154"),
        (None, {"suite": "aes128"}, "ieee802154"),
        ("xbee", {"module": "xbee"}, "rf-serial"),
        ("xbee", {}, "ieee802154"),
        # No link takes both; the radio's own refuses what it lacks.
        ("cc2420", {"module": "hc-12"}, "ieee802154"),
        (None, {"module": "hc-12", "level": 5}, "ieee802154"),
    ],
)
def test_options_say_which_link_it_is(
    radio: str | None, given: dict[str, Any], link: str
) -> None:
    assert NodeRequest(radio=radio, link_options=given).used_link == link


def test_a_radio_that_is_a_module_takes_its_packets() -> None:
    def frames(**asked: Any) -> tuple[int, ...]:  # noqa: ANN401 - fields
        request = NodeRequest(link="rf-serial", message_bytes=100, **asked)
        return tuple(each.whole_bytes for each in request.scenario().frames)

    by_module = frames(link_options={"module": "hc-12"})
    assert frames(radio="hc-12", link_options={}) == by_module
    assert frames(link_options={}) != by_module
    # What is given counts before what the radio stands for.
    of_srf = frames(radio="hc-12", link_options={"module": "srf"})
    assert of_srf == frames(link_options={})


def test_how_frames_are_sealed_is_the_user_s() -> None:
    def node(**given: Any) -> Node:  # noqa: ANN401 - fields
        return NodeRequest(mac="lpl", link_options={}, **given).scenario().node()

    once, each_copy = node(), node(sealing=Sealing.EVERY_COPY)
    copies = once.mac.send(once.hop()).copies
    assert copies > 50
    assert each_copy.send()[Part.CIPHER] == pytest.approx(
        copies * once.send()[Part.CIPHER]
    )
    assert once.overhear()[Part.CIPHER] == 0
    assert node(open_before_filter=True).overhear()[Part.CIPHER] > 0
    # One durable write for each counter, in place of one for a thousand.
    assert node(reserve=1).send()[Part.COUNTER] == pytest.approx(
        1000 * once.send()[Part.COUNTER]
    )


@pytest.mark.slow
def test_lives_beside_each_other(tmp_path: Path) -> None:
    asked = ("--compare", "none,5,7", "--compare", "suite=ascon-aead128")
    records = lines(tmp_path, "life", "--level", "6", *asked)
    by_name = {each["name"]: each for each in records}
    assert list(by_name) == ["as given", "none", "level 5", "level 7", "ascon-aead128"]
    assert [each["frame_bytes"] for each in records] == [45, 31, 41, 53, 45]
    taken = [by_name[n]["taken_by_security"]["median"]["value"] for n in by_name]
    assert taken[1] == 0
    # A longer tag takes more, a slower cipher too.
    assert taken[2] < taken[0] < taken[3]
    assert taken[0] < taken[4]


@pytest.mark.slow
def test_a_network_as_table_and_picture(tmp_path: Path) -> None:
    asked = [
        *("--preset", "paper-software", "--topology", "chain"),
        *("--nodes", "10:50", "--interval", "20:3600:358"),
    ]
    for kind in ("csv", "svg", "png"):
        written = tmp_path / f"net.{kind}"
        done = samara("energy", "network", *asked, "-o", str(written), folder=tmp_path)
        assert done.returncode == 0, done
        assert b"cannot" in done.stdout
        assert f"wrote {written}" in done.stderr.decode()
        assert written.stat().st_size > 500
    with (tmp_path / "net.csv").open(newline="") as file:
        rows = list(csv.DictReader(file))
    assert len(rows) == 41 * 11
    for row in rows:
        works = row["region"] in {"works", "doubtful"}
        assert (row["life_days"] != "") == works
        if works:
            assert 0 < float(row["taken"]) < 0.28
    assert {row["region"] for row in rows} >= {"works", "saturated"}
    assert lines(tmp_path, "network", *asked)[0]["type"] == "network_life"


@pytest.mark.slow
def test_the_paper_s_network_is_the_preset_alone(tmp_path: Path) -> None:
    """A chain of 10 to 50 nodes, 250 to 3600 s: its figures, without more options."""
    rows = lines(tmp_path, "network", "--preset", "paper")
    assert len(rows) == 41 * 50
    assert max(row["taken"] for row in rows) == pytest.approx(0.246, abs=5e-4)
    days = [row["life_days"] for row in rows]
    assert (min(days), max(days)) == pytest.approx((85.1, 688.3), abs=0.1)
    hard = lines(tmp_path, "network", "--preset", "paper-hardware")
    assert max(row["taken"] for row in hard) < 0.0165


@pytest.mark.slow
def test_the_law_counts_when_a_band_is_given(tmp_path: Path) -> None:
    asked = ("--radio", "cc1350", "--nodes", "5:5", "--interval", "120:120")
    (free,) = lines(tmp_path, "network", *asked)
    (bound,) = lines(tmp_path, "network", *asked, "--band", "eu868-low")
    assert (free["region"], bound["region"]) == ("works", "illegal")
    assert bound["life_days"] is None


@pytest.mark.slow
@pytest.mark.parametrize(
    ("arguments", "problem"),
    [
        (("message", "--link", "sdr"), "has no energy model"),
        (("message", "--mac", "tsch", "--wake-interval", "1"), "does not apply"),
        (("life", "--battery", "potato"), "unknown battery"),
        (("life", "--compare", "best"), "expected none, a level such as 6"),
        (("network", "--topology", "ring"), "unknown --topology"),
        (("network", "--interval", "9:1"), "--interval '9:1' is not valid"),
        (("network", "--preset", "papers"), "unknown preset"),
        (("network", "--mac", "polling"), "cannot use 'polling"),
        (("network", "-o", "net.gif"), "a name with .png, .svg or .csv"),
    ],
)
def test_what_cannot_be(
    arguments: tuple[str, ...], problem: str, tmp_path: Path
) -> None:
    finished = samara("energy", *arguments, folder=tmp_path)
    assert_misuse(finished, problem)


@pytest.mark.slow
def test_events_beside_the_closed_form(tmp_path: Path) -> None:
    chain = ("--topology", "chain", "--nodes", "12", "--hours", "4")
    for interval, believed in (("60", "both"), ("4", "neither")):
        asked = (*chain, "--interval", interval, "--runs", "1")
        records, whole = lines(tmp_path, "simulate", *asked)
        assert records["believe"] == whole["believe"] == believed
        # What does not work has no life.
        assert (records["closed_form_life_days"] is None) == (believed == "neither")
        assert (whole["events_life_days_10"] is None) == (believed == "neither")
        if believed == "both":
            assert records["events_power_uw"] == pytest.approx(
                records["closed_form_power_uw"], rel=0.02
            )
    table = tmp_path / "house.csv"
    table.write_text("from,to,delivery\nsink,hall,0.9\nhall,attic,0.8\n")
    arguments = ("simulate", "--edges", str(table), "--interval", "60")
    shown = assert_done(samara("energy", *arguments, folder=tmp_path)).decode()
    assert "2 nodes; node 1 draws the most" in shown
    assert "Believe both" in shown
    short = ("simulate", "--topology", "chain", "--nodes", "12", "--hours", "0.01")
    records, _ = lines(tmp_path, *short, "--runs", "1")
    assert records["believe"] == "closed form"


@pytest.mark.slow
def test_what_a_life_depends_on(tmp_path: Path) -> None:
    records = lines(tmp_path, "depends", "--battery", "cr2032")
    swings = [each["swing"] for each in records]
    assert swings == sorted(swings, reverse=True)
    assert "cr2032.capacity_ah" in {each["quantity"] for each in records[:3]}


@pytest.mark.slow
def test_messages_an_hour(tmp_path: Path) -> None:
    (record,) = lines(tmp_path, "airtime", "--band", "eu868", "--level", "6")
    # 45 bytes and 8 in front, at 50 kbit/s; one hundredth of an hour.
    assert record["frame"]["value"] == pytest.approx(53 * 8 / 50e3)
    assert record["messages_per_hour"]["value"] == pytest.approx(36 / (53 * 8 / 50e3))
    # All of it are settings: the range is one value.
    assert record["varies"] == []
    assert {each["value"] for each in record["range"]["frame"].values()} == {
        record["frame"]["value"]
    }
    shown = assert_done(samara("energy", "airtime", folder=tmp_path)).decode()
    assert "The range of each is one value" in shown


@pytest.mark.slow
def test_what_varies_of_messages_an_hour(tmp_path: Path) -> None:
    """The turnaround is in what X-MAC and BoX-MAC-2 repeat, and not in a frame."""
    (record,) = lines(tmp_path, "airtime", "--mac", "box-mac-2")
    assert record["varies"] == ["transmit", "messages_per_hour"]
    for name in record["varies"]:
        low, middle, high = (record["range"][name][q]["value"] for q in SHARES)
        assert low < middle < high
        assert low < record[name]["value"] < high
    shown = assert_done(samara("energy", "airtime", "--mac", "x-mac", folder=tmp_path))
    assert b"The range of each is one value" not in shown


@given(st.sampled_from(mac.names()), st.sampled_from(["cc1350", "sx1262", "srf"]))
@settings(max_examples=25, deadline=None)
def test_air_times_in_order(access: str, radio: str) -> None:
    scenario = replace(Scenario(), mac=access, radio=radio)
    band = catalogue.band("eu868")
    stated = airtime(scenario.node(), band)
    spread = airtime(scenario.node(Stratified(200)), band).ranges()
    for name, value in (
        ("frame", stated.frame_s),
        ("transmit", stated.transmit_s),
        ("messages_per_hour", stated.messages_per_hour),
    ):
        air_times = spread[name]
        assert air_times.low <= air_times.middle <= air_times.high
        assert air_times.middle == pytest.approx(float(value), rel=0.03)
    # A modem's packets have unknown bytes around them; a frame of a chip has not, and
    # none of LoRa or Bluetooth.
    is_known = radio != "srf" or bool(mac.mac(access).needs)
    assert is_one_value(spread["frame"]) == is_known


ONE_AFTER_THE_OTHER = """
import json, sys
from samara.cli.running import run
from samara.units import COUNT, SECONDS
for arguments in json.load(sys.stdin):
    code = run(arguments)
    if code:
        sys.exit(f"{arguments}: exit status {code}")
    print(chr(0), end="", flush=True)
"""


def one_after_the_other(lines: list[list[str]], folder: Path) -> list[str]:
    """Run commands in one process; return what each of them prints."""
    done = subprocess.run(
        [sys.executable, "-c", ONE_AFTER_THE_OTHER],
        input=json.dumps(lines).encode(),
        cwd=folder,
        env=environment(),
        capture_output=True,
        timeout=TIMEOUT_S,
        check=False,
    )
    assert done.returncode == 0, done
    *shown, rest = done.stdout.decode().split(chr(0))
    assert (len(shown), rest) == (len(lines), "")
    return shown


@pytest.mark.slow
def test_the_examples_of_the_help_run(tmp_path: Path) -> None:
    (tmp_path / "house.csv").write_text("from,to,delivery\nsink,hall,0.9\n")
    commands = (
        "message", "life", "network", "simulate", "depends", "airtime", "paper"
    )  # fmt: skip
    asked = [["energy", command, "--help"] for command in commands]
    lines = []
    for shown in one_after_the_other(asked, tmp_path):
        stripped = "\n".join(line.strip() for line in shown.splitlines())
        _, _, rest = stripped.partition("\nExamples:\n")
        examples = rest.partition("\n\n")[0].replace("\\\n", " ").splitlines()
        assert len(examples) >= 2
        for example in examples:
            program, *arguments = shlex.split(example)
            assert program == "samara"
            lines.append(arguments)
    for arguments, shown in zip(
        lines, one_after_the_other(lines, tmp_path), strict=True
    ):
        assert shown, arguments
    assert {"paper.svg", "eu868.csv"} <= {path.name for path in tmp_path.iterdir()}


def test_options_of_a_modem_reach_the_medium_access() -> None:
    """A unit of 240 bytes in one packet: 253 bytes of 32 us, at 36.2 and 1.2 mA."""
    asked = {"packet_size": 240, "modem_timeout_ms": 100, "baud": 9600}
    node = (
        NodeRequest(link="rf-serial", message_bytes=40, link_options=asked)
        .scenario()
        .node()
    )
    sent = node.send()
    radio_j = sent[Part.DATA] + sent[Part.SECURITY]
    assert radio_j == pytest.approx(253 * 32e-6 * 3.0 * 0.0374)
    assert isinstance(node.mac, SerialRadio)
    assert node.mac.timeout_s == pytest.approx(0.1)
    assert node.mac.baud == pytest.approx(9600)


@pytest.mark.parametrize(
    ("asked", "possible"),
    [
        ({"link": "rf-serial", "mac": "box-mac-2"}, "serial-radio, or --link ieee"),
        ({"radio": "srf", "mac": "lpl"}, "rf-serial cannot have --mac lpl: give"),
        ({"mac": "serial-radio"}, "box-mac-2, .*, x-mac, or --link rf-serial"),
    ],
)
def test_a_link_has_its_own_ways_of_medium_access(
    asked: dict[str, str], possible: str
) -> None:
    described = NodeRequest(link_options={}, **asked)  # type: ignore[arg-type]
    with pytest.raises(MisuseError, match=possible):
        described.scenario()


def test_some_link_has_each_medium_access() -> None:
    named = {name for link in kinds() for name in macs_of(link)}
    assert named == set(mac.names())


@pytest.mark.parametrize(
    "words",
    [
        *(
            ("energy", command)
            for command in (
                "message", "life", "network", "simulate", "depends", "airtime"
            )
        ),
        ("advise",),
        ("receipt", "explain", "--bytes", "14"),
        ("receipt", "show", "receipt.json"),
    ],
)  # fmt: skip
def test_no_command_takes_what_a_modem_cannot_do(
    words: tuple[str, ...], tmp_path: Path
) -> None:
    asked = ["--device", "atmega328p", "--mac", "box-mac-2"]
    if "show" in words:
        line = ("receipt", "explain", "--link", "rf-serial", "--json")
        made = assert_done(samara(*line, folder=tmp_path))
        (tmp_path / "receipt.json").write_bytes(made)
    else:
        asked += ["--link", "rf-serial"]
    assert_misuse(
        samara(*words, *asked, folder=tmp_path),
        "nodes of rf-serial cannot have --mac box-mac-2: give --mac serial-radio, or",
    )
