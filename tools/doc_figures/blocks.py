# SPDX-License-Identifier: Apache-2.0
"""Text of README.md and docs/ that is generated whole, by the names of its marks."""

from __future__ import annotations

import contextlib
import csv
import io
import re
import textwrap
from typing import TYPE_CHECKING

from samara.bench import store, surviving
from samara.bench.report import choosing
from samara.bench.results import OF_MESSAGES, Operation
from samara.chip.report import docs as chip
from samara.cli.running import run
from samara.energy import catalogue
from samara.energy.store_life import StoreRequest, store_life
from samara.figure import Origin
from samara.records import records_of
from samara.records.numbers import digits

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

    from samara.bench.results import Result

_WIDTH = 88


def blocks(results: Path) -> dict[str, str]:
    """Return the text for each mark.

    Parameters
    ----------
    results
        Directory with results.
    """
    rows = [
        row for suite in choosing.SUITES for row in store.read(results, suites=[suite])
    ]
    words = textwrap.fill(
        choosing.sentence(rows), _WIDTH, break_on_hyphens=False, break_long_words=False
    )
    return {
        "choice": words,
        "choice-table": choosing.table(rows),
        "advice": _advice(),
        "origins": _origins(),
        "saturation": _saturation(results / "energy" / "saturation.csv"),
        "store-life": _store_life(),
        "surviving": _surviving(results),
        **chip.blocks(results / "chip"),
    }


ADVISED = "advise --device atmega328p --interval 300 --years 1 --tag 8 --layer link"
"""What docs/start.md asks."""


def _advice() -> str:
    """Return the sentences of `samara advise`, without its tables."""
    shown = io.StringIO()
    with contextlib.redirect_stdout(shown):
        run(ADVISED.split())
    tables = re.compile("^(?:Which parts|What fits)", re.MULTILINE)
    sentences = tables.split(shown.getvalue())[0]
    lines = [
        line
        for sentence in re.split(r"\n(?=[A-Z][a-z]+ [a-z ]+: |The node)", sentences)
        for line in textwrap.wrap(" ".join(sentence.split()), _WIDTH - 8)
    ]
    return textwrap.indent("\n".join(lines), "    ")


def _origins() -> str:
    lines = ["| origin | letter | mark | meaning |", "|---|---|---|---|"]
    lines += [f"| {o} | {o.letter} | {o.mark} | {o.meaning} |" for o in Origin]
    return "\n".join(lines)


def _saturation(path: Path) -> str:
    """Return the table of `tools/energy-saturation`: a network a row."""
    with path.open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    names = list(dict.fromkeys(row["mac"] for row in rows))
    cells = {(row["network"], row["mac"]): _compared(row) for row in rows}
    heads = ["preset `paper`" if name == "paper" else f"`{name}`" for name in names]
    lines = [_line(["network", *heads]), "|" + "---|" * (1 + len(names))]
    lines += [
        _line([network, *(cells[network, name] for name in names)])
        for network in dict.fromkeys(row["network"] for row in rows)
    ]
    return "\n".join(lines)


def _surviving(results: Path) -> str:
    """Return what the counter store and the nodes take of each device, with -Os."""
    heads = ["device", "what", "flash", "static RAM", "stack", "opens", "sends"]
    lines = [
        _line([*heads, "receives", "cycles are"]),
        "|---|---|" + "--:|" * 6 + "---|",
    ]
    for name in (surviving.STORE, *surviving.NODE_NAMES):
        rows = [row for row in store.read(results, suites=[name]) if _is_in_table(row)]
        for device in dict.fromkeys(row.device for row in rows):
            here = [row for row in rows if row.device == device]
            row = min(here, key=lambda row: row.counts[Operation.SEAL])
            lines.append(_line(_taken(name, row)))
    return "\n".join(lines)


def _is_in_table(row: Result) -> bool:
    """Whether a result is of the build for size, and a node's of 16 bytes."""
    size = surviving.NODE_MESSAGES[1] if row.suite in surviving.NODE_NAMES else 0
    return row.opt == "Os" and row.message_bytes == size and row.has_figures


def _taken(name: str, row: Result) -> list[str]:
    cycles = row.counts
    whole = (row.code_bytes, row.static_ram_bytes, row.stack_bytes)
    bytes_ = [f"{value or 0:,}" for value in whole]
    counts = [f"{cycles[verb]:,}" for verb in OF_MESSAGES]
    return [row.device, f"`{name}`", *bytes_, *counts, str(row.origin)]


def _compared(row: Mapping[str, str]) -> str:
    load, apart, error = (
        float(row[name]) for name in ("load", "apart_percent", "error_percent")
    )
    return f"{load:.2f}: {apart:+.2f} ± {error:.2f}".replace("-", "\N{MINUS SIGN}")


_STEPS = (1, 16, 256)
_LONG = 10_000


def _store_life() -> str:
    """Return what `samara energy store` answers for each memory."""
    heads = [f"step {step}" for step in _STEPS]
    lines = [_line(["memory", "slots", "records", *heads, "origin"])]
    lines.append("|" + "---|" * (len(heads) + 4))
    lines += [_life_of(memory.name) for memory in catalogue.memories()]
    return "\n".join(lines)


def _life_of(memory: str) -> str:
    lifetimes = list(records_of(store_life(StoreRequest(memory=memory, step=_STEPS))))
    records = f"{lifetimes[0].records.value:,.0f}"
    years = (f"{_years(each.life.value)} years" for each in lifetimes)
    origin = lifetimes[0].life.origin.value
    return _line([f"`{memory}`", f"{lifetimes[0].slots}", records, *years, origin])


def _years(value: float) -> str:
    """Return years; how many there are beyond any device's life does not matter."""
    return digits(value) if value < _LONG else f"over {_LONG:,}"


def _line(cells: Sequence[str]) -> str:
    return f"| {' | '.join(cells)} |"
