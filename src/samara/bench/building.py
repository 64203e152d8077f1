# SPDX-License-Identifier: Apache-2.0
"""Building the measuring program for a device, once for each way to compile it.

All files are in build/bench. The name of an object file has a hash of the compiler's
arguments and of all files that it read; the name of a program has a hash of its object
files. So no file is out of date, and nothing is built twice.
"""

from __future__ import annotations

import fcntl
import hashlib
import json
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING

from samara import atomic_files
from samara.bench import hashing, images, places, sources, toolchain, units

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence
    from pathlib import Path

    from samara.bench.devices import Device
    from samara.bench.subjects import Subject
    from samara.bench.units import Unit
    from samara.bench.ways import Build


@dataclass(frozen=True, slots=True)
class Program:
    """A measuring program with a cipher, and the same with an empty cipher."""

    image: images.Image
    empty: images.Image
    files: tuple[str, ...]
    """Source files of the image, by their names in results."""
    sources: str
    """Hash of what is compiled of these files."""

    @property
    def code_bytes(self) -> int:
        """Bytes that the linker keeps for the cipher."""
        return self.image.flash_bytes - self.empty.flash_bytes

    @property
    def static_ram_bytes(self) -> int:
        """Variables of the cipher, with its expanded key."""
        return self.image.ram_bytes - self.empty.ram_bytes + self.image.state_bytes


def build(build: Build, subject: Subject) -> Program:
    """Compile and link, unless that was done before.

    Raises
    ------
    samara.bench.toolchain.BuildError
        If the compiler or the linker fails.
    samara.bench.toolchain.TooLargeError
        If the program does not fit into the device's flash memory.
    """
    folder = places.made() / _folder_name(build)
    with _locked(folder):
        glue = _compiled(build, units.glue(build.device.family, subject), folder)
        objects = _compiled(build, units.measured(subject), folder)
        stem = folder / subject.image_name
        linked = _linked(build, subject, [*glue, *objects], stem)
        empty = _empty(build, [one.path for one in glue], stem)
    listed = json.loads(_source_list(linked).read_text(encoding="utf-8"))
    program = Program(
        image=images.read(linked),
        empty=images.read(empty),
        files=tuple(listed["files"]),
        sources=listed["sources"],
    )
    _check_heap(program.image)
    _check_flash(program.image, build.device)
    return program


def objects(build: Build, subject: Subject) -> list[Path]:
    """Compile what a subject is linked from, but for the measuring program itself."""
    return objects_of(build, units.measured(subject))


def objects_of(build: Build, found: Iterable[Unit]) -> list[Path]:
    """Compile source files, unless that was done before."""
    folder = places.made() / _folder_name(build)
    with _locked(folder):
        return [one.path for one in _compiled(build, found, folder)]


def linked(build: Build, objects: Sequence[Path], name: str) -> images.Image:
    """Link object files in this order, unless that was done before.

    Raises
    ------
    samara.bench.toolchain.BuildError, samara.bench.toolchain.TooLargeError
        As `build`.
    """
    folder = places.made() / _folder_name(build)
    with _locked(folder):
        path = _image_path(build, objects, folder / name, "elf")
        if not path.is_file():
            _link(build, objects, [], path)
    image = images.read(path)
    _check_flash(image, build.device)
    return image


def library(build: Build) -> Iterator[Path]:
    """Compile all that a device may link, and yield the objects as they are there."""
    folder = places.made() / _folder_name(build)
    for unit in units.library():
        with _locked(folder):
            made = _compile(build, unit, folder)
        yield made.path


def _check_heap(image: images.Image) -> None:
    if "malloc" in image.symbols:
        message = "it calls malloc, but the measuring program has no heap"
        raise toolchain.BuildError(message)


def _check_flash(image: images.Image, device: Device) -> None:
    if image.flash_bytes > device.flash_bytes:
        message = (
            f"needs {image.flash_bytes:,} bytes of flash memory,"
            f" {device.name} has {device.flash_bytes:,}"
        )
        raise toolchain.TooLargeError(message)


@cache
def _folder_name(build: Build) -> str:
    """Return the name of the directory for builds with these flags."""
    parts = [toolchain.version(build.device.family.compiler), *build.flags]
    digest = hashlib.sha256("\0".join(parts).encode()).hexdigest()[:8]
    return f"{build.device.name}-{build.implementation}-{build.opt}-{digest}"


@dataclass(frozen=True, slots=True)
class _Object:
    """An object file, and the source file that it was compiled from."""

    path: Path
    source: Path


def _compiled(build: Build, found: Iterable[Unit], folder: Path) -> list[_Object]:
    return [_compile(build, unit, folder) for unit in found]


# Once for each process: there are dozens of files, and thousands of programs.
@cache
def _compile(build: Build, unit: Unit, folder: Path) -> _Object:
    """Compile a source file, unless that was done before with the same files."""
    stem = folder / unit.stem
    read = sources.dependencies(_listing(stem), unit.source)
    target = _object_path(stem, unit.words, read)
    if target is None or not target.is_file():
        target = _compile_anew(build, unit, stem)
    return _Object(target, unit.source)


def _listing(stem: Path) -> Path:
    """Return the file with the names of the files that the compiler read."""
    return stem.with_name(f"{stem.name}.d")


def _compile_anew(build: Build, unit: Unit, stem: Path) -> Path:
    listing = _listing(stem)
    compiler = build.device.family.compiler
    new = stem.with_name(f"{stem.name}.new.o")
    stem.parent.mkdir(parents=True, exist_ok=True)
    listing.unlink(missing_ok=True)
    command: list[str | Path] = [compiler, *build.flags, *unit.words]
    command += ["-MD", "-MF", listing]
    toolchain.run([*command, "-c", unit.source, "-o", new], folder=places.root())
    read = sources.dependencies(listing, unit.source)
    target = _object_path(stem, unit.words, read)
    if target is None:
        message = f"a file that {unit.source} includes is gone"
        raise toolchain.BuildError(message)
    new.replace(target)
    return target


def _object_path(stem: Path, words: Sequence[str], read: Sequence[Path]) -> Path | None:
    """Return the path of the object of these files; None if a file is missing."""
    digest = hashlib.sha256("\0".join(words).encode())
    try:
        for path in read:
            digest.update(str(path).encode() + b"\0" + hashing.content(path))
    except FileNotFoundError:
        return None
    return stem.with_name(f"{stem.name}.{digest.hexdigest()[:12]}.o")


def _linked(
    build: Build, subject: Subject, objects: Sequence[_Object], stem: Path
) -> Path:
    """Link a program, store the names of its source files, and return its path."""
    paths = [one.path for one in objects]
    image = _image_path(build, paths, stem, "elf")
    if not _source_list(image).is_file():
        linker_map = image.with_suffix(".map")
        _link(build, paths, [f"-Map={linker_map}"], image)
        kept = sources.kept(linker_map.read_text(encoding="utf-8", errors="replace"))
        read = {one.source for one in objects if str(one.path) in kept}
        files = sorted(map(sources.name_of, [*read, *build.linker_scripts]))
        listed = {"sources": sources.hash_of(build, subject, files), "files": files}
        with atomic_files.made_by(_source_list(image)) as temporary:
            temporary.write_text(json.dumps(listed), encoding="utf-8")
    return image


def _empty(build: Build, glue: Sequence[Path], stem: Path) -> Path:
    """Link the same program with an empty cipher."""
    image = _image_path(build, glue, stem, "empty.elf")
    if not image.is_file():
        names = sorted(images.undefined(glue))
        _link(
            build, glue, [f"--defsym={name}=measure_nothing" for name in names], image
        )
    return image


def _link(
    build: Build, objects: Sequence[Path], options: Sequence[str], output: Path
) -> None:
    family = build.device.family
    options = ["--gc-sections", "--undefined=measure_nothing", *options]
    command: list[str | Path] = [family.linker]
    command += build.device.words(family.linker_flags)
    command += [f"{family.linker_prefix}{option}" for option in options]
    command += objects
    with atomic_files.made_by(output) as temporary:
        toolchain.run([*command, *family.libraries, "-o", temporary])


def _image_path(build: Build, objects: Sequence[Path], stem: Path, suffix: str) -> Path:
    family = build.device.family
    digest = hashlib.sha256()
    for word in (*build.device.words(family.linker_flags), *family.libraries):
        digest.update(word.encode() + b"\0")
    for path in objects:
        digest.update(str(path).encode() + b"\0")
    for script in build.linker_scripts:
        digest.update(hashing.content(script))
    return stem.with_name(f"{stem.name}.{digest.hexdigest()[:12]}.{suffix}")


def _source_list(image: Path) -> Path:
    """Return the file with the names of a program's source files."""
    return image.with_suffix(".json")


@contextmanager
def _locked(folder: Path) -> Iterator[None]:
    """Let one process at a time build in a directory."""
    folder.mkdir(parents=True, exist_ok=True)
    with (folder / "lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield
