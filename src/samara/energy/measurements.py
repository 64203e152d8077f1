# SPDX-License-Identifier: Apache-2.0
"""Measurements that others published, and which of them the model says something of."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, Any

from samara.bench import published
from samara.energy import catalogue
from samara.energy.checked_answers import Check

if TYPE_CHECKING:
    from collections.abc import Mapping

FILE = "measured_energy.csv"
CHECKS = "checks.toml"
_NOT_COVERED = "not-covered"
UNITS: Mapping[str, float] = {
    "uC": 1e-6,
    "uC/min": 1e-6,
    "uA": 1e-6,
    "mA": 1e-3,
    "uJ": 1e-6,
    "ms": 1e-3,
}
"""Units of measurements that the model answers in, in C, A, J and s."""


@dataclass(frozen=True, slots=True)
class Measurement:
    """A row of published/measured_energy.csv."""

    id: int
    device: str
    operation: str
    settings: str
    """How it was measured, as the source has it."""
    figure: float
    unit: str
    source: str


@cache
def measurements() -> tuple[Measurement, ...]:
    """Return all of them, in the order of the file."""
    return tuple(
        Measurement(
            int(row.text("id")),
            row.text("device"),
            row.text("operation"),
            row.text("parameters"),
            row.value("figure"),
            row.text("unit"),
            f"{row.text('title')}, {row.text('authors_or_vendor')}",
        )
        for row in published.table(FILE)
    )


@cache
def checks() -> Mapping[int, Check]:
    """Return what the model says of measurements, by their ids.

    Raises
    ------
    ValueError
        When two checks have one measurement, or one has a measurement that is not
        published.
    """
    known = {each.id for each in measurements()}
    found: dict[int, Check] = {}
    for name, table in catalogue.read(CHECKS).items():
        if name == _NOT_COVERED:
            continue
        given: dict[str, Any] = {
            key: tuple(each) if isinstance(each, list) else each
            for key, each in table.items()
        }
        check = Check(name, **given)
        for row in check.rows:
            if row in found or row not in known:
                message = f"{name} of {CHECKS}: row {row} is there twice, or never"
                raise ValueError(message)
            found[row] = check
    return found


def not_covered(device: str) -> str:
    """Return why the model says nothing of a measurement of a device."""
    return next(
        reason for begin, reason in _reasons().items() if device.startswith(begin)
    )


# Each measurement without a check asks.
@cache
def _reasons() -> Mapping[str, str]:
    """Return why nothing is said, by how the names of devices begin."""
    return {
        begin: str(reason)
        for begin, reason in catalogue.read(CHECKS)[_NOT_COVERED].items()
    }
