# SPDX-License-Identifier: Apache-2.0
"""Messages of RPL: as tshark reads them, back again, and hostile ones."""

from __future__ import annotations

import contextlib
import json
import random
import struct
import subprocess
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from shell import TIMEOUT_S

from samara.errors import PacketError
from samara.net.rpl.messages import (
    ADVERTISED_MAX,
    Advertised,
    Configuration,
    Dao,
    DaoAck,
    Dio,
    Dis,
    build,
    parse,
)
from samara.net.rpl.objectives import MRHOF, OF0
from samara.net.rpl.own_node import OwnNode, Role
from samara.net.rpl.routing import ALL_NODES, Routing, packet_of
from samara.net.rpl.trickle import Trickle
from samara.net.traffic import checksum

if TYPE_CHECKING:
    from pathlib import Path

    from samara.net.rpl.messages import Message
    from samara.net.rpl.objectives import Objective

ROOT = bytes.fromhex("fd00005a0000000000000000000000a1")
LOCAL = bytes.fromhex("fe800000000000000000000000000002")
LINK = bytes.fromhex("0002")
OTHER = bytes.fromhex("fe800000000000000000000000000003")
CONFIGURATION = Configuration(9, 11, 10, 896, 128, 1, 30, 60)
DIO = Dio(5, 17, 384, ROOT, CONFIGURATION, ROOT[:8], preference=3, dtsn=200)
DAO = Dao(
    5,
    241,
    (Advertised(ROOT, 7, 30), Advertised(ROOT[:15] + b"\2", 250, 0)),
    wants_ack=True,
    dodag=ROOT,
)


# As tshark reads them


def judged(folder: Path, *packets: bytes) -> list[dict[str, Any]]:
    """Return what tshark finds in IPv6 packets, by the names of its fields."""
    capture = struct.pack("=IHHiIII", 0xA1B2C3D4, 2, 4, 0, 0, 65535, 229)
    for packet in packets:
        capture += struct.pack("=IIII", 0, 0, len(packet), len(packet)) + packet
    file = folder / "rpl.pcap"
    file.write_bytes(capture)
    command = ["tshark", "-r", str(file), "-T", "json", "--no-duplicate-keys"]
    done = subprocess.run(command, capture_output=True, timeout=TIMEOUT_S, check=True)
    return [each["_source"]["layers"]["icmpv6"] for each in json.loads(done.stdout)]


def all_of(found: object, name: str) -> list[str]:
    """Return all values of a field, at any depth."""
    if isinstance(found, list):
        return [value for each in found for value in all_of(each, name)]
    if not isinstance(found, dict):
        return []
    own = found.get(name, [])
    values = own if isinstance(own, list) else [own]
    texts = [each for each in values if isinstance(each, str)]
    return texts + [v for each in found.values() for v in all_of(each, name)]


def test_tshark_reads_all_messages(tmp_path: Path) -> None:
    messages = (Dis(), DIO, DAO, DaoAck(5, 241, 130, ROOT))
    packets = [packet_of(LOCAL, ALL_NODES, each) for each in messages]
    dis, dio, dao, ack = judged(tmp_path, *packets)
    for found, code in ((dis, "0"), (dio, "1"), (dao, "2"), (ack, "3")):
        assert found["icmpv6.type"] == "155"
        assert found["icmpv6.code"] == code
        assert found["icmpv6.checksum.status"] == "1"
    expected = {
        "icmpv6.rpl.dio.instance": "5",
        "icmpv6.rpl.dio.version": "17",
        "icmpv6.rpl.dio.rank": "384",
        "icmpv6.rpl.dio.dtsn": "200",
        "icmpv6.rpl.dio.dagid": "fd00:5a::a1",
        "icmpv6.rpl.opt.config.interval_double": "11",
        "icmpv6.rpl.opt.config.interval_min": "9",
        "icmpv6.rpl.opt.config.redundancy": "10",
        "icmpv6.rpl.opt.config.max_rank_inc": "896",
        "icmpv6.rpl.opt.config.min_hop_rank_inc": "128",
        "icmpv6.rpl.opt.config.ocp": "1",
        "icmpv6.rpl.opt.config.def_lifetime": "30",
        "icmpv6.rpl.opt.config.lifetime_unit": "60",
        "icmpv6.rpl.opt.prefix.length": "64",
        "icmpv6.rpl.opt.prefix": "fd00:5a::",
    }
    for name, value in expected.items():
        assert all_of(dio, name) == [value], name
    assert all_of(dio, "icmpv6.rpl.dio.flag.mop") == ["0x02"]
    assert all_of(dao, "icmpv6.rpl.opt.target.prefix") == ["fd00:5a::a1", "fd00:5a::2"]
    assert all_of(dao, "icmpv6.rpl.opt.transit.pathseq") == ["7", "250"]
    assert all_of(dao, "icmpv6.rpl.opt.transit.pathlifetime") == ["30", "0"]
    assert all_of(dao, "icmpv6.rpl.dao.sequence") == ["241"]
    assert all_of(ack, "icmpv6.rpl.daoack.status") == ["130"]
    assert all_of(ack, "icmpv6.rpl.daoack.sequence") == ["241"]


# Back again

bytes_ = st.integers(0, 255)
addresses = st.binary(min_size=16, max_size=16)
configurations = st.builds(
    Configuration,
    *(bytes_, bytes_, bytes_),
    *(st.integers(0, 65535) for _ in range(3)),
    *(bytes_, st.integers(0, 65535)),
)
dios = st.builds(
    Dio,
    *(bytes_, bytes_, st.integers(0, 65535), addresses),
    st.none() | configurations,
    st.none() | st.binary(min_size=8, max_size=8),
    st.integers(0, 7),
    is_grounded=st.booleans(),
    preference=st.integers(0, 7),
    dtsn=bytes_,
)
advertised = st.builds(Advertised, addresses, bytes_, bytes_)
daos = st.builds(
    Dao,
    *(bytes_, bytes_),
    st.lists(advertised, max_size=ADVERTISED_MAX).map(tuple),
    wants_ack=st.booleans(),
    dodag=st.none() | addresses,
)
acks = st.builds(DaoAck, bytes_, bytes_, bytes_, st.none() | addresses)


@given(st.just(Dis()) | dios | daos | acks)
def test_messages_come_back(message: Message) -> None:
    assert parse(build(message)) == message


def test_several_targets_have_one_transit() -> None:
    """As other implementations send them (RFC 6550, section 6.7.8)."""
    targets = b"".join(b"\5\x12\0\x80" + ROOT[:15] + bytes((n,)) for n in (1, 2))
    transit = b"\6\4\0\0\x09\x1e"
    padding = b"\0\1\3abc"
    other = b"\5\x12\0\x80" + ROOT + b"\6\x04\0\0\x0a\0"
    body = b"\2\5\0\0\xf1" + targets + padding + transit + other
    assert parse(body) == Dao(
        5,
        241,
        (
            Advertised(ROOT[:15] + b"\1", 9, 30),
            Advertised(ROOT[:15] + b"\2", 9, 30),
            Advertised(ROOT, 10, 0),
        ),
    )


def test_prefixes_of_networks_are_no_addresses() -> None:
    """A target of 64 bits is not taken for one of its addresses."""
    target = b"\5\x0a\0\x40" + ROOT[:8]
    assert parse(b"\2\5\0\0\xf1" + target + b"\6\4\0\0\x09\x1e") == Dao(5, 241, ())


@given(st.binary(min_size=1, max_size=200))
def test_any_bytes_are_a_message_or_refused(content: bytes) -> None:
    with contextlib.suppress(PacketError):
        if (message := parse(content)) is not None:
            assert parse(build(message)) == message


@pytest.mark.parametrize("message", [DIO, DAO, DaoAck(5, 241, 0, ROOT)])
def test_what_is_cut_off_is_refused(message: Message) -> None:
    whole = build(message)
    refused = 0
    for size in range(1, len(whole)):
        try:
            # What ends between two options is whole.
            assert parse(whole[:size]) != message
        except PacketError:
            refused += 1
    assert refused >= len(whole) - 6


# At an interface


def routing(heard: list[str]) -> Routing:
    own = OwnNode(ROOT[:15] + b"\2", Role.ROUTER, instance=5)
    return Routing(own, LOCAL, LINK, lambda _: None, heard.append)


def test_a_neighbour_speaks_for_itself_alone() -> None:
    events: list[str] = []
    found = routing(events)
    packet = packet_of(OTHER, ALL_NODES, DIO)
    assert found.take(packet, LOCAL)
    assert (found.refused, found.router.parent, events) == (1, None, [])
    assert found.take(packet, OTHER)
    assert found.router.parent == OTHER
    assert events == ["the parent is fe80::3, the rank 512"]
    assert found.next_hop(ROOT) == OTHER


def test_damaged_messages_are_refused_and_others_are_let_through() -> None:
    found = routing([])
    packet = packet_of(OTHER, ALL_NODES, DIO)
    for at in (41, 42, 60, len(packet) - 1):
        damaged = packet[:at] + bytes((packet[at] ^ 1,)) + packet[at + 1 :]
        assert found.take(damaged, OTHER)
    assert found.refused == 4
    assert found.router.parent is None
    # An echo request, and what has no upper layer at all.
    echo = packet[:40] + b"\x80" + packet[41:]
    for other in (echo, packet[:40], packet[:6] + b"\x11" + packet[7:]):
        assert not found.take(other, OTHER)
    # A message whose code is of no use here is taken, and does nothing.
    assert found.take(packet[:41] + b"\x83" + packet[42:], OTHER)


# What hosts ask


def answered(found: list[bytes], source: bytes, content: bytes) -> bytes | None:
    """Return what a router answers to a question of a host at OTHER."""
    own = OwnNode(ROOT, Role.ROOT)
    router = Routing(own, LOCAL, LINK, found.append, lambda _: None)
    content = bytes((content[0], 0, 0, 0)) + content[4:]
    number = checksum(source, ALL_NODES, 58, content)
    header = struct.pack("!IHBB", 6 << 28, len(content), 58, 255) + source + ALL_NODES
    whole = header + content[:2] + number.to_bytes(2) + content[4:]
    assert router.take(whole, OTHER)
    return found[-1] if found else None


def test_tshark_reads_what_a_host_is_told(tmp_path: Path) -> None:
    answer = answered([], OTHER, bytes((133, 0, 0, 0, 0, 0, 0, 0)))
    network = bytes.fromhex("fd00005a00000000") + OTHER[8:]
    registers = bytes.fromhex("2102") + bytes.fromhex("000000001234") + bytes(range(8))
    asks = bytes((135, 0, 0, 0)) + bytes(4) + LOCAL + registers
    granted = answered([], network, asks)
    assert answer is not None
    assert granted is not None
    router, neighbour = judged(tmp_path, answer, granted)
    assert router["icmpv6.type"] == "134"
    assert router["icmpv6.checksum.status"] == "1"
    assert all_of(router, "icmpv6.opt.prefix") == ["fd00:5a::"]
    assert all_of(router, "icmpv6.opt.6co.context_prefix") == ["fd00:5a::"]
    assert all_of(router, "icmpv6.opt.6co.flag.cid") == ["0"]
    assert all_of(router, "icmpv6.opt.6co.flag.c") == ["1"]
    assert all_of(router, "icmpv6.opt.abro.6lbr_address") == ["fd00:5a::a1"]
    assert all_of(router, "icmpv6.nd.ra.router_lifetime") == ["1800"]
    assert neighbour["icmpv6.type"] == "136"
    assert neighbour["icmpv6.checksum.status"] == "1"
    assert all_of(neighbour, "icmpv6.nd.na.target_address") == ["fe80::2"]
    assert all_of(neighbour, "icmpv6.opt.aro.status") == ["0"]
    assert all_of(neighbour, "icmpv6.opt.aro.registration_lifetime") == ["4660"]


def test_questions_that_are_not_for_this_router_have_no_answer() -> None:
    for content in (
        bytes((135, 0, 0, 0)) + bytes(4) + OTHER,
        bytes((135, 0, 0, 0)),
        bytes((135, 0, 0, 0)) + bytes(10),
    ):
        assert answered([], OTHER, content) is None
    # An option that has no size, and one that is cut off, are not registered.
    for options in (b"\x21\0", b"\x21\2abc", b"\x01\1" + bytes(6), b""):
        asks = bytes((135, 0, 0, 0)) + bytes(4) + LOCAL + options
        answer = answered([], OTHER, asks)
        assert answer is not None
        assert len(answer) == 40 + 24


# When, and how far


def test_trickle_doubles_keeps_silent_and_begins_anew() -> None:
    trickle = Trickle(1.0, 3, 2, random.Random(1))  # noqa: S311 - not for secrets
    trickle.start(100.0)
    begun, ends, said = 100.0, [], []
    for length in (1, 2, 4, 8, 8):
        assert begun + length / 2 <= trickle.due_s <= begun + length
        said.append(trickle.is_to_say(trickle.due_s))
        assert trickle.due_s == begun + length
        assert not trickle.is_to_say(trickle.due_s)
        begun += length
        ends.append(begun)
    assert said == [True] * 5
    trickle.heard()
    trickle.heard()
    assert not trickle.is_to_say(trickle.due_s)
    trickle.reset(200.0)
    assert 200.5 <= trickle.due_s <= 201.0
    due_s = trickle.due_s
    trickle.reset(200.1)
    assert trickle.due_s == due_s
    trickle.heard()
    assert trickle.is_to_say(due_s)


@pytest.mark.parametrize(
    ("objective", "etx", "rank"),
    [
        (MRHOF, 1.0, 512),
        (MRHOF, 2.5, 704),
        (MRHOF, 4.1, 65535),
        (OF0, 1.0, 512),
        (OF0, 2.0, 896),
        (OF0, 3.9, 1536),
    ],
)
def test_ranks_grow_with_the_transmissions(
    objective: Objective, etx: float, rank: int
) -> None:
    assert objective.rank(384, etx, CONFIGURATION) == rank
