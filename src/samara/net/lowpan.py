# SPDX-License-Identifier: Apache-2.0
"""6LoWPAN: header compression (RFC 6282) and fragments (RFC 4944) of IPv6 packets.

The work is done by core/6lowpan, which devices link, too. A hop is one frame's way
from a link address to another; both ends must have the same contexts.

>>> from ipaddress import IPv6Network
>>> hop = Hop(
...     source=bytes.fromhex("acde480000000001"),
...     destination=bytes.fromhex("1234"),
...     contexts=(Context(IPv6Network("fd00:5a::/64")),),
... )
>>> packet = bytes.fromhex(
...     "60000000 0002 3b 40"
...     "fd00005a00000000aede480000000001 fd00005a00000000000000fffe001234 aabb"
... )
>>> [payload.hex() for payload in payloads(packet, hop, tag=0, payload_size=100)]
['7a773baabb']
"""

from __future__ import annotations

import dataclasses
import functools
from typing import TYPE_CHECKING

from samara import _core

if TYPE_CHECKING:
    from ipaddress import IPv6Network

    from samara.crypto.bytes_like import BytesLike

_CLOCK_MODULUS = 1 << 32


@dataclasses.dataclass(frozen=True)
class Context:
    """A prefix that all nodes of a network know.

    Parameters
    ----------
    prefix
        The prefix; its bits are left out of compressed addresses.
    compresses
        Whether it is used to compress. If not, only to decompress: while a prefix
        is being retired (RFC 6775, section 4.2).
    """

    prefix: IPv6Network
    compresses: bool = True


@dataclasses.dataclass(frozen=True)
class Hop:
    """Both link addresses of a frame, and the contexts of its network.

    Parameters
    ----------
    source, destination
        EUI-64 (8 bytes) or short address (2 bytes), most significant byte first.
        Broadcast is the short address ffff.
    contexts
        At most 16. The first one costs a byte less than the others.
    """

    source: bytes
    destination: bytes
    contexts: tuple[Context, ...] = ()

    @functools.cached_property
    def native(self) -> _core.LowpanHop:
        """The same for the extension module."""
        rows = [
            (
                context.prefix.network_address.packed,
                context.prefix.prefixlen,
                context.compresses,
            )
            for context in self.contexts
        ]
        return _core.LowpanHop(self.source, self.destination, rows)


def payloads(
    packet: BytesLike, hop: Hop, *, tag: int, payload_size: int
) -> list[bytes]:
    """Return the payloads of the frames that carry a packet.

    Parameters
    ----------
    packet
        A whole IPv6 packet of at most 1280 bytes.
    hop
        From whom to whom.
    tag
        Number of the packet, 16 bits: fragments of different packets differ in it.
    payload_size
        Bytes of the longest payload, at least 60.

    Raises
    ------
    PacketError
        If it is not an IPv6 packet, or longer than 1280 bytes.
    """
    return _core.lowpan_payloads(
        hop.native, packet, tag=tag & 0xFFFF, payload_size=payload_size
    )


def identifier(address: BytesLike) -> bytes:
    """Return the interface identifier of a link address (RFC 6282, section 3.2.2)."""
    return _core.lowpan_identifier(address)


class Reassembly:
    """Packets that are put together from payloads, in bounded memory.

    Parameters
    ----------
    slots
        Packets that may be incomplete at a time, at most 255; each takes 1.3 kB.
    slots_each
        How many of them one neighbour may have. With as many slots as neighbours
        times this, no neighbour can keep another from being heard.
    lifetime
        Seconds after which an incomplete packet is given up. RFC 4944: at most 60.
    """

    def __init__(
        self, *, slots: int = 32, slots_each: int = 2, lifetime: float = 5.0
    ) -> None:
        self._native = _core.LowpanReceiver(
            slots=slots, slots_each=slots_each, lifetime_ms=round(1000 * lifetime)
        )

    def receive(self, payload: BytesLike, hop: Hop, *, now: float) -> bytes | None:
        """Take the payload of a frame; return the packet that it completes, if any.

        Parameters
        ----------
        payload
            What the frame carried, after it was opened.
        hop
            From whom to whom.
        now
            Seconds of a clock that does not go back, such as `time.monotonic`.

        Raises
        ------
        PacketError
            If the payload is refused. Its `reason` says why, such as "truncated".
        """
        now_ms = int(1000 * now) % _CLOCK_MODULUS
        return self._native.receive(hop.native, payload, now_ms)

    @property
    def expired(self) -> int:
        """Number of packets that were given up."""
        return self._native.expired

    @property
    def incomplete(self) -> int:
        """Number of packets that wait for fragments."""
        return self._native.incomplete
