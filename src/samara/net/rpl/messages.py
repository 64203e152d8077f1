# SPDX-License-Identifier: Apache-2.0
"""The messages of RPL in ICMPv6 (RFC 6550, section 6), without checksum and security.

DIS       asks for DIOs
DIO       the graph, and the rank of who sends it
DAO       addresses behind who sends it
DAO-ACK   answers a DAO
"""

from __future__ import annotations

import math
import struct
from dataclasses import dataclass
from typing import TYPE_CHECKING

from samara.errors import PacketError

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

TYPE = 155
"""Of ICMPv6."""
NON_STORING, STORING = 1, 2
"""Modes of operation: the root alone keeps routes, or all routers (no multicast)."""
MODES: Mapping[str, int] = {"storing": STORING, "non-storing": NON_STORING}


def mode_names() -> Iterable[str]:
    """Return the names of the modes of operation."""
    return MODES


INFINITE_RANK = 0xFFFF
FOREVER = 0xFF
"""As the lifetime of a route: it does not end by itself."""
ADVERTISED_MAX = 40
"""Addresses in one DAO: they fit into 1,280 bytes."""

_DIS, _DIO, _DAO, _DAO_ACK = range(4)
_PAD_1, _PAD_N, _CONFIGURATION, _TARGET, _TRANSIT, _PREFIX = 0, 1, 4, 5, 6, 8
_DIO_BASE = struct.Struct("!BBHBBBB16s")
_DAO_BASE = struct.Struct("!BBBB")
_CONFIGURATION_BODY = struct.Struct("!BBBBHHHBBH")
_PREFIX_BODY = struct.Struct("!BBIII16s")
_GROUNDED, _MODE_SHIFT, _MODE_MASK, _PREFERENCE_MASK = 0x80, 3, 7, 7
_WANTS_ACK, _HAS_DODAG = 0x80, 0x40
_ACK_HAS_DODAG = 0x80
# Addresses are made from the prefix by each node itself.
_AUTONOMOUS = 0x40
_FOREVER_S = 0xFFFFFFFF
_ADDRESS_BITS, _ADDRESS_SIZE = 128, 16
_PREFIX_BITS = 64


@dataclass(frozen=True, slots=True)
class Dis:
    """A question for DIOs."""


@dataclass(frozen=True, slots=True)
class Configuration:
    """What all nodes of a graph have in common; the root sets it."""

    interval_min: int
    """Shortest interval of Trickle: 2 to this power, in ms."""
    doublings: int
    """How often it is doubled."""
    redundancy: int
    """So many equal DIOs of others make an own one needless; 0: none do."""
    rank_increase_max: int
    """By how much a rank may exceed the lowest one that the node has had; 0: by any."""
    hop_rank_increase: int
    """What a rank grows by each hop at the least."""
    objective: int
    """Objective code point: see `samara.net.rpl.objectives`."""
    lifetime: int
    """Of routes, in units."""
    lifetime_unit_s: int


@dataclass(frozen=True, slots=True)
class Dio:
    """A graph, and the rank of who sends it."""

    instance: int
    version: int
    rank: int
    dodag: bytes
    """The address of the root."""
    configuration: Configuration | None = None
    prefix: bytes | None = None
    """Network of 64 bits whose addresses nodes make themselves: 8 bytes."""
    mode: int = STORING
    is_grounded: bool = True
    preference: int = 0
    dtsn: int = 0
    """Whoever has its parent here sends its DAOs again when this grows."""


@dataclass(frozen=True, slots=True)
class Advertised:
    """An address that is behind who sends a DAO."""

    address: bytes
    sequence: int
    """Given by who has the address."""
    lifetime: int
    """In units of the configuration, or `FOREVER`; 0: it is not there any more."""
    parent: bytes = b""
    """Its parent's address, where the root alone keeps routes; else none."""

    def ends_s(self, now_s: float, unit_s: int) -> float:
        """Return when a route to it ends that nobody refreshes."""
        is_endless = self.lifetime == FOREVER
        return math.inf if is_endless else now_s + self.lifetime * unit_s


@dataclass(frozen=True, slots=True)
class Dao:
    """Addresses behind who sends it."""

    instance: int
    sequence: int
    advertised: tuple[Advertised, ...]
    wants_ack: bool = False
    dodag: bytes | None = None


@dataclass(frozen=True, slots=True)
class DaoAck:
    """An answer to a DAO."""

    instance: int
    sequence: int
    status: int = 0
    """From 128 on: refused."""
    dodag: bytes | None = None


Message = Dis | Dio | Dao | DaoAck


def build(message: Message) -> bytes:
    """Return code and body, as they follow the type and precede the checksum."""
    match message:
        case Dis():
            return bytes((_DIS, 0, 0))
        case Dio():
            return bytes((_DIO,)) + _dio(message)
        case Dao():
            return bytes((_DAO,)) + _dao(message)
        case DaoAck():
            flag = 0 if message.dodag is None else _ACK_HAS_DODAG
            base = (message.instance, flag, message.sequence, message.status)
            return bytes((_DAO_ACK, *base)) + (message.dodag or b"")


def parse(content: bytes) -> Message | None:
    """Return the message with this code and body; None if it is not one of these.

    Raises
    ------
    PacketError
        When it is damaged.
    """
    code, body = content[0], content[1:]
    try:
        match code:
            case 0:
                return Dis()
            case 1:
                return _dio_of(body)
            case 2:
                return _dao_of(body)
            case 3:
                return _dao_ack_of(body)
    except (struct.error, IndexError):
        text = "a message of RPL that is cut off"
        raise PacketError(text, "damaged RPL") from None
    return None


def _dio(dio: Dio) -> bytes:
    flags = _GROUNDED * dio.is_grounded | dio.mode << _MODE_SHIFT | dio.preference
    base = (dio.instance, dio.version, dio.rank, flags, dio.dtsn, 0, 0, dio.dodag)
    made = _DIO_BASE.pack(*base)
    if (known := dio.configuration) is not None:
        body = _CONFIGURATION_BODY.pack(
            *(0, known.doublings, known.interval_min, known.redundancy),
            *(known.rank_increase_max, known.hop_rank_increase, known.objective),
            *(0, known.lifetime, known.lifetime_unit_s),
        )
        made += _option(_CONFIGURATION, body)
    if dio.prefix is not None:
        network = dio.prefix.ljust(_ADDRESS_SIZE, b"\0")
        times = (_FOREVER_S, _FOREVER_S, 0)
        body = _PREFIX_BODY.pack(_PREFIX_BITS, _AUTONOMOUS, *times, network)
        made += _option(_PREFIX, body)
    return made


def _dio_of(body: bytes) -> Dio:
    instance, version, rank, flags, dtsn, _, _, dodag = _DIO_BASE.unpack_from(body)
    configuration = prefix = None
    for kind, option in _options(body[_DIO_BASE.size :]):
        if kind == _CONFIGURATION:
            configuration = _configuration_of(option)
        if kind == _PREFIX:
            bits, use, _, _, _, network = _PREFIX_BODY.unpack_from(option)
            if bits == _PREFIX_BITS and use & _AUTONOMOUS:
                prefix = network[: _PREFIX_BITS // 8]
    return Dio(
        instance=instance,
        version=version,
        rank=rank,
        dodag=dodag,
        configuration=configuration,
        prefix=prefix,
        mode=flags >> _MODE_SHIFT & _MODE_MASK,
        is_grounded=bool(flags & _GROUNDED),
        preference=flags & _PREFERENCE_MASK,
        dtsn=dtsn,
    )


def _configuration_of(option: bytes) -> Configuration:
    _, doublings, least, redundancy, increase, hop, objective, _, lifetime, unit_s = (
        _CONFIGURATION_BODY.unpack_from(option)
    )
    return Configuration(
        interval_min=least,
        doublings=doublings,
        redundancy=redundancy,
        rank_increase_max=increase,
        hop_rank_increase=hop,
        objective=objective,
        lifetime=lifetime,
        lifetime_unit_s=unit_s,
    )


def _dao(dao: Dao) -> bytes:
    flags = _WANTS_ACK * dao.wants_ack | _HAS_DODAG * (dao.dodag is not None)
    made = _DAO_BASE.pack(dao.instance, flags, 0, dao.sequence) + (dao.dodag or b"")
    for each in dao.advertised:
        made += _option(_TARGET, bytes((0, _ADDRESS_BITS)) + each.address)
        made += _option(_TRANSIT, _transit(each))
    return made


def _transit(node: Advertised) -> bytes:
    return bytes((0, 0, node.sequence, node.lifetime)) + node.parent


def _dao_of(body: bytes) -> Dao:
    instance, flags, _, sequence = _DAO_BASE.unpack_from(body)
    dodag, options = _with_dodag(body[_DAO_BASE.size :], bool(flags & _HAS_DODAG))
    found: list[Advertised] = []
    targets: list[bytes] = []
    is_new_group = True
    for kind, option in _options(options):
        if kind == _TARGET:
            if is_new_group:
                targets, is_new_group = [], False
            bits = option[1]
            if bits == _ADDRESS_BITS and len(option) >= _ADDRESS_SIZE + 2:
                targets.append(option[2 : 2 + _ADDRESS_SIZE])
        if kind == _TRANSIT:
            is_new_group = True
            parent = option[4 : 4 + _ADDRESS_SIZE]
            parent = parent if len(parent) == _ADDRESS_SIZE else b""
            known = option[2], option[3], parent
            found += [Advertised(each, *known) for each in targets]
    is_asked = bool(flags & _WANTS_ACK)
    return Dao(instance, sequence, tuple(found), wants_ack=is_asked, dodag=dodag)


def _dao_ack_of(body: bytes) -> DaoAck:
    instance, flags, sequence, status = _DAO_BASE.unpack_from(body)
    rest = body[_DAO_BASE.size :]
    dodag, _ = _with_dodag(rest, bool(flags & _ACK_HAS_DODAG))
    return DaoAck(instance, sequence, status, dodag)


def _with_dodag(body: bytes, is_there: bool) -> tuple[bytes | None, bytes]:  # noqa: FBT001
    if not is_there:
        return None, body
    if len(body) < _ADDRESS_SIZE:
        raise IndexError
    return body[:_ADDRESS_SIZE], body[_ADDRESS_SIZE:]


def _option(kind: int, body: bytes) -> bytes:
    return bytes((kind, len(body))) + body


def _options(content: bytes) -> Iterator[tuple[int, bytes]]:
    """Yield kinds and bodies; padding is left out."""
    at = 0
    while at < len(content):
        kind = content[at]
        if kind == _PAD_1:
            at += 1
            continue
        size = content[at + 1]
        body = content[at + 2 : at + 2 + size]
        if len(body) < size:
            raise IndexError
        if kind != _PAD_N:
            yield kind, body
        at += 2 + size
