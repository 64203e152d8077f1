# SPDX-License-Identifier: Apache-2.0
"""What the energy model is asked about: a node and its link, described by names."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import field
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, TypeAlias

from samara.energy.coprocessor import check_tag, resolved_device
from samara.energy.link_macs import (
    assumed_macs,
    mac_of,
    mac_settings,
    macs_in_words,
)
from samara.energy.mac import mac
from samara.energy.mac_options import MacOptions, settings_of
from samara.energy.mac_radio import radio_of
from samara.energy.message_frames import frames_of_message
from samara.energy.own_parts import OwnParts, built_in_names, found_names, own_parts
from samara.energy.receipt_costs import radio_for
from samara.energy.scenario import Scenario
from samara.energy.security import Sealing
from samara.link.node.kinds import kinds, links_that_take
from samara.link.node.link_parameters import LinkOptions
from samara.records import Between, Notice, Parameter, Request, request_class
from samara.units import BYTES, CELSIUS, SECONDS

if TYPE_CHECKING:
    from collections.abc import Iterator

    from samara.link.node.options import Option

_USUAL_LINK = "ieee802154"
GROUP = "Options of the node"


def options_of_links(wanted: Callable[[Option], bool]) -> LinkOptions:
    """Return the wanted options of all kinds of link that have an energy model."""
    return LinkOptions(wanted, links=assumed_macs)


def named(rows: Callable[[], Sequence[Any]]) -> Callable[[], list[str]]:
    """Return a function that returns the names of rows of the catalogue."""
    return lambda: [each.name for each in rows()]


def part_names(kind: str) -> Callable[[], list[str]]:
    """Return a function that returns the names of built-in and found parts."""
    return lambda: [*built_in_names(kind), *found_names(kind)]


def battery_names() -> list[str]:
    """Return the names of all batteries and capacitors."""
    return [*part_names("battery")(), *part_names("capacitor")()]


def device_names() -> list[str]:
    """Return the names of all devices and chips."""
    return part_names("device")()


Interval: TypeAlias = Annotated[
    float,
    Parameter(
        name="interval",
        help="Time from one message of a node to its next.",
        unit=SECONDS,
        values=Between(0.001),
    ),
]
Draws: TypeAlias = Annotated[
    int,
    Parameter(
        help="Number of random draws from the tolerances.",
        values=Between(10, 1_000_000),
    ),
]
PartFiles: TypeAlias = Annotated[
    tuple[Path, ...],
    Parameter(
        group=GROUP,
        name="parts",
        help="File with your own radios, batteries, devices, settings of medium access "
        "or memories (repeatable). Files in samara-parts/ and in the configuration "
        "directory are found without it: see `samara energy parts`.",
        metavar="FILE",
        of_machine=True,
    ),
]
Device: TypeAlias = Annotated[
    str,
    Parameter(
        group=GROUP,
        help="Microcontroller: device or chip, as `samara bench devices` lists them; or"
        " a Grain-128 core beside one, HOST+CORE@LIBRARY@CLOCK, of which CORE alone is"
        " needed, such as grain-n8 (`samara chip cores` lists them; docs/energy.md).",
        metavar="DEVICE",
        names=device_names,
        names_in_words="",
    ),
]
RADIO = Parameter(
    group=GROUP,
    help="Transceiver.",
    metavar="RADIO",
    names=part_names("radio"),
    default_text="the one of the device or of the link",
)
MEDIUM_ACCESS = Parameter(
    group=GROUP,
    help="Medium access of the link.",
    metavar="NAME",
    names=part_names("mac"),
    names_in_words=macs_in_words,
    default_text="the first of the link",
)
Radio: TypeAlias = Annotated[str | None, RADIO]
MediumAccess: TypeAlias = Annotated[str | None, MEDIUM_ACCESS]


@request_class
class SenderRequest(Request):
    """A node that sends messages over a link, without its battery."""

    link: Annotated[
        str | None,
        Parameter(
            group=GROUP,
            help="Kind of link.",
            metavar="LINK",
            names=assumed_macs,
            default_text="the one that --radio is usual for and that takes the options"
            f" of a link that are given, {_USUAL_LINK} first",
        ),
    ] = None
    message_bytes: Annotated[
        int,
        Parameter(
            group=GROUP,
            name="bytes",
            help="Size of a message.",
            unit=BYTES,
            values=Between(0, 1 << 20),
        ),
    ] = 20
    parts: PartFiles = ()
    device: Device = "atmega128rfa1"
    radio: Radio = None
    mac: MediumAccess = None
    mac_options: Annotated[Mapping[str, Any], MacOptions()] = field(
        default_factory=dict
    )
    """Settings of the medium access that were given, by the names of their options."""
    sealing: Annotated[
        Sealing,
        Parameter(
            group=GROUP,
            help="How often a frame is sealed that the medium access repeats: once, or "
            "every-copy, each with a frame counter of its own.",
        ),
    ] = Sealing.ONCE
    open_before_filter: Annotated[
        bool,
        Parameter(
            group=GROUP,
            help="Open overheard frames too, before the address filter. Default: after "
            "it.",
        ),
    ] = False
    reserve: Annotated[
        int,
        Parameter(
            group=GROUP,
            help="Frame counters that one durable write reserves.",
            values=Between(1, 1 << 32),
        ),
    ] = 1000
    link_options: Annotated[
        Mapping[str, Any], options_of_links(lambda option: option.changes_receipt)
    ] = field(default_factory=dict)
    """Options of the kind of link that were given, by name."""

    @property
    def used_link(self) -> str:
        """The kind of link.

        Raises
        ------
        samara.crypto.UnknownNameError, MisuseError
            When there is no such radio, or it is not described in full.
        """
        if self.link is not None:
            return self.link
        usual = self.own.radio(self.radio).links.split() if self.radio else []
        likely = usual or [_USUAL_LINK, *assumed_macs()]
        takes = links_that_take(self.link_options)
        return next((each for each in likely if each in takes), likely[0])

    @property
    def used_options(self) -> Mapping[str, Any]:
        """The options of the link, with what the radio that was named stands for."""
        kind = kinds().get(self.used_link)
        of_radio = kind.options_of(self.radio) if kind and self.radio else {}
        return {**of_radio, **self.link_options}

    @property
    def own(self) -> OwnParts:
        """The parts of the user that names may mean.

        Raises
        ------
        MisuseError
            As `samara.energy.own_parts.own_parts`.
        """
        return own_parts(self.parts)

    def notices(self) -> Iterator[Notice]:
        """Yield what a user should know of the device that was named."""
        _, notice = self.own.resolved_device(self.device)
        if notice:
            yield Notice(notice)

    def scenario(self, link_options: Mapping[str, Any] | None = None) -> Scenario:
        """Return what the energy model takes.

        Parameters
        ----------
        link_options
            In place of the options of the link.

        Raises
        ------
        MisuseError
            When the link has no energy model, no radio is usual for it, the radio does
            not send what the medium access needs, nodes of the link cannot have the
            medium access, or that has no wake-up interval; when the device is a core
            that does not compute tags of this size.
        samara.crypto.UnknownNameError
            When there is no such device.
        """
        own, link = self.own, self.used_link
        measured, _ = resolved_device(own.measured_as(self.device))
        own_device, own_mac = own.device(self.device), own.mac(self.mac or "")
        device = own_device.name if own_device else measured
        used_mac = mac_of(link, own_mac.medium_access if own_mac else self.mac)
        given = self.used_options if link_options is None else link_options
        set_of_mac = {
            **mac_settings(link, used_mac, given),
            **settings_of(used_mac, self.mac_options),
        }
        of_file = own_mac.stated if own_mac else {}
        access = mac(used_mac, **{**of_file, **set_of_mac})
        frames = frames_of_message(link, self.message_bytes, given, access.own_frame)
        if frames.calls and (tag := given.get("tag_size")) is not None:
            check_tag(measured, tag)
        return Scenario(
            device=device,
            radio=radio_of(access, self.radio, self._usual_radio(measured), own),
            mac=own_mac.name if own_mac else used_mac,
            mac_settings=set_of_mac,
            **frames.described(),
            **self._supply(),
            sealing=self.sealing,
            opens_before_filter=self.open_before_filter,
            reserved=self.reserve,
            own=own,
        )

    def _usual_radio(self, device: str) -> str | None:
        """Return the radio that a device of the bench has where none is named."""
        return self.radio_of_link or radio_for(self.used_link, device)

    @property
    def radio_of_link(self) -> str | None:
        """The radio that options of the link name, such as that of a serial module."""
        kind = kinds().get(self.used_link)
        return kind.radio_of(self.link_options) if kind else None

    def _supply(self) -> dict[str, Any]:
        """Return the fields of the scenario that are about the battery."""
        return {}


@request_class
class NodeRequest(SenderRequest):
    """A node that sends messages over a link, and its battery."""

    battery: Annotated[
        str,
        Parameter(
            group=GROUP,
            help="Battery, or capacitor with a harvester.",
            metavar="NAME",
            names=battery_names,
        ),
    ] = "2xaa-alkaline"
    celsius: Annotated[
        float,
        Parameter(
            group=GROUP,
            help="Temperature of the battery.",
            unit=CELSIUS,
            values=Between(-60, 120),
        ),
    ] = 20.0

    def _supply(self) -> dict[str, Any]:
        return {"battery": self.battery, "celsius": self.celsius}
