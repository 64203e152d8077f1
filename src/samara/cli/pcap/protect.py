# SPDX-License-Identifier: Apache-2.0
"""Secure the frames of a capture with the first key of the key file.

Frames that are already secured, cut short or damaged (wrong FCS), and frames
whose sender's extended address is not known, are reported with their number and
the reason. They are copied unchanged, or left out with --drop. The exit status
is then 1.

With --asn instead of --frame-counter, frame counters are suppressed and nonces
contain the absolute slot number, as in TSCH. It is taken from the packet's TAP
header (link type 283); otherwise the first packet has --asn, each further packet
is one slot later, and the number is written to the TAP header. The frames must
be of version 2015.

\b
Examples:
  samara pcap protect clear.pcap secured.pcap --keys keys.toml --level 5 \\
    --frame-counter 0
  samara pcap protect clear.pcap secured.pcap --keys keys.toml --level 6 \\
    --asn 123456
"""

from functools import partial

from samara.cli.pcap.converting import Json, Source, Target, convert
from samara.cli.shared.answering import prints, takes_request
from samara.link.ieee802154.captures.converting import (
    Capture,
    ProtectCaptureRequest,
    RefusedFrame,
    protect_capture,
)


@prints(RefusedFrame, Capture)
def _protect(
    request: ProtectCaptureRequest,
    source: Source,
    target: Target,
    *,
    as_json: Json = False,
) -> int:
    return convert(
        source, target, request.keys, partial(protect_capture, request), as_json=as_json
    )


command = takes_request(_protect)
