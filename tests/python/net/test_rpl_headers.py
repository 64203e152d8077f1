# SPDX-License-Identifier: Apache-2.0
"""What RPL puts into data packets: as tshark reads it, each hop, and hostile bytes."""

from __future__ import annotations

import contextlib
import json
import struct
import subprocess
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from shell import TIMEOUT_S

from samara.errors import PacketError
from samara.net.rpl import headers
from samara.net.rpl.headers import Option
from samara.net.rpl.messages import NON_STORING, Advertised, Dao, Dio
from samara.net.rpl.messages import Configuration as Parts
from samara.net.rpl.own_node import OwnNode, Role
from samara.net.rpl.routing import Routing, packet_of
from samara.net.traffic import DESTINATION

if TYPE_CHECKING:
    from pathlib import Path

NETWORK, LOCAL = bytes.fromhex("fd00005a00000000"), bytes.fromhex("fe80000000000000")
ECHO = bytes.fromhex("8000 0000 0001 0001 6162")
LIMIT_AT = 7


def address(number: int) -> bytes:
    return NETWORK + number.to_bytes(8)


def near(number: int) -> bytes:
    return LOCAL + number.to_bytes(8)


def packet(
    to: bytes, limit: int = 64, *, before: bytes = b"", first: int = 58
) -> bytes:
    """Return a packet of node 1, with extension headers before its echo request."""
    size = len(before) + len(ECHO)
    start = struct.pack("!IHBB", 6 << 28, size, first, limit)
    return start + address(1) + to + before + ECHO


def with_option(body: str, to: bytes = address(2), kind: str = "63") -> bytes:
    return packet(to, before=bytes.fromhex(f"3a00 {kind} 04 {body}"), first=0)


def layers(folder: Path, *packets: bytes) -> list[dict[str, Any]]:
    """Return what tshark finds in packets of IPv6."""
    capture = struct.pack("=IHHiIII", 0xA1B2C3D4, 2, 4, 0, 0, 65535, 229)
    for each in packets:
        capture += struct.pack("=IIII", 0, 0, len(each), len(each)) + each
    file = folder / "ways.pcap"
    file.write_bytes(capture)
    command = ["tshark", "-r", str(file), "-T", "json", "--no-duplicate-keys"]
    done = subprocess.run(command, capture_output=True, timeout=TIMEOUT_S, check=True)
    return [each["_source"]["layers"]["ipv6"] for each in json.loads(done.stdout)]


def test_tshark_reads_a_way_and_each_step_of_it(tmp_path: Path) -> None:
    hops = [address(n) for n in (2, 3, 4)]
    made = headers.with_way(packet(hops[-1]), hops)
    steps = [made, headers.advanced(made), headers.advanced(headers.advanced(made))]
    found = layers(tmp_path, *steps)
    for left, each in zip((2, 1, 0), found, strict=True):
        routing = each["ipv6.routing"]
        assert routing["ipv6.routing.type"] == "3"
        assert routing["ipv6.routing.segleft"] == str(left)
        here = hops[2 - left]
        assert each["ipv6.dst"] == f"fd00:5a::{here[-1]}"
    text = json.dumps(found[0])
    assert "fd00:5a::3" in text
    assert "fd00:5a::4" in text
    # 15 bytes of each address are left out.
    assert len(made) == len(packet(hops[-1])) + 16


@given(
    st.lists(st.integers(2, 2**64 - 1), min_size=1, max_size=20, unique=True),
    st.booleans(),
)
def test_a_packet_passes_its_hops_in_order_and_comes_out_as_it_was(
    numbers: list[int],
    has_option: bool,  # noqa: FBT001
) -> None:
    hops = [address(n) for n in numbers]
    whole = with_option("0000 0100", hops[-1]) if has_option else packet(hops[-1])
    made = headers.with_way(whole, hops)
    passed = [made[DESTINATION]]
    while headers.hops_left(made):
        assert int.from_bytes(made[4:6]) == len(made) - 40
        made = headers.advanced(made)
        passed.append(made[DESTINATION])
    assert passed == hops
    assert headers.bare(made) == packet(hops[-1], 64 - len(hops) + 1)


def test_the_option_is_read_and_removed() -> None:
    # RFC 6553: flags, instance, rank of the sender.
    for flags, expected in (
        ("00", Option(is_down=False, has_error=False, rank=0x0180)),
        ("80", Option(is_down=True, has_error=False, rank=0x0180)),
        ("40", Option(is_down=False, has_error=True, rank=0x0180)),
    ):
        for kind in ("63", "23"):
            whole = with_option(f"{flags}00 0180", kind=kind)
            assert headers.option_in(whole) == expected
            assert headers.bare(whole) == packet(address(2))
    # Options of others stay.
    alert = packet(address(2), before=bytes.fromhex("3a00 0502 0000 0100"), first=0)
    assert headers.option_in(alert) is None
    assert headers.bare(alert) == alert
    assert headers.bare(packet(address(2))) == packet(address(2))


def test_a_way_of_contiki_ng_without_hops_is_removed() -> None:
    # As its root sends it to a neighbour: both lengths 15, nothing behind.
    made = packet(address(2), before=bytes.fromhex("3a00 03 00 ff 00 0000"), first=43)
    assert headers.hops_left(made) == 0
    assert headers.bare(made) == packet(address(2))


@pytest.mark.parametrize(
    "way",
    [
        "3a00 03 01 00 00 0000",  # no room for an address
        "3a01 03 02 ff 70 0000 0300000000000000",  # more hops left than there are
        "3a01 03 01 ff f0 0000 0300000000000000",  # more padding than there is
        "3a01 03 01 ff 70 0000 0200000000000000",  # to where it is
        "3a01 03 02 ff 60 0000 0302000000000000",  # back here
        "3a01 03 01 ff 60 0000 0203000000000000",  # it was here before
        "3a02 03 01 00 00 0000 ff020000000000000000000000000001",  # to a group
        "3a09 03 01 ff 70 0000 0300000000000000",  # longer than the packet
    ],
)
def test_a_way_that_cannot_be_is_refused(way: str) -> None:
    made = packet(address(2), before=bytes.fromhex(way), first=43)
    with pytest.raises(PacketError):
        headers.advanced(made)
    last = headers.with_way(packet(address(3)), [address(2), address(3)])
    spent = last[:LIMIT_AT] + b"\1" + last[LIMIT_AT + 1 :]
    with pytest.raises(PacketError):
        headers.advanced(spent)


@given(st.binary(max_size=80), st.sampled_from([0, 43]))
def test_any_bytes_are_read_or_refused(data: bytes, first: int) -> None:
    made = packet(address(2), before=data, first=first)
    for read in (headers.option_in, headers.bare, headers.hops_left, headers.advanced):
        with contextlib.suppress(PacketError):
            read(made)


# At an interface


def routing(role: Role, put: list[bytes]) -> Routing:
    mode = NON_STORING
    own = OwnNode(address(2), role, mode=mode)
    return Routing(own, near(2), b"\0\2", put.append, lambda _: None)


def test_a_router_sends_on_and_a_leaf_does_not() -> None:
    whole = headers.with_way(packet(address(3)), [address(2), address(3)])
    put: list[bytes] = []
    assert routing(Role.ROUTER, put).inward(whole) is None
    assert put == [headers.advanced(whole)]
    put.clear()
    assert routing(Role.LEAF, put).inward(whole) is None
    assert put == []


PARTS = Parts(9, 11, 10, 896, 128, 1, 30, 60)


def test_a_packet_that_goes_the_wrong_way_twice_is_dropped() -> None:
    put: list[bytes] = []
    found = routing(Role.ROUTER, put)
    found.router.hear(
        near(1), Dio(0, 10, 128, address(1), PARTS, mode=NON_STORING), is_to_all=True
    )
    assert found.router.rank == 256
    # It climbs from who is farther away, and goes down from who is nearer.
    assert found.inward(with_option("0000 0180")) == packet(address(2))
    assert found.inward(with_option("8000 0080")) == packet(address(2))
    # The wrong way: once it passes, and with the flag it does not.
    assert found.inward(with_option("0000 0080")) == packet(address(2))
    assert found.inward(with_option("4000 0080")) is None
    assert found.inward(with_option("c000 0180")) is None
    assert found.refused == 2


def test_a_node_tells_the_root_of_itself_alone() -> None:
    put: list[bytes] = []
    root = routing(Role.ROOT, put)

    def advertise(source: bytes, target: int, parent: int, sequence: int) -> None:
        one = Advertised(address(target), sequence, 30, address(parent))
        dao = Dao(0, 1, (one,), wants_ack=True)
        assert root.take(packet_of(source, address(2), dao), near(3))

    advertise(address(3), 3, 2, 10)
    advertise(address(4), 4, 3, 10)
    advertise(address(4), 5, 3, 10)
    assert root.router.way(address(4)) == [address(3), address(4)]
    assert root.router.way(address(5)) == []
    sent = root.outward(packet(address(4)))
    assert sent == headers.with_way(packet(address(4)), [address(3), address(4)])
    # What is older changes nothing; a ring of parents is no way.
    advertise(address(4), 4, 2, 9)
    assert root.router.way(address(4)) == [address(3), address(4)]
    advertise(address(3), 3, 4, 11)
    assert root.router.way(address(4)) == []
    # The answers go to the network's addresses, from that of the root.
    assert {each[8:24] for each in put if each[6] == 58} == {address(2)}
