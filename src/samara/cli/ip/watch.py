# SPDX-License-Identifier: Apache-2.0
"""Show each IPv6 packet on the air: frames, bytes by layer, and energy.

One line is one packet on one hop: the frames that carried it, such as 3+1 when one
of three was repeated; their bytes by layer; and the energy of sender and receiver
together, estimated as on receipts, with repetitions and acknowledgements. Packets
of which not all frames were heard, and frames of other nodes, are not shown. Runs
until Ctrl-C.

With -o FILE.pcapng, the frames and, in FILE.pcapng.wireshark, the keys of the
nodes are written, so that Wireshark and tshark show what the frames carry. Only
their owner can read them. Who has the keys can read and forge frames: remove the
directory when it is no longer needed.

\b
Examples:
  samara ip watch alice bob
  samara ip watch alice bob --count 10 --json
  samara ip watch DIR/n* --medium 127.0.0.1:40000 -o air.pcapng
  WIRESHARK_CONFIG_DIR=air.pcapng.wireshark tshark -r air.pcapng
  samara ip watch alice bob -o - --wireshark keys |
    WIRESHARK_CONFIG_DIR=keys wireshark -k -i -
"""

import contextlib
import itertools
import math
import sys
import time
from pathlib import Path
from typing import IO, Annotated

import typer

from samara.cli.ip.capture import PCAPNG, Wanted, capturing
from samara.cli.ip.options import Prefix
from samara.cli.shared.completion import complete_device
from samara.cli.shared.device_option import device_named
from samara.cli.shared.diagnostics import say
from samara.cli.shared.json_lines import print_json
from samara.cli.shared.stop_signals import stop_on_signals
from samara.link.ieee802154.air.zep import OBSERVER, Hello
from samara.link.ieee802154.air.zep_radio import ZepRadio
from samara.net.addresses import DEFAULT_PREFIX, prefix_of
from samara.net.exchanges import Exchange, Exchanges
from samara.records.numbers import digits

_WAIT_S = 0.1
_DEFAULT_DEVICE = "atmega128rfa1"
_LAYERS = ("mac", "security", "6lowpan", "transport", "payload")
# "UDP 61616 > 61631"
_PACKET_WIDTH, _ENERGY_WIDTH = 17, 6


def _watch(  # noqa: PLR0913 - one parameter an option
    nodes: Annotated[
        list[Path],
        typer.Argument(
            metavar="DIR...", help="Directories of nodes, whose keys open the frames."
        ),
    ],
    *,
    medium: Annotated[
        str | None,
        typer.Option(
            metavar="HOST:PORT",
            help="Address of `samara medium`. Default: as the first node was made.",
        ),
    ] = None,
    prefix: Prefix = str(DEFAULT_PREFIX),
    device: Annotated[
        str,
        typer.Option(
            metavar="DEVICE",
            autocompletion=complete_device,
            help="Microcontroller of both ends, for the energy. Default:"
            f" {_DEFAULT_DEVICE}.",
            show_default=False,
        ),
    ] = _DEFAULT_DEVICE,
    output: Annotated[
        Path | None,
        typer.Option(
            "-o",
            "--output",
            metavar="FILE",
            help="Write the frames to a capture file, too, as they are on the air:"
            f" pcapng if FILE ends in {PCAPNG}, otherwise pcap; - is stdout.",
        ),
    ] = None,
    profile: Annotated[
        Path | None,
        typer.Option(
            "--wireshark",
            metavar="DIR",
            help="Directory to write the keys to, for Wireshark. Default:"
            f" FILE.wireshark if FILE ends in {PCAPNG}, otherwise none.",
            show_default=False,
        ),
    ] = None,
    force: Annotated[
        bool, typer.Option("--force", help="Replace files that exist.")
    ] = False,
    count: Annotated[
        int | None, typer.Option(min=1, help="Stop after this many packets.")
    ] = None,
    timeout: Annotated[
        float | None,
        typer.Option(metavar="SECONDS", min=0, help="Stop after this many seconds."),
    ] = None,
    as_json: Annotated[
        bool, typer.Option("--json", help="Print JSON Lines (docs/json.md).")
    ] = False,
) -> None:
    device = device_named(device).name
    network = prefix_of(prefix)
    wanted = Wanted(output, profile, force)
    wanted.check()
    exchanges = Exchanges(nodes, network)
    settings, left = exchanges.sniffer.settings, count
    place = medium or settings["medium"]
    # With a capture on stdout, what is printed would end up in it.
    stream = sys.stderr if wanted.is_stdout else sys.stdout
    lines = _Lines(device, stream)
    show = lines.print_json if as_json else lines.print
    is_over = stop_on_signals()
    end_s = math.inf if timeout is None else time.monotonic() + timeout
    radio = ZepRadio(place, settings["channel"], hello=Hello(0, OBSERVER))
    with (
        contextlib.closing(radio),
        capturing(wanted, exchanges.sniffer, network, place) as capture,
    ):
        say("watching; press Ctrl-C to stop")
        while left != 0 and time.monotonic() < end_s and not is_over():
            for heard in radio.receive(_WAIT_S):
                capture.put(heard.psdu)
                exchanges.hear(heard.psdu)
            capture.put_keys()
            for text in radio.notices():
                say(text)
            for each in itertools.islice(exchanges.finished(), left):
                show(each)
                left = None if left is None else left - 1
    if exchanges.unopened:
        say(
            f"{exchanges.unopened} of {exchanges.heard} frames could not be opened: "
            "they are of nodes whose directories were not given, or not genuine"
        )


class _Lines:
    """Prints a line for each packet, with a heading before the first."""

    def __init__(self, device: str, stream: IO[str]) -> None:
        self._device, self._stream = device, stream
        self._has_heading = False

    def print(self, each: Exchange) -> None:
        """Print what a packet took on one hop."""
        energy = each.energy(self._device)
        layers = each.layers()
        again = f"+{len(each.repetitions)}" if each.repetitions else ""
        self._line(
            f"{each.source} > {each.destination}",
            each.protocol.removeprefix("ICMPv6 "),
            f"{len(each.frames)}{again}",
            *(str(layers[name]) for name in _LAYERS),
            "-" if energy is None else digits(energy.value * 1e6),
        )

    def print_json(self, each: Exchange) -> None:
        """Print the same as an object."""
        fields = {
            "source": each.source,
            "destination": each.destination,
            "protocol": each.protocol,
            "packet_bytes": len(each.packet),
            "frames": len(each.frames),
            "repetitions": len(each.repetitions),
            "acknowledgements": len(each.acknowledgements),
            "layers": each.layers(),
            "energy": each.energy(self._device),
        }
        print_json("packet", fields, stream=self._stream)

    def _line(self, hop: str, packet: str, frames: str, *figures: str) -> None:
        if not self._has_heading:
            self._has_heading = True
            self._line("hop".ljust(len(hop)), "packet", "frames", *_LAYERS, "µJ")
        sizes = zip(figures, (*map(len, _LAYERS), _ENERGY_WIDTH), strict=True)
        cells = " ".join(figure.rjust(max(size, 4)) for figure, size in sizes)
        text = f"{hop} {packet:<{_PACKET_WIDTH}} {frames:>6} {cells}"
        print(text, file=self._stream, flush=True)


command = _watch
