# SPDX-License-Identifier: Apache-2.0
"""What to take on a device, in a sentence that stands before the tables."""

from __future__ import annotations

from typing import TYPE_CHECKING

from samara.crypto.names import Standing
from samara.crypto.registry import suites
from samara.records.parts import Advice

if TYPE_CHECKING:
    from collections.abc import Iterator

    from samara.bench.devices import Device
    from samara.bench.report.selecting import Results
    from samara.bench.results import Result

SHORTEST_TAG = 8
"""Bytes: with shorter tags, forgeries that are found by trying succeed too often."""


def answer(device: Device, results: Results, message_bytes: int) -> Iterator[Advice]:
    """Yield what to take on a device for messages of a size; nothing without results.

    Compared are standards that authenticate with a tag of `SHORTEST_TAG` bytes or
    more, and whose time was not found to depend on keys and data.
    """
    found = list(_compared(device, results, message_bytes))
    if not found:
        return
    fastest = min(found, key=lambda each: (each.total_cycles, each.code_bytes or 0))
    smallest = min(found, key=lambda each: (each.code_bytes or 0, each.total_cycles))
    yield Advice(_sentence(device, fastest, smallest, len({r.suite for r in found})))


def _compared(device: Device, results: Results, message_bytes: int) -> Iterator[Result]:
    for suite in suites():
        if suite.standing is Standing.STANDARD and suite.tag_size >= SHORTEST_TAG:
            yield from (
                each
                for each in results.matching(
                    device=device.name,
                    suite=suite.slug,
                    message_bytes=message_bytes,
                    ad_bytes=0,
                )
                if each.constant_time is not False
            )


def _sentence(device: Device, fastest: Result, smallest: Result, count: int) -> str:
    milliseconds = device.time_us(fastest.total_cycles) / 1e3
    microjoules = device.energy_uj(fastest.total_cycles)
    chip = device.title.partition(",")[0]
    text = (
        f"On the {chip}, take {_name(fastest)}. Of the {count} standard suites with a"
        f" tag of {SHORTEST_TAG} bytes or more, it needs the least time and energy to"
        f" seal {fastest.message_bytes} bytes: {fastest.total_cycles:,} cycles with"
        f" set-up, {milliseconds:.3g} ms and {microjoules:.3g} µJ. Its code has"
        f" {fastest.code_bytes:,} bytes."
    )
    if smallest == fastest:
        return f"{text} No other code is smaller."
    times = smallest.total_cycles / fastest.total_cycles
    return (
        f"{text} If flash memory is short, take {_name(smallest)}: it has"
        f" {smallest.code_bytes:,} bytes of code, and takes {times:.2g} times as many"
        " cycles."
    )


def _name(result: Result) -> str:
    return f"{result.suite} ({result.implementation} code, -{result.opt})"
