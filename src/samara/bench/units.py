# SPDX-License-Identifier: Apache-2.0
"""The source files that a measuring program is compiled from, and how each is."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING

from samara.bench import places

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from pathlib import Path

    from samara.bench.devices import Family
    from samara.bench.subjects import Subject

_CORE_FOLDERS = (
    *("aead", "arch/*", "block", "common", "ieee802154", "mode", "node"),
    *("rfserial", "store", "stream"),
)

# Only hosts have the table of everything by name.
_HOST = "host"

# The measuring program itself must not call the C library: the functions would be in
# the empty program too, and so be missing from the cipher's code size.
_GLUE_FLAGS = ("-ffreestanding",)


@dataclass(frozen=True, slots=True)
class Unit:
    """A source file, and the arguments of the compiler that it has for itself."""

    source: Path
    folder: str
    """Name of the directory for its object file."""
    includes: tuple[Path, ...]
    """Directories with header files."""
    flags: tuple[str, ...] = ()

    @property
    def words(self) -> list[str]:
        """All arguments that it has for itself, without the file."""
        return [*self.flags, *(f"-I{path}" for path in self.includes)]

    @property
    def stem(self) -> str:
        """Path of files made of it, in a directory of the build, without ending."""
        return f"{self.folder}/{self.source.parent.name}-{self.source.name}"

    @property
    def is_preprocessed(self) -> bool:
        """Whether it is more than assembly alone."""
        return self.source.suffix != ".s" or "-x" in self.flags

    @property
    def is_glue(self) -> bool:
        """Whether it is a part of the measuring program, and not of a cipher."""
        return self.source.is_relative_to(places.root() / "firmware")


def glue(family: Family, subject: Subject) -> list[Unit]:
    """Return the measuring program itself and the family's support code."""
    binding = _measure_folder() / "ciphers" / f"{subject.binding}.c"
    always = _support(family.folder, tuple(family.sources))
    return [*always, _naming(subject, binding, _GLUE_FLAGS)]


@cache
def _support(folder: Path, names: tuple[str, ...]) -> tuple[Unit, ...]:
    measure = _measure_folder()
    paths = [measure / "main.c", *((folder / name).resolve() for name in names)]
    return tuple(Unit(path, "measure", (measure,), _GLUE_FLAGS) for path in paths)


def measured(subject: Subject) -> list[Unit]:
    """Return the cipher: samara's core, or an added directory; and its parts."""
    return [*_cipher(subject), *parts(subject)]


def parts(subject: Subject) -> list[Unit]:
    """Return what names the cipher's parts, where these are measured too."""
    folder = _measure_folder() / "ciphers"
    return [_naming(subject, folder / name) for name in subject.parts_sources]


def _cipher(subject: Subject) -> Iterable[Unit]:
    foreign = subject.source
    if foreign is None:
        return core()
    includes = tuple(foreign.include_folders())
    return [
        Unit(path, subject.image_name, includes, tuple(foreign.language_flags(path)))
        for path in foreign.sources()
    ]


@cache
def library() -> tuple[Unit, ...]:
    """Return all that a device may link, also what no cipher needs."""
    core = places.root() / "core"
    return tuple(
        Unit(path, "core", _core_includes())
        for path in sorted(core.rglob("*.c"))
        if path.relative_to(core).parts[0] != _HOST
    )


@cache
def core() -> tuple[Unit, ...]:
    """Return the core, of which every cipher of it may be linked."""
    folder = places.root() / "core"
    found = [
        path for name in _CORE_FOLDERS for path in sorted(folder.glob(f"{name}/*.c"))
    ]
    return tuple(Unit(path, "core", _core_includes()) for path in found)


def _core_includes() -> tuple[Path, ...]:
    core = places.root() / "core"
    return core, core / "include"


def _naming(subject: Subject, source: Path, flags: Sequence[str] = ()) -> Unit:
    """Return a source file that uses macros with the cipher's name."""
    macros = [f"-DMEASURE_CIPHER={subject.cipher}"]
    macros += [f"-D{macro}" for macro in subject.macros]
    includes = (_measure_folder(), *_core_includes())
    return Unit(source, subject.image_name, includes, (*flags, *macros))


def _measure_folder() -> Path:
    return places.root() / "firmware" / "measure"
