# SPDX-License-Identifier: Apache-2.0
"""Verify and decrypt the frames of a capture, and write them without security.

Frames that are not secured, not genuine, replayed or cut short are reported
with their number and the reason. They are copied unchanged, or left out with
--drop. The exit status is then 1.

The nonce of a frame that suppresses its frame counter (TSCH) contains the
absolute slot number. It is taken from the packet's TAP header (link type 283);
otherwise the first packet has --asn, and each further packet is one slot later.

\b
Examples:
  samara pcap open secured.pcap clear.pcap --keys keys.toml
  samara pcap open secured.pcap clear.pcap --keys keys.toml --drop --json
"""

from functools import partial

from samara.cli.pcap.converting import Json, Source, Target, convert
from samara.cli.shared.answering import prints, takes_request
from samara.link.ieee802154.captures.converting import (
    Capture,
    OpenCaptureRequest,
    RefusedFrame,
    open_capture,
)


@prints(RefusedFrame, Capture)
def _open(
    request: OpenCaptureRequest,
    source: Source,
    target: Target,
    *,
    as_json: Json = False,
) -> int:
    return convert(
        source, target, request.keys, partial(open_capture, request), as_json=as_json
    )


command = takes_request(_open)
