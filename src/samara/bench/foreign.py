# SPDX-License-Identifier: Apache-2.0
"""Directories with ciphers, as NIST's Lightweight Cryptography project has them.

Such a directory has `api.h` (CRYPTO_KEYBYTES, CRYPTO_NPUBBYTES, CRYPTO_ABYTES) and
sources with `crypto_aead_encrypt` and `crypto_aead_decrypt`, in C and in
assembly. Header files of the project that it includes and does not have are in
firmware/measure/lwc.
"""

from __future__ import annotations

import ctypes
import re
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, NamedTuple

from samara import drafts
from samara.bench import places, toolchain
from samara.bench.hashing import hash_of_files
from samara.errors import MisuseError

if TYPE_CHECKING:
    from collections.abc import Sequence

C, ASSEMBLY = (".c",), (".S", ".s")

DIALECT = "-std=gnu11"
"""The dialect of C of added ciphers: many use `asm` and `typeof`."""

_C_FLAGS = (DIALECT, "-DNDEBUG")
"""A device cannot print the text of an assertion."""

_SIZES = ("KEYBYTES", "NPUBBYTES", "ABYTES")
_FUNCTION, _TABLE = "crypto_aead_encrypt", "lwc_aead_cipher"
_DEFINITION = re.compile(rf"int\s+{_FUNCTION}\s*\(")
_DIRECTIVE = re.compile(r"^\s*#\s*(define|include|ifdef|ifndef|if)\b", re.MULTILINE)
_COMMENT = re.compile(r"/\*.*?\*/|//[^\n]*", re.DOTALL)
_MAIN = re.compile(r"\bmain\s*\([^;{]*\)\s*\{")
_NUMBER = re.compile(r"[( ]*(0[xX][0-9a-fA-F]+|\d+)[uUlL]*[) ]*")


class NotACipherError(MisuseError):
    """A directory is not a cipher that `bench add` can use."""


class Sizes(NamedTuple):
    """Bytes of key, nonce and tag."""

    key: int
    nonce: int
    tag: int


def headers() -> Path:
    """Return the directory with header files of the project."""
    return places.root() / "firmware" / "measure" / "lwc"


def include_folders(folders: Sequence[Path]) -> list[Path]:
    """Return the directories with header files, those of the cipher first."""
    return [*folders, headers()]


def sources(folder: Path, suffixes: Sequence[str] = (*C, *ASSEMBLY)) -> list[Path]:
    """Return the source files of a directory with these suffixes.

    Test programs (`drivers`) are left out, and so is a table of functions if other
    files define the functions of the interface. If there is only the table, a file
    that calls through it is added.
    """
    programs = drivers(folder)
    found = sorted(
        path
        for path in folder.iterdir()
        if path.suffix in suffixes and path not in programs
    )
    texts = {path: path.read_text(encoding="utf-8", errors="replace") for path in found}
    tables = [path for path in found if _TABLE in texts[path]]
    rest = [path for path in found if path not in tables]
    if any(_FUNCTION in texts[path] for path in rest):
        # The table is the benchmark's, not the cipher's.
        return rest
    if tables and not any(_DEFINITION.search(texts[path]) for path in tables):
        found.append(headers() / "table.c")
    return found


def drivers(folder: Path) -> list[Path]:
    """Return the C files of a directory that are programs of their own.

    Such as NIST's genkat_aead.c, which writes known answers to a file: a device has
    no files, and the measuring program has its own `main`.
    """
    return sorted(
        path
        for path in folder.iterdir()
        if path.suffix in C
        and _defines_main(path.read_text(encoding="utf-8", errors="replace"))
    )


def _defines_main(text: str) -> bool:
    """Tell whether C defines `main`, outside of all #if.

    A cipher may have a test of its own inside #ifdef, which is not compiled.
    """
    depth = 0
    plain: list[str] = []
    for line in _COMMENT.sub(" ", text).splitlines():
        word = "".join(line.split())
        if word.startswith("#if"):
            depth += 1
        elif word.startswith("#endif"):
            depth -= 1
        elif depth == 0:
            plain.append(line)
    return bool(_MAIN.search("\n".join(plain)))


def language_flags(source: Path) -> list[str]:
    """Return the compiler's flags for the language of a source file.

    `.s` means assembly without preprocessor, but some of these files use it.
    """
    if source.suffix != ".s":
        return [*_C_FLAGS]
    text = source.read_text(encoding="utf-8", errors="replace")
    return ["-x", "assembler-with-cpp"] if _DIRECTIVE.search(text) else []


def sizes(folders: Sequence[Path]) -> Sizes:
    """Return the sizes that the first `api.h` in these directories defines.

    Raises
    ------
    NotACipherError
        If there is none, or if a size is not a number.
    """
    found = [folder / "api.h" for folder in folders if (folder / "api.h").is_file()]
    if not found:
        message = (
            f"{folders[0]} has no api.h: expected a cipher with NIST's interface"
            " crypto_aead_encrypt"
        )
        raise NotACipherError(message)
    words = _preprocessed(folders)
    for name in _SIZES:
        if not _NUMBER.fullmatch(words[name]):
            message = f"{found[0]} does not define CRYPTO_{name} as a number"
            raise NotACipherError(message)
    numbers = (words[name].strip("( )uUlL") for name in _SIZES)
    return Sizes(*(int(number, 0) for number in numbers))


def _preprocessed(folders: Sequence[Path]) -> dict[str, str]:
    """Return the preprocessor's values of the macros with the sizes."""
    lines = ['#include "api.h"', *(f"SIZE {name} CRYPTO_{name}" for name in _SIZES)]
    flags = [f"-I{folder}" for folder in include_folders(folders)]
    with TemporaryDirectory() as made:
        probe = Path(made) / "sizes.c"
        probe.write_text("\n".join(lines) + "\n", encoding="utf-8")
        try:
            text = toolchain.run(["cc", DIALECT, "-E", "-P", *flags, probe])
        except toolchain.BuildError as error:
            message = f"the api.h of {folders[0]} cannot be read: {error}"
            raise NotACipherError(message) from None
    found = re.findall(r"^SIZE (\w+) *(.*)$", text, re.MULTILINE)
    return {name: value.strip() for name, value in found}


class Library:
    """The C sources of a directory, compiled for this machine.

    Parameters
    ----------
    folders
        That of the cipher, then those of further header files.

    Raises
    ------
    NotACipherError
        If this machine cannot compile them.
    """

    def __init__(self, folders: tuple[Path, ...]) -> None:
        self._folder = folders[0]
        self._sizes = sizes(folders)
        self._library = ctypes.CDLL(str(_compiled(folders)))

    def seal(
        self, key: bytes, nonce: bytes, message: bytes, associated_data: bytes
    ) -> bytes:
        """Return ciphertext and tag."""
        size = ctypes.c_ulonglong()
        output = ctypes.create_string_buffer(len(message) + self._sizes.tag + 1)
        result = self._library.crypto_aead_encrypt(
            *(output, ctypes.byref(size)),
            *(message, ctypes.c_ulonglong(len(message))),
            *(associated_data, ctypes.c_ulonglong(len(associated_data))),
            *(None, nonce, key),
        )
        if result != 0:
            text = f"the C sources of {self._folder} fail to seal on this machine"
            raise NotACipherError(text)
        return output.raw[: size.value]


@cache
def library(folders: tuple[Path, ...]) -> Library:
    """Return the C sources of a directory as a `Library`."""
    return Library(folders)


def _compiled(folders: tuple[Path, ...]) -> Path:
    target = places.made() / f"added-{hash_of_files([*folders, headers()])}.so"
    if not target.is_file():
        flags = [
            DIALECT,
            "-O2",
            "-w",
            "-fPIC",
            "-shared",
            "-Wl,--no-undefined,-Bsymbolic",
        ]
        flags += [f"-I{folder}" for folder in include_folders(folders)]
        found = sources(folders[0], C)
        try:
            with drafts.made_by(target) as draft:
                toolchain.run(["cc", *flags, *found, "-o", draft])
        except toolchain.BuildError as error:
            message = f"this machine cannot compile {folders[0]}: {error}"
            raise NotACipherError(message) from None
        if not hasattr(ctypes.CDLL(str(target)), _FUNCTION):
            target.unlink()
            message = f"the C sources of {folders[0]} have no {_FUNCTION}"
            raise NotACipherError(message)
    return target
