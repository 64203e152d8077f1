# SPDX-License-Identifier: Apache-2.0
"""Receive packets of IEEE 802.15.4 and of transceiver chips, from samples.

Samples come from a recording or a radio. Packets are printed, and with -o written
to a capture file (pcapng), which Wireshark reads; secured frames are opened by
samara pcap open. In a recording of a wide band, several channels are received at
the same time. samara extcap makes radios and recordings interfaces of Wireshark.

Times are those of the recording; if it has none, they begin with 1970.

The exit status is 1 if no packet is received, and 2 if the radio fails.

\b
Examples:
  samara sniff zigbee.cs8 --rate 4MHz --channel 15 -o zigbee.pcapng
  samara sniff wide.sigmf-meta --channel 11 --channel 12 --json
  samara sniff --radio soapy:driver=hackrf --channel 26 --zep 127.0.0.1:17754
  samara sniff meter.cu8 --rate 1.2MHz --protocol bpsk-868
  samara sniff g001_868.3M_1000k.cu8 --protocol cc1101
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from samara.cli.shared import files
from samara.cli.shared.answering import prints, takes_request
from samara.cli.shared.diagnostics import note, warn
from samara.cli.shared.json_lines import Json  # noqa: TC001 - Typer reads it
from samara.cli.shared.showing import Showing, exit_status
from samara.cli.shared.stop_signals import stop_on_signals
from samara.phy.tuning import RadioLostError
from samara.records import Notice, Refusal
from samara.sniffer.sniffing import SniffedPacket, SniffedPackets, SniffRequest, sniff

if TYPE_CHECKING:
    from samara.records import Answer

Output = Annotated[
    Path | None,
    typer.Option(
        "-o", "--output", metavar="FILE", help="Capture to write, pcapng; - is stdout."
    ),
]


@prints(SniffedPacket, SniffedPackets)
def _sniff(
    request: SniffRequest, *, output: Output = None, as_json: Json = False
) -> int:
    is_over = stop_on_signals()
    if output is None:
        return _shown(sniff(request, None, is_over), request, as_json=as_json)
    files.refuse_screen(output)
    # What was received before a radio was lost is kept: the file is written first.
    lost: RadioLostError | None = None
    status = 0
    with files.writing(output, hold=False) as target:
        answer = sniff(request, target, is_over)
        try:
            if output == files.STANDARD_STREAM:
                status = exit_status(_notices_printed(answer))
            else:
                status = _shown(answer, request, as_json=as_json)
        except RadioLostError as error:
            lost = error
    if lost is not None:
        raise lost
    return status


def _shown(
    answer: Answer[SniffedPacket | SniffedPackets],
    request: SniffRequest,
    *,
    as_json: bool,
) -> int:
    # How far it is, is known of a recording alone.
    doing = "" if request.recording is None else "samples searched"
    return exit_status(Showing(as_json=as_json, doing=doing).show(answer))


def _notices_printed(answer: Answer[SniffedPacket | SniffedPackets]) -> list[Any]:
    """Print only notices: the capture is on stdout."""
    kept: list[Any] = []
    for each in answer:
        if isinstance(each, Notice):
            (warn if each.warns else note)(each.text)
        if isinstance(each, Refusal):
            kept.append(each)
    return kept


command = takes_request(_sniff)
