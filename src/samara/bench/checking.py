# SPDX-License-Identifier: Apache-2.0
"""Comparing a few figures of today with those that were committed."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from samara.bench import running, store, subjects
from samara.bench.building import sources_hash

if TYPE_CHECKING:
    from collections.abc import Sequence

    from samara.bench.devices import Device
    from samara.bench.measuring import Task
    from samara.bench.store import Result

SUITES = (
    *("aes128", "aes128-ccm-16", "aes128-ccm-16-phases"),
    *("grain128aead", "ascon-aead128", "ieee802154-aes128-ccm-16"),
)
SIZES = ((95, 14),)
OPTS = ("O2",)

_FIGURES = (
    *("code_bytes", "static_ram_bytes", "stack_bytes"),
    *("cycles", "constant_time", "problem"),
)


@dataclass(frozen=True, slots=True)
class Difference:
    """A figure that is not what it was."""

    what: str
    committed: Any
    found: Any
    explanation: str
    """What else changed; empty when nothing did."""

    def __str__(self) -> str:
        reason = self.explanation or "nothing that explains it has changed"
        return f"{self.what} was {self.committed}, is {self.found}: {reason}"


def tasks(devices: Sequence[Device], *, everything: bool = False) -> list[Task]:
    """Return the small fixed set that is measured, or all that a run measures."""
    if everything:
        return running.plan(devices, subjects.subjects())
    chosen = [subjects.subject(slug) for slug in SUITES]
    return running.plan(devices, chosen, SIZES, OPTS)


def compare(found: Sequence[Result], committed: Sequence[Result]) -> list[Difference]:
    """Return what differs; things that were never committed do not."""
    known = {store.identity(result): result for result in committed}
    return [
        difference
        for result in found
        if (old := known.get(store.identity(result))) is not None
        for difference in _differences(old, result)
    ]


def _differences(old: Result, new: Result) -> list[Difference]:
    return [
        Difference(f"{_name(new)}: {figure}", old[figure], new[figure], _why(old, new))
        for figure in _FIGURES
        if old[figure] != new[figure]
    ]


def _name(result: Result) -> str:
    words = ("device", "suite", "implementation", "opt")
    return " ".join(str(result[word]) for word in words)


def _why(old: Result, new: Result) -> str:
    if old["compiler"] != new["compiler"]:
        return f"compiled by {new['compiler']}, not {old['compiler']}"
    if old["sources"] != sources_hash():
        return f"the sources have changed since {old['revision']}"
    return ""
