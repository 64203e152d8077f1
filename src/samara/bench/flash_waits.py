# SPDX-License-Identifier: Apache-2.0
"""Wait states of flash memory, or FRAM: what they add to the cycles of ciphers.

The simulator runs the program, and counts by a model of the chip's flash memory how
long its instructions and constants are waited for. The chip's row of
devices/flash_waits.toml has wait states, lines and prefetch.
"""

from __future__ import annotations

from itertools import product
from typing import TYPE_CHECKING, Annotated, ClassVar

from samara.bench import building, devices, requests, running, toolchain
from samara.bench.flash import FlashWaits, flash_of
from samara.bench.measuring import Task, WrongAnswerError, measure, measure_in
from samara.bench.requests import (
    ImplementationNames,
    OneAd,
    OneMessage,
    OneOptimisation,
    OneSuite,
)
from samara.bench.simulators import CrashError, start_waiting
from samara.figure import Figure, Origin
from samara.records import (
    Answer,
    Between,
    Field,
    Notice,
    Parameter,
    Progress,
    Record,
    Refusal,
    Remark,
    Request,
    Title,
    record_class,
    request_class,
)
from samara.units import HERTZ

if TYPE_CHECKING:
    from collections.abc import Iterator

    from samara.bench.results import Result

_STATES_MAX = 15


@request_class
class WaitsRequest(Request):
    """Which chip, at which clock, and what it computes."""

    CHANGES = "builds"

    device: Annotated[
        str, Parameter(metavar="NAME", help="Chip, or board with such a chip.")
    ]
    clock_hz: Annotated[
        int | None,
        Parameter(
            name="clock",
            help="Clock of the processor in Hz.",
            unit=HERTZ,
            values=Between(1, 1_000_000_000),
            default_text="the highest of the chip",
        ),
    ] = None
    states: Annotated[
        int | None,
        Parameter(
            name="wait_states",
            metavar="N",
            help="Wait states, in place of those at the clock.",
            values=Between(0, _STATES_MAX),
            default_text="those at the clock",
        ),
    ] = None
    suites: OneSuite = ("aes128-ccm-8",)
    messages: OneMessage = (95,)
    ads: OneAd = (14,)
    opts: OneOptimisation = ("Os",)
    implementations: ImplementationNames = ()

    def waits(self) -> FlashWaits:
        """Return the chip's flash memory at the clock.

        Raises
        ------
        ArgumentError
            If the chip has no row, or the clock is too high.
        """
        flash = flash_of(self.device)
        _, states = flash.states[-1]
        if self.clock_hz is not None:
            states = flash.states_at(self.clock_hz / 1e6)
        return FlashWaits(flash, int(states) if self.states is None else self.states)

    def tasks(self) -> list[Task]:
        """Return what is measured.

        Raises
        ------
        samara.crypto.UnknownNameError
            If a device or suite is not known.
        MisuseError
            If nothing is selected.
        """
        planned = running.plan(
            [devices.device(self.device)],
            requests.chosen_subjects(self.suites),
            list(product(self.messages, self.ads)),
            self.opts,
        )
        return requests.only(planned, self.implementations)


@record_class
class WaitsCount(Record):
    """Cycles of an operation without and with the wait states of flash memory."""

    TYPE: ClassVar[str] = "waits"

    device: Annotated[str, Field("Chip or board.")]
    wait_states: Annotated[int, Field("Wait states of its flash memory.")]
    suite: Annotated[str, Field("Suite or block cipher.", heading="suite", rank=0)]
    implementation: Annotated[
        str, Field("`portable` (C), or that of core/arch.", heading="implementation")
    ]
    opt: Annotated[str, Field("Optimisation of the compiler.", heading="opt")]
    message_bytes: Annotated[
        int, Field("Size of the message.", heading="message", unit="byte")
    ]
    ad_bytes: Annotated[
        int, Field("Size of the associated data.", heading="ad", unit="byte")
    ]
    operation: Annotated[
        str, Field("`set_up`, `seal` and others.", heading="operation", rank=0)
    ]
    without: Annotated[
        Figure, Field("Without wait states.", heading="0 waits", own_unit="cycle")
    ]
    waiting: Annotated[
        Figure, Field("With wait states.", heading="waits", own_unit="cycle")
    ]
    times: Annotated[
        float | None,
        Field("With over without; none of 0 cycles.", heading="times"),
    ]


def waits(request: WaitsRequest) -> Answer[WaitsCount]:
    """Measure ciphers without and with the wait states of a chip's flash memory.

    Raises
    ------
    samara.crypto.UnknownNameError, MisuseError
        As `WaitsRequest.waits` and `WaitsRequest.tasks`.
    """
    at = request.waits()
    tasks = request.tasks()
    yield from requests.notices([request.device])
    doubt = "" if at.flash.checked else "; not all of it was checked"
    yield Notice(f"{at.flash.title} ({at.flash.source}{doubt})")
    yield Title(
        f"{request.device}, {at.states} wait states", "", "Nothing was measured."
    )
    for done, task in enumerate(tasks):
        yield Progress(done / len(tasks), f"measuring {done + 1} of {len(tasks)}")
        try:
            yield from _of_task(request, at, task)
        except (CrashError, WrongAnswerError, toolchain.BuildError) as error:
            yield Refusal(f"{task.subject.slug}: {error}")
    yield Remark(
        "A model, not the chip: one wait for each line of instructions or constants"
        " that is not at hand, and cycles by the processor's manual."
    )


def _of_task(
    request: WaitsRequest, at: FlashWaits, task: Task
) -> Iterator[WaitsCount | Refusal]:
    once = Task(task.build, task.subject, task.sizes, 1)
    device = task.build.device
    program = building.build(task.build, task.subject)
    image = program.image.path
    waiting = measure_in(once, program, lambda: start_waiting(device, image, at))
    for plain, late in zip(measure(once), waiting, strict=True):
        if plain.has_figures:
            yield from _counts(request, at, plain, late)
        else:
            yield Refusal(f"{task.subject.slug}: {plain.problem}")


def _counts(
    request: WaitsRequest, at: FlashWaits, plain: Result, late: Result
) -> Iterator[WaitsCount]:
    origin = Origin.ESTIMATED if at.flash.checked else Origin.ASSUMED
    for verb in plain.verbs:
        without, waiting = plain.cycles_of(verb), late.cycles_of(verb)
        yield WaitsCount(
            device=request.device,
            wait_states=at.states,
            suite=plain.suite,
            implementation=plain.implementation,
            opt=plain.opt,
            message_bytes=plain.message_bytes,
            ad_bytes=plain.ad_bytes,
            operation=verb,
            without=Figure(without, "cycle", plain.origin, "the simulator"),
            waiting=Figure(waiting, "cycle", origin, at.flash.source),
            times=waiting / without if without else None,
        )
