# SPDX-License-Identifier: Apache-2.0
"""A result of the bench with all its figures: units, origins and sources."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Annotated, Any, ClassVar, TypeAlias

from samara.bench import beside_public, devices, freshness
from samara.bench.results import Operation
from samara.figure import Figure, Origin, weakest
from samara.records import Field, Record, record_class

if TYPE_CHECKING:
    from collections.abc import Callable

    from samara.bench.devices import Device
    from samara.bench.results import Result

_MERIT_SOURCE = "sum over code, memory and cycles of the value over the least value"

ByOperation: TypeAlias = Mapping[Operation, Figure] | None


@record_class
class ResultRecord(Record):
    """What one cipher, compiled in one way, takes for one size of message."""

    TYPE: ClassVar[str] = "result"

    device: Annotated[str, Field("Name of the device.")]
    suite: Annotated[str, Field("Suite, block cipher, or name of an added cipher.")]
    implementation: Annotated[str, Field("`portable` (C), or that of core/arch.")]
    opt: Annotated[str, Field("Optimisation of the compiler.")]
    flags: Annotated[str | None, Field("Arguments of the compiler.")]
    message_bytes: Annotated[int, Field("Size of the message.", unit="byte")]
    ad_bytes: Annotated[int, Field("Size of the associated data.", unit="byte")]
    compiler: Annotated[str, Field("Name and version of the compiler.")]
    revision: Annotated[str, Field("Commit of the sources.")]
    sources: Annotated[str, Field("Hash of the sources of the program.")]
    problem: Annotated[str | None, Field("Why there are no figures.")]
    constant_time: Annotated[
        bool | None, Field("Whether all samples took the same number of cycles.")
    ]
    samples: Annotated[int, Field("Random keys and messages that were compared.")]
    current: Annotated[
        bool | None,
        Field(
            "Whether the sources here would give the same program; `null` if that"
            " cannot be told."
        ),
    ]
    code: Annotated[Figure | None, Field("Code and constants.")]
    static_ram: Annotated[Figure | None, Field("Variables, the expanded key included.")]
    stack: Annotated[Figure | None, Field("The most that any operation takes.")]
    cycles: Annotated[
        ByOperation,
        Field(
            "By operation: `set_up`, `seal`, `open`, `encrypt`, `decrypt`, and parts of"
            " CCM\\*."
        ),
    ]
    instructions: Annotated[
        ByOperation, Field("By operation, where they are exact and cycles are not.")
    ]
    time: Annotated[ByOperation, Field("By operation.")]
    energy: Annotated[ByOperation, Field("By operation.")]
    varies: Annotated[
        ByOperation, Field("By operation: the slowest sample less the fastest.")
    ]
    best_known: Annotated[
        Figure | None, Field("The fastest public code that is known for the message.")
    ]
    times: Annotated[Figure | None, Field("The result divided by it.")]
    figure_of_merit: Annotated[
        Figure | None, Field("Of a list that is sorted by it.", optional=True)
    ] = None


def record_of(result: Result, merit: float | None = None) -> ResultRecord:
    """Return a result with all its figures.

    Parameters
    ----------
    result
        What the bench measured.
    merit
        Its figure of merit: see `samara.bench.ranking`.
    """
    device = device_of(result)
    simulator = "simulator" if device is None else device.family.simulator
    row, times = beside_public.rated(result) or (None, None)
    return ResultRecord(
        device=result.device,
        suite=result.suite,
        implementation=result.implementation,
        opt=result.opt,
        flags=result.flags,
        message_bytes=result.message_bytes,
        ad_bytes=result.ad_bytes,
        compiler=result.compiler,
        revision=result.revision,
        sources=result.sources,
        problem=result.problem,
        constant_time=result.constant_time,
        samples=result.samples,
        current=freshness.is_current(result),
        **_sizes(result, simulator),
        **_by_operation(result, device, simulator),
        best_known=None if row is None else row.figure,
        times=None
        if row is None or times is None
        else Figure(times, "1", result.origin, f"ours by {row.title}"),
        figure_of_merit=None
        if merit is None
        else Figure(merit, "1", result.origin, _MERIT_SOURCE),
    )


def device_of(result: Result) -> Device | None:
    """Return the device of a result; None if it is not there any more."""
    return devices.by_name().get(result.device)


def energy_origin(result: Result) -> Origin:
    """Return the origin of a result's energy."""
    device = device_of(result)
    return weakest(
        result.origin, Origin.ASSUMED if device is None else device.energy_origin
    )


def _sizes(result: Result, simulator: str) -> dict[str, Any]:
    linked = f"linked by {result.compiler}"
    sizes = {
        "code": (result.code_bytes, linked),
        "static_ram": (result.static_ram_bytes, linked),
        "stack": (result.stack_bytes, f"watched by {simulator}"),
    }
    return {
        name: None if size is None else Figure(size, "byte", Origin.MEASURED, source)
        for name, (size, source) in sizes.items()
    }


def _by_operation(
    result: Result, device: Device | None, simulator: str
) -> dict[str, Any]:
    kind = result.origin
    clock = "cycles" if device is None else f"cycles at {device.clock_hz / 1e6:g} MHz"
    power = "" if device is None else f" x {device.energy_source}"
    samples = f"{simulator}, {result.samples} samples"
    energy_kind = energy_origin(result)

    def cycle(value: float) -> Figure:
        return Figure(value, "cycle", kind, simulator)

    def instruction(value: float) -> Figure:
        return Figure(value, "instruction", Origin.MEASURED, simulator)

    def second(value: float) -> Figure:
        return Figure(value / 1e6, "s", kind, clock)

    def joule(value: float) -> Figure:
        return Figure(value / 1e6, "J", energy_kind, f"{clock}{power}")

    def varying(value: float) -> Figure:
        return Figure(value, "cycle", kind, samples)

    def each(
        values: Mapping[Operation, float] | None, figure: Callable[[float], Figure]
    ) -> ByOperation:
        if values is None:
            return None
        return {name: figure(value) for name, value in values.items()}

    return {
        "cycles": each(result.cycles, cycle),
        "instructions": each(result.instructions, instruction),
        "time": each(result.time_us, second),
        "energy": each(result.energy_uj, joule),
        "varies": each(result.varies, varying),
    }
