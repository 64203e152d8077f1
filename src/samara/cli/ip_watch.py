# SPDX-License-Identifier: Apache-2.0
"""`samara ip watch`: what packets cost, as they cross the air."""

import contextlib
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Annotated

import typer

from samara.cli.completion import complete_device
from samara.cli.device_option import device_named
from samara.cli.ending import when_asked
from samara.cli.ip_options import Prefix
from samara.cli.json_lines import print_json
from samara.cli.outcome import say
from samara.link.ieee802154.pcap import LinkType, Writer
from samara.link.ieee802154.zep import OBSERVER, Hello
from samara.link.ieee802154.zep_radio import ZepRadio
from samara.net.addresses import DEFAULT_PREFIX, prefix_of
from samara.net.exchanges import Exchange, Exchanges

_WAIT_S = 0.1
_DEFAULT_DEVICE = "atmega128rfa1"


def watch(  # noqa: PLR0913 - one parameter an option
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
            help="Write the frames to a capture file, too, as they are on the air.",
        ),
    ] = None,
    count: Annotated[
        int | None, typer.Option(min=1, help="Stop after this many packets.")
    ] = None,
    timeout: Annotated[
        float | None,
        typer.Option(metavar="SECONDS", help="Stop after this many seconds."),
    ] = None,
    as_json: Annotated[
        bool, typer.Option("--json", help="Print JSON Lines (docs/json.md).")
    ] = False,
) -> None:
    """Show each IPv6 packet on the air: frames, bytes by layer, and energy.

    One line is one packet on one hop, with the frames that carried it, those that were
    repeated, and acknowledgements. Energy is that of sender and receiver together,
    estimated as on receipts. Packets of which not all frames were heard, and frames
    of other nodes, are not shown. Runs until Ctrl-C.

    \b
    Examples:
      samara ip watch alice bob
      samara ip watch DIR/n* --medium 127.0.0.1:40000 -o air.pcap
      samara ip watch alice bob --count 10 --json
    """
    device = device_named(device).name
    exchanges = Exchanges(nodes, prefix_of(prefix))
    settings, left = exchanges.settings, count
    is_over = when_asked()
    end_s = None if timeout is None else time.monotonic() + timeout
    with (
        contextlib.closing(
            ZepRadio(
                medium or settings["medium"],
                settings["channel"],
                hello=Hello(0, OBSERVER),
            )
        ) as radio,
        _capture(output) as capture,
    ):
        say("watching; press Ctrl-C to stop")
        while not is_over() and (end_s is None or time.monotonic() < end_s):
            for heard in radio.receive(_WAIT_S):
                if capture is not None:
                    capture.write_psdu(heard.psdu, time.time_ns())
                exchanges.hear(heard.psdu)
            for text in radio.notices():
                say(text)
            for each in exchanges.finished():
                _print(each, settings["suite"], device, as_json=as_json)
                left = None if left is None else left - 1
                if left == 0:
                    return


@contextlib.contextmanager
def _capture(path: Path | None) -> Iterator[Writer | None]:
    if path is None:
        yield None
        return
    with path.open("wb") as file:
        yield Writer(file, LinkType.WITH_FCS)


def _print(each: Exchange, cipher: str, device: str, *, as_json: bool) -> None:
    energy = each.energy(cipher, device)
    if as_json:
        fields = {
            "source": each.source,
            "destination": each.destination,
            "protocol": each.protocol,
            "packet_bytes": len(each.packet),
            "frames": len(each.frames),
            "repetitions": len(each.repetitions),
            "acknowledgements": len(each.acknowledgements),
            "layers": each.layers(),
            "energy": energy,
        }
        print_json("packet", fields)
        return
    layers = each.layers()
    repeated = layers.pop("repeated")
    bytes_of = " ".join(f"{name} {size}" for name, size in layers.items())
    repeats = (
        f", {len(each.repetitions)} repeated ({repeated} bytes)" if repeated else ""
    )
    spent = "" if energy is None else f", {energy.value * 1e6:.3g} µJ"
    print(
        f"{each.source} > {each.destination}  {each.protocol}: {len(each.frames)} "
        f"frame{'' if len(each.frames) == 1 else 's'}{repeats}; {bytes_of}{spent}",
        flush=True,
    )
