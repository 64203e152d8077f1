# SPDX-License-Identifier: Apache-2.0
"""Blocks of samples, as readers yield them."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, TypeAlias

import numpy as np
from numpy.typing import NDArray

from samara.errors import MisuseError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping
    from pathlib import Path

Array: TypeAlias = NDArray[np.float64]

SAMPLES = 1 << 19
"""Samples of a block: some 4 MB an array."""

UNLIMITED_A = 1e4
"""A current that no analyzer of a battery measures: such a sample is not a number."""


class TraceError(MisuseError):
    """A file is no trace, or none that can be read."""


@dataclass(frozen=True, slots=True)
class Block:
    """Samples that follow one another."""

    times_s: Array
    """From an origin that all blocks of a trace have in common."""
    current_a: Array
    """NaN where the analyzer has no sample."""
    share: float | None
    """Of the file that has been read."""


@dataclass(slots=True)
class Reading:
    """How a file is read, and what was noticed."""

    path: Path
    columns: Mapping[str, str] = field(default_factory=dict)
    """Units by the names of columns, as the user gave them."""
    unreadable: int = 0
    """Lines that are no samples."""
    cut_short: bool = False
    """Whether the file ends within a sample."""


@dataclass(frozen=True, slots=True)
class Format:
    """A format of traces."""

    name: str
    """As `--format` has it."""
    title: str
    fits: Callable[[bytes], bool]
    """Tells from the first bytes whether a file is of this format."""
    blocks: Callable[[Reading], Iterator[Block]]
    """Yields a file's samples.

    Raises
    ------
    TraceError
        When the file is damaged, or has no current.
    """
    is_general: bool = False
    """Whether it is asked only when no format of one program fits."""
