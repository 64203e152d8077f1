# SPDX-License-Identifier: Apache-2.0
"""What radios are plugged in, and what they can."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, ClassVar

from samara.extras import needed
from samara.link.ieee802154.air.zep import CHANNEL, CHANNELS
from samara.link.ieee802154.radios.place import MEDIUM, Place
from samara.link.node.options import SettingError
from samara.records import (
    Answer,
    Between,
    Field,
    Notice,
    Parameter,
    Record,
    Request,
    record_class,
    request_class,
)

if TYPE_CHECKING:
    from collections.abc import Iterator

# Vendor and product identifiers of USB: a hint to the user, who probes the port then.
# Typed from memory; no such device was here.
_KNOWN = {
    (0x1915, 0xCAFE): "OpenThread RCP of Nordic's SDK",
    (0x1915, 0x521F): "nRF52840 dongle in its bootloader: no firmware is on it",
    (0x303A, 0x1001): "ESP32 with USB (C6 and H2 have a radio of IEEE 802.15.4)",
    (0x10C4, 0xEA60): "CP210x, as on dongles with EFR32 and CC2652",
}


@record_class
class SerialRadio(Record):
    """A serial port at which there may be a radio."""

    port: Annotated[str, Field("The port.", heading="port", rank=0)]
    description: Annotated[
        str, Field("What the device says it is.", heading="device", rank=0)
    ]
    usb: Annotated[
        str | None,
        Field("Vendor and product of USB, in hex; null: no USB device.", heading="USB"),
    ]
    known_as: Annotated[
        str | None,
        Field(
            "What such devices are, as far as samara knows; null: not known.",
            heading="known as",
            rank=1,
        ),
    ]


@record_class
class RadioAbout(Record):
    """What a radio co-processor says of itself."""

    port: Annotated[str, Field("The port.", heading="port", rank=0)]
    firmware: Annotated[str, Field("Its firmware.", heading="firmware", rank=0)]
    spinel: Annotated[str, Field("Version of Spinel.", heading="Spinel", rank=0)]
    api: Annotated[
        int | None,
        Field("Version of the RCP's interface; null: not told.", heading="API", rank=0),
    ]
    address: Annotated[
        str, Field("Its extended address, in hex.", heading="address", rank=0)
    ]
    channel: Annotated[int, Field("Channel on which it listened.", heading="channel")]
    frames: Annotated[
        int, Field("Frames that it heard meanwhile.", heading="frames heard", rank=0)
    ]


@request_class
class ListRequest(Request):
    """Nothing is asked for."""


@request_class
class ProbeRequest(Request):
    """A radio, and how long it listens."""

    CHANGES: ClassVar[str] = "what a radio does: it is reset"

    radio: Annotated[
        str,
        Parameter(
            metavar="RADIO",
            help="Radio, such as spinel:/dev/ttyACM0.",
            is_argument=True,
        ),
    ]
    channel: Annotated[
        int, Parameter(help="Channel to listen on.", values=CHANNELS)
    ] = CHANNEL
    seconds: Annotated[
        float,
        Parameter(
            metavar="SECONDS",
            help="How long it listens, in seconds.",
            values=Between(0, 60),
        ),
    ] = 1.0


def list_radios(request: ListRequest) -> Answer[SerialRadio]:
    """Yield the serial ports of this machine, those that are known first."""
    del request
    found = sorted(_ports(), key=lambda each: (each.known_as is None, each.port))
    yield from found
    if not found:
        yield Notice("no serial port is plugged in")


def _ports() -> Iterator[SerialRadio]:
    with needed("serial"):
        from serial.tools import list_ports  # noqa: PLC0415 - late
    for port in list_ports.comports():
        known = None if port.vid is None else _KNOWN.get((port.vid, port.pid))
        usb = None if port.vid is None else f"{port.vid:04x}:{port.pid:04x}"
        yield SerialRadio(port.device, port.description or "", usb, known)


def probe(request: ProbeRequest) -> Answer[RadioAbout]:
    """Ask a radio what it is, and listen for a while.

    Raises
    ------
    MisuseError
        When there is no radio, or it does not speak Spinel.
    """
    place = Place.parse(request.radio)
    if place.kind == MEDIUM:
        message = "the medium is no radio: give one such as spinel:/dev/ttyACM0"
        raise SettingError(message)
    from samara.link.ieee802154.radios.spinel_radio import (  # noqa: PLC0415 - late
        SpinelRadio,
    )

    radio = SpinelRadio(place, request.channel)
    try:
        about, frames = radio.about, radio.count_heard(request.seconds)
    finally:
        radio.close()
    yield RadioAbout(
        place.port,
        about.firmware,
        "{}.{}".format(*about.protocol),
        about.api,
        about.address.hex(),
        request.channel,
        frames,
    )
