# SPDX-License-Identifier: Apache-2.0
"""What RPL puts into data packets: its option (RFC 6553), and ways (RFC 6554).

The option tells a router from where a packet comes, so that loops are seen. A root that
knows all ways writes the hops into a packet (source routing header), and each hop sends
it to the next one.
"""

from __future__ import annotations

from itertools import takewhile
from typing import TYPE_CHECKING, NamedTuple

from samara.errors import PacketError
from samara.net import traffic

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

_HOP_BY_HOP, _ROUTING = 0, 43
_NEXT_HEADER_AT, _LIMIT_AT = 6, 7
_SIZE = slice(4, 6)
_UNIT = 8
# Of RFC 6553, and of RFC 9008: the latter may be skipped by who does not know it.
_OPTIONS = frozenset((0x63, 0x23))
_PADDING = frozenset((0, 1))
_OPTION_SIZE = 4
_DOWN, _ERROR = 0x80, 0x40
_WAY = 3
"""Type of the routing header."""
_ADDRESS_SIZE, _COMMON_MAX = 16, 15


class Option(NamedTuple):
    """The option of RPL in a packet."""

    is_down: bool
    """Whether it goes away from the root."""
    has_error: bool
    """Whether a router has seen before that it goes the wrong way."""
    rank: int
    """Of who has sent it here."""


class _Extension(NamedTuple):
    """A header behind that of IPv6."""

    link: int
    """Where the byte is that tells its type."""
    at: int
    end: int


def _extensions(packet: bytes) -> Iterator[_Extension]:
    """Yield hop-by-hop options and routing headers.

    Raises
    ------
    PacketError
        When one is cut off.
    """
    link, at = _NEXT_HEADER_AT, traffic.HEADER_SIZE
    while packet[link] in (_HOP_BY_HOP, _ROUTING):
        size = _UNIT * (packet[at + 1] + 1) if at + 1 < len(packet) else _UNIT
        if at + size > len(packet):
            raise _damaged()
        yield _Extension(link, at, at + size)
        link, at = at, at + size


def _damaged() -> PacketError:
    text = "a header of RPL in a packet that is damaged"
    return PacketError(text, "damaged RPL")


def _options(packet: bytes, header: _Extension) -> Iterator[tuple[int, bytes]]:
    at = header.at + 2
    while at < header.end:
        kind = packet[at]
        size = 0 if kind == 0 else packet[at + 1] if at + 1 < header.end else _UNIT
        following = at + (1 if kind == 0 else 2 + size)
        if following > header.end:
            raise _damaged()
        yield kind, packet[at + 2 : following]
        at = following


def option_in(packet: bytes) -> Option | None:
    """Return the option of RPL; None: there is none.

    Raises
    ------
    PacketError
        When the packet is damaged.
    """
    for header in _extensions(packet):
        if packet[header.link] != _HOP_BY_HOP:
            continue
        for kind, body in _options(packet, header):
            if kind in _OPTIONS and len(body) >= _OPTION_SIZE:
                rank = int.from_bytes(body[2:4])
                return Option(bool(body[0] & _DOWN), bool(body[0] & _ERROR), rank)
    return None


def bare(packet: bytes) -> bytes:
    """Return a packet without what RPL has put into it, as a kernel takes it.

    Raises
    ------
    PacketError
        When it is damaged.
    """
    for is_of_rpl in (_is_option, _is_way_at_its_end):
        for header in _extensions(packet):
            if is_of_rpl(packet, header):
                packet = _cut(packet, header)
                break
    return packet


def _is_option(packet: bytes, header: _Extension) -> bool:
    if packet[header.link] != _HOP_BY_HOP:
        return False
    kinds = {kind for kind, _ in _options(packet, header)} - _PADDING
    return bool(kinds) and kinds <= _OPTIONS


def _is_way_at_its_end(packet: bytes, header: _Extension) -> bool:
    return _is_way(packet, header) and not packet[header.at + 3]


def _is_way(packet: bytes, header: _Extension) -> bool:
    return packet[header.link] == _ROUTING and packet[header.at + 2] == _WAY


def _cut(packet: bytes, header: _Extension) -> bytes:
    made = bytearray(packet)
    made[header.link] = packet[header.at]
    del made[header.at : header.end]
    return _sized(made)


def _sized(packet: bytearray) -> bytes:
    packet[_SIZE] = (len(packet) - traffic.HEADER_SIZE).to_bytes(2)
    return bytes(packet)


def _way_in(packet: bytes) -> _Extension | None:
    found = (each for each in _extensions(packet) if _is_way(packet, each))
    return next(found, None)


def hops_left(packet: bytes) -> int:
    """Return how many hops of a way are still ahead; 0: there is none.

    Raises
    ------
    PacketError
        When the packet is damaged.
    """
    header = _way_in(packet)
    return 0 if header is None else packet[header.at + 3]


def with_way(packet: bytes, hops: Sequence[bytes]) -> bytes:
    """Return a packet that passes these hops, the last of which is its destination."""
    if len(hops) < 2:  # noqa: PLR2004 - the neighbour itself
        return packet
    equal = takewhile(lambda column: len(set(column)) == 1, zip(*hops, strict=True))
    common = min(len(list(equal)), _COMMON_MAX)
    body = b"".join(hop[common:] for hop in hops[1:])
    padding = -len(body) % _UNIT
    link, at = _NEXT_HEADER_AT, traffic.HEADER_SIZE
    for header in _extensions(packet):
        if packet[header.link] == _HOP_BY_HOP:
            link, at = header.at, header.end
    words, left = (len(body) + padding) // _UNIT, len(hops) - 1
    start = (packet[link], words, _WAY, left, common << 4 | common, padding << 4, 0, 0)
    made = bytearray(packet)
    made[link] = _ROUTING
    made[at:at] = bytes(start) + body + bytes(padding)
    made[traffic.DESTINATION] = hops[0]
    return _sized(made)


def advanced(packet: bytes) -> bytes:
    """Return a packet that goes to the next hop of its way.

    Raises
    ------
    PacketError
        When it is damaged, has passed too many hops, or would come here again: others
        could let it go to and fro (RFC 6554, section 4.2).
    """
    header = _way_in(packet)
    if header is None:
        raise _damaged()
    places = _places(packet, header)
    here = packet[traffic.DESTINATION]
    following = places[-packet[header.at + 3]]
    there = here[: -len(following)] + packet[following.start : following.stop]
    is_visited_twice = any(
        packet[each.start : each.stop] == here[-len(each) :] for each in places
    )
    if traffic.is_multicast(there) or is_visited_twice or packet[_LIMIT_AT] <= 1:
        raise _damaged()
    made = bytearray(packet)
    made[following.start : following.stop] = here[-len(following) :]
    made[traffic.DESTINATION] = there
    made[header.at + 3] -= 1
    made[_LIMIT_AT] -= 1
    return bytes(made)


def _places(packet: bytes, header: _Extension) -> list[range]:
    """Return where the addresses of a way are, of which one at least is ahead."""
    left, common = packet[header.at + 3], packet[header.at + 4]
    padding = packet[header.at + 5] >> 4
    each, last = _ADDRESS_SIZE - (common >> 4), _ADDRESS_SIZE - (common & 0xF)
    first = header.at + _UNIT
    end = header.end - padding
    room = end - last - first
    if room < 0 or room % each or not 0 < left <= room // each + 1:
        raise _damaged()
    starts = range(first, end - last, each)
    return [*(range(at, at + each) for at in starts), range(end - last, end)]
