# SPDX-License-Identifier: Apache-2.0
"""Results as the bench writes them, made up."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from samara import crypto

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

    from samara.bench.store import Result


def result(  # noqa: PLR0913 - what tests tell apart
    device: str,
    suite: str,
    sizes: tuple[int, int] = (64, 0),
    *,
    opt: str = "Os",
    code: int = 1000,
    cycles: int = 16_000,
    implementation: str = "portable",
    **others: Any,  # noqa: ANN401 - fields have all kinds of values
) -> Result:
    """Return one; set-up takes 100 cycles more than nothing."""
    block = suite in {cipher.slug for cipher in crypto.block_ciphers()}
    verbs = ("set_up", "encrypt", "decrypt") if block else ("set_up", "seal", "open")
    counts = dict(zip(verbs, (100, cycles, cycles + 1), strict=True))
    return {
        "device": device,
        "suite": suite,
        "implementation": implementation,
        "opt": opt,
        "message_bytes": 16 if block else sizes[0],
        "ad_bytes": 0 if block else sizes[1],
        "compiler": "cc 1.0",
        "code_bytes": code,
        "static_ram_bytes": 40,
        "stack_bytes": 60,
        "cycles": counts,
        "instructions": None,
        "time_us": None,
        "energy_uj": None,
        "constant_time": True,
        "varies": {},
        "samples": 64,
        "origin": "measured",
        "problem": None,
        "revision": "abc1234",
        "sources": "0",
    } | others


def refused(device: str, suite: str, problem: str) -> Result:
    """Return one without figures."""
    return result(device, suite) | {"cycles": None, "problem": problem}


def write(path: Path, results: Iterable[Result]) -> Path:
    """Write a store."""
    path.write_text("".join(json.dumps(one) + "\n" for one in results))
    return path
