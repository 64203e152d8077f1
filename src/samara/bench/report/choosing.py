# SPDX-License-Identifier: Apache-2.0
"""Which suite to use on which device, by the results: text for README and docs.

`tools/figures-in-docs` writes the text between marks, and a test compares it with the
results.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from samara.bench.results import Result

SUITES = ("aes128-ccm-8", "ascon-aead128", "grain128aead")
"""Suites that authenticate, with 8 bytes of tag or more; no research ciphers."""

MESSAGE_BYTES, AD_BYTES = 32, 14
OPT = "Os"


@dataclass(frozen=True, slots=True)
class Cost:
    """Cycles and code size of a suite on a device."""

    cycles: int
    code_bytes: int

    @property
    def merit(self) -> int:
        """Code size times cycles; less is better."""
        return self.cycles * self.code_bytes

    def __str__(self) -> str:
        return f"{self.cycles:,} cycles, {self.code_bytes:,} bytes"


def costs(results: Iterable[Result]) -> dict[str, dict[str, Cost]]:
    """Return the cost of each suite, by device and suite.

    Of several implementations, such as an AES engine, the one with the least code
    size times cycles counts. Devices without results of a suite are left out.
    """
    found: dict[str, dict[str, Cost]] = {}
    for result in results:
        if not _counts(result):
            continue
        cost = Cost(result.protect_cycles, result.code_bytes or 0)
        of_device = found.setdefault(result.device, {})
        known = of_device.get(result.suite, cost)
        of_device[result.suite] = min(known, cost, key=lambda one: one.merit)
    whole = (device for device in sorted(found) if len(found[device]) == len(SUITES))
    return {device: found[device] for device in whole}


def _counts(result: Result) -> bool:
    return (
        result.suite in SUITES
        and result.opt == OPT
        and result.sizes == (MESSAGE_BYTES, AD_BYTES)
        and result.has_figures
    )


def choice(of_device: Mapping[str, Cost]) -> str:
    """Return the suite with the least code size times cycles."""
    return min(of_device, key=lambda suite: of_device[suite].merit)


def table(results: Iterable[Result]) -> str:
    """Return a table in Markdown: a row for each device."""
    lines = [
        f"| device | {' | '.join(f'`{suite}`' for suite in SUITES)} | least product |",
        f"|---|{'---|' * len(SUITES)}---|",
    ]
    for device, of_device in costs(results).items():
        cells = " | ".join(str(of_device[suite]) for suite in SUITES)
        lines.append(f"| {device} | {cells} | `{choice(of_device)}` |")
    lines.append("")
    lines.append(
        f"Sealing {MESSAGE_BYTES} bytes with {AD_BYTES} bytes of associated data,"
        f" compiled with -{OPT}, after the AES key is set up; product: code size times"
        " cycles."
    )
    return "\n".join(lines)


def sentence(results: Iterable[Result]) -> str:
    """Return the recommendation of the figures as a sentence."""
    by_device = costs(results)
    taken: dict[str, list[str]] = {}
    for device, of_device in by_device.items():
        taken.setdefault(choice(of_device), []).append(device)
    ordered = sorted(taken, key=SUITES.index)
    choices = "; ".join(f"`{suite}` on {_listed(taken[suite])}" for suite in ordered)
    never = [f"`{suite}`" for suite in SUITES if suite not in taken]
    rest = f" On none it is {_listed(never)}." if never else ""
    return (
        f"For a new design take {choices}. This is the one of the three suites with the"
        f" smallest product of code size and cycles, by samara's own figures.{rest}"
    )


def _listed(names: Sequence[str]) -> str:
    *first, last = names
    return f"{', '.join(first)} and {last}" if first else last
