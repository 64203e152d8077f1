# SPDX-License-Identifier: Apache-2.0
"""Which ways to protect a file can be compared over each kind of link."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

from samara.link.ieee802154.air.zep import CHANNEL

if TYPE_CHECKING:
    from collections.abc import Mapping

DEFAULT_LINK = "ieee802154"
SIZE_MAX = 100_000
"""Bytes of the longest file."""

_SDR_RATE = 500e3
"""Samples a second: half of what the link does, for machines with much else to do."""
_TAG_SIZES = (4, 8, 16)
"""Bytes, as those of levels 5 to 7 of IEEE 802.15.4."""


@dataclass(frozen=True, slots=True)
class Case:
    """One way to protect what crosses the link."""

    name: str
    options: Mapping[str, Any] = field(default_factory=dict)
    """Of the nodes."""
    encrypts_file: bool = False
    """Whether the file is encrypted before, as the paper does: AES-256-CBC in hex."""
    has_dtls: bool = False
    has_oscore: bool = False


ABOVE = (
    Case("AES-256-CBC in hex", encrypts_file=True),
    Case("DTLS, shared key", has_dtls=True),
    Case("OSCORE", has_oscore=True),
)
"""What protects above the link. The last two are of CoAP alone: libcoap's DTLS,
aiocoap's OSCORE."""


def _over(below: Mapping[str, Any]) -> tuple[Case, ...]:
    """Return what protects above a link whose nodes have some options."""
    return tuple(replace(each, options=below) for each in ABOVE)


def _ieee802154(level: int) -> dict[str, Any]:
    return {"level": level, "channel": CHANNEL}


_PLAIN = {"framing": "plain"}
_SDR = {"rate": _SDR_RATE}

CASES: Mapping[str, tuple[Case, ...]] = {
    DEFAULT_LINK: (
        Case("no security", _ieee802154(0)),
        *(Case(f"link, level {level}", _ieee802154(level)) for level in (5, 6, 7)),
        *_over(_ieee802154(0)),
    ),
    "rf-serial": (
        Case("no security", _PLAIN),
        *(
            Case(f"link, tag of {size} B", {"suite": "aes128", "tag_size": size})
            for size in _TAG_SIZES
        ),
        *_over(_PLAIN),
    ),
    # It always encrypts, also below what protects above it.
    "sdr": (
        Case("link", _SDR),
        Case("link, CBC in hex", _SDR, encrypts_file=True),
        Case("link, DTLS", _SDR, has_dtls=True),
        Case("link, OSCORE", _SDR, has_oscore=True),
    ),
}
"""By the kind of link."""
