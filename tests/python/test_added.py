# SPDX-License-Identifier: Apache-2.0
"""What can be added is added to a copy of samara as CONTRIBUTING.md says."""

from __future__ import annotations

import csv
import io
import json
import re
import shutil
import textwrap
from typing import TYPE_CHECKING, Any

import pytest
from copied import ROOT, Copy, copy_of_sources
from links import listening, medium
from shell import assert_done, assert_misuse

if TYPE_CHECKING:
    from pathlib import Path

    from shell import Done

RADIOS = "src/samara/energy/data/radios.toml"
BATTERIES = "src/samara/energy/data/batteries.toml"


@pytest.fixture
def copy(tmp_path: Path) -> Copy:
    return copy_of_sources(tmp_path / "samara")


def lines_of(done: Done) -> list[dict[str, Any]]:
    return [json.loads(line) for line in assert_done(done).splitlines()]


def quantity(value: float) -> str:
    return f'{{ value = {value}, tolerance = 0, source = "a test", checked = true }}'


TOY_RADIO = {
    "power": '"+1 dBm"',
    "from_mhz": "2405.0",
    "to_mhz": "2480.0",
    "bit_rate": quantity(250_000),
    "overhead_bytes": quantity(6),
    "turnaround_s": quantity(192e-6),
    "supply_v": quantity(2),
    "transmit_a": quantity(0.030),
    "receive_a": quantity(0.020),
    "idle_a": quantity(0),
    "sleep_a": quantity(0),
    "start_s": quantity(0),
}
TOY_BATTERY = {
    "capacity_ah": quantity(1),
    "voltage_v": quantity(2),
    "cutoff_v": quantity(1.5),
    "pulse_a": quantity(1),
    "shelf_years": quantity(100),
    "self_discharge_per_year": quantity(0),
    "usable_by_load": quantity(0).replace("value = 0", "points = [[0, 0.5]]"),
    "usable_by_temperature": quantity(0).replace("value = 0", "points = [[5, 1]]"),
}


def table(fields: dict[str, str]) -> str:
    rows = "".join(f"{name} = {value}\n" for name, value in fields.items())
    return f"\n[toy]\n{rows}"


@pytest.mark.slow
def test_a_radio_is_a_table_of_a_file(copy: Copy) -> None:
    copy.append(RADIOS, table(TOY_RADIO))
    asked = ("energy", "message", "--radio", "toy", "--mac", "always-listening")
    (message,) = lines_of(copy.samara(*asked, "--bytes", "20", "--json"))
    # 45 bytes and 6 in front at 250 kbit/s, at 2 V with 30 mA and an idle processor.
    on_air_s = 8 * (message["scenario"]["frame_bytes"] + 6) / 250_000
    data_j = message["parts"]["data"]["value"]
    idle_w = data_j / on_air_s - 0.060
    assert 0 < idle_w < 0.030
    assert "toy" in assert_done(copy.samara("energy", "life", "--help")).decode()


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "value", "wrong"),
    [
        ("supply_v", None, "the radio toy of samara/{} lacks supply_v"),
        ("power", None, "the radio toy of samara/{} lacks power"),
        ("colour", '"red"', "the radio toy of samara/{} has an unknown colour"),
        ("supply_v", "3.0", "supply_v of the radio toy of samara/{} is 3.0: expected"),
        ("power", "3", "power of the radio toy of samara/{} is 3: expected a text"),
        ("to_mhz", '"2 GB"', "to_mhz of the radio toy of samara/{} is '2 GB'"),
        ("start_s", quantity(-1), "start_s of the radio toy of samara/{} is not pos"),
        ("idle_a", "{ value = 1 }", "idle_a of the radio toy of samara/{} lacks tol"),
        ("idle_a", "{ value = ", "samara/{} is not TOML"),
    ],
)
def test_a_radio_that_is_incomplete_is_one_sentence(
    name: str, value: str | None, wrong: str, copy: Copy
) -> None:
    row = {**TOY_RADIO, name: value}
    copy.append(RADIOS, table({k: v for k, v in row.items() if v is not None}))
    wrong = wrong.format("energy/data/radios.toml")
    assert_misuse(copy.samara("energy", "life", "--radio", "toy"), wrong)


@pytest.mark.slow
def test_a_battery_is_a_table_of_a_file(copy: Copy) -> None:
    copy.append(BATTERIES, table(TOY_BATTERY))
    larger = {**TOY_BATTERY, "capacity_ah": quantity(3), "voltage_v": quantity(4)}
    copy.append(BATTERIES, table(larger).replace("[toy]", "[larger]"))
    cold = ("--celsius", "5", "--json")
    toy, large = (
        lines_of(copy.samara("energy", "life", "--battery", name, *cold))[0]
        for name in ("toy", "larger")
    )
    assert large["life"]["stated"]["value"] == pytest.approx(
        6 * toy["life"]["stated"]["value"]
    )
    assert_misuse(
        copy.samara("energy", "life", "--battery", "toy", "--celsius", "5.1"),
        "toy is known from 5 to 5 degrees Celsius, not at 5.1",
    )


@pytest.mark.slow
def test_a_battery_that_is_incomplete_is_one_sentence(copy: Copy) -> None:
    row = {**TOY_BATTERY, "usable_by_load": quantity(1)}
    copy.append(BATTERIES, table(row))
    assert_misuse(
        copy.samara("energy", "life", "--battery", "toy"),
        "usable_by_load of the battery toy of samara/energy/data/batteries.toml",
        "lacks points and has an unknown value",
    )


TOY_MAC = """
from dataclasses import dataclass
from samara.energy.mac.always_listening import AlwaysListening


@dataclass(frozen=True, slots=True)
class Toy(AlwaysListening):
    title = "toy: every frame is sent so many times"
    links = ("ieee802154",)

    sends: float = 3.0

    def send(self, hop):
        return super(Toy, self).send(hop) * self.sends


MAC = Toy
"""


@pytest.mark.slow
def test_a_medium_access_is_a_module(copy: Copy) -> None:
    copy.add("src/samara/energy/mac/toy_mac.py", TOY_MAC)
    asked = ("energy", "message", "--json", "--mac")
    ((usual,), (toy,)) = (
        lines_of(copy.samara(*asked, name)) for name in ("always-listening", "toy-mac")
    )
    assert toy["scenario"]["mac"] == "toy-mac"
    data = [each["parts"]["data"]["value"] for each in (usual, toy)]
    assert data[1] == pytest.approx(3 * data[0])
    shown = assert_done(copy.samara("energy", "life", "--help")).decode()
    assert "toy-mac" in shown
    assert_misuse(
        copy.samara("energy", "life", "--link", "rf-serial", "--mac", "toy-mac"),
        "nodes of rf-serial cannot have --mac toy-mac: give --mac serial-radio, or "
        "--link ieee802154",
    )


TOY_ACCESS = """
from samara.link.ieee802154.medium_access import MediumAccess
from samara.link.node.options import Option


class Toy(MediumAccess):
    title = "one that sends each frame --sends times"
    options = (
        Option(
            name="sends",
            type=int,
            help="With --mac toy-mac: how often a frame is sent.",
            values=range(1, 10),
            default=3,
            at_each_run=True,
            in_invitation=False,
            may_be_missing=True,
        ),
    )
    is_repeating = True
    gap_s = 0.3

    def __init__(self, sends):
        self.sends = sends

    @classmethod
    def of(cls, settings):
        return cls(settings.get("sends", 3))

    def repeats_for_s(self, air_s):
        return (self.sends - 0.5) * (air_s + self.gap_s)


ACCESS = Toy
"""


@pytest.mark.slow
def test_nodes_have_a_medium_access_that_is_a_module(
    copy: Copy, tmp_path: Path
) -> None:
    copy.add("src/samara/link/ieee802154/medium_access/toy_mac.py", TOY_ACCESS)
    copy.add("src/samara/energy/mac/toy_mac.py", TOY_MAC)
    made = ("node", "init", "a", "--link", "ieee802154", "--mac", "toy-mac")
    assert_misuse(copy.samara(*made, "--sends", "10"), "--sends must be 1 to 9, not 10")
    assert_done(copy.samara(*made, "--sends", "2"))
    assert_done(copy.samara("node", "init", "b", "--pair-with", "a"))
    with medium(tmp_path) as port:
        where = ("--medium", f"127.0.0.1:{port}")
        with listening(
            copy.root, "b", "--count", "2", *where, program=copy.program
        ) as listener:
            send = ("node", "send", "a", "hello", "--json", *where)
            sent = [
                lines_of(copy.samara(*send, *options))
                for options in ((), ("--sends", "5"))
            ]
            heard = listener.events()
    # Each is on the air so often, and received once.
    packets = [each["receipt"]["packets"] for (each,) in sent]
    assert packets == [2, 5]
    assert [each["text"] for each in heard] == ["hello"] * 2
    # The model of the same name is that of its nodes.
    asked = ("energy", "message", "--mac", "toy-mac", "--json")
    ((printed,)) = lines_of(copy.samara(*asked))
    assert printed["scenario"]["mac"] == "toy-mac"
    shown = " ".join(
        assert_done(copy.samara("node", "init", "--help")).decode().split()
    )
    assert "--sends" in shown


TOY_TEST = """
from samara.randomness.sts.declaring import Test


def p_values(sequence):
    return [0.5, sequence.ones / sequence.n]


TEST = Test("toy", "a test", p_values, parts=("same", "ones"))
"""


@pytest.mark.slow
def test_a_statistical_test_is_a_module(copy: Copy) -> None:
    asked = ["randomness", "run", "predictable:mt19937", "--bits", "1000", "--json"]
    asked += ["--sequences", "60"]
    usual = copy.samara(*asked).stdout.splitlines()
    copy.add("src/samara/randomness/sts/toy.py", TOY_TEST)
    rows = [json.loads(line) for line in copy.samara(*asked).stdout.splitlines()]
    assert len(rows) == len(usual) + 2
    by_name = {row.get("test"): row for row in rows}
    # The same p-value in every sequence is not uniform: all in one class of ten.
    assert by_name["toy same"]["histogram"] == [0, 0, 0, 0, 0, 60, 0, 0, 0, 0]
    assert by_name["toy same"]["failed"] == ["uniformity"]
    assert by_name["toy ones"]["section"] == "a test"
    assert rows[-1]["failed"][-2:] == ["toy same", "toy ones"]


TOY_FRAMING = """
import dataclasses
from samara.link.rfserial.framing import WireSize
from samara.link.rfserial.framings.published import FRAMINGS

FRAMINGS = (
    dataclasses.replace(
        FRAMINGS[0],
        name="toy",
        sizes=lambda settings, size: WireSize(message=size, framing=7),
    ),
)
"""


@pytest.mark.slow
def test_a_framing_is_a_module(copy: Copy) -> None:
    copy.add("src/samara/link/rfserial/framings/toy.py", TOY_FRAMING)
    # Named beside the others, after the default.
    assert_misuse(
        copy.samara("node", "init", "a", "--link", "rf-serial", "--framing", "x"),
        "--framing must be sealed, plain, cbc-hex, cbc-hex-padded or toy, not 'x'",
    )
    explain = ("receipt", "explain", "--link", "rf-serial", "--framing", "toy")
    for size in (1, 14):
        (receipt,) = lines_of(copy.samara(*explain, "--bytes", str(size), "--json"))
        assert receipt["protection"] == "toy"
        assert receipt["parts"]["framing"] == 7
        assert receipt["link_bytes"] == size + 7
    warned = copy.samara("node", "init", "b", "--link", "rf-serial", "--framing", "toy")
    assert_misuse(warned, "the framing toy does not authenticate")


CONTRIBUTING = ROOT / "CONTRIBUTING.md"
TOOL = """
import runpy, sys
sys.path.insert(0, {tools!r})
sys.argv[0] = {tools!r} + "/types-of-records"
runpy.run_path(sys.argv[0], run_name="__main__")
"""


def module_of_the_page(place: str) -> str:
    """Return the text of a module that CONTRIBUTING.md has, behind its name."""
    section = CONTRIBUTING.read_text(encoding="utf-8").partition("## Add a command\n")[
        2
    ]
    found = re.search(
        rf"`{re.escape(place)}`[^`]*?:\n\n((?:        .*\n|\n)+)", section
    )
    assert found, place
    return textwrap.dedent(found[1]).strip() + "\n"


@pytest.mark.slow
def test_a_command_is_a_module_of_its_room_and_one_of_cli(copy: Copy) -> None:
    for place in ("src/samara/phy/duration.py", "src/samara/cli/phy/duration.py"):
        copy.add(place, module_of_the_page(place))
    asked = ("phy", "duration", "--bits", "50", "--bits", "125")
    faces = ("-o", str(copy.root / "out.csv"), "--html", str(copy.root / "out.html"))
    done = copy.samara(*asked, *faces)
    assert done.returncode == 0, done
    shown = done.stdout.decode().split()
    assert [word for word in shown if word[0].isdigit()][-4:] == [
        *("50", "0.200"),
        *("125", "0.500"),
    ]
    assert "(e)" in shown
    rows = list(csv.DictReader(io.StringIO((copy.root / "out.csv").read_text())))
    assert [(row["time_s"], row["time_origin"]) for row in rows] == [
        ("0.0002", "estimated"),
        ("0.0005", "estimated"),
    ]
    page = (copy.root / "out.html").read_text()
    assert ">0.200</td>" in page
    assert ">0.500</td>" in page
    lines = lines_of(copy.samara(*asked, "--json"))
    assert [(line["type"], line["time"]["value"]) for line in lines] == [
        ("bit_duration", 0.0002),
        ("bit_duration", 0.0005),
    ]
    output = assert_done(copy.samara(*asked, "--help")).decode()
    assert "Compute how long bits are on the air." in output
    assert "--rate" in output
    assert "250000" in output


@pytest.mark.slow
def test_a_command_without_a_group_is_a_module(copy: Copy) -> None:
    copy.add(
        "src/samara/phy/duration.py", module_of_the_page("src/samara/phy/duration.py")
    )
    command = module_of_the_page("src/samara/cli/phy/duration.py")
    copy.add("src/samara/cli/lasting.py", command)
    (line,) = lines_of(copy.samara("lasting", "--bits", "50", "--json"))
    assert line["time"]["value"] == 0.0002
    *_, first, last = assert_done(copy.samara("--help")).decode().splitlines()[:-1]
    assert "Compute how long bits are on the air." in first + last
    assert "lasting" in first + last


@pytest.mark.slow
def test_a_command_is_described_for_programs(copy: Copy) -> None:
    for place in ("src/samara/phy/duration.py", "src/samara/cli/phy/duration.py"):
        copy.add(place, module_of_the_page(place))
    (copy.root / "docs").mkdir()
    shutil.copy(ROOT / "docs" / "json.md", copy.root / "docs")
    tool = TOOL.format(tools=str(ROOT / "tools"))
    assert_done(copy.python(tool, "--root", str(copy.root)))
    page = (copy.root / "docs" / "json.md").read_text()
    _, _, section = page.partition("### `bit_duration`\n")
    assert section.splitlines()[1:7] == [
        "How long a number of bits is on the air. Printed by `phy duration`.",
        "",
        "| key | value | meaning |",
        "|---|---|---|",
        "| `bits` | whole number | Number of bits. |",
        "| `time` | figure in s | Time on the air. |",
    ]
    types = copy.root / "records.ts"
    assert_done(copy.python(tool, "--typescript", str(types)))
    assert "  time: Figure;\n" in types.read_text().partition("BitDuration {")[2]


TOY_MAPPER = """

class Toy(Qpsk):
    samples_per_symbol = 3

    def modulate(self, bits):
        return np.repeat(super().modulate(bits), 3, axis=-1)

    def demodulate(self, received, gain):
        thrice = received.reshape(*received.shape[:-1], -1, 3)
        return super().demodulate(thrice.sum(axis=-1), gain)
"""
TOY_RATE = """

def toy(ratio: Curve) -> Curve:
    return antipodal(ratio)
"""
TOY_MODULATION = """    Modulation(
        name="toy",
        title="Toy",
        waveform=None,
        mapper=_mapper("Toy"),
        bit_error_rate=_rate("toy"),
        unit=Unit(1, _rate("toy")),
    ),
"""


@pytest.mark.slow
def test_a_modulation_is_a_row_a_mapper_and_a_rate(copy: Copy) -> None:
    copy.append("src/samara/phy/mappers.py", TOY_MAPPER)
    copy.append("src/samara/phy/uncoded.py", TOY_RATE)
    rows = ")\n\n_PROFILES = "
    copy.insert("src/samara/phy/modulation.py", rows, TOY_MODULATION)
    swept = ("phy", "ber", "--code", "none", "--ebn0", "4", "--modulation", "toy")
    found = copy.samara(*swept, "--frames", "250", "--workers", "1", "--json")
    points = [each for each in lines_of(found) if each["type"] == "error_rates"]
    assert points
    for point in points:
        # Sent three times, the energy of a bit is divided by three: as QPSK, once.
        assert point["modulation"] == "toy"
        rate = point["receivers"]["plain"]["ber"]["value"]
        assert rate == pytest.approx(0.0125, rel=0.1)
    assert "toy" in assert_done(copy.samara("phy", "record", "--help")).decode()


TOY_SCHEME = """
import numpy as np

from samara.phy.secrecy.scheme import BitScheme


class Inverted(BitScheme):
    title = "every coded bit inverted"
    keystream_bits = 0

    def coded(self, payloads, counters):
        return self.link.coded(payloads, counters) ^ np.uint8(1)

    def plain(self, soft, counters):
        return -soft


SCHEME = Inverted
"""
TOY_ATTACK = """
import numpy as np

from samara.phy.secrecy.attack import Attack
from samara.phy.secrecy.estimates import share
from samara.phy.secrecy.link import right_frames


def _listen(air):
    payloads, counters = air.link.payloads(air.random, 50), np.arange(50)
    soft = air.link.soft(air.hear(payloads, counters))
    hits = right_frames(payloads, air.link.read(-soft))
    yield share("frames read", hits, air.setting.confidence)


ATTACK = Attack("invert every bit", 1, _listen)
"""


@pytest.mark.slow
def test_a_scheme_and_an_attack_are_a_module_each(copy: Copy) -> None:
    copy.add("src/samara/phy/secrecy/schemes/toy_scheme.py", TOY_SCHEME)
    copy.add("src/samara/phy/secrecy/attacks/toy_attack.py", TOY_ATTACK)
    asked = ("phy", "secrecy", "toy-scheme", "ple", "--frames", "200", "--json")
    chosen = ("--attack", "toy-attack", "--attack", "known-plaintext")
    found = lines_of(copy.samara(*asked, *chosen))
    read = {
        (each["scheme"], each["attack"]): each["value"]["value"]
        for each in found
        if each["type"] == "secrecy_finding"
    }
    assert read == {
        ("toy-scheme", "toy-attack"): 1,
        ("toy-scheme", "known-plaintext"): 1,
        ("ple", "toy-attack"): 0,
        ("ple", "known-plaintext"): 0,
    }
    (toy, _) = (each for each in found if each["type"] == "secrecy_cost")
    assert abs(toy["cost"]["value"]) < 0.5
    shown = assert_done(copy.samara("phy", "secrecy", "--help")).decode()
    assert "toy-scheme" in shown
    assert "toy-attack" in shown


TOY_ORIGIN = """    TOY = (
        *("toy", "t", "\N{SNOWMAN}", "blue", "assumed"),
        "read in tea leaves",
    )
"""
SHOW_ORIGINS = """
from samara.cli.shared.tables import legend
from samara.figure import Figure, Origin, weakest
from samara.records import html_page
from samara.records.parts import Heading, Section
from samara.records.tables import Row, Table, label, number, words

figure = Figure.from_json({"value": 1, "unit": "s", "origin": "toy", "source": ""})
print(weakest(Origin.MEASURED, figure.origin, Origin.EMULATED))
print(legend())
rows = [Row([words("one"), number(1, figure.origin)])]
table = Table("t", "T", [label("what"), label("figure")], rows)
section = Section("s", "S", "", "g", "S", parts=[table])
print(html_page.as_html(Heading("T"), [section]))
"""


@pytest.mark.slow
def test_an_origin_is_a_row(copy: Copy) -> None:
    copy.insert("src/samara/figure.py", "    ASSUMED = (\n", TOY_ORIGIN)
    shown = assert_done(copy.python(SHOW_ORIGINS)).decode()
    assert shown.startswith("toy\n")
    assert "(t) toy: read in tea leaves" in shown.replace("[blue]", "").replace(
        "[/]", ""
    )
    assert '<b data-origin="toy">toy</b> read in tea leaves' in shown
    assert "\N{SNOWMAN}" in shown


TOY_PAPER = """
[toy]
name = "Toy paper"
citation = "A. Toy: On toys"
tables."toy_time.csv" = "Table 1"
"""
TOY_SECTION = """
from samara.bench import published
from samara.figure import Origin
from samara.records.parts import Section
from samara.records.tables import Column, Row, Table, label, number, words


def section(results):
    paper = published.paper("toy")
    rows = [
        Row([words(row.text("cipher")), number(row.value("time_us"), Origin.PUBLISHED)])
        for row in published.table("toy_time.csv")
    ]
    columns = [label("cipher"), Column("time", "\N{MICRO SIGN}s")]
    table = Table("toy-time", "Times", columns, rows)
    heading = (paper.name, "", "Papers", "Toy", paper.citation)
    return Section("paper-toy", *heading, [table])
"""


MAKE_REPORT = """
import json
from samara.bench.report import making
from samara.records import html_page
from samara.records.parts import Heading

made = making.make([], ["toy"])
print(json.dumps({"html": html_page.as_html(Heading("T"), made.sections)}))
print(*(json.dumps(table.as_json()) for table in made.tables()), sep="\\n")
"""


@pytest.mark.slow
def test_a_paper_is_a_table_a_row_and_a_section(copy: Copy) -> None:
    copy.add("published/toy_time.csv", "cipher,time_us\naes128,17\nspeck,5\n")
    copy.append("published/papers.toml", TOY_PAPER)
    copy.add("src/samara/bench/report/papers/toy.py", TOY_SECTION)
    (page, found) = lines_of(copy.python(MAKE_REPORT))
    times = [row["time [\N{MICRO SIGN}s]"] for row in found["rows"]]
    assert [(each["value"], each["origin"]) for each in times] == [
        (17, "published"),
        (5, "published"),
    ]
    assert "A. Toy: On toys" in page["html"]


@pytest.mark.slow
def test_a_command_is_on_the_page(copy: Copy) -> None:
    for place in ("src/samara/phy/duration.py", "src/samara/cli/phy/duration.py"):
        copy.add(place, module_of_the_page(place))
    worker = "from samara.console.answers.worker import main; main()"
    commands = "samara.cli.shared.questions:commands"
    described = copy.python(worker, "--describe", "--commands", commands)
    (found,) = [
        each
        for each in json.loads(assert_done(described))
        if each["name"] == "phy.duration.duration"
    ]
    assert found["command"] == "samara phy duration"
    assert found["help"] == "Compute how long bits are on the air."
    assert [each["name"] for each in found["parameters"]] == ["bits", "rate"]
