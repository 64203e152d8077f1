# SPDX-License-Identifier: Apache-2.0
"""Building the measuring program for a device, once for each way to compile it.

Everything lies in build/bench, in folders named by a hash of all that went into
them: sources, flags and compiler. So nothing is ever out of date.
"""

from __future__ import annotations

import fcntl
import hashlib
import tomllib
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, Any

from samara.bench import images, places, toolchain

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

    from samara.bench.devices import Device
    from samara.bench.subjects import Subject

PORTABLE = "portable"
"""The implementation in C that every cipher has."""

OPTIMISATIONS = ("Os", "O2", "O3")

_CORE_FOLDERS = (
    *("aead", "arch/*", "block", "common", "ieee802154", "mode", "stream"),
)
_SECTIONS = ("-ffunction-sections", "-fdata-sections")


@dataclass(frozen=True, slots=True)
class Implementation:
    """A body of functions that may stand for those in C: see core/arch."""

    name: str
    define: str
    """The macro that is 1 where it is chosen, 0 elsewhere."""
    families: tuple[str, ...]
    ciphers: tuple[str, ...]
    features: tuple[str, ...] = ()
    """What a device must have for it."""

    def suits(self, device: Device, subject: Subject) -> bool:
        """Whether it is there for this cipher on this device."""
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
        """The compiler's arguments, without files."""
        family = self.device.family
        words = self.device.words(family.flags)
        if "{headers}" in words:
            place = words.index("{headers}")
            words[place] = toolchain.compiler_headers(family.compiler)
        switches = (
            f"-D{known.define}={int(known.name == self.implementation)}"
            for known in known_implementations()
            if family.name in known.families
        )
        return [*words, f"-{self.opt}", *_SECTIONS, *switches]


@dataclass(frozen=True, slots=True)
class Program:
    """A cipher's measuring program, and the same with an empty cipher."""

    image: images.Image
    empty: images.Image

    @property
    def code_bytes(self) -> int:
        """What the linker keeps for the cipher."""
        return self.image.flash_bytes - self.empty.flash_bytes

    @property
    def static_ram_bytes(self) -> int:
        """Variables of the cipher, its expanded key among them."""
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


def implementations(device: Device, subject: Subject) -> list[str]:
    """Return the names of those that a cipher has on a device."""
    others = [i.name for i in known_implementations() if i.suits(device, subject)]
    return [PORTABLE, *others]


@cache
def sources_hash() -> str:
    """Return a hash of everything that can change a figure, but for compilers."""
    root = places.root()
    core = [path for name in _CORE_FOLDERS for path in (root / "core").glob(name)]
    folders = [*sorted(core), root / "core" / "include"]
    return hash_of_files([*folders, root / "firmware", root / "devices"])


def hash_of_files(folders: Sequence[Path]) -> str:
    """Return a hash of all files in folders, and of their names."""
    digest = hashlib.sha256()
    for folder in folders:
        for path in sorted(folder.rglob("*")):
            if path.is_file() and "__pycache__" not in path.parts:
                digest.update(str(path.relative_to(folder)).encode() + b"\0")
                digest.update(hashlib.sha256(path.read_bytes()).digest())
    return digest.hexdigest()[:16]


def build(build: Build, subject: Subject) -> Program:
    """Compile and link what is not there yet.

    Raises
    ------
    samara.bench.toolchain.BuildError
        When a compiler refuses.
    samara.bench.toolchain.TooLargeError
        When the program does not fit into the device's flash memory.
    """
    folder = _folder(build, subject)
    objects = [*_cipher_objects(build, subject), *_own_parts(build, subject, folder)]
    image = folder / f"{subject.image_name}.elf"
    empty = folder / f"{subject.image_name}.empty.elf"
    with _locked(folder):
        if not (image.is_file() and empty.is_file()):
            glue = _glue(build, subject, folder)
            _link(build, [*glue, *objects], empty=False, output=image)
            _link(build, glue, empty=True, output=empty)
    program = Program(images.read(image), images.read(empty))
    _check_flash(program.image, build.device)
    return program


def _check_flash(image: images.Image, device: Device) -> None:
    if image.flash_bytes > device.flash_bytes:
        message = (
            f"needs {image.flash_bytes:,} bytes of flash memory,"
            f" {device.name} has {device.flash_bytes:,}"
        )
        raise toolchain.TooLargeError(message)


def _folder(build: Build, subject: Subject) -> Path:
    foreign = subject.source.folders if subject.source else ()
    return places.made() / _build_hash(build, foreign)


@cache
def _build_hash(build: Build, foreign: tuple[Path, ...]) -> str:
    parts = [
        sources_hash(),
        hash_of_files(foreign) if foreign else "",
        toolchain.version(build.device.family.compiler),
        *build.flags,
        *build.device.words(build.device.family.linker_flags),
    ]
    digest = hashlib.sha256("\0".join(parts).encode()).hexdigest()[:12]
    return f"{build.device.name}-{build.implementation}-{build.opt}-{digest}"


def _cipher_objects(build: Build, subject: Subject) -> list[Path]:
    """Compile the cipher's own sources: samara's core, or somebody's folder."""
    folder = _folder(build, subject)
    if subject.source is None:
        core = places.root() / "core"
        sources = [s for f in _CORE_FOLDERS for s in sorted(core.glob(f"{f}/*.c"))]
        includes = [core, core / "include"]
    else:
        paths = sorted(subject.source.folder.iterdir())
        sources = [path for path in paths if path.suffix in {".c", ".S"}]
        includes = list(subject.source.folders)
    with _locked(folder):
        return [_compile(build, path, includes, folder / "objects") for path in sources]


def _glue(build: Build, subject: Subject, folder: Path) -> list[Path]:
    """Compile the measuring program itself and the family's support code."""
    measure, family = _measure_folder(), build.device.family
    always = [measure / "main.c", *(family.folder / name for name in family.sources)]
    glue = [_compile(build, path, [measure], folder / "measure") for path in always]
    binding = measure / "ciphers" / f"{subject.binding}.c"
    return [*glue, *_compile_for(build, subject, [binding], folder)]


def _own_parts(build: Build, subject: Subject, folder: Path) -> list[Path]:
    """Compile what of the measured code is the measuring program's."""
    sources = [_measure_folder() / "ciphers" / name for name in subject.parts_sources]
    return _compile_for(build, subject, sources, folder)


def _measure_folder() -> Path:
    return places.root() / "firmware" / "measure"


def _compile_for(
    build: Build, subject: Subject, sources: Sequence[Path], folder: Path
) -> list[Path]:
    """Compile sources that have the cipher's name in them."""
    core = places.root() / "core"
    includes = [_measure_folder(), core, core / "include"]
    macros = [f"-DMEASURE_CIPHER={subject.cipher}"]
    macros += [f"-D{macro}" for macro in subject.macros]
    here = folder / subject.image_name
    return [_compile(build, path, includes, here, macros) for path in sources]


def _compile(
    build: Build,
    source: Path,
    includes: Sequence[Path],
    folder: Path,
    macros: Sequence[str] = (),
) -> Path:
    target = folder / f"{source.parent.name}-{source.stem}.o"
    if not target.is_file():
        paths = [f"-I{path}" for path in includes]
        command = [build.device.family.compiler, *build.flags, *macros, *paths]
        with places.whole(target) as partial:
            toolchain.run([*command, "-c", source, "-o", partial])
    return target


def _link(build: Build, objects: Sequence[Path], *, empty: bool, output: Path) -> None:
    family = build.device.family
    options = ["--gc-sections", "--undefined=measure_nothing"]
    if empty:
        names = sorted(images.undefined(objects))
        options += [f"--defsym={name}=measure_nothing" for name in names]
    command: list[str | Path] = [family.linker]
    command += build.device.words(family.linker_flags)
    command += [f"{family.linker_prefix}{option}" for option in options]
    with places.whole(output) as partial:
        toolchain.run([*command, *objects, *family.libraries, "-o", partial])


@contextmanager
def _locked(folder: Path) -> Iterator[None]:
    """Let one process at a time build in a folder."""
    folder.mkdir(parents=True, exist_ok=True)
    with (folder / "lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield
