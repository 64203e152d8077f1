# SPDX-License-Identifier: Apache-2.0
"""The clauses of IEEE 802.15.4-2020 that define the fields of a frame.

The standard itself is not at hand here: the numbers are those of other software that
cites this edition (headers of Zephyr), and of the edition of 2015 where the project
cites that, whose clauses 7.2.1 and so on are 7.2.2 and so on in this one.
docs/console.md says which of them another source confirms.
"""

from __future__ import annotations

from types import MappingProxyType

STANDARD = "IEEE 802.15.4-2020"

CLAUSES = MappingProxyType(
    {
        "frame control": "7.2.2",
        "type": "7.2.2.2",
        "security enabled": "7.2.2.3",
        "frame pending": "7.2.2.4",
        "acknowledgement request": "7.2.2.5",
        "PAN id compression": "7.2.2.6",
        "sequence number suppressed": "7.2.2.7",
        "information elements": "7.2.2.8",
        "version": "7.2.2.10",
        "sequence number": "7.2.3",
        "destination PAN": "7.2.4",
        "destination address": "7.2.5",
        "source PAN": "7.2.6",
        "source address": "7.2.7",
        "auxiliary security header": "9.4",
        "security control": "9.4.2",
        "security level": "9.4.2.2",
        "key id mode": "9.4.2.3",
        "frame counter suppressed": "9.4.2.4",
        "ASN in nonce": "9.4.2.5",
        "frame counter": "9.4.3",
        "key source": "9.4.4",
        "key index": "9.4.4",
        "header information elements": "7.2.9",
        "payload information elements": "7.2.9",
        "superframe specification": "7.3.1.4",
        "guaranteed time slots": "7.3.1.5",
        "pending addresses": "7.3.1.6",
        "command id": "7.5",
        "payload": "7.2.10",
        "encrypted payload": "7.2.10",
        "MIC": "9.3",
        "FCS": "7.2.11",
    }
)
"""By the name of a field in `samara.link.ieee802154.frames.fields`."""

ADDRESSING_MODES = MappingProxyType(
    {"destination address": "7.2.2.9", "source address": "7.2.2.11"}
)
"""Of the parts of the frame control that have the names of addresses."""
