# SPDX-License-Identifier: Apache-2.0
"""Questions for routes, and the answers of a kernel that a test plays."""

from __future__ import annotations

import errno
import socket
import struct
from types import SimpleNamespace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from samara.net import routes

NEW_ROUTE, GET_ROUTE, ERROR = 24, 26, 2
DESTINATION, INTERFACE, GATEWAY = 1, 4, 5


def message(kind: int, body: bytes) -> bytes:
    return struct.pack("=IHHII", 16 + len(body), kind, 0, 1, 0) + body


def attribute(kind: int, value: bytes) -> bytes:
    padding = bytes(-len(value) % 4)
    return struct.pack("=HH", 4 + len(value), kind) + value + padding


def answer_of(attributes: list[tuple[int, bytes]]) -> bytes:
    start = bytes(12)
    return message(NEW_ROUTE, start + b"".join(attribute(*each) for each in attributes))


ATTRIBUTES = st.lists(
    st.tuples(st.integers(1, 40), st.binary(max_size=21)),
    min_size=2,
    max_size=8,
    unique_by=lambda each: each[0],
)


@given(ATTRIBUTES)
def test_every_attribute_of_an_answer_is_read(
    attributes: list[tuple[int, bytes]],
) -> None:
    assert routes._attributes(answer_of(attributes)) == dict(attributes)  # noqa: SLF001


@given(ATTRIBUTES, st.integers(0, 60))
def test_an_answer_that_is_cut_or_damaged_ends(
    attributes: list[tuple[int, bytes]], kept: int
) -> None:
    whole = answer_of(attributes)
    known = dict(attributes)
    found = routes._attributes(whole[: 28 + kept])  # noqa: SLF001
    for kind, value in found.items():
        assert known[kind].startswith(value)
    # What follows the message in the same answer is none of it.
    more = attribute(50, b"of the next")
    assert routes._attributes(whole + more) == known  # noqa: SLF001
    # A length below that of its own header would be read for ever.
    broken = whole + struct.pack("=HH", 3, 51)
    broken = struct.pack("=I", len(broken)) + broken[4:]
    assert routes._attributes(broken) == known  # noqa: SLF001


class Kernel:
    """Answers questions from a table of destinations and routers."""

    def __init__(self, table: dict[bytes, bytes | int]) -> None:
        self.table = table
        self.asked: list[tuple[bytes, int]] = []
        self._answer = b""

    def send(self, question: bytes) -> None:
        size, kind, flags, _, _ = struct.unpack_from("=IHHII", question)
        assert (size, kind, flags) == (len(question), GET_ROUTE, 1)
        family, bits = question[16:18]
        assert (family, bits) == (socket.AF_INET6, 128)
        attributes = routes._attributes(question)  # noqa: SLF001
        (interface,) = struct.unpack("=I", attributes[INTERFACE])
        destination = attributes[DESTINATION]
        self.asked.append((destination, interface))
        found = self.table[destination]
        if isinstance(found, int):
            self._answer = message(ERROR, struct.pack("=i", -found) + bytes(16))
            return
        # As Linux does: other attributes before and between, some of odd lengths.
        self._answer = answer_of(
            [
                (15, struct.pack("=I", 254)),
                (DESTINATION, destination),
                (30, b"odd"),
                *([(GATEWAY, found)] if found else []),
                (INTERFACE, attributes[INTERFACE]),
            ]
        )

    def recv(self, _size: int) -> bytes:
        return self._answer


def address(number: int) -> bytes:
    return bytes(12) + number.to_bytes(4, "big")


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> SimpleNamespace:
    now = SimpleNamespace(now_s=5.0)
    given_ = SimpleNamespace(monotonic=lambda: now.now_s)
    monkeypatch.setattr(routes, "time", given_)
    return now


def routes_by(kernel: Kernel) -> routes.Routes:
    asking = routes.Routes(7)
    asking.close()
    asking._socket = kernel  # type: ignore[assignment] # noqa: SLF001
    return asking


def test_each_destination_has_its_router(clock: SimpleNamespace) -> None:
    table: dict[bytes, bytes | int] = {
        address(1): address(100),
        address(2): b"",
        address(3): address(101),
        address(4): errno.ENETUNREACH,
        address(5): errno.EHOSTUNREACH,
        address(6): errno.EACCES,
    }
    kernel = Kernel(table)
    asking = routes_by(kernel)
    expected = [address(100), address(2), address(101), None, None, None]
    for _ in range(2):
        assert [asking.next_hop(each) for each in table] == expected
    assert kernel.asked == [(each, 7) for each in table]
    # Other routes are followed when the answers are old, and not before.
    table[address(1)], table[address(2)] = b"", address(102)
    clock.now_s += routes.KNOWN_S - 1e-6
    assert [asking.next_hop(each) for each in table] == expected
    clock.now_s += 1e-6
    expected[:2] = address(1), address(102)
    assert [asking.next_hop(each) for each in table] == expected
    kernel.table[address(7)] = errno.ENOMEM
    with pytest.raises(OSError, match="memory"):
        asking.next_hop(address(7))


def test_what_is_remembered_is_bounded(clock: SimpleNamespace) -> None:
    kernel = Kernel({address(each): address(each + 1) for each in range(1000)})
    asking = routes_by(kernel)
    assert clock.now_s
    for each in range(1000):
        assert asking.next_hop(address(each)) == address(each + 1)
        assert len(asking._known) <= 256  # noqa: SLF001
