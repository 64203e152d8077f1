# SPDX-License-Identifier: Apache-2.0
"""Measuring a cipher that is not part of samara, and keeping its name."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

from samara.bench import added, foreign, requests, running, store, subjects, ways
from samara.bench.added import Source
from samara.bench.requests import Ads, DeviceNames, Jobs, Messages, Optimisations
from samara.bench.result_record import ResultRecord  # noqa: TC001 - read at run time
from samara.bench.run import stored
from samara.errors import MisuseError
from samara.records import (
    Answer,
    Field,
    Notice,
    Parameter,
    Record,
    Refusal,
    Remark,
    Request,
    record_class,
    request_class,
)
from samara.records.paths import DIRECTORY, FILE


@request_class
class AddRequest(Request):
    """Where the cipher is, what judges its answers, and what is measured."""

    CHANGES = "results"

    folder: Annotated[
        Path,
        Parameter(
            name="path",
            metavar="PATH",
            help="Directory with the cipher.",
            is_argument=True,
        ),
    ]
    name: Annotated[
        str,
        Parameter(metavar="NAME", help="Name for `samara bench run` and `show`."),
    ]
    includes: Annotated[
        tuple[Path, ...],
        Parameter(
            name="include",
            metavar="DIR",
            help="Directory of more headers (repeatable).",
        ),
    ] = ()
    kat: Annotated[
        Path | None,
        Parameter(
            metavar="FILE",
            help="Known answers in the format of NIST's Lightweight Cryptography"
            " project.",
            values=FILE,
            default_text="LWC_AEAD_KAT_*.txt in PATH or its parent",
        ),
    ] = None
    reference: Annotated[
        Path | None,
        Parameter(
            metavar="DIR",
            help="Compare the answers with the C sources of this directory.",
            values=DIRECTORY,
            default_text="those of PATH",
        ),
    ] = None
    same_as: Annotated[
        str | None,
        Parameter(
            metavar="SUITE",
            help="Compare the answers with this suite or block cipher of samara.",
        ),
    ] = None
    replace: Annotated[
        bool,
        Parameter(help="Take NAME from another directory that has it."),
    ] = False
    devices: DeviceNames = ()
    messages: Messages = ()
    ads: Ads = ()
    opts: Optimisations = ()
    jobs: Jobs = None

    def source(self) -> Source:
        """Return where the cipher is, and what its answers are compared with.

        Raises
        ------
        MisuseError
            If two references are given.
        """
        if self.same_as and self.reference:
            message = "give --same-as or --reference, not both"
            raise MisuseError(message)
        return Source(
            folder=self.folder.resolve(),
            includes=tuple(folder.resolve() for folder in self.includes),
            same_as=self.same_as or "",
            reference=self.reference.resolve() if self.reference else None,
            kat=self.kat.resolve() if self.kat else None,
        )


@record_class
class AddedCipher(Record):
    """A cipher whose name is kept; the last line."""

    name: Annotated[str, Field("Name for `samara bench run` and `show`.")]
    compared_with: Annotated[str, Field("What its answers were compared with.")]


def add(request: AddRequest) -> Answer[ResultRecord | AddedCipher]:
    """Measure a cipher, and keep its name if a device could build and run it.

    Raises
    ------
    samara.bench.added.NotACipherError
        If the name or the directory cannot be used, or there is no reference.
    samara.crypto.UnknownNameError
        If a device or the reference is not known.
    MisuseError
        If two references are given.
    """
    yield from requests.notices(request.devices)
    source = request.source()
    cipher = added.check(request.name, source, replace_other=request.replace)
    for driver in foreign.drivers(source.folder):
        text = (
            f"{driver.name} is left out: it defines main, so it is a program that"
            " calls the cipher, not a part of it"
        )
        yield Notice(text, warns=True)
    tasks = running.plan(
        requests.chosen_devices(request.devices),
        [subjects.of_added(cipher)],
        requests.chosen_sizes(request.messages, request.ads),
        request.opts or ways.OPTIMISATIONS,
    )
    found = yield from stored(tasks, request.jobs, store.own())
    yield from found.refusals()
    if found.results:
        added.remember(cipher)
        yield AddedCipher(cipher.name, cipher.judge)
        yield Remark(f"{cipher.name} was compared with {cipher.judge}", is_line=True)
    else:
        yield Refusal(f"{cipher.name} is not kept: no device could build and run it")
