# SPDX-License-Identifier: Apache-2.0
"""Which project of firmware is to be made, before anything is written."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import samara
from samara import crypto
from samara.bench.ways import OPTIMISATIONS
from samara.errors import MisuseError
from samara.firmware.ends import words_of_other_end
from samara.firmware.project import SERIAL, filled, words_of
from samara.firmware.templates import (
    RECEIVER,
    SENSOR,
    build_names,
    device_names,
    link_names,
    target,
)
from samara.link.node.advice import options_of_advice, read_advice
from samara.records import Between, Parameter, Request, request_class
from samara.units import SECONDS

if TYPE_CHECKING:
    from collections.abc import Mapping

    from samara.bench.devices import Device
    from samara.firmware.templates import Build, Family, Role

_DEVICE, _BUILD, _OPT = "atmega328p", "make", "Os"
_SUITES = {SERIAL: "aes128-ccm-8"}
_CIPHER = "aes128"
"""Suite of the other links, whose frames tell the size of the tag."""
_PACKET_SIZE = 12
_NAME = re.compile(r"[A-Za-z][A-Za-z0-9_-]*")
# Bytes of a unit beside its message: what nodes tell, counter, tag, header and size.
_OVERHEAD = 8 + 4 + 16 + 3


@request_class
class NewRequest(Request):
    """A project that is to be made."""

    CHANGES = "files"

    project: Annotated[
        Path,
        Parameter(
            metavar="DIR",
            help="New directory; its last part is the name of the project.",
            is_argument=True,
        ),
    ]
    advise: Annotated[
        Path | None,
        Parameter(
            metavar="FILE",
            help="Take device, link, suite and optimisation that `samara advise --json`"
            " recommended and that FILE contains. - reads stdin.",
        ),
    ] = None
    device: Annotated[
        str | None,
        Parameter(
            help="Device of the board.",
            names=device_names,
            default_text=f"{_DEVICE}; with --link ieee802154 one with such a radio",
        ),
    ] = None
    link: Annotated[
        str | None,
        Parameter(
            metavar="LINK",
            help="Kind of link: rf-serial, by a radio at a serial port, or"
            " ieee802154, by the radio of the chip.",
            default_text=SERIAL,
        ),
    ] = None
    suite: Annotated[
        str | None,
        Parameter(
            help="Suite that seals messages; it must authenticate.",
            default_text=f"{_SUITES[SERIAL]}, in frames {_CIPHER}",
        ),
    ] = None
    build: Annotated[
        str, Parameter(help="What builds the project.", names=build_names)
    ] = _BUILD
    receiver: Annotated[
        Path | None,
        Parameter(
            metavar="DIR",
            help="New directory of a second project: a board that receives, in place of"
            " a node of this machine.",
        ),
    ] = None
    interval_s: Annotated[
        float,
        Parameter(
            name="interval",
            help="Time between two messages, in whole sleeps of half a second.",
            unit=SECONDS,
            values=Between(0.5, 30_000),
        ),
    ] = 1.0


@dataclass(frozen=True, slots=True)
class Plan:
    """A project before anything is written."""

    name: str
    device: Device
    family: Family
    build: Build
    link: str
    options: Mapping[str, Any]
    """Options of the link."""
    opt: str
    interval_s: float
    role: str = SENSOR
    other: str | None = None
    """Name of the project of the board at the other end, beside this one."""
    notes: tuple[str, ...] = ()

    @property
    def suite(self) -> str:
        """Suite as the link names it: a slug, or a cipher whose tag frames tell."""
        name = str(self.options["suite"])
        return crypto.suite(name).slug if self.link == SERIAL else name

    @property
    def kind(self) -> Role:
        """What the board is in its link."""
        return self.family.roles[self.link][self.role]

    @property
    def packet_size(self) -> int:
        """Bytes of a packet of the modem."""
        return int(self.options.get("packet_size", _PACKET_SIZE))

    def words(self) -> dict[str, Any]:
        """Return what stands for the words of templates."""
        # Whole packets, and as much again that the fill of a unit may take.
        packets = -(-(self.family.longest_message + _OVERHEAD) // self.packet_size)
        made = words_of(self.name, self.device, self.family, self.kind) | {
            "OPT": self.opt,
            "SUITE": self.suite,
            "LINK": self.link,
            "BUILD": self.build.title,
            "CODE": self.build.code,
            "VERSION": samara.__version__,
            "PACKET_SIZE": self.packet_size,
            "UNIT_SIZE": (packets + 1) * self.packet_size,
            "LINK_SOURCES": self.link.replace("-", ""),
            "SLEEPS": max(round(self.interval_s / self.family.sleep_s), 1),
        }
        more = (("FLASH", self.build.flash), *words_of_other_end(self.other))
        return made | {name: filled(text, made) for name, text in more}


def check_beside(folder: Path, receiver: Path) -> None:
    """Refuse a receiver in another place than beside the sensor."""
    if folder.absolute() == receiver.absolute():
        message = f"{folder} was given twice: each board has its own project"
        raise MisuseError(message)
    if folder.absolute().parent != receiver.absolute().parent:
        message = f"{receiver} is not beside {folder}: give a directory that is"
        raise MisuseError(message)


def check_place(folder: Path) -> None:
    """Refuse a directory that cannot be made, or whose name no project can have."""
    if not _NAME.fullmatch(folder.name):
        message = (
            f"{folder.name!r} is no name of a project: expected a letter, then letters,"
            " digits, - and _"
        )
        raise MisuseError(message)
    if folder.exists() or folder.is_symlink():
        message = f"{folder} exists: give the name of a new directory"
        raise MisuseError(message)
    if not folder.parent.is_dir():
        message = f"there is no directory {folder.parent}"
        raise MisuseError(message)


def plans_of(request: NewRequest) -> list[Plan]:
    """Return what is to be made: a sensor, and the receiver if there is to be one.

    Raises
    ------
    MisuseError
        When there can be no such project.
    """
    plan = _planned(request)
    if request.receiver is None:
        return [plan]
    if RECEIVER not in plan.family.roles[plan.link]:
        message = (
            f"there is no receiver for {plan.device.name} over {plan.link}: take --link"
            f" {SERIAL} and --device {', '.join(device_names(RECEIVER))}"
        )
        raise MisuseError(message)
    name = request.receiver.name
    other = replace(plan, name=name, role=RECEIVER, other=plan.name, notes=())
    return [replace(plan, other=name), other]


def _planned(request: NewRequest) -> Plan:
    """Return what is to be made of the project of a sensor.

    Raises
    ------
    MisuseError
        When there can be no such project.
    """
    given = {} if request.suite is None else {"suite": request.suite}
    link, device_name, opt = request.link, request.device, _OPT
    notes: tuple[str, ...] = ()
    if request.advise is not None:
        answer = read_advice(request.advise)
        if device_name is not None:
            message = "--advise sets --device: give the one or the other"
            raise MisuseError(message)
        link, given = options_of_advice(answer, request.advise, link, given)
        device_name, best = str(answer["device"]), answer["recommended"]
        opt, notes = _checked_opt(best["opt"], request.advise), _notes_on_build(best)
    link = _checked_link(link or SERIAL)
    device, family = target(device_name or _device_of(link))
    if request.advise is not None and device.name != device_name:
        notes += (_note_on_device(str(device_name), device),)
    _check_row(device, family, link, request.build)
    return Plan(
        request.project.name,
        device,
        family,
        family.build(request.build),
        link,
        {"suite": _SUITES.get(link, _CIPHER), **given},
        opt,
        request.interval_s,
        notes=notes,
    )


def _device_of(link: str) -> str:
    """Return the default device of a link."""
    names = device_names(link=link)
    return _DEVICE if _DEVICE in names else names[0]


def _checked_opt(opt: str, path: Path) -> str:
    """Return an optimisation of an advice, which becomes a part of commands.

    Raises
    ------
    MisuseError
        When it is another text.
    """
    if opt not in OPTIMISATIONS:
        message = (
            f"{path} advises the optimisation {opt!r:.40}: expected one of"
            f" {', '.join(OPTIMISATIONS)}"
        )
        raise MisuseError(message)
    return opt


def _notes_on_build(best: Mapping[str, Any]) -> tuple[str, ...]:
    """Return what of an advice a project does not do."""
    if best["implementation"] == "assembly":
        return ()
    note = (
        f"the advice is for the build {best['implementation']}; the project takes"
        " assembly where the library has it"
    )
    return (note,)


def _note_on_device(device_of_advice: str, device: Device) -> str:
    """Return what is not as in an advice for a device with the same processor."""
    return (
        f"the advice is for {device_of_advice}; the board has its processor, and the"
        f" clock, memory and currents of {device.name}"
    )


def _checked_link(link: str) -> str:
    if link not in link_names():
        message = f"there is no project for {link}: take --link {SERIAL}"
        raise MisuseError(message)
    return link


def _check_row(device: Device, family: Family, link: str, build: str) -> None:
    """Refuse a link that a device has no radio for, and a build that lacks it."""
    row = family.devices[device.name]
    if link not in row["links"]:
        message = (
            f"there is no driver for a radio of {link} at {device.name}: take --device"
            f" {', '.join(device_names(link=link))}, or --link {SERIAL}"
        )
        raise MisuseError(message)
    if build in family.builds() and build not in row["builds"]:
        message = (
            f"the build {build} does not know {device.name}: take --build"
            f" {' or '.join(row['builds'])}"
        )
        raise MisuseError(message)
