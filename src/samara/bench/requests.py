# SPDX-License-Identifier: Apache-2.0
"""What several requests to the bench have: devices, ciphers and ways to compile."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, TypeAlias

from samara.bench import devices, subjects, ways
from samara.errors import MisuseError
from samara.records import Notice, Parameter

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from samara.bench.devices import Device
    from samara.bench.subjects import Subject


def _device_names() -> list[str]:
    return [name for each in devices.devices() for name in (each.name, *each.chips)]


def _subject_names() -> list[str]:
    return [each.slug for each in subjects.subjects()]


DeviceNames: TypeAlias = Annotated[
    tuple[str, ...],
    Parameter(
        name="device",
        metavar="DEVICE",
        help="Device or chip, as `samara bench devices` lists them (repeatable).",
        names=_device_names,
        names_in_words="",
        default_text="all",
    ),
]
SuiteNames: TypeAlias = Annotated[
    tuple[str, ...],
    Parameter(
        name="suite",
        metavar="SUITE",
        help="Suite such as aes128-ccm-8, or a block cipher alone such as aes128"
        " (repeatable).",
        names=_subject_names,
        names_in_words="",
        default_text="all",
    ),
]
Optimisations: TypeAlias = Annotated[
    tuple[str, ...],
    Parameter(
        name="opt",
        metavar="OPT",
        help="Optimisation (repeatable).",
        values=ways.OPTIMISATIONS,
        names=lambda: ways.OPTIMISATIONS,
        default_text="all",
    ),
]
ImplementationNames: TypeAlias = Annotated[
    tuple[str, ...],
    Parameter(
        name="implementation",
        metavar="NAME",
        help="Implementation as results name it: portable (C), assembly, engine"
        " (repeatable).",
        names=ways.implementation_names,
        names_in_words="",
        default_text="all that a device has",
    ),
]


def chosen_devices(names: Iterable[str]) -> list[Device]:
    """Return the devices of these names; all when there are none.

    Raises
    ------
    samara.crypto.UnknownNameError
        If there is no such device or chip.
    """
    return [devices.device(name) for name in names] or devices.devices()


def notices(names: Iterable[str]) -> Iterator[Notice]:
    """Yield what to know of the figures of devices that were named by a chip."""
    for name in names:
        if text := devices.stands_for(name, devices.device(name)):
            yield Notice(text)


def chosen_subjects(names: Iterable[str]) -> list[Subject]:
    """Return what is measured under these names; everything when there are none.

    Raises
    ------
    samara.crypto.UnknownNameError
        If a name is neither a suite nor a block cipher.
    """
    return [subjects.subject(name) for name in names] or subjects.subjects()


def chosen_implementations(names: Sequence[str]) -> Sequence[str]:
    """Return the implementations of these names; all when there are none.

    Raises
    ------
    MisuseError
        If one is not known.
    """
    known = ways.implementation_names()
    for name in names:
        if name not in known:
            message = (
                f"--implementation {name} is unknown: use one of {', '.join(known)}"
            )
            raise MisuseError(message)
    return names or known
