# SPDX-License-Identifier: Apache-2.0
"""`samara chip compare`: a message on the core and on microcontrollers."""

from typing import Annotated

import typer

from samara.chip import comparing
from samara.chip.comparing import Cost
from samara.chip.results import Power
from samara.cli.chip_power import frequency
from samara.cli.chip_report import Stores, read_rows
from samara.cli.json_lines import Json, print_json
from samara.cli.outcome import MisuseError
from samara.cli.tables import Wide, console, print_figures
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
    gates alone, without layout, memory and bus.

    \b
    Examples:
      samara chip compare
      samara chip compare --message 16 --clock 100kHz
    """
    hertz = frequency(clock)
    rows = read_rows(where)
    found = comparing.compare(
        [row for row in rows if isinstance(row, Power)], hertz, message
    )
    if not found:
        text = (
            f"there are no results for {message} bytes: run samara chip power, and"
            f" samara bench run --suite {comparing.SUITE} --message {message}"
        )
        raise MisuseError(text)
    if as_json:
        for cost in found:
            print_json("chip_cost", _fields(cost, message))
        return
    _print(found, message, wide=wide)


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
