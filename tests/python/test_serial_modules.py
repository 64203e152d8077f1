# SPDX-License-Identifier: Apache-2.0
"""Serial modules: their profiles, and nodes that keep the rules of emulated ones."""

from __future__ import annotations

import contextlib
import time
from typing import TYPE_CHECKING, Any

import pytest
import serial
from emulated_modules import Modules
from hypothesis import given
from hypothesis import strategies as st
from links import Cable

from samara.energy import catalogue
from samara.energy.message import MessageRequest
from samara.energy.receipt_costs import with_costs
from samara.errors import MisuseError
from samara.figure import Origin
from samara.link.node import folder as folders
from samara.link.node.kinds import kind, planned_receipt
from samara.link.node.node import Event, Node, Received, Refused
from samara.link.node.receipt import Direction
from samara.link.node.simulated_air import AirPlan
from samara.link.rfserial import modules
from samara.link.rfserial.modem import Air, Side
from samara.link.rfserial.modules.emulated.module import EmulatedModule, module_pair
from samara.link.rfserial.modules.outlet import Outlet
from samara.link.rfserial.modules.profile import FIGURES, profile_of
from samara.link.rfserial.modules.regions import regions
from samara.link.rfserial.simulated_air import Modems
from samara.locks import PathLock

if TYPE_CHECKING:
    from pathlib import Path

TOY = """
title = "a toy that needs silence"
wrapping = "transparent"
regions = ["eu433"]
baud = { value = 115200, origin = "assumed", source = "a toy" }
packet = { value = 20, origin = "assumed", source = "a toy" }
fill = { value = 5, origin = "assumed", source = "a toy" }
timeout = { value = 3, origin = "assumed", source = "a toy" }
gap = { value = 300, origin = "assumed", source = "a toy" }
buffer = { value = 20, origin = "assumed", source = "a toy" }
air_rate = { value = 50000, origin = "published", source = "a toy" }
overhead = { value = 5, origin = "assumed", source = "a toy" }
"""


def heard(node: Node, count: int = 1) -> list[bytes]:
    """Return messages as they arrive."""
    found: list[bytes] = []
    end_s = time.monotonic() + 60
    while len(found) < count and time.monotonic() < end_s:
        found += [e.message for e in node.receive(0.1) if isinstance(e, Received)]
    return found


def make(folder: Path, module: str) -> None:
    """Make two nodes at modules."""
    folders.make_pair(folder / "a", "rf-serial", {"module": module})
    folders.make_second(folder / "b", folder / "a", {"module": module})


# ---- profiles ----


@pytest.mark.parametrize("name", modules.names())
def test_a_profile_says_where_each_figure_is_from(name: str) -> None:
    profile = modules.module(name)
    assert set(profile.figures) == set(FIGURES)
    assert all(each.source for each in profile.figures.values())
    assert profile.message_air_s(profile.packet, profile.baud) > 0
    if profile.radio is not None:
        assert catalogue.radio(profile.radio).name == profile.radio
    # Somebody who tries one writes so into its file, and into the docs.
    assert not profile.tried


def test_regions_are_as_the_energy_model_has_them() -> None:
    bands = {each.name: each for each in catalogue.bands()}
    shared = set(bands) & set(regions())
    assert len(shared) >= 3
    for name in shared:
        assert regions()[name].duty_cycle == bands[name].duty_cycle.value
        assert regions()[name].source == bands[name].duty_cycle.source


def test_the_first_module_is_the_modem_of_before() -> None:
    profile = modules.module(modules.DEFAULT)
    assert (profile.baud, profile.packet, profile.fill) == (115_200, 12, 12)
    assert (profile.timeout_ms, profile.overhead) == (16, 13)


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        (("wrapping = ", "wrapping = 3 #"), "no text of one line"),
        (('"transparent"', '"opaque"'), "no wrapping 'opaque'"),
        (("value = 20,", "value = 0,"), "has packet 0: expected 1 to 65,536 byte"),
        (("value = 20,", "value = 2.5,"), "whole number"),
        (("value = 50000", "value = nan"), "has air_rate nan"),
        (("value = 50000", f"value = {400 * '9'}"), "has air_rate 99999"),
        (('origin = "published"', 'origin = "guessed"'), "'guessed', which is none"),
        (('source = "a toy" }', 'source = "" }'), "does not say the source"),
        (('["eu433"]', '["moon"]'), "regions as a list of some of eu433"),
        (("packet = ", "pocket = "), "has 'pocket'"),
        (("title", "title = "), "is not TOML"),
    ],
)
def test_what_is_wrong_in_a_profile_is_named(
    change: tuple[str, str], reason: str
) -> None:
    assert profile_of("toy", TOY).packet == 20
    with pytest.raises(MisuseError, match=reason) as raised:
        profile_of("toy", TOY.replace(*change, 1))
    assert "the module toy " in str(raised.value)


@given(st.text(max_size=200) | st.binary(max_size=200).map(bytes.hex))
def test_any_text_is_a_profile_or_refused(text: str) -> None:
    with pytest.raises(MisuseError):
        profile_of("any", text)


@given(
    st.dictionaries(
        st.sampled_from([*FIGURES, "regions", "options", "start", "setup", "notes"]),
        st.sampled_from(["1", '"x"', "[]", "[1]", "{}", "{ value = 1 }", "true"]),
        max_size=3,
    )
)
def test_no_change_of_a_profile_ends_in_a_traceback(change: dict[str, str]) -> None:
    lines = [line for line in TOY.splitlines() if line.partition(" =")[0] not in change]
    lines += [f"{name} = {value}" for name, value in change.items()]
    with contextlib.suppress(MisuseError):
        assert profile_of("toy", "\n".join(lines)).name == "toy"


def test_a_profile_of_the_user_is_found(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))
    own = tmp_path / "samara" / "modules"
    own.mkdir(parents=True)
    (own / "toy.toml").write_text(TOY)
    assert "toy" in modules.names()
    assert modules.module("toy").gap_s == 0.3
    # A name of samara's own stays what it is.
    (own / "hc-12.toml").write_text(TOY)
    assert modules.module("hc-12").wrapping.name == "transparent"
    assert modules.module("hc-12").gap_s == 0
    assert modules.module(str(own / "hc-12.toml")).gap_s == 0.3
    (own / "big.toml").write_text("#" * 70_000)
    with pytest.raises(MisuseError, match="longer than"):
        modules.module("big")


# ---- what an emulated module does ----


def test_a_module_loses_what_comes_within_its_gap() -> None:
    pair = module_pair(profile_of("toy", TOY))
    pair.write(Side.A, bytes(range(60)))
    came = b"".join(each.data for each in pair.advance(10))
    assert came == bytes(range(20))
    pair.write(Side.A, bytes(20))
    assert [each.data for each in pair.advance(20)] == [bytes(20)]


def test_a_module_loses_what_its_buffer_does_not_hold() -> None:
    slow = TOY.replace("value = 50000", "value = 100").replace("300,", "0,")
    pair = module_pair(profile_of("toy", slow))
    pair.write(Side.A, bytes(range(200)))
    came = b"".join(each.data for each in pair.advance(100))
    # One packet on its way, and one in the buffer.
    assert came == bytes(range(40))


# ---- nodes ----


@pytest.mark.parametrize(
    "module", ["hc-12", "kiss", "generic", "xbee-api", "rnode", "lora-e5", "rylr896"]
)
def test_messages_go_both_ways_through_a_module(module: str, tmp_path: Path) -> None:
    make(tmp_path, module)
    profile = modules.module(module)
    with (
        Modules(profile) as ports,
        Node(tmp_path / "a", {"port": ports.paths[0]}) as a,
        Node(tmp_path / "b", {"port": ports.paths[1]}) as b,
    ):
        # Some are set each time, and hear nothing before.
        for node in (a, b):
            assert node.receive(0.1 if not profile.session().begin() else 2) == []
        a.send(b"21.5 C" * 10)
        assert heard(b) == [b"21.5 C" * 10]
        b.send(b"seen")
        assert heard(a) == [b"seen"]


@pytest.mark.slow
def test_a_node_keeps_the_gaps_of_a_module(tmp_path: Path) -> None:
    file = tmp_path / "toy.toml"
    file.write_text(TOY)
    make(tmp_path, str(file))
    with (
        Modules(modules.module(str(file))) as ports,
        Node(tmp_path / "a", {"port": ports.paths[0]}) as a,
        Node(tmp_path / "b", {"port": ports.paths[1]}) as b,
    ):
        messages = [bytes([number]) * 60 for number in range(2)]
        for message in messages:
            a.send(message)
        assert heard(b, 2) == messages
        first = ports.pair.modem(Side.A)
        assert isinstance(first, EmulatedModule)
        # 75 bytes each, in packets of 20: none came too early.
        assert first.dropped == 0
        assert first.statistics.packets_sent == 2 * 4


def test_a_node_finds_its_profile_from_any_directory(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "toy.toml").write_text(TOY)
    monkeypatch.chdir(tmp_path)
    make(tmp_path, "toy.toml")
    monkeypatch.chdir("/")
    with Cable() as cable, Node(tmp_path / "a", {"port": cable.ports[0]}) as a:
        assert a.send(b"found").transmissions


def test_a_lab_has_the_modules_of_its_nodes(tmp_path: Path) -> None:
    end, _ = kind("rf-serial").new_pair({"module": "hc-12-fu4", "baud": 1200})
    reports: list[dict[str, Any]] = []
    modems = Modems(AirPlan(end.settings, [], tmp_path, loss=0.5))
    modems.run(reports.append, lambda: True)
    assert len(reports[0]["ports"]) == 2
    pair = modems.pair()
    assert isinstance(pair.modem(Side.A), EmulatedModule)
    assert (pair.settings(Side.A).air_bits_per_s, pair.air.loss) == (500, 0.5)


@pytest.mark.slow
def test_losses_and_an_echo_do_no_harm(tmp_path: Path) -> None:
    file = tmp_path / "toy.toml"
    file.write_text(TOY.replace("title", "echoes = true\ntitle", 1))
    make(tmp_path, str(file))
    with (
        Modules(modules.module(str(file)), air=Air(loss=0.1), seed=3) as ports,
        Node(tmp_path / "a", {"port": ports.paths[0]}) as a,
        Node(tmp_path / "b", {"port": ports.paths[1]}) as b,
    ):
        sent = [bytes([number]) * 4 for number in range(12)]
        for message in sent:
            a.send(message)
        arrived = heard(b, 8)
        assert 0 < len(arrived) <= len(sent)
        assert [each for each in sent if each in arrived] == arrived
        # The echo of what it wrote is in front of the answer, and is no alarm.
        events: list[Event] = []
        while not any(isinstance(each, Received) for each in events):
            b.send(b"back")
            events += a.receive(1)
        assert [each for each in events if isinstance(each, Refused)] == []


def test_a_receipt_names_the_module_and_the_origin_of_its_figures() -> None:
    receipt = planned_receipt("rf-serial", Direction.SENT, 20, {"module": "hc-12-fu4"})
    # 20 bytes, header 1, number 4, tag 8 in 35 bytes; 13 more, at 500 bit/s.
    assert receipt.link_bytes == 35
    assert receipt.figures["air_time"].value == pytest.approx(48 * 8 / 500)
    assert receipt.figures["air_time"].origin is Origin.ASSUMED
    assert "bytes around a packet" in receipt.figures["air_time"].source
    assert any("mode FU4" in note and "not tried" in note for note in receipt.remarks)
    long = planned_receipt("rf-serial", Direction.SENT, 100, {"module": "hc-12-fu4"})
    # Two packets, two seconds between them.
    assert long.packets == 2
    assert long.figures["delivery_time"].value > 2 + 115 * 8 / 500


@pytest.mark.parametrize(
    ("given", "reason"),
    [
        ({"module": "hc-12", "baud": 31_250}, "--baud of hc-12 must be one of 1200"),
        ({"module": "hc-12", "region": "eu868"}, "give --region eu433"),
        ({"module": "kiss", "framing": "plain"}, "take --framing sealed"),
        ({"module": "hc-13"}, "did you mean hc-12"),
        ({"module": "none.toml"}, "cannot be read: No such file"),
    ],
)
def test_what_a_module_cannot_do_is_refused(
    given: dict[str, object], reason: str, tmp_path: Path
) -> None:
    with pytest.raises(MisuseError, match=reason):
        folders.make_pair(
            tmp_path / "a", "rf-serial", given, allow_unauthenticated=True
        )


def test_the_energy_model_takes_the_radio_and_the_packets_of_a_module() -> None:
    request = MessageRequest(
        link="rf-serial", device="atmega328p", link_options={"module": "hc-12"}
    )
    scenario = request.scenario()
    assert scenario.radio == "hc-12"
    assert scenario.mac_settings["packet_bytes"] == 64
    assert scenario.mac_settings["baud"] == 9600
    receipt = planned_receipt("rf-serial", Direction.SENT, 20, {"module": "hc-12"})
    costed = with_costs(receipt, "atmega328p")
    assert costed.radio == "hc-12"
    # 100 mA at 3.3 V, while 48 bytes are sent at 15 kbit/s.
    energy_j = costed.figures["radio_energy"].value
    assert energy_j == pytest.approx(48 * 8 / 15_000 * 0.1 * 3.3)


def test_what_waits_when_a_module_is_unplugged_is_not_sent_later(
    tmp_path: Path,
) -> None:
    file = tmp_path / "toy.toml"
    file.write_text(TOY)
    link = tmp_path / "port"
    profile = modules.module(str(file))
    with contextlib.closing(PathLock(link)), Cable() as first, Cable() as second:
        link.symlink_to(first.ports[0])
        outlet = Outlet(profile, str(link), profile.baud)
        outlet.put(bytes(range(60)))
        assert outlet.unwritten == 40
        outlet.port.lose(OSError("unplugged"))
        outlet.work()
        assert outlet.unwritten == 0
        link.unlink()
        link.symlink_to(second.ports[0])
        end_s = time.monotonic() + 60
        while not outlet.port.is_there and time.monotonic() < end_s:
            outlet.port.look()
        with serial.Serial(second.ports[1], timeout=60) as other:
            outlet.put(b"after")
            outlet.wait()
            assert other.read(5) == b"after"
            other.timeout = 0.1
            assert other.read(5) == b""
        outlet.close()
