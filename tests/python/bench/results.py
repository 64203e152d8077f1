# SPDX-License-Identifier: Apache-2.0
"""Results as the bench writes them, made up."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from samara import crypto
from samara.bench.results import Result

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path


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
    fields = {
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
        "constant_time": True,
        "samples": 64,
        "origin": "measured",
        "revision": "abc1234",
        "sources": "0",
    }
    return Result.from_json(fields | others)


def changed(one: Result, **fields: Any) -> Result:  # noqa: ANN401 - as above
    """Return a result with other values in some fields."""
    return Result.from_json(one.as_json() | fields)


def refused(device: str, suite: str, problem: str) -> Result:
    """Return one without figures."""
    return changed(result(device, suite), cycles=None, problem=problem)


def write(path: Path, results: Iterable[Result]) -> Path:
    """Write a store."""
    path.write_text("".join(json.dumps(one.as_json()) + "\n" for one in results))
    return path
