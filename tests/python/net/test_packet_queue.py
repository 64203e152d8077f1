# SPDX-License-Identifier: Apache-2.0
"""The queue in front of a link takes all fragments of a packet, or none."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from samara.net import traffic
from samara.net.packet_queue import FRAGMENTED_MAX, FRAGMENTS_MAX, PacketQueue

ONE, OTHER = bytes(15) + b"\x01", bytes(15) + b"\x02"


def whole(number: int) -> bytes:
    """Return a packet of UDP with a number as its data."""
    content = bytes(6) + b"\x00\x00" + number.to_bytes(4, "big")
    header = b"\x60\0\0\0" + len(content).to_bytes(2, "big") + bytes([17, 64])
    return header + ONE + OTHER + content


def fragment(
    identification: int, index: int, *, last: bool = False, source: bytes = ONE
) -> bytes:
    """Return a fragment of 1232 bytes' offset each; the first protocol is UDP."""
    offset = index * 1232 | (not last)
    content = bytes([17, 0]) + offset.to_bytes(2, "big")
    content += identification.to_bytes(4, "big") + bytes([index]) * 8
    header = b"\x60\0\0\0" + len(content).to_bytes(2, "big") + bytes([44, 64])
    return header + source + OTHER + content


def drained(queue: PacketQueue) -> list[bytes]:
    found = []
    while (packet := queue.take()) is not None:
        found.append(packet)
    assert not queue
    return found


def test_fragments_of_a_packet_take_one_place() -> None:
    """54 fragments, of 65,535 bytes, beside a whole packet: two places of two."""
    queue = PacketQueue(2)
    assert queue.put(whole(1))
    sent = [fragment(7, index, last=index == 53) for index in range(54)]
    assert all(queue.put(each) for each in sent)
    assert not queue.put(whole(2))
    assert drained(queue) == [whole(1), *sent]
    assert queue.put(whole(3))


def test_what_finds_no_room_is_dropped_whole() -> None:
    """Also those fragments that come when there is room again."""
    queue = PacketQueue(1)
    assert queue.put(whole(1))
    assert not queue.put(fragment(7, 0))
    assert queue.take() == whole(1)
    assert not queue.put(fragment(7, 1))
    # Another packet, by its identification or by its sender.
    assert queue.put(fragment(8, 0))
    assert not queue.put(fragment(7, 2, source=OTHER))
    assert drained(queue) == [fragment(8, 0)]


def test_what_was_begun_is_taken_to_its_end() -> None:
    queue = PacketQueue(1)
    assert queue.put(fragment(7, 0))
    assert queue.take() == fragment(7, 0)
    assert queue.put(whole(1))
    # The queue is full now, but one fragment is on its way already.
    assert queue.put(fragment(7, 1))
    assert drained(queue) == [whole(1), fragment(7, 1)]


def test_bounds() -> None:
    queue = PacketQueue(1)
    taken = [queue.put(fragment(7, 0)) for _ in range(FRAGMENTS_MAX + 1)]
    assert taken == [True] * FRAGMENTS_MAX + [False]
    drained(queue)
    full = PacketQueue(0)
    assert not full.put(whole(1))
    assert not full.put(fragment(1, 0))
    assert full.take() is None


def test_so_many_packets_are_remembered() -> None:
    """A full queue takes further fragments of what it remembers to have begun."""
    queue = PacketQueue(1)
    for number in range(FRAGMENTED_MAX):
        assert queue.put(fragment(number, 0))
        drained(queue)
    assert queue.put(whole(1))
    assert queue.put(fragment(0, 1))
    drained(queue)
    # One more, and the oldest is forgotten.
    assert queue.put(fragment(FRAGMENTED_MAX, 0))
    assert not queue.put(fragment(0, 2))
    assert queue.put(fragment(FRAGMENTED_MAX, 1))


@given(
    most=st.integers(1, 4),
    steps=st.lists(st.none() | st.tuples(st.integers(0, 5), st.integers(0, 3))),
)
def test_no_packet_is_taken_in_part(
    most: int, steps: list[tuple[int, int] | None]
) -> None:
    """Packet 0 stands for whole ones; None takes one out. Order is kept."""
    queue = PacketQueue(most)
    model: list[tuple[int, bytes]] = []
    verdicts: dict[int, bool] = {}
    for step in steps:
        if step is None:
            assert queue.take() == (model.pop(0)[1] if model else None)
            continue
        number, index = step
        waiting = {id(p) if n == 0 else n for n, p in model}
        packet = bytes(bytearray(fragment(number, index) if number else whole(index)))
        wanted = verdicts.get(number) if number else None
        if wanted is None:
            wanted = len(waiting) < most
        if number:
            verdicts[number] = wanted
        assert queue.put(packet) is wanted
        if wanted:
            model.append((number, packet))
    assert drained(queue) == [packet for _, packet in model]


def test_fragments_are_described_by_what_they_are_of() -> None:
    assert traffic.described(fragment(7, 0)) == ("UDP, fragment at 0", 8, 8)
    assert traffic.described(fragment(7, 3, last=True)) == (
        "UDP, fragment at 3696",
        8,
        8,
    )
    assert traffic.datagram_of(fragment(7, 0)) == ONE + OTHER + b"\0\0\0\x07"
    assert traffic.datagram_of(whole(1)) is None
    # Cut within its header, it says nothing.
    assert traffic.datagram_of(fragment(7, 0)[:47]) is None
    assert traffic.described(fragment(7, 0)[:47]) == ("protocol 44", 0, 7)
