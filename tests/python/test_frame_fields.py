# SPDX-License-Identifier: Apache-2.0
"""What `samara frame inspect` says of frames that were put together by hand."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from samara.link.ieee802154.frames.fields import Field, field_tree

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

# Beacon of 2006 with two guaranteed time slots and three pending addresses.
BEACON = (
    "0090 01 2143 0100 55cf 02 01 030010 040021 12 1100 1200 0200000000 48deac aa",
    """
    0 2 frame control: 0x9000
      0 2 type: beacon
      0 2 version: 2006
      0 2 security enabled: no
      0 2 frame pending: no
      0 2 acknowledgement request: no
      0 2 PAN id compression: no
      0 2 destination address: absent
      0 2 source address: short
    2 1 sequence number: 1
    3 2 source PAN: 0x4321
    5 2 source address: 0x0001
    7 2 superframe specification: 0xcf55
    9 8 guaranteed time slots: 0201030010040021
    17 13 pending addresses: 1211001200020000000048deac
    30 1 payload: aa
    """,
)
COMMAND = (
    "6bd8 2a 2143 0200 010000000048deac 16 07000000 01020304 03 04 ff 1122334455667788",
    """
    0 2 frame control: 0xd86b
      0 2 type: command
      0 2 version: 2006
      0 2 security enabled: yes
      0 2 frame pending: no
      0 2 acknowledgement request: yes
      0 2 PAN id compression: yes
      0 2 destination address: short
      0 2 source address: extended
    2 1 sequence number: 42
    3 2 destination PAN: 0x4321
    5 2 destination address: 0x0002
    7 8 source address: ac:de:48:00:00:00:00:01
    15 10 auxiliary security header: -
      15 1 security control: 0x16
        15 1 security level: 6 (ENC-MIC-64)
        15 1 key id mode: 2 (4-byte source and index)
        15 1 frame counter suppressed: no
        15 1 ASN in nonce: no
      16 4 frame counter: 7
      20 4 key source: 01020304
      24 1 key index: 3
    25 1 command id: 4 (data request)
    26 1 encrypted payload: ff
    27 8 MIC: 1122334455667788
    """,
)
# Data of 2015 of a slot, with elements in the header and in the payload.
SLOTTED = (
    "19ab 2143 0200 2243 0100 69 05 020f 0100 003f 0388 aabbcc 00f8 3132 aabbccdd",
    """
    0 2 frame control: 0xab19
      0 2 type: data
      0 2 version: 2015
      0 2 security enabled: yes
      0 2 frame pending: yes
      0 2 acknowledgement request: no
      0 2 PAN id compression: no
      0 2 sequence number suppressed: yes
      0 2 information elements: yes
      0 2 destination address: short
      0 2 source address: short
    2 2 destination PAN: 0x4321
    4 2 destination address: 0x0002
    6 2 source PAN: 0x4322
    8 2 source address: 0x0001
    10 2 auxiliary security header: -
      10 1 security control: 0x69
        10 1 security level: 1 (MIC-32)
        10 1 key id mode: 1 (index)
        10 1 frame counter suppressed: yes
        10 1 ASN in nonce: yes
      11 1 key index: 5
    12 6 header information elements: -
      12 4 time correction: 0100
      16 2 header termination 1: -
    18 7 payload information elements: -
      18 5 MLME: aabbcc
      23 2 payload termination: -
    25 2 payload: 3132
    27 4 MIC: aabbccdd
    """,
)
RESERVED = (
    "8100 05 3132",
    """
    0 2 frame control: 0x0081
      0 2 type: data
      0 2 version: 2003
      0 2 security enabled: no
      0 2 frame pending: no
      0 2 acknowledgement request: no
      0 2 PAN id compression: no
      0 2 destination address: absent
      0 2 source address: absent
      0 2 reserved bits: 0x0080
    2 1 sequence number: 5
    3 2 payload: 3132
    """,
)


def lines_of(fields: Iterable[Field], indent: str = "    ") -> Iterator[str]:
    for field in fields:
        value = field.value or "-"
        yield f"{indent}{field.offset} {field.size} {field.name}: {value}"
        yield from lines_of(field.fields, indent + "  ")


@pytest.mark.parametrize(
    ("frame", "wanted"),
    [BEACON, COMMAND, SLOTTED, RESERVED],
    ids=["beacon", "command", "slotted", "reserved"],
)
def test_the_fields_of_known_frames(frame: str, wanted: str) -> None:
    tree = field_tree(bytes.fromhex(frame))
    assert list(lines_of(tree)) == wanted.rstrip().splitlines()[1:]


def value_of(fields: Iterable[Field], name: str) -> str:
    """Return the value of the field of this name, however deep it lies."""
    for field in fields:
        if field.name == name:
            return field.value
        if value := value_of(field.fields, name):
            return value
    return ""


@pytest.mark.parametrize(
    ("level", "name", "mic_size"),
    [
        (1, "MIC-32", 4),
        (2, "MIC-64", 8),
        (3, "MIC-128", 16),
        (4, "ENC", 0),
        (5, "ENC-MIC-32", 4),
        (6, "ENC-MIC-64", 8),
        (7, "ENC-MIC-128", 16),
    ],
)
def test_the_names_of_the_levels(level: int, name: str, mic_size: int) -> None:
    header = bytes.fromhex("4998 01 2143 0200 0100") + bytes([level, 7, 0, 0, 0])
    tree = field_tree(header + b"ab" + bytes(mic_size))
    assert value_of(tree, "security level") == f"{level} ({name})"
    is_encrypted = level >= 4
    assert value_of(tree, "encrypted payload") == ("6162" if is_encrypted else "")
    opened = field_tree(header + b"ab" + bytes(mic_size), opened=True)
    assert value_of(opened, "payload") == "6162"


@pytest.mark.parametrize(
    ("mode", "name", "source"),
    [
        (0, "implicit", b""),
        (1, "index", b""),
        (2, "4-byte source and index", bytes(4)),
        (3, "8-byte source and index", bytes(8)),
    ],
)
def test_the_names_of_the_key_id_modes(mode: int, name: str, source: bytes) -> None:
    key_id = source + b"\x09" if mode else b""
    header = bytes.fromhex("4998 01 2143 0200 0100")
    security = bytes([5 | mode << 3, 7, 0, 0, 0]) + key_id
    tree = field_tree(header + security + bytes(4))
    assert value_of(tree, "key id mode") == f"{mode} ({name})"
    assert value_of(tree, "key index") == ("9" if mode else "")


@pytest.mark.parametrize(
    ("number", "name"),
    [
        (1, "association request"),
        (2, "association response"),
        (3, "disassociation notification"),
        (4, "data request"),
        (5, "PAN id conflict notification"),
        (6, "orphan notification"),
        (7, "beacon request"),
        (8, "coordinator realignment"),
        (9, "GTS request"),
        (10, "not known"),
    ],
)
def test_the_names_of_commands(number: int, name: str) -> None:
    tree = field_tree(bytes.fromhex("4398 01 2143 0200 0100") + bytes([number]))
    assert value_of(tree, "command id") == f"{number} ({name})"


@pytest.mark.parametrize(
    ("number", "name"),
    [
        (0x1A, "LE CSL"),
        (0x1B, "LE RIT"),
        (0x1C, "DSME PAN descriptor"),
        (0x1D, "rendezvous time"),
        (0x1E, "time correction"),
        (0x1F, "element 0x1f"),
    ],
)
def test_the_names_of_header_elements(number: int, name: str) -> None:
    element = (number << 7 | 1).to_bytes(2, "little") + b"\xa5"
    termination = bytes.fromhex("803f")
    tree = field_tree(bytes.fromhex("0122 01") + element + termination + b"ab")
    assert value_of(tree, name) == "a5"
    assert [field.name for field in tree[2].fields] == [name, "header termination 2"]


@pytest.mark.parametrize(
    ("number", "name"),
    [
        (0, "ESDU"),
        (1, "MLME"),
        (2, "vendor specific"),
        (3, "element 0x03"),
    ],
)
def test_the_names_of_payload_elements(number: int, name: str) -> None:
    element = (1 << 15 | number << 11 | 1).to_bytes(2, "little") + b"\xa5"
    data = bytes.fromhex("0122 01 003f") + element + bytes.fromhex("00f8") + b"ab"
    assert value_of(field_tree(data), name) == "a5"


def test_each_field_has_a_clause_but_elements_and_reserved_bits() -> None:
    def walk(fields: Iterable[Field]) -> Iterator[Field]:
        for field in fields:
            yield field
            if "information elements" not in field.name:
                yield from walk(field.fields)

    found = {}
    for text, _ in (BEACON, COMMAND):
        for field in walk(field_tree(bytes.fromhex(text))):
            if field.name != "reserved bits":
                assert field.clause, field.name
                found[field.name, field.mode] = field.clause
    assert found["frame counter", False] == "9.4.3"
    # One name, two fields: the form of an address, and the address.
    assert found["destination address", True] == "7.2.2.9"
    assert found["destination address", False] == "7.2.5"
