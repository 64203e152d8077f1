# SPDX-License-Identifier: Apache-2.0
"""Cores: the design in rtl/ with a value for each of its parameters.

The sources are found as the bench finds those that it compiles: see
`samara.bench.places.root`.
"""

from __future__ import annotations

import hashlib
import re
from dataclasses import dataclass
from enum import StrEnum
from functools import cache
from typing import TYPE_CHECKING

from samara.bench import places
from samara.crypto.names import find
from samara.errors import MisuseError

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

TOP = "samara_grain128"
"""Name of the module that a core is made of."""

WIDTHS = (1, 2, 4, 8, 16, 32, 64)
"""Values of N: pre-output bits a clock."""


class Variant(StrEnum):
    """Which of the ways to build a core; the values are those of --variant."""

    PLAIN = "plain"
    FAST = "fast"
    LOW_POWER = "low-power"


_PARAMETERS = {
    Variant.PLAIN: {"FAST": 0, "LOW_POWER": 0},
    Variant.FAST: {"FAST": 1, "LOW_POWER": 0},
    Variant.LOW_POWER: {"FAST": 0, "LOW_POWER": 1},
}


class NoDesignError(MisuseError):
    """The clone of the repository has no sources of the core."""


@dataclass(frozen=True, slots=True, order=True)
class Core:
    """The module `TOP` with a value for each parameter."""

    n: int
    """Pre-output bits a clock."""
    variant: Variant = Variant.PLAIN
    authenticates: bool = True
    """Whether it seals and opens (Grain-128AEADv2); otherwise it makes the keystream
    of Grain-128PLE."""

    def __post_init__(self) -> None:
        if self.n not in WIDTHS:
            known = ", ".join(map(str, WIDTHS))
            message = f"a core with N = {self.n} does not exist: N is one of {known}"
            raise MisuseError(message)

    @property
    def name(self) -> str:
        """Name on the command line and in results, such as ``"grain-n8-fast"``."""
        cipher = "grain" if self.authenticates else "grain-ple"
        variant = "" if self.variant is Variant.PLAIN else f"-{self.variant}"
        return f"{cipher}-n{self.n}{variant}"

    @property
    def title(self) -> str:
        """The core in a few words."""
        cipher = "Grain-128AEADv2" if self.authenticates else "Grain-128PLE"
        return f"{cipher} core, N = {self.n}, {self.variant}"

    @property
    def parameters(self) -> dict[str, int]:
        """Values of the Verilog parameters."""
        return {
            "N": self.n,
            "AUTHENTICATE": int(self.authenticates),
            **_PARAMETERS[self.variant],
        }

    @property
    def bits_a_clock(self) -> float:
        """Bits of message (PLE: of keystream) that a clock processes at most."""
        return self.n / 2 if self.authenticates else self.n


def cores(
    widths: Sequence[int] = WIDTHS,
    variants: Sequence[Variant] = tuple(Variant),
    authenticates: Sequence[bool] = (True, False),
) -> list[Core]:
    """Return the cores with these parameters, the narrow ones first.

    Raises
    ------
    samara.errors.MisuseError
        If no core has such a width.
    """
    return [
        Core(n, variant, authenticate)
        for authenticate in authenticates
        for variant in variants
        for n in widths
    ]


def core(name: str) -> Core:
    """Return a core by its name, such as ``"grain-n8"``.

    Raises
    ------
    samara.crypto.UnknownNameError
        If there is none; the text has the nearest names.
    """
    return find("core", name, _by_name())


# The rows of an answer ask for their core hundreds of times.
@cache
def _by_name() -> dict[str, Core]:
    return {each.name: each for each in cores()}


def sources(module: str = TOP) -> list[Path]:
    """Return the Verilog files of a module: each module of its hierarchy has one.

    Wrappers around the core are not among those of the core.

    Raises
    ------
    NoDesignError
        If there are none in rtl/.
    samara.bench.places.NoSourcesError
        If the sources of samara are missing.
    """
    folder = places.root() / "rtl"
    top = folder / f"{module}.v"
    if not top.is_file():
        message = f"{top} does not exist: use a clone of the repository that has rtl/"
        raise NoDesignError(message)
    texts = {path: path.read_text(encoding="utf-8") for path in folder.glob("*.v")}
    return sorted(_reached(top, texts))


CORE = "core"
"""Value of --top: the core alone."""
AXI, SPI = "axi", "spi"
"""Values of --top: the core in a wrapper."""
WRAPPERS = (AXI, SPI)
_WIDEST = {SPI: 16}
"""The largest N of a wrapper that does not have all of them."""


def module_of(top: str) -> str:
    """Return the module that --top names: "core" or a wrapper, such as "spi"."""
    return TOP if top == CORE else f"{TOP}_{top}"


def check_top(core: Core, top: str) -> None:
    """Refuse a core that a wrapper does not have.

    Raises
    ------
    samara.errors.MisuseError
        If there is no such wrapper, it does not go up to this N, or the core makes a
        keystream, which no wrapper has.
    """
    if top == CORE:
        return
    if top not in WRAPPERS:
        message = f"--top {top} is unknown: use one of {', '.join((CORE, *WRAPPERS))}"
        raise MisuseError(message)
    if core.n > _WIDEST.get(top, max(WIDTHS)):
        message = f"--top {top} has N = 1 to {_WIDEST[top]}, not {core.n}"
        raise MisuseError(message)
    if not core.authenticates:
        message = f"--top {top} seals and opens: {core.name} makes a keystream"
        raise MisuseError(message)


def widths(top: str) -> tuple[int, ...]:
    """Return the values of N that a top module has."""
    return tuple(n for n in WIDTHS if n <= _WIDEST.get(top, max(WIDTHS)))


def _reached(top: Path, texts: dict[Path, str]) -> Iterator[Path]:
    """Yield a file, and those with modules that it or these name."""
    waiting, seen = [top], {top}
    while waiting:
        path = waiting.pop()
        yield path
        words = set(texts[path].replace("#", " ").split())
        named = {p for p in texts if p.stem in words} - seen
        seen |= named
        waiting += named


def sources_hash(module: str = TOP) -> str:
    """Return a short hash of a module's sources; results say which they are of.

    Comments and white space do not change it.
    """
    digest = hashlib.sha256()
    for path in sources(module):
        text = re.sub(r"//[^\n]*|/\*.*?\*/", " ", path.read_text(encoding="utf-8"))
        digest.update(f"{path.name}\0{' '.join(text.split())}\0".encode())
    return digest.hexdigest()[:16]
