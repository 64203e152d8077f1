# SPDX-License-Identifier: Apache-2.0
"""Regions: where a module sends, and for which share of an hour it may."""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping


@dataclass(frozen=True, slots=True)
class Region:
    """Frequencies of a country or continent, and their limit."""

    name: str
    title: str
    duty_cycle: float
    """Share of an hour for which a transmitter may be on; 1: there is no limit."""
    source: str


@cache
def regions() -> Mapping[str, Region]:
    """Return all regions by name."""
    text = (Path(__file__).parent / "regions.toml").read_text(encoding="utf-8")
    return {name: Region(name, **row) for name, row in tomllib.loads(text).items()}
