# SPDX-License-Identifier: Apache-2.0
"""What several requests to the bench have: devices, ciphers and ways to compile."""

from __future__ import annotations

from dataclasses import replace
from itertools import product
from typing import TYPE_CHECKING, Annotated, TypeAlias

from samara.bench import devices, sizes, subjects, ways
from samara.errors import MisuseError
from samara.records import Between, Notice, Parameter
from samara.units import BYTES

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from samara.bench.devices import Device
    from samara.bench.measuring import Task
    from samara.bench.subjects import Subject


def _device_names() -> list[str]:
    return devices.names()


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
_SUITE = Parameter(
    name="suite",
    metavar="SUITE",
    help="Suite such as aes128-ccm-8, or a block cipher alone such as aes128"
    " (repeatable).",
)
_OPT = Parameter(
    name="opt",
    metavar="OPT",
    help="Optimisation (repeatable).",
    values=ways.OPTIMISATIONS,
    names=lambda: ways.OPTIMISATIONS,
)
_MESSAGE = Parameter(
    name="message",
    help="Size of the message (repeatable).",
    unit=BYTES,
    values=Between(0),
)
_AD = Parameter(
    name="ad",
    help="Size of the associated data (repeatable).",
    unit=BYTES,
    values=Between(0),
)

SuiteNames: TypeAlias = Annotated[
    tuple[str, ...],
    replace(_SUITE, names=_subject_names, names_in_words="", default_text="all"),
]
Optimisations: TypeAlias = Annotated[tuple[str, ...], replace(_OPT, default_text="all")]
OneOptimisation: TypeAlias = Annotated[tuple[str, ...], _OPT]
"""For requests of which one is enough, as the next three: its default is not all."""
OneSuite: TypeAlias = Annotated[tuple[str, ...], _SUITE]
OneMessage: TypeAlias = Annotated[tuple[int, ...], _MESSAGE]
OneAd: TypeAlias = Annotated[tuple[int, ...], _AD]
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
Messages: TypeAlias = Annotated[
    tuple[int, ...], replace(_MESSAGE, default_text="a grid of sizes")
]
Ads: TypeAlias = Annotated[
    tuple[int, ...],
    replace(_AD, default_text="0 with --message, else a grid of sizes"),
]
Jobs: TypeAlias = Annotated[
    int | None,
    Parameter(
        metavar="N",
        help="Parallel processes.",
        values=Between(1),
        default_text="one for each processor",
    ),
]


def chosen_sizes(
    messages: Sequence[int], ads: Sequence[int]
) -> list[tuple[int, int]] | None:
    """Return the sizes that were asked for; None for the grid of each subject."""
    if not messages and not ads:
        return None
    return list(product(messages or sizes.MESSAGE_SIZES, ads or (0,)))


def only(tasks: Sequence[Task], implementations: Sequence[str]) -> list[Task]:
    """Return the tasks for these implementations; all when there are none.

    Raises
    ------
    MisuseError
        If an implementation is not known, or none of the tasks is for one of them.
    """
    chosen = chosen_implementations(implementations)
    found = [task for task in tasks if task.build.implementation in chosen]
    if tasks and not found:
        there = ", ".join(dict.fromkeys(task.build.implementation for task in tasks))
        message = (
            f"--implementation {' '.join(chosen)} selects nothing: the selected ciphers"
            f" and devices have {there}"
        )
        raise MisuseError(message)
    return found


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
