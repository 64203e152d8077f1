# SPDX-License-Identifier: Apache-2.0
"""What Wireshark asks a program that captures for it (extcap), and the answers.

Wireshark starts each program in its extcap directories: with --extcap-interfaces, to
list interfaces; with --extcap-dlts and --extcap-config, for the types of packets and
the settings of one; with --capture, to write packets to a pipe (--fifo).
https://www.wireshark.org/docs/man-pages/extcap.html
"""

from __future__ import annotations

import shlex
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import samara
from samara.errors import MisuseError
from samara.phy.recording_parameters import Carrier, Format, Rate
from samara.records import Parameter, Request, request_class
from samara.sniffer.protocols import protocol_named, protocols
from samara.sniffer.sniffing import Damaged, Gain, SniffRequest

if TYPE_CHECKING:
    from collections.abc import Iterator

    from samara.sniffer.protocol import Protocol

PREFIX = "samara-"
"""Begins the name of an interface; the name of a protocol follows."""
_PROGRAM = "samara-extcap"
_RADIOS = ("zmq", "uhd:", "soapy:")


@request_class
class ExtcapRequest(Request):
    """What Wireshark asks."""

    extcap_interfaces: Annotated[bool, Parameter(help="List the interfaces.")] = False
    extcap_dlts: Annotated[
        bool, Parameter(help="Tell the type of packets of an interface.")
    ] = False
    extcap_config: Annotated[
        bool, Parameter(help="List the settings of an interface.")
    ] = False
    capture: Annotated[bool, Parameter(help="Capture from an interface.")] = False
    extcap_interface: Annotated[
        str | None, Parameter(metavar="NAME", help="Interface.")
    ] = None
    extcap_version: Annotated[
        str | None, Parameter(metavar="VERSION", help="Version of Wireshark; not used.")
    ] = None
    extcap_capture_filter: Annotated[
        str | None, Parameter(metavar="FILTER", help="Capture filter; not used.")
    ] = None
    fifo: Annotated[
        Path | None, Parameter(metavar="FILE", help="Where packets are written.")
    ] = None
    source: Annotated[
        str | None,
        Parameter(
            help="Recording, or radio: zmq, zmq:ADDRESS, uhd:ARGS or soapy:ARGS."
        ),
    ] = None
    channel: Annotated[
        int | None,
        Parameter(help="Channel.", default_text="the one at the carrier frequency"),
    ] = None
    rate: Rate = None
    frequency: Carrier = None
    sample_format: Format = None
    gain: Gain = 30.0
    damaged: Damaged = False
    install: Annotated[
        Path | None,
        Parameter(
            metavar="DIR",
            help="Write the program that Wireshark starts into this directory.",
        ),
    ] = None


def answers(request: ExtcapRequest) -> Iterator[str]:
    """Yield the lines of an answer to all but --capture and --install.

    Raises
    ------
    MisuseError
        When there is no such interface.
    """
    if request.extcap_interfaces:
        yield f"extcap {{version={samara.__version__}}}"
        for each in protocols().values():
            yield f"interface {{value={PREFIX}{each.name}}}{{display={each.title}}}"
    elif request.extcap_dlts:
        number = int(_protocol(request).link_type)
        yield f"dlt {{number={number}}}{{name=USER}}{{display=Packets}}"
    elif request.extcap_config:
        yield from _settings(_protocol(request))
    else:
        message = (
            "expected one of --extcap-interfaces, --extcap-dlts, --extcap-config, "
            "--capture and --install"
        )
        raise MisuseError(message)


def _protocol(request: ExtcapRequest) -> Protocol:
    name = request.extcap_interface or ""
    if not name.startswith(PREFIX):
        message = f"unknown interface {name!r}: --extcap-interfaces lists all"
        raise MisuseError(message)
    return protocol_named(name[len(PREFIX) :])


def _settings(protocol: Protocol) -> Iterator[str]:
    settings = [
        ("source", "Radio or recording", "string", "required=true"),
        *([("channel", "Channel", "selector", "")] if protocol.channels else []),
        ("rate", "Sample rate, Hz", "string", ""),
        ("frequency", "Carrier frequency, Hz", "string", ""),
        ("format", "Sample format of a recording", "string", ""),
        ("gain", "Gain, dB", "double", "default=30"),
        ("damaged", "Keep damaged packets", "boolflag", ""),
    ]
    for number, (name, display, kind, more) in enumerate(settings):
        line = f"arg {{number={number}}}{{call=--{name}}}{{display={display}}}"
        yield f"{line}{{type={kind}}}" + (f"{{{more}}}" if more else "")
        if name == "channel":
            for channel, hertz in protocol.channels.items():
                shown = f"{channel} ({hertz / 1e6:g} MHz)"
                yield f"value {{arg={number}}}{{value={channel}}}{{display={shown}}}"


def captured(request: ExtcapRequest) -> tuple[SniffRequest, Path]:
    """Return what is to be captured, and where packets are written.

    Raises
    ------
    MisuseError
        When interface, pipe or source is missing.
    """
    protocol = _protocol(request)
    if request.fifo is None or not request.source:
        message = "--capture needs --fifo FILE and --source, a radio or a recording"
        raise MisuseError(message)
    is_radio = request.source.startswith(_RADIOS)
    asked = SniffRequest(
        recording=None if is_radio else Path(request.source),
        radio=request.source if is_radio else None,
        protocol=protocol.name,
        channels=() if request.channel is None else (request.channel,),
        rate=request.rate,
        frequency=request.frequency,
        sample_format=request.sample_format,
        gain=request.gain,
        damaged=request.damaged,
    )
    return asked, request.fifo


def installed(folder: Path) -> Path:
    """Write the program that Wireshark starts, and return its path.

    Raises
    ------
    MisuseError
        When it cannot be written.
    """
    program = folder / _PROGRAM
    python = shlex.quote(sys.executable)
    try:
        program.write_text(
            f'#!/bin/sh\nexec {python} -m samara.cli extcap "$@"\n', "utf-8"
        )
        program.chmod(0o755)
    except OSError as error:
        message = f"{program} cannot be written: {error.strerror or error}"
        raise MisuseError(message) from None
    return program
