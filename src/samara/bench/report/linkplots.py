# SPDX-License-Identifier: Apache-2.0
"""Figures 8 and 9 of the link-security paper: time over payload size."""

from __future__ import annotations

from typing import TYPE_CHECKING

from samara.bench import published
from samara.bench.report.linkrows import (
    CCM,
    DEVICE,
    ENGINE,
    HEADER,
    PAPER_HZ,
    PAYLOAD,
    PHASES,
    PHASES_SUITE,
    cycles_of,
)
from samara.bench.results import Operation
from samara.bench.ways import PORTABLE
from samara.figure import Origin
from samara.records import charts
from samara.records.parts import Plot

if TYPE_CHECKING:
    from collections.abc import Iterator

    from samara.bench.report.selecting import Results

ENOUGH_PAYLOADS = 3
"""Sizes without which a line over sizes is none."""

_X = charts.Axis("payload", "bytes")
_Y = charts.Axis("time at 32 MHz", "ms")
_MACHINES = ((ENGINE, "engine"), (PORTABLE, "software"))


def payloads(results: Results) -> list[int]:
    """Return the payload sizes up to the paper's that we have results of."""
    found = results.matching(device=DEVICE, suite=CCM, ad_bytes=HEADER)
    return sorted({r.message_bytes for r in found if r.message_bytes <= PAYLOAD})


def fig8(results: Results) -> Plot:
    """Return the time of each operation, ours by -Os."""
    named = {
        "CCM* forward": (CCM, Operation.SEAL, "CCM*"),
        "CCM-2 authentication": (PHASES_SUITE, PHASES[1], "authentication"),
        "CCM-3 encryption": (PHASES_SUITE, PHASES[2], "encryption"),
    }
    records = {r.text("operation"): r for r in published.table("ieee802154_ccm.csv")}
    drawn = []
    for (implementation, machine), printed in zip(
        _MACHINES, ("hw_opt_ms", "sw_unopt_ms"), strict=True
    ):
        lines: list[charts.Series] = []
        for colour, (operation, (suite, verb, name)) in enumerate(named.items()):
            key = (suite, implementation, "Os")
            lines += _ours(results, key, verb, f"{name}, ours", colour)
            value = records[operation].value(printed)
            lines.append(_theirs(f"{name}, paper", value, colour))
        drawn.append(charts.Chart(machine, _X, _Y, lines))
    caption = (
        "Ours with -Os, scaled to 32 MHz. The paper gives figures for 95 bytes only"
        " (circles: engine optimised, software not optimised) and calls the rest"
        " linear."
    )
    title = "Time of each operation (Fig. 8)"
    return Plot("link-security-fig8", title, drawn, caption)


def fig9(results: Results) -> Plot:
    """Return the time of CCM*, by all methods."""
    lines: list[charts.Series] = []
    for implementation, machine in _MACHINES:
        for opt in ("Os", "O3"):
            colour = len(lines)
            key = (CCM, implementation, opt)
            lines += _ours(results, key, Operation.SEAL, f"{machine}, -{opt}", colour)
    (record,) = (
        r
        for r in published.table("ieee802154_ccm.csv")
        if r.text("operation") == "CCM* forward"
    )
    for short, machine in (("hw", "engine"), ("sw", "software")):
        for flags in ("opt", "unopt"):
            name = f"paper: {machine}, {flags}."
            value = record.value(f"{short}_{flags}_ms")
            lines.append(_theirs(name, value, len(lines)))
    title = "Time of CCM* forward, all methods (Fig. 9)"
    caption = "Scaled to 32 MHz. Circles: the paper's figures for 95 bytes."
    chart = charts.Chart(title, _X, _Y, lines)
    return Plot("link-security-fig9", title, [chart], caption)


def _ours(
    results: Results, key: tuple[str, str, str], verb: Operation, name: str, colour: int
) -> Iterator[charts.Series]:
    suite, implementation, opt = key
    found = results.matching(
        device=DEVICE,
        suite=suite,
        implementation=implementation,
        opt=opt,
        ad_bytes=HEADER,
    )
    shown = sorted(
        (r.message_bytes, cycles_of(r, verb) / PAPER_HZ * 1e3)
        for r in found
        if r.message_bytes <= PAYLOAD
    )
    if shown:
        xs, ys = zip(*shown, strict=True)
        yield charts.line(name, xs, ys, colour, source="cycles at the paper's clock")


def _theirs(name: str, milliseconds: float, colour: int) -> charts.Series:
    return charts.line(name, [PAYLOAD], [milliseconds], colour, Origin.PUBLISHED)
