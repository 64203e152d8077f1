# SPDX-License-Identifier: Apache-2.0
"""What a simulator runs on bench.v: every width of one variant (loaded by cocotb).

The environment says what (test_rtl.py sets it): RTL_VARIANT, RTL_AMOUNTS (a key of
AMOUNTS), RTL_WIDTHS and RTL_REPORT, the file that the outcome is written to.
"""

from __future__ import annotations

import os
import random
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING

import cocotb
import messages
from cocotb.clock import Clock
from cocotb.triggers import Timer
from functional_coverage import Coverage, table
from messages import Amounts
from registers import are_shown, held_by
from stations import Abort, FaultError, Job, Report, Station, check

from samara.chip import clocks
from samara.chip.design import Core, Variant

if TYPE_CHECKING:
    from collections.abc import Iterator

AMOUNTS = {
    # Icarus takes some 30 us a clock, Verilator one.
    "few": Amounts(120, random=12, model=4, each_tag_bit=9, aborts=1, group=2),
    "usual": Amounts(4, random=150, model=12, each_tag_bit=1, aborts=2, group=4),
    "official": Amounts(1, random=40, model=8, each_tag_bit=1, aborts=2, group=4),
    "all": Amounts(1, random=500, model=60, each_tag_bit=1, aborts=6, group=12),
}
# Failures of one station that are told.
_SHOWN = 5


class _Bench:
    """The stations of one simulation."""

    def __init__(self, dut: object) -> None:
        self.dut = dut
        self.variant = Variant(os.environ["RTL_VARIANT"])
        self.amounts = AMOUNTS[os.environ["RTL_AMOUNTS"]]
        self.failures: list[str] = []
        self.coverage: list[tuple[str, int, list[str]]] = []
        self.checked = 0

    async def run(self, core: Core) -> None:
        """Run all jobs of a core, and stop its clock."""
        station = Station(self.dut, core.n, authenticates=core.authenticates)
        coverage = Coverage(core, station.dut)
        dice = random.Random(f"{core.name} {os.environ.get('RTL_SEED', '1')}")
        seen: dict[object, tuple[int, int]] = {}
        groups: dict[int, object] = {}
        failed = []
        before = Job(bytes(16), bytes(12))
        await self._cleared(core)
        empty = _held(station)
        async for job, report in station.run(self._jobs(core, coverage, dice, groups)):
            coverage.note(job)
            self.checked += 1
            group = groups.pop(id(job), None)
            try:
                check(job, report)
                _check_clocks(core, job, report)
                _check_clear(core, before, job, report)
                _check_group(group, report, seen)
            except FaultError as error:
                way = "" if job.tag is None else " (opening)"
                failed.append(f"{core.name}: {job.name}{way}: {error}")
            before = job
            if report.is_hung:
                # So will the next one, and each takes long to be noticed.
                break
        await self._cleared(core)
        if (full := _held(station)) != empty:
            names = [name for name in empty if full[name] != empty[name]]
            failed.append(f"{core.name}: not cleared: {', '.join(names)}")
        self.failures += failed[:_SHOWN]
        if len(failed) > _SHOWN:
            self.failures.append(f"{core.name}: {len(failed) - _SHOWN} more")
        self.coverage.append((core.name, *coverage.result()))
        self._stop(core)

    def _jobs(
        self,
        core: Core,
        coverage: Coverage,
        dice: random.Random,
        groups: dict[int, object],
    ) -> Iterator[Job]:
        amounts = self.amounts
        if not core.authenticates:
            yield from messages.keystreams(dice, coverage.states, core.n, amounts)
            return
        # The serial cores take 20 times longer than the others.
        tag_bits = amounts.each_tag_bit
        yield from chain(
            messages.official(amounts.each_official),
            messages.longer(),
            messages.forged(1 if tag_bits == 1 else 12),
            messages.shapes(dice, max(1, core.n // 16)),
            messages.random_messages(dice, amounts.random),
            messages.model_messages(dice, amounts.model),
            messages.wrong(dice, tag_bits),
            messages.aborts(dice, coverage.states, core.n, amounts.aborts),
        )
        for group, job in messages.groups(dice, amounts.group):
            groups[id(job)] = group
            yield job
        # Nothing of what came before may be left behind it.
        yield messages.ended_early(dice, "RUN", Abort(coverage.states["RUN"]))

    async def _cleared(self, core: Core) -> None:
        """Wait as long as a core takes to clear itself."""
        await Timer(10 * (clocks.clear_clocks(core) + 2), "ns")

    def _stop(self, core: Core) -> None:
        clock = self.dut.aead_on if core.authenticates else self.dut.ple_on
        clock.value = int(clock.value) & ~(1 << core.n.bit_length() - 1)


def _held(station: Station) -> dict[str, str]:
    return held_by(station.dut.core) if are_shown() else {}


def _check_clocks(core: Core, job: Job, report: Report) -> None:
    """Compare with samara.chip.clocks what did not wait."""
    if job.abort is not None:
        return
    latency = clocks.start_up_clocks(core)
    # in_ready waits for out_ready.
    if not job.stalls.out and report.latency != latency:
        raise FaultError(f"{report.latency} clocks to the first word, not {latency}")
    if job.stalls.into or job.stalls.out:
        return
    if job.keystream is not None:
        # The station sees one clock later that it has enough.
        expected = clocks.keystream_clocks(core, 8 * job.keystream) + 1
    else:
        expected = clocks.message_clocks(
            core, len(job.ad), len(job.data), opens=job.tag is not None
        )
    if report.clocks != expected:
        raise FaultError(f"{report.clocks} clocks, not {expected}")


def _check_clear(core: Core, before: Job, job: Job, report: Report) -> None:
    """Compare with samara.chip.clocks how long a core is not ready after an abort."""
    if before.abort is None or job.abort is not None or job.pause:
        return
    if report.waited != clocks.clear_clocks(core):
        raise FaultError(f"ready {report.waited} clocks after it was cleared")


def _check_group(
    group: object, report: Report, seen: dict[object, tuple[int, int]]
) -> None:
    """Compare the times of all handshakes with those of the group's first message."""
    if group is None:
        return
    times = (report.clocks, report.times)
    if seen.setdefault(group, times) != times:
        raise FaultError("a handshake's time depends on more than lengths and stalls")


def write_report(lines: list[str]) -> None:
    """Write what test_rtl.py prints; the last line is the tally."""
    Path(os.environ["RTL_REPORT"]).write_text("\n".join(lines) + "\n")


@cocotb.test()
async def messages_of_every_kind(dut: object) -> None:
    bench = _Bench(dut)
    widths = [int(n) for n in os.environ["RTL_WIDTHS"].split()]
    dut.reset_n.value = 0
    dut.aead_on.value = dut.ple_on.value = sum(widths)
    Clock(dut.clk, 10, "ns").start()
    await Timer(55, "ns")
    dut.reset_n.value = 1
    cores = [
        Core(n, bench.variant, authenticates)
        for authenticates in (True, False)
        for n in widths
    ]
    for task in [cocotb.start_soon(bench.run(core)) for core in cores]:
        await task
    wrong = [f"{name}: {text}" for name, _, texts in bench.coverage for text in texts]
    failures = bench.failures + wrong
    lines = [table(bench.coverage), *bench.failures]
    lines.append(f"{bench.checked} passed, {len(failures)} failed")
    write_report(lines)
    assert not failures, f"{len(failures)} failures"
