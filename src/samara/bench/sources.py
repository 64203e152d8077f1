# SPDX-License-Identifier: Apache-2.0
"""The source files of a program, and a hash of what is compiled of them.

The linker's map has the objects that it kept. The files that these were compiled from
are the sources of an image: a change of any other file cannot change its figures. The
hash is over what the compiler sees of them (`samara.bench.preprocessed`), the
compiler's version and all flags: a comment changes nothing, and a constant does.
"""

from __future__ import annotations

import re
from collections import ChainMap
from functools import cache, lru_cache
from typing import TYPE_CHECKING

from samara.bench import hashing, places, preprocessed, toolchain, units

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping
    from pathlib import Path

    from samara.bench.subjects import Subject
    from samara.bench.ways import Build

# GNU ld: " .text.f  0x00001234  0x10 name.o"; a long name has a line of its own.
_GNU_ENTRY = re.compile(
    r"^ (\S+)\s+0x[0-9a-f]+\s+0x([0-9a-f]+) (\S.*\.o)$", re.MULTILINE
)
# lld: "  4000  4000  10  2  name.o:(.text.f)".
_LLD_ENTRY = re.compile(
    r"^ *[0-9a-f]+ +[0-9a-f]+ +([0-9a-f]+) +\d+ +(\S.*\.o):\(([^)]+)\)$", re.MULTILINE
)
_GNU_BEGIN = "Linker script and memory map"
# Sections that are never part of the running program.
_NOT_LOADED = re.compile(
    r"\.(comment|debug|note|stab|ARM\.|MSP430|eh_frame|symtab|strtab|shstrtab)"
)
_SCRIPT_COMMENT = re.compile(r"/\*.*?\*/", re.DOTALL)


def dependencies(listing: Path, source: Path) -> list[Path]:
    """Return the files that the compiler read, from what `-MD` wrote.

    A relative path is one below the directory of the sources.

    Parameters
    ----------
    listing
        The file that the compiler wrote. There is none for assembly that is
        not preprocessed, which depends on its source alone.
    """
    if not listing.is_file():
        return [source]
    _, _, rule = listing.read_text(encoding="utf-8").partition(": ")
    words = re.findall(r"(?:\\ |\S)+", rule.replace("\\\n", " "))
    paths = [places.root() / word.replace("\\ ", " ") for word in words]
    return list(dict.fromkeys([source, *paths]))


def kept(linker_map: str) -> set[str]:
    """Return the object files of which the linker kept anything.

    Parameters
    ----------
    linker_map
        The text of the map that GNU ld or lld writes.
    """
    _, begin, after = linker_map.partition(_GNU_BEGIN)
    if begin:
        entries = [(s, size, name) for s, size, name in _GNU_ENTRY.findall(after)]
    else:
        found = _LLD_ENTRY.findall(linker_map)
        entries = [(section, size, name) for size, name, section in found]
    return {
        name
        for section, size, name in entries
        if int(size, 16) and not _NOT_LOADED.match(section)
    }


@lru_cache(maxsize=4096)
def name_of(path: Path) -> str:
    """Return the name of a file in results: within the clone, or else its path."""
    root = places.root()
    inside = path.is_relative_to(root)
    return path.relative_to(root).as_posix() if inside else str(path)


def hash_of(build: Build, subject: Subject, files: Iterable[str]) -> str:
    """Return a hash of what a program is compiled and linked from.

    Parameters
    ----------
    files
        Names of the source files of which the linker kept anything, and of its scripts.

    Raises
    ------
    LookupError
        If a file is not a part of such a program any more.
    samara.bench.toolchain.BuildError, OSError
        If a file cannot be preprocessed, or not be read.
    """
    words = [toolchain.version(build.device.family.compiler)]
    words += [build.comparable_flags, build.comparable_linker_flags]
    known = _units(build, subject)
    scripts = {name_of(path): path for path in build.linker_scripts}
    for name in sorted(files):
        if name in scripts:
            words += [name, _script(scripts[name])]
        else:
            unit = known[name]
            words += [name, *unit.flags, preprocessed.digest(build, unit)]
    return hashing.hash_of(words)


def units_of(
    build: Build, subject: Subject, files: Iterable[str]
) -> Iterator[units.Unit]:
    """Yield those of these files that are preprocessed for `hash_of`."""
    known = _units(build, subject)
    yield from (known[name] for name in files if name in known)


def _units(build: Build, subject: Subject) -> Mapping[str, units.Unit]:
    glue = units.glue(build.device.family, subject)
    if subject.source is not None:
        return _by_name([*units.measured(subject), *glue])
    return ChainMap(_by_name([*units.parts(subject), *glue]), _core())


@cache
def _core() -> dict[str, units.Unit]:
    return _by_name(units.core())


def _by_name(found: Iterable[units.Unit]) -> dict[str, units.Unit]:
    return {name_of(unit.source): unit for unit in found}


def _script(path: Path) -> str:
    """Return a linker script without its comments and blanks."""
    text = _SCRIPT_COMMENT.sub(" ", path.read_text(encoding="utf-8"))
    return " ".join(text.split())
