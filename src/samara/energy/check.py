# SPDX-License-Identifier: Apache-2.0
"""Published measurements beside what the energy model says."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from statistics import median
from typing import TYPE_CHECKING, Annotated

from samara.energy.measurements import (
    UNITS,
    Measurement,
    checks,
    measurements,
    not_covered,
)
from samara.energy.quantity import Sampled
from samara.energy.ranges import DRAWS, quantiles
from samara.energy.requests import Draws
from samara.records import (
    Answer,
    Field,
    Parameter,
    Record,
    Remark,
    Request,
    Title,
    record_class,
    request_class,
)
from samara.records.usual import Seed

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from samara.energy.checked_answers import Check

_CAPTION = (
    "The range of the model is that of 10, 50 and 90 % of draws from the tolerances. "
    "The ratio is that of the median to the measurement."
)


@request_class
class CheckRequest(Request):
    """Which measurements to show."""

    all: Annotated[
        bool,
        Parameter(help="Show the measurements too that the model says nothing of."),
    ] = False
    draws: Draws = DRAWS
    seed: Seed = 0


@record_class
class CheckedMeasurement(Record):
    """A published measurement, and what the energy model says of it."""

    row: Annotated[
        int,
        Field("Its id in `published/measured_energy.csv`.", heading="row", rank=0),
    ]
    device: Annotated[str, Field("What was measured.", heading="device", rank=0)]
    operation: Annotated[str, Field("Of which operation.", heading="operation")]
    unit: Annotated[str, Field("Of the measurement and the model.", heading="unit")]
    measured: Annotated[float, Field("As published.", heading="measured", rank=0)]
    low: Annotated[float | None, Field("10 % of draws are below.", heading="10\xa0%")]
    middle: Annotated[
        float | None, Field("50 % of draws are below.", heading="50\xa0%", rank=0)
    ]
    high: Annotated[float | None, Field("90 % of draws are below.", heading="90\xa0%")]
    ratio: Annotated[
        float | None, Field("The median by the measurement.", heading="ratio", rank=0)
    ]
    within: Annotated[
        bool | None,
        Field("Whether the range of the model holds it.", heading="within", rank=0),
    ]
    fitted: Annotated[
        bool,
        Field(
            "Whether a quantity of the model was fitted to it, so that it judges "
            "nothing.",
            heading="fitted",
        ),
    ]
    check: Annotated[str, Field("The table of `checks.toml`; empty if there is none.")]
    reason: Annotated[str, Field("Why the model says nothing of it, or empty.")]
    settings: Annotated[str, Field("How it was measured, as the source has it.")]
    source: Annotated[str, Field("Title and author.")]


@dataclass(frozen=True, slots=True)
class Verdict:
    """How well the model holds against the measurements that judge it."""

    judged: int
    within: int
    median_ratio: float
    off: tuple[int, ...]
    """Rows that are outside of the range of the model."""

    @property
    def share(self) -> float:
        """Which share of them is within the range of the model."""
        return self.within / self.judged


def check(request: CheckRequest) -> Answer[CheckedMeasurement]:
    """Yield each measurement beside the model, and how many its ranges hold."""
    yield Title("Published measurements beside the model", _CAPTION)
    found = [
        beside(each, checks().get(each.id), request.draws, request.seed)
        for each in measurements()
    ]
    yield from (each for each in found if request.all or not each.reason)
    yield from _remarks(found)


def beside(
    own: Measurement, said: Check | None, draws: int = DRAWS, seed: int = 0
) -> CheckedMeasurement:
    """Return a measurement beside what the model says of it."""
    reason = said.missing if said else not_covered(own.device)
    low = middle = high = None
    if said and not reason:
        drawn = quantiles(said.value(Sampled(draws, seed)))
        low, middle, high = (
            each / UNITS[own.unit] for each in (drawn.low, drawn.middle, drawn.high)
        )
    return CheckedMeasurement(
        row=own.id,
        device=own.device,
        operation=own.operation,
        unit=own.unit,
        measured=own.figure,
        low=low,
        middle=middle,
        high=high,
        ratio=None if middle is None else middle / own.figure,
        within=None if low is None or high is None else _holds(low, own.figure, high),
        fitted=said is not None and own.id in said.fitted,
        check=said.name if said else "",
        reason=reason,
        settings=own.settings,
        source=own.source,
    )


_RESOLUTION = 0.005
"""How close a measurement is taken to be, where the model has no tolerance."""


def _holds(low: float, measured: float, high: float) -> bool:
    """Return whether a range holds a measurement."""
    return low <= measured * (1 + _RESOLUTION) and measured * (1 - _RESOLUTION) <= high


def verdict(found: Sequence[CheckedMeasurement]) -> Verdict:
    """Return how well the model holds against the measurements that judge it."""
    judging = [each for each in found if not each.reason and not each.fitted]
    return Verdict(
        len(judging),
        sum(bool(each.within) for each in judging),
        median(each.ratio for each in judging if each.ratio is not None),
        tuple(each.row for each in judging if not each.within),
    )


def _remarks(found: Sequence[CheckedMeasurement]) -> Iterator[Remark]:
    summary = verdict(found)
    fitted = sum(each.fitted and not each.reason for each in found)
    yield Remark(
        f"Of {summary.judged} measurements that judge the model, its range holds "
        f"{summary.within} ({summary.share:.0%}); the median ratio is "
        f"{summary.median_ratio:.2f}. {fitted} more were fitted to."
    )
    for row in summary.off:
        why = checks()[row].explained or "not explained."
        yield Remark(f"Row {row} is outside of the range: {why}")
    counts = Counter(each.reason for each in found if each.reason)
    for reason, count in counts.most_common():
        yield Remark(f"Not covered, {count}: {reason}.", is_line=True)
