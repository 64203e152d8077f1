# SPDX-License-Identifier: Apache-2.0
"""Results of the bench as JSON Lines: type `result` in docs/json.md."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from samara.bench import freshness
from samara.cli import bench_best
from samara.cli.bench_results import apart, device_of, energy_origin
from samara.cli.json_lines import print_json
from samara.figure import Figure, Origin

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from samara.bench.ranking import Ranked
    from samara.bench.results import Operation, Result

_WORDS = (
    *("device", "suite", "implementation", "opt", "flags"),
    *("message_bytes", "ad_bytes", "compiler", "revision", "sources"),
    *("problem", "constant_time", "samples"),
)
_MERIT_SOURCE = "sum over code, memory and cycles of the value over the least value"


def print_result(row: Result | Ranked) -> None:
    """Print a result, with its figure of merit if it has one, as a line."""
    result, merit = apart(row)
    fields: dict[str, Any] = {name: getattr(result, name) for name in _WORDS}
    fields["current"] = freshness.is_current(result)
    fields |= _sizes(result)
    fields |= _by_operation(result)
    fields |= _beside_the_best(result)
    if merit is not None:
        kind = result.origin
        fields["figure_of_merit"] = Figure(merit, "1", kind, _MERIT_SOURCE)
    print_json("result", fields)


def _beside_the_best(result: Result) -> dict[str, Figure | None]:
    found = bench_best.rated(result)
    if found is None:
        return {"best_known": None, "times": None}
    row, times = found
    unit = row.metric.removesuffix("s")
    return {
        "best_known": Figure(row.count, unit, row.origin, row.source),
        "times": Figure(times, "1", result.origin, f"ours by {row.title}"),
    }


def _sizes(result: Result) -> dict[str, Figure | None]:
    linked = f"linked by {result.compiler}"
    sizes = {
        "code": (result.code_bytes, linked),
        "static_ram": (result.static_ram_bytes, linked),
        "stack": (result.stack_bytes, f"watched by {_simulator(result)}"),
    }
    return {
        name: None if size is None else Figure(size, "byte", Origin.MEASURED, source)
        for name, (size, source) in sizes.items()
    }


def _by_operation(result: Result) -> dict[str, Any]:
    device, kind, simulator = device_of(result), result.origin, _simulator(result)
    clock = "cycles" if device is None else f"cycles at {device.clock_hz / 1e6:g} MHz"
    power = "" if device is None else f" x {device.energy_source}"
    samples = f"{simulator}, {result.samples} samples"

    def cycle(value: float) -> Figure:
        return Figure(value, "cycle", kind, simulator)

    def instruction(value: float) -> Figure:
        return Figure(value, "instruction", Origin.MEASURED, simulator)

    def second(value: float) -> Figure:
        return Figure(value / 1e6, "s", kind, clock)

    def joule(value: float) -> Figure:
        return Figure(value / 1e6, "J", energy_origin(result), f"{clock}{power}")

    def varying(value: float) -> Figure:
        return Figure(value, "cycle", kind, samples)

    def each(
        values: Mapping[Operation, float] | None, figure: Callable[[float], Figure]
    ) -> dict[str, Figure] | None:
        if values is None:
            return None
        return {name.value: figure(value) for name, value in values.items()}

    return {
        "cycles": each(result.cycles, cycle),
        "instructions": each(result.instructions, instruction),
        "time": each(result.time_us, second),
        "energy": each(result.energy_uj, joule),
        "varies": each(result.varies, varying),
    }


def _simulator(result: Result) -> str:
    device = device_of(result)
    return "simulator" if device is None else device.family.simulator
