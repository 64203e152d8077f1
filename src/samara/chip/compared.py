# SPDX-License-Identifier: Apache-2.0
"""What it costs to seal a message, on cores and on microcontrollers, as records."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

from samara.chip import comparing, feeding, results
from samara.chip.design import AXI, WRAPPERS
from samara.chip.frequency import clock_of, text_of
from samara.chip.requests import Stores
from samara.errors import MisuseError
from samara.figure import Figure, weakest
from samara.records import (
    Answer,
    Between,
    Field,
    Notice,
    Parameter,
    Record,
    Remark,
    Request,
    Title,
    record_class,
    request_class,
)
from samara.units import BYTES

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from samara.chip.comparing import Cost

_MAX_BYTES = 1 << 20


@request_class
class CompareRequest(Request):
    """What it costs to seal a message on cores, beside microcontrollers."""

    message_bytes: Annotated[
        int,
        Parameter(
            name="message",
            help="Size of the message. Devices are shown if the bench has measured it.",
            unit=BYTES,
            values=Between(0, _MAX_BYTES),
        ),
    ] = 64
    clock: Annotated[
        str,
        Parameter(metavar="FREQUENCY", help="Clock of the cores, such as 10MHz."),
    ] = "10MHz"
    wrapper: Annotated[
        str,
        Parameter(
            metavar="WRAPPER",
            help="What the host reaches a core through: axi (registers and streams) or"
            " spi (a serial port, N = 1 to 16).",
            values=tuple(WRAPPERS),
            names=lambda: tuple(WRAPPERS),
            names_in_words="",
        ),
    ] = AXI
    stores: Stores = ()


@record_class
class ChipCost(Record):
    """What sealing a message costs on a core or on a device; the least energy first."""

    name: Annotated[str, Field("Core or device.", heading="core or device", rank=0)]
    where: Annotated[
        str,
        Field(
            "Library of the core, or build of the software.",
            heading="library or build",
            rank=2,
        ),
    ]
    message_bytes: Annotated[int, Field("Size of the message.", unit="byte")]
    clock_hz: Annotated[
        float,
        Field("Clock.", heading="clock", own_unit="Hz", unit="MHz", rank=3, exact=True),
    ]
    cycles: Annotated[Figure, Field("Cycles.", heading="cycles", exact=True)]
    time: Annotated[Figure, Field("Time.", heading="time", unit="\N{MICRO SIGN}s")]
    energy: Annotated[
        Figure,
        Field("Energy of core or processor.", heading="energy", unit="nJ", rank=0),
    ]
    times_least: Annotated[
        Figure,
        Field(
            "Energy over the least in the answer.",
            heading="times the least",
            in_json=False,
        ),
    ]
    area: Annotated[
        Figure | None,
        Field("Of a core: its area, if there is a result.", heading="core", unit="GE"),
    ]
    wrapper_area: Annotated[
        Figure | None,
        Field("Of a core: what the wrapper adds.", heading="wrapper adds", unit="GE"),
    ]
    wrapper: Annotated[
        str | None, Field("Of a core: what a host reaches it through, if it has that.")
    ]
    accesses: Annotated[
        int | None, Field("Of a core: accesses to its registers of 32 bits.")
    ]
    beats: Annotated[int | None, Field("Of a core: beats of both streams.")]
    port_bytes: Annotated[
        int | None, Field("Of a core: bytes through the serial port.")
    ]
    host_cycles: Annotated[
        Figure | None,
        Field(
            "Of a core: cycles of a host of 32 bits that feeds it.",
            heading="host cycles",
            exact=True,
        ),
    ]


@record_class
class ChipAnswer(Record):
    """The best core beside the best device of a kind of processor, behind the costs."""

    core: Annotated[str, Field("Core with the least energy.")]
    device: Annotated[str, Field("Device with the least energy of its kind.")]
    ratio: Annotated[
        Figure, Field("Energy of the device over that of the core.", unit="1")
    ]
    break_even: Annotated[
        Figure | None,
        Field(
            "Time from message to message at which a core that stays powered costs as"
            " much; `null` if it does not leak.",
            unit="s",
        ),
    ]
    wrapper: Annotated[str, Field("What the host reaches the core through.")]
    host_cycles: Annotated[
        Figure | None, Field("Of this device, if it feeds the core.", unit="cycle")
    ]
    ratio_fed: Annotated[
        Figure | None,
        Field(
            "`ratio` with the energy of these cycles beside that of the core.", unit="1"
        ),
    ]


def compare_costs(request: CompareRequest) -> Answer[ChipCost | ChipAnswer]:
    """Yield costs, the least energy first, then a core beside each kind of processor.

    Raises
    ------
    MisuseError
        If there is no such clock, or nothing has been measured.
    """
    hertz, size = clock_of(request.clock), request.message_bytes
    rows = results.read(*(request.stores or (results.committed(), results.own())))
    if stale := results.stale_in_words(rows):
        yield Notice(stale, warns=True)
    powers, too_slow = comparing.at_clock(rows, hertz)
    if too_slow:
        yield Notice(
            f"{len(too_slow)} of {len(powers) + len(too_slow)} netlists are left out:"
            f" they do not reach {text_of(hertz)}"
        )
    found = comparing.compare(powers, hertz, size, rows=rows, top=request.wrapper)
    yield from _notices(found, size)
    yield Title(f"Sealing {size} bytes with Grain-128AEAD")
    for cost in found:
        yield _cost(cost, size, found[0])
    yield from _answers(found, request.wrapper)


def _notices(found: Sequence[Cost], message_bytes: int) -> Iterator[Notice]:
    """Yield what is missing.

    Raises
    ------
    MisuseError
        If that is everything.
    """
    if not found:
        text = (
            f"there are no results for {message_bytes} bytes: run samara chip power,"
            f" and samara bench run --suite {comparing.SUITE} --message {message_bytes}"
        )
        raise MisuseError(text)
    if not any(cost.family for cost in found):
        yield Notice(
            f"the bench has no results for {message_bytes} bytes: only cores are shown"
        )


def _cost(cost: Cost, message_bytes: int, least: Cost) -> ChipCost:
    feed = cost.feed
    times = Figure(
        cost.energy.value / least.energy.value,
        "1",
        weakest(cost.energy.origin, least.energy.origin),
        f"energy over that of {least.name}",
    )
    return ChipCost(
        name=cost.name,
        where=cost.realisation,
        message_bytes=message_bytes,
        clock_hz=cost.clock_hz,
        cycles=cost.cycles,
        time=cost.time,
        energy=cost.energy,
        times_least=times,
        area=cost.area,
        wrapper_area=cost.wrapper,
        wrapper=None if feed is None else feed.top,
        accesses=None if feed is None else feed.accesses,
        beats=None if feed is None else feed.beats,
        port_bytes=None if feed is None else feed.port_bytes,
        host_cycles=None if feed is None else feed.figure(),
    )


def _answers(found: Sequence[Cost], wrapper: str) -> Iterator[ChipAnswer | Remark]:
    for each in comparing.answers(found):
        yield ChipAnswer(
            core=each.core.name,
            device=each.device.name,
            ratio=each.ratio,
            break_even=each.break_even,
            wrapper=wrapper,
            host_cycles=each.host_cycles,
            ratio_fed=each.fed_ratio,
        )
        yield Remark(f"{_sentence(each)}{_fed(each)}")
    if any(cost.feed for cost in found):
        yield Remark(f"Host cycles are {feeding.ASSUMPTION}.")


def _fed(answer: comparing.Answer) -> str:
    """Return what is left if the device has to feed the core."""
    cycles, ratio = answer.host_cycles, answer.fed_ratio
    if cycles is None or ratio is None or answer.core.feed is None:
        return ""
    return (
        f" With the {cycles.value:,.0f} cycles in which {answer.device.name} feeds it"
        f" through the {answer.core.feed.top} wrapper, the factor is"
        f" {_rounded(ratio.value)}."
    )


def _sentence(answer: comparing.Answer) -> str:
    """Return whether a gate is cheaper than an instruction, and until when."""
    core, device, ratio = answer.core, answer.device, answer.ratio.value
    clock = f"{core.clock_hz / 1e6:g} MHz"
    of = f"{core.name} ({core.realisation}, {clock}) beside {device.name}"
    if ratio <= 1:
        return (
            "An instruction is cheaper than a gate by a factor of"
            f" {_rounded(1 / ratio)}: {of}."
        )
    sentence = (
        f"A gate is cheaper than an instruction by a factor of {_rounded(ratio)}: {of}."
    )
    if answer.break_even is None:
        return sentence
    return (
        f"{sentence} If the core stays powered, this holds for messages less than"
        f" {_rounded(answer.break_even.value)} s apart."
    )


def _rounded(value: float) -> str:
    return f"{float(f'{value:.3g}'):,.10g}"
