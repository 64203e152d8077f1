# SPDX-License-Identifier: Apache-2.0
"""The ways to compile for a device: implementation and optimisation."""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, Any

from samara.bench import places, toolchain

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

    from samara.bench.devices import Device
    from samara.bench.subjects import Subject

PORTABLE = "portable"
"""The implementation in C, which every cipher has."""

OPTIMISATIONS = ("Os", "O2", "O3")

_SECTIONS = ("-ffunction-sections", "-fdata-sections")


@dataclass(frozen=True, slots=True)
class Implementation:
    """An alternative to functions in C: see core/arch."""

    name: str
    define: str
    """The macro that is 1 if it is selected, else 0."""
    families: tuple[str, ...]
    ciphers: tuple[str, ...]
    features: tuple[str, ...] = ()
    """Features that a device must have for it."""
    only_as_1: bool = False
    """Whether the macro is given as 1 or not at all: then core chooses rightly."""

    def suits(self, device: Device, subject: Subject) -> bool:
        """Return whether there is one of this cipher for this device."""
        return (
            self.runs_on(device)
            and subject.cipher in self.ciphers
            and subject.source is None
        )

    def runs_on(self, device: Device) -> bool:
        """Return whether the device's processor has what it needs."""
        return device.family.name in self.families and set(self.features) <= set(
            device.features
        )


@dataclass(frozen=True, slots=True)
class Build:
    """One way to compile for a device."""

    device: Device
    implementation: str
    opt: str

    def __hash__(self) -> int:
        # Of the device the name: it is asked for thousands of times in an answer.
        return hash((self.device.name, self.implementation, self.opt))

    @property
    def flags(self) -> list[str]:
        """Arguments of the compiler, without files."""
        family = self.device.family
        words = self._words()
        if "{headers}" in words:
            place = words.index("{headers}")
            words[place] = toolchain.compiler_headers(family.compiler)
        return words

    @property
    def comparable_flags(self) -> str:
        """The same as text that is equal on every machine, for results."""
        return self._comparable(self._words())

    @property
    def comparable_linker_flags(self) -> str:
        """Arguments of the linker, as text that is equal on every machine."""
        family = self.device.family
        return self._comparable(
            [*self.device.words(family.linker_flags), *family.libraries]
        )

    def _comparable(self, words: Iterable[str]) -> str:
        folder = str(self.device.family.folder)
        return " ".join(word.replace(folder, "{family}") for word in words)

    def _words(self) -> list[str]:
        family = self.device.family
        switches = (
            f"-D{known.define}={int(self._has(known))}"
            for known in known_implementations()
            if family.name in known.families
            and (self._has(known) or not known.only_as_1)
        )
        words = self.device.words(family.flags)
        return [*words, f"-{self.opt}", *_SECTIONS, *switches]

    def _has(self, known: Implementation) -> bool:
        """Return whether it is compiled with an implementation, which the device has.

        Processors of a family may have different ones with the same name.
        """
        return known.name == self.implementation and known.runs_on(self.device)

    @property
    def linker_scripts(self) -> list[Path]:
        """Files of the family that the linker reads."""
        family = self.device.family
        words = self.device.words(family.linker_flags)
        return [
            path
            for path in sorted(family.folder.iterdir())
            if any(word.endswith(str(path)) for word in words)
        ]


@cache
def known_implementations() -> tuple[Implementation, ...]:
    """Return every description in core/arch, in the order of their paths."""
    return tuple(
        Implementation(**_table(path))
        for path in sorted((places.root() / "core" / "arch").glob("*/*.toml"))
    )


def _table(path: Path) -> dict[str, Any]:
    fields = tomllib.loads(path.read_text(encoding="utf-8"))
    return {k: tuple(v) if isinstance(v, list) else v for k, v in fields.items()}


def implementation_names() -> list[str]:
    """Return the names of all implementations, that in C first."""
    return list(
        dict.fromkeys([PORTABLE, *(one.name for one in known_implementations())])
    )


def implementations(device: Device, subject: Subject) -> list[str]:
    """Return the names of a cipher's implementations for a device."""
    others = [i.name for i in known_implementations() if i.suits(device, subject)]
    return [PORTABLE, *others]
