# SPDX-License-Identifier: Apache-2.0
"""The source files of a program, and whether they have changed.

The compiler lists the files that it read for each object file (`-MD`), and the
linker's map has the objects that it kept. Together they are the sources of an image:
a change of any other file cannot change its figures.
"""

from __future__ import annotations

import hashlib
import re
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from samara.bench import places

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

_HASH_DIGITS = 16

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

_known: dict[str, tuple[str, ...]] = {}


def hash_of_files(folders: Sequence[Path]) -> str:
    """Return a hash of all files in directories, and of their names."""
    digest = hashlib.sha256()
    for folder in folders:
        for path in sorted(folder.rglob("*")):
            if path.is_file() and "__pycache__" not in path.parts:
                digest.update(str(path.relative_to(folder)).encode() + b"\0")
                digest.update(hashlib.sha256(path.read_bytes()).digest())
    return digest.hexdigest()[:_HASH_DIGITS]


def content(path: Path) -> bytes:
    """Return a digest of a file, which is read again only after it has changed."""
    status = path.stat()
    return _content(path, status.st_mtime_ns, status.st_size, status.st_ino)


@cache
def _content(path: Path, *_status: int) -> bytes:
    return hashlib.sha256(path.read_bytes()).digest()


def dependencies(listing: Path, source: Path) -> list[Path]:
    """Return the files that the compiler read, from what `-MD` wrote.

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
    paths = [Path(word.replace("\\ ", " ")) for word in words]
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


def names(paths: Iterable[Path], folders: Sequence[Path]) -> tuple[str, ...]:
    """Return the names of files in results, for files of this clone or of `folders`.

    Header files of the compiler and of its libraries are left out, because results
    have the compiler's version.
    """
    root = places.root()
    found = set()
    for path in paths:
        if path.is_relative_to(root):
            found.add(path.relative_to(root).as_posix())
        elif any(path.is_relative_to(folder) for folder in folders):
            found.add(str(path))
    return tuple(sorted(found))


def hash_of(files: Sequence[str]) -> str:
    """Return a hash of files by their names in results.

    Raises
    ------
    OSError
        If one cannot be read.
    """
    digest = hashlib.sha256()
    for name in files:
        digest.update(name.encode() + b"\0")
        digest.update(content(places.root() / name))
    return digest.hexdigest()[:_HASH_DIGITS]


def remember(sources: str, files: Iterable[str]) -> None:
    """Store the files of a hash, as results have them."""
    _known[sources] = tuple(files)


def is_current(sources: str) -> bool | None:
    """Return whether the files of a hash have not changed.

    Returns
    -------
    bool or None
        None if no results that were read have its files. True for results without
        sources, which could not be built.
    """
    if not sources:
        return True
    return _is_current(sources, _known[sources]) if sources in _known else None


@cache
def _is_current(sources: str, files: tuple[str, ...]) -> bool:
    try:
        return hash_of(files) == sources
    except OSError:
        return False
