# SPDX-License-Identifier: Apache-2.0
"""What the emulated modem assumes, because the vendor never published it."""

from __future__ import annotations

from dataclasses import dataclass

PACKET_OVERHEAD = 13
"""Bytes that the radio sends around those of a packet. Assumed."""


@dataclass(frozen=True, slots=True)
class Assumption:
    """Something that the vendor never published."""

    name: str
    value: str
    reason: str


ASSUMPTIONS = (
    Assumption(
        "preamble and sync word",
        "4 + 4 bytes",
        "the usual setting of the transceiver that these modems are built on",
    ),
    Assumption(
        "length, PAN identity and checksum",
        "1 + 2 + 2 bytes",
        "a packet has a length that varies, modems of another PAN do not hear it,"
        " and no damaged byte was ever reported",
    ),
    Assumption(
        "checksum",
        "a damaged packet is dropped whole",
        "as above; --no-crc hands damaged packets on",
    ),
    Assumption("retries", "none", "nothing is acknowledged: the modem says nothing"),
    Assumption(
        "access to the air",
        "one packet at a time; the other waits for its end",
        "transceivers of this kind sense the carrier; collisions are not modelled",
    ),
    Assumption(
        "turnaround and processing", "no time", "nothing was published to put here"
    ),
    Assumption(
        "time-out",
        "counted from the last byte of a packet that is not full",
        "the paper says that the modem waits for more data",
    ),
    Assumption(
        "guard characters",
        "kept back for up to a second, and then sent as data",
        "the modem cannot know earlier whether a third will follow",
    ),
    Assumption(
        "radio in command mode",
        "nothing is heard",
        "the serial line then carries answers",
    ),
    Assumption(
        "settings in command mode",
        "ATCN, ATBD, ATDR act with ATAC; all others at once",
        "the command list says so of these three",
    ),
    Assumption(
        "encryption by the modem (ATEE, ATEK)",
        "modems hear each other when both are set alike; it adds no bytes",
        "its mode was never published",
    ),
)
