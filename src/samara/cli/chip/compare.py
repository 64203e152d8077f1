# SPDX-License-Identifier: Apache-2.0
"""`samara chip compare`: a message on the core and on microcontrollers."""

from typing import Annotated

import typer

from samara.chip import comparing, feeding
from samara.chip.comparing import Answer, Cost
from samara.chip.design import AXI, WRAPPERS
from samara.chip.feeding import Feed
from samara.chip.frequency import text_of
from samara.cli.chip.power import frequency
from samara.cli.chip.report import Stores, read_rows
from samara.cli.completion import one_of
from samara.cli.json_lines import Json, print_json
from samara.cli.outcome import MisuseError, note
from samara.cli.tables import Wide, console, print_figures, print_text
from samara.figure import Figure
from samara.records.tables import (
    NOT_YET,
    NOTHING,
    Cell,
    Column,
    Row,
    Table,
    label,
    number,
    significant,
    words,
)

_MAX_BYTES = 1 << 20

_COLUMNS = (
    label("core or device", rank=0),
    label("library or build", rank=2),
    Column("clock", "MHz", rank=3),
    Column("core", "GE", rank=1),
    Column("wrapper adds", "GE", rank=1),
    Column("cycles"),
    Column("host cycles", rank=1),
    Column("time", "µs"),
    Column("energy", "nJ", rank=0),
    Column("times the least", rank=1),
)


def compare_(
    *,
    message: Annotated[
        int,
        typer.Option(
            "--message",
            metavar="BYTES",
            min=0,
            max=_MAX_BYTES,
            help="Size of the message. Devices are shown if the bench has measured it.",
        ),
    ] = 64,
    clock: Annotated[
        str,
        typer.Option(
            "--clock", metavar="FREQUENCY", help="Clock of the cores, such as 10MHz."
        ),
    ] = "10MHz",
    wrapper: Annotated[
        str,
        typer.Option(
            "--wrapper",
            metavar="WRAPPER",
            autocompletion=one_of(lambda: list(WRAPPERS)),
            help="What the host reaches a core through: axi (registers and streams) or"
            " spi (a serial port, N = 1 to 16).",
        ),
    ] = AXI,
    where: Stores = None,
    as_json: Json = False,
    wide: Wide = False,
) -> None:
    """Show what it costs to seal a message: cores beside microcontrollers.

    Cores are those with results of `samara chip power`; devices those of `samara
    bench`, each with the build of Grain-128AEAD that needs the least energy. Energy
    of a device is that of its processor while it computes; of a core that of its
    gates alone, without layout, memory, bus and wrapper. Beside it stand the area that
    the wrapper adds, and the cycles of a host of 32 bits that puts the message into the
    core and takes the answer: 4 for each of 9 register accesses and 6 for each beat of
    data, which are assumed. A core is left out if its netlist does not reach the clock.

    Below the table, the best core stands beside the best device of each kind of
    processor: by which factor its gates are cheaper, how often messages must come if it
    stays powered and leaks, and what is left of the factor if that device is its host
    and feeds it.

    \b
    Examples:
      samara chip compare
      samara chip compare --message 16 --clock 100kHz
      samara chip compare --wrapper spi
    """
    hertz = frequency(clock)
    _check(wrapper)
    rows = read_rows(where)
    powers, too_slow = comparing.at_clock(rows, hertz)
    found = comparing.compare(powers, hertz, message, rows=rows, top=wrapper)
    if too_slow:
        note(
            f"{len(too_slow)} of {len(powers) + len(too_slow)} netlists are left out:"
            f" they do not reach {text_of(hertz)}"
        )
    if not found:
        text = (
            f"there are no results for {message} bytes: run samara chip power, and"
            f" samara bench run --suite {comparing.SUITE} --message {message}"
        )
        raise MisuseError(text)
    if not any(cost.family for cost in found):
        note(f"the bench has no results for {message} bytes: only cores are shown")
    if as_json:
        _print_objects(found, message, wrapper)
    else:
        _print(found, message, wide=wide)
        _print_answers(found)


def _check(wrapper: str) -> None:
    if wrapper not in WRAPPERS:
        message = f"--wrapper {wrapper} is unknown: use {' or '.join(WRAPPERS)}"
        raise MisuseError(message)


def _print_objects(found: list[Cost], message_bytes: int, wrapper: str) -> None:
    for cost in found:
        print_json("chip_cost", _fields(cost, message_bytes))
    for answer in comparing.answers(found):
        fields = {"core": answer.core.name, "device": answer.device.name}
        figures = {"ratio": answer.ratio, "break_even": answer.break_even}
        fed = {"host_cycles": answer.host_cycles, "ratio_fed": answer.fed_ratio}
        print_json("chip_answer", {**fields, **figures, "wrapper": wrapper, **fed})


def _print_answers(found: list[Cost]) -> None:
    for answer in comparing.answers(found):
        print_text(console(), f"{_sentence(answer)}{_fed(answer)}")
    if any(cost.feed for cost in found):
        print_text(console(), f"Host cycles are {feeding.ASSUMPTION}.")


def _fed(answer: Answer) -> str:
    """Return what is left if the device has to feed the core."""
    cycles, ratio = answer.host_cycles, answer.fed_ratio
    if cycles is None or ratio is None or answer.core.feed is None:
        return ""
    return (
        f" With the {cycles.value:,.0f} cycles in which {answer.device.name} feeds it"
        f" through the {answer.core.feed.top} wrapper, the factor is"
        f" {_rounded(ratio.value)}."
    )


def _sentence(answer: Answer) -> str:
    """Return whether a gate is cheaper than an instruction, and until when."""
    core, device, ratio = answer.core, answer.device, answer.ratio.value
    of = f"{core.name} ({core.where}, {core.clock_hz / 1e6:g} MHz) beside {device.name}"
    if ratio <= 1:
        return (
            "An instruction is cheaper than a gate by a factor of"
            f" {_rounded(1 / ratio)}: {of}."
        )
    told = (
        f"A gate is cheaper than an instruction by a factor of {_rounded(ratio)}: {of}."
    )
    if answer.break_even is None:
        return told
    return (
        f"{told} If the core stays powered, this holds for messages less than"
        f" {_rounded(answer.break_even.value)} s apart."
    )


def _rounded(value: float) -> str:
    return f"{float(f'{value:.3g}'):,.10g}"


def _fields(cost: Cost, message_bytes: int) -> dict[str, object]:
    return {
        "name": cost.name,
        "where": cost.where,
        "message_bytes": message_bytes,
        "clock_hz": cost.clock_hz,
        "cycles": cost.cycles,
        "time": cost.time,
        "energy": cost.energy,
        "area": cost.area,
        "wrapper_area": cost.wrapper,
        **_fed_fields(cost.feed),
    }


def _fed_fields(feed: Feed | None) -> dict[str, object]:
    if feed is None:
        names = ("wrapper", "accesses", "beats", "port_bytes", "host_cycles")
        return dict.fromkeys(names)
    return {
        "wrapper": feed.top,
        "accesses": feed.accesses,
        "beats": feed.beats,
        "port_bytes": feed.port_bytes,
        "host_cycles": feed.figure(),
    }


def _number(cost: Cost, figure: Figure | None) -> Cell:
    """Return the cell of a figure that devices do not have."""
    if figure is None:
        return NOTHING if cost.family else NOT_YET
    return number(figure.value, figure.origin)


def _print(found: list[Cost], message_bytes: int, *, wide: bool) -> None:
    least = found[0].energy
    table = Table(
        slug="chip-compare",
        title=f"Sealing {message_bytes} bytes with Grain-128AEAD",
        columns=_COLUMNS,
        rows=[
            Row(
                (
                    words(cost.name),
                    words(cost.where),
                    words(f"{cost.clock_hz / 1e6:g}"),
                    _number(cost, cost.area),
                    _number(cost, cost.wrapper),
                    number(cost.cycles.value, cost.cycles.origin),
                    _number(cost, cost.feed.figure() if cost.feed else None),
                    significant(cost.time.value * 1e6, cost.time.origin),
                    significant(cost.energy.value * 1e9, cost.energy.origin),
                    significant(cost.energy.value / least.value, cost.energy.origin),
                )
            )
            for cost in found
        ],
    )
    print_figures(table, console(), wide=wide)
