# SPDX-License-Identifier: Apache-2.0
"""`samara chip compare`: a message on the core and on microcontrollers."""

from typing import Annotated

import typer

from samara.chip import comparing
from samara.chip.comparing import Answer, Cost
from samara.chip.frequency import text_of
from samara.cli.chip_power import frequency
from samara.cli.chip_report import Stores, read_rows
from samara.cli.json_lines import Json, print_json
from samara.cli.outcome import MisuseError, note
from samara.cli.tables import Wide, console, print_figures, print_text
from samara.tables import Column, Row, Table, label, number, significant, words

_MAX_BYTES = 1 << 20

_COLUMNS = (
    label("core or device", rank=0),
    label("library or build", rank=2),
    Column("clock", "MHz", rank=3),
    Column("cycles"),
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
    where: Stores = None,
    as_json: Json = False,
    wide: Wide = False,
) -> None:
    """Show what it costs to seal a message: cores beside microcontrollers.

    Cores are those with results of `samara chip power`; devices those of `samara
    bench`, each with the build of Grain-128AEAD that needs the least energy. Energy
    of a device is that of its processor while it computes; of a core that of its
    gates alone, without layout, memory and bus: neither the wrapper's registers, which
    at N = 1 take more area than the core, nor the host's cycles that feed it (9 bus
    accesses a message, and its data) are in it. A core is left out if its netlist does
    not reach the clock. Below the table, the best core stands
    beside the best device of each kind of processor: by which factor its gates are
    cheaper, and how often messages must come if it stays powered and leaks.

    \b
    Examples:
      samara chip compare
      samara chip compare --message 16 --clock 100kHz
    """
    hertz = frequency(clock)
    powers, too_slow = comparing.at_clock(read_rows(where), hertz)
    found = comparing.compare(powers, hertz, message)
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
        for cost in found:
            print_json("chip_cost", _fields(cost, message))
        for answer in comparing.answers(found):
            fields = {"core": answer.core.name, "device": answer.device.name}
            figures = {"ratio": answer.ratio, "break_even": answer.break_even}
            print_json("chip_answer", {**fields, **figures})
        return
    _print(found, message, wide=wide)
    for answer in comparing.answers(found):
        print_text(console(), _sentence(answer))


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
    }


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
                    number(cost.cycles.value, cost.cycles.origin),
                    significant(cost.time.value * 1e6, cost.time.origin),
                    significant(cost.energy.value * 1e9, cost.energy.origin),
                    significant(cost.energy.value / least.value, cost.energy.origin),
                )
            )
            for cost in found
        ],
    )
    print_figures(table, console(), wide=wide)
