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
import tomllib
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, Any

from samara import drafts
from samara.bench import images, places, sources, toolchain

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

    from samara.bench.devices import Device
    from samara.bench.subjects import Subject

PORTABLE = "portable"
"""The implementation in C, which every cipher has."""

OPTIMISATIONS = ("Os", "O2", "O3")

_CORE_FOLDERS = (
    *("aead", "arch/*", "block", "common", "ieee802154", "mode", "stream"),
)
_SECTIONS = ("-ffunction-sections", "-fdata-sections")

# The measuring program itself must not call the C library: the functions would be in
# the empty program too, and so be missing from the cipher's code size.
_GLUE_FLAGS = ("-ffreestanding",)


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

    def suits(self, device: Device, subject: Subject) -> bool:
        """Return whether there is one of this cipher for this device."""
        return (
            device.family.name in self.families
            and subject.cipher in self.ciphers
            and set(self.features) <= set(device.features)
            and subject.source is None
        )


@dataclass(frozen=True, slots=True)
class Build:
    """One way to compile for a device."""

    device: Device
    implementation: str
    opt: str

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
    def told_flags(self) -> str:
        """The same as text that is equal on every machine, for results."""
        folder = str(self.device.family.folder)
        return " ".join(word.replace(folder, "{family}") for word in self._words())

    def _words(self) -> list[str]:
        family = self.device.family
        switches = (
            f"-D{known.define}={int(known.name == self.implementation)}"
            for known in known_implementations()
            if family.name in known.families
        )
        words = self.device.words(family.flags)
        return [*words, f"-{self.opt}", *_SECTIONS, *switches]


@dataclass(frozen=True, slots=True)
class Program:
    """A measuring program with a cipher, and the same with an empty cipher."""

    image: images.Image
    empty: images.Image
    files: tuple[str, ...]
    """Source files of the image, by their names in results."""
    sources: str
    """Hash of these files."""

    @property
    def code_bytes(self) -> int:
        """Bytes that the linker keeps for the cipher."""
        return self.image.flash_bytes - self.empty.flash_bytes

    @property
    def static_ram_bytes(self) -> int:
        """Variables of the cipher, with its expanded key."""
        return self.image.ram_bytes - self.empty.ram_bytes + self.image.state_bytes


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
        glue = _glue(build, subject, folder)
        objects = [
            *_cipher_objects(build, subject, folder),
            *_own_parts(build, subject, folder),
        ]
        stem = folder / subject.image_name
        foreign = subject.source.folders if subject.source else ()
        linked = _linked(build, [*glue, *objects], stem, foreign)
        empty = _empty(build, glue, stem)
    told = json.loads(_source_list(linked).read_text(encoding="utf-8"))
    program = Program(
        image=images.read(linked),
        empty=images.read(empty),
        files=tuple(told["files"]),
        sources=told["sources"],
    )
    _check_heap(program.image)
    _check_flash(program.image, build.device)
    return program


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
    """An object file, and the files that the compiler read for it."""

    path: Path
    read: tuple[Path, ...]


def _cipher_objects(build: Build, subject: Subject, folder: Path) -> list[_Object]:
    """Compile the cipher's sources: samara's core, or an added directory."""
    foreign = subject.source
    if foreign is None:
        return _core_objects(build, folder / "core")
    here = folder / subject.image_name
    includes = foreign.include_folders()
    return [
        _compile(build, path, here, includes, foreign.language_flags(path))
        for path in foreign.sources()
    ]


# Once for each process: there are dozens of files, and thousands of programs.
@cache
def _core_objects(build: Build, folder: Path) -> list[_Object]:
    core = places.root() / "core"
    found = [
        path for name in _CORE_FOLDERS for path in sorted(core.glob(f"{name}/*.c"))
    ]
    includes = [core, core / "include"]
    return [_compile(build, path, folder, includes) for path in found]


def _glue(build: Build, subject: Subject, folder: Path) -> list[_Object]:
    """Compile the measuring program itself and the family's support code."""
    measure, family = _measure_folder(), build.device.family
    always = [measure / "main.c", *(family.folder / name for name in family.sources)]
    glue = [
        _compile(build, path, folder / "measure", [measure], _GLUE_FLAGS)
        for path in always
    ]
    binding = measure / "ciphers" / f"{subject.binding}.c"
    return [*glue, _compile_for(build, subject, binding, folder, _GLUE_FLAGS)]


def _own_parts(build: Build, subject: Subject, folder: Path) -> list[_Object]:
    """Compile the measured code that is in firmware/measure."""
    found = [_measure_folder() / "ciphers" / name for name in subject.parts_sources]
    return [_compile_for(build, subject, path, folder) for path in found]


def _measure_folder() -> Path:
    return places.root() / "firmware" / "measure"


def _compile_for(
    build: Build,
    subject: Subject,
    source: Path,
    folder: Path,
    flags: Sequence[str] = (),
) -> _Object:
    """Compile a source file that uses macros with the cipher's name."""
    core = places.root() / "core"
    includes = [_measure_folder(), core, core / "include"]
    macros = [f"-DMEASURE_CIPHER={subject.cipher}"]
    macros += [f"-D{macro}" for macro in subject.macros]
    here = folder / subject.image_name
    return _compile(build, source, here, includes, [*flags, *macros])


def _compile(
    build: Build,
    source: Path,
    folder: Path,
    includes: Sequence[Path],
    flags: Sequence[str] = (),
) -> _Object:
    """Compile a source file, unless that was done before with the same files."""
    stem = folder / f"{source.parent.name}-{source.name}"
    listing = stem.with_name(f"{stem.name}.d")
    words = [*flags, *(f"-I{path}" for path in includes)]
    read = sources.dependencies(listing, source)
    target = _object_path(stem, words, read)
    if target is None or not target.is_file():
        target, read = _compile_anew(build, source, stem, words)
    return _Object(target, tuple(read))


def _compile_anew(
    build: Build, source: Path, stem: Path, words: Sequence[str]
) -> tuple[Path, list[Path]]:
    listing = stem.with_name(f"{stem.name}.d")
    compiler = build.device.family.compiler
    new = stem.with_name(f"{stem.name}.new.o")
    stem.parent.mkdir(parents=True, exist_ok=True)
    listing.unlink(missing_ok=True)
    command: list[str | Path] = [compiler, *build.flags, *words]
    command += ["-MD", "-MF", listing]
    toolchain.run([*command, "-c", source, "-o", new])
    read = sources.dependencies(listing, source)
    target = _object_path(stem, words, read)
    if target is None:
        message = f"a file that {source} includes is gone"
        raise toolchain.BuildError(message)
    new.replace(target)
    return target, read


def _object_path(stem: Path, words: Sequence[str], read: Sequence[Path]) -> Path | None:
    """Return the path of the object of these files; None if a file is missing."""
    digest = hashlib.sha256("\0".join(words).encode())
    try:
        for path in read:
            digest.update(str(path).encode() + b"\0" + sources.content(path))
    except FileNotFoundError:
        return None
    return stem.with_name(f"{stem.name}.{digest.hexdigest()[:12]}.o")


def _linked(
    build: Build, objects: Sequence[_Object], stem: Path, folders: Sequence[Path]
) -> Path:
    """Link a program, store the names of its source files, and return its path.

    Parameters
    ----------
    folders
        Directories of sources that are not samara's own.
    """
    scripts = _linker_scripts(build)
    image = _image_path(build, objects, scripts, stem, "elf")
    if not _source_list(image).is_file():
        linker_map = image.with_suffix(".map")
        _link(build, objects, [f"-Map={linker_map}"], image)
        kept = sources.kept(linker_map.read_text(encoding="utf-8", errors="replace"))
        read = {
            path
            for one in objects
            if str(one.path) in kept
            for path in one.read
            if not _is_only_interface(path, one)
        }
        files = sources.names([*read, *scripts], folders)
        told = {"sources": sources.hash_of(files), "files": files}
        with drafts.made_by(_source_list(image)) as draft:
            draft.write_text(json.dumps(told), encoding="utf-8")
    return image


def _is_only_interface(path: Path, read_for: _Object) -> bool:
    """Return whether only the measuring program reads a file, and no cipher.

    It includes the header files of all ciphers; those of the cipher itself are read
    for the cipher's objects too.
    """
    root = places.root()
    headers, program = root / "core" / "include", root / "firmware"
    return path.is_relative_to(headers) and read_for.read[0].is_relative_to(program)


def _empty(build: Build, glue: Sequence[_Object], stem: Path) -> Path:
    """Link the same program with an empty cipher."""
    image = _image_path(build, glue, _linker_scripts(build), stem, "empty.elf")
    if not image.is_file():
        names = sorted(images.undefined([one.path for one in glue]))
        _link(
            build, glue, [f"--defsym={name}=measure_nothing" for name in names], image
        )
    return image


def _link(
    build: Build, objects: Sequence[_Object], options: Sequence[str], output: Path
) -> None:
    family = build.device.family
    options = ["--gc-sections", "--undefined=measure_nothing", *options]
    command: list[str | Path] = [family.linker]
    command += build.device.words(family.linker_flags)
    command += [f"{family.linker_prefix}{option}" for option in options]
    command += [one.path for one in objects]
    with drafts.made_by(output) as draft:
        toolchain.run([*command, *family.libraries, "-o", draft])


def _image_path(
    build: Build,
    objects: Sequence[_Object],
    scripts: Sequence[Path],
    stem: Path,
    ending: str,
) -> Path:
    family = build.device.family
    digest = hashlib.sha256()
    for word in (*build.device.words(family.linker_flags), *family.libraries):
        digest.update(word.encode() + b"\0")
    for one in objects:
        digest.update(str(one.path).encode() + b"\0")
    for script in scripts:
        digest.update(sources.content(script))
    return stem.with_name(f"{stem.name}.{digest.hexdigest()[:12]}.{ending}")


def _source_list(image: Path) -> Path:
    """Return the file with the names of a program's source files."""
    return image.with_suffix(".json")


def _linker_scripts(build: Build) -> list[Path]:
    """Return the files of the family that the linker reads."""
    family = build.device.family
    words = build.device.words(family.linker_flags)
    return [
        path
        for path in sorted(family.folder.iterdir())
        if any(word.endswith(str(path)) for word in words)
    ]


@contextmanager
def _locked(folder: Path) -> Iterator[None]:
    """Let one process at a time build in a directory."""
    folder.mkdir(parents=True, exist_ok=True)
    with (folder / "lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield
