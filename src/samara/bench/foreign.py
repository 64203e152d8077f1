# SPDX-License-Identifier: Apache-2.0
"""Directories with ciphers of others.

A directory with an AEAD cipher is as NIST's Lightweight Cryptography project has them:
`api.h` (CRYPTO_KEYBYTES, CRYPTO_NPUBBYTES, CRYPTO_ABYTES) and sources with
`crypto_aead_encrypt` and `crypto_aead_decrypt`, in C and in assembly. One with a block
cipher has an `api.h` with CRYPTO_KEYBYTES, CRYPTO_BLOCKBYTES and CRYPTO_STATEBYTES, and
`crypto_block_set_key`, `crypto_block_encrypt` and `crypto_block_decrypt`. Header files
of both interfaces that a directory includes and does not have are in
firmware/measure/lwc.
"""

from __future__ import annotations

import ctypes
import re
from functools import cache
from typing import TYPE_CHECKING, NamedTuple

from samara import atomic_files
from samara.bench import places, toolchain
from samara.bench.hashing import hash_of_files
from samara.errors import MisuseError

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

C, ASSEMBLY = (".c",), (".S", ".s")

DIALECT = "-std=gnu11"
"""The dialect of C of added ciphers: many use `asm` and `typeof`."""

_C_FLAGS = (DIALECT, "-DNDEBUG")
"""A device cannot print the text of an assertion."""

_SIZES = ("KEYBYTES", "NPUBBYTES", "ABYTES")
_SIZES_OF_BLOCKS = ("KEYBYTES", "BLOCKBYTES", "STATEBYTES")
_FUNCTION, _TABLE = "crypto_aead_encrypt", "lwc_aead_cipher"
_BLOCK_FUNCTION = "crypto_block_encrypt"
_DEFINITION = re.compile(rf"int\s+{_FUNCTION}\s*\(")
_DIRECTIVE = re.compile(r"^\s*#\s*(define|include|ifdef|ifndef|if)\b", re.MULTILINE)
_COMMENT = re.compile(r"/\*.*?\*/|//[^\n]*", re.DOTALL)
_MAIN = re.compile(r"\bmain\s*\([^;{]*\)\s*\{")
_NUMBER = re.compile(r"[( ]*(0[xX][0-9a-fA-F]+|\d+)[uUlL]*[) ]*")


class NotACipherError(MisuseError):
    """A directory is not a cipher that `bench add` can use."""


class Sizes(NamedTuple):
    """Bytes of key, nonce and tag; or of a block cipher's key and block."""

    key: int
    nonce: int = 0
    tag: int = 0
    block: int = 0
    """0 unless it is a block cipher."""

    def __str__(self) -> str:
        if self.block:
            return f"{self.key} and {self.block} bytes of key and block"
        return f"{self.key}, {self.nonce} and {self.tag} bytes of key, nonce and tag"


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

    It is that of a block cipher if it defines CRYPTO_BLOCKBYTES and not CRYPTO_ABYTES.

    Raises
    ------
    NotACipherError
        If there is none, or if a size is not a number, or is one that cannot be.
    """
    words = _size_words(folders)
    if not _is_block(words):
        return Sizes(*(_number(folders, words, name) for name in _SIZES))
    key, block, _ = (_number(folders, words, name) for name in _SIZES_OF_BLOCKS)
    if not key or not block:
        message = f"the api.h of {folders[0]} has a key or a block of 0 bytes"
        raise NotACipherError(message)
    return Sizes(key, block=block)


def state_size(folders: Sequence[Path]) -> int:
    """Return the bytes of a block cipher's expanded key; errors as `sizes`."""
    size = _number(folders, _size_words(folders), "STATEBYTES")
    if not size:
        message = f"the api.h of {folders[0]} has a CRYPTO_STATEBYTES of 0"
        raise NotACipherError(message)
    return size


def _is_block(words: Mapping[str, str]) -> bool:
    defined = {name for name, word in words.items() if word != f"CRYPTO_{name}"}
    return "BLOCKBYTES" in defined and "ABYTES" not in defined


def _size_words(folders: Sequence[Path]) -> dict[str, str]:
    if not any((folder / "api.h").is_file() for folder in folders):
        message = (
            f"{folders[0]} has no api.h: expected a cipher with NIST's interface"
            f" {_FUNCTION}, or a block cipher with {_BLOCK_FUNCTION}"
        )
        raise NotACipherError(message)
    return _preprocessed(folders)


def _number(folders: Sequence[Path], words: Mapping[str, str], name: str) -> int:
    if not _NUMBER.fullmatch(words[name]):
        (found, *_) = (path / "api.h" for path in folders if (path / "api.h").is_file())
        message = f"{found} does not define CRYPTO_{name} as a number"
        raise NotACipherError(message)
    return int(words[name].strip("( )uUlL"), 0)


def _preprocessed(folders: Sequence[Path]) -> dict[str, str]:
    """Return the preprocessor's values of the macros with the sizes."""
    names = dict.fromkeys((*_SIZES, *_SIZES_OF_BLOCKS))
    # In angle brackets: quotes would find a file of the current directory first.
    lines = ["#include <api.h>", *(f"SIZE {name} CRYPTO_{name}" for name in names)]
    flags = [f"-I{folder}" for folder in include_folders(folders)]
    command = ["cc", DIALECT, "-E", "-P", *flags, "-x", "c", "-"]
    try:
        text = toolchain.run(command, given="\n".join(lines) + "\n")
    except (toolchain.BuildError, toolchain.ToolMissingError) as error:
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
        self._state_size = state_size(folders) if self._sizes.block else 0
        function = _BLOCK_FUNCTION if self._sizes.block else _FUNCTION
        self._library = ctypes.CDLL(str(_compiled(folders, function)))

    def seal(
        self, key: bytes, nonce: bytes, message: bytes, associated_data: bytes
    ) -> bytes:
        """Return ciphertext and tag; of a block cipher, the encrypted block."""
        if self._sizes.block:
            return self._encrypted(key, message)
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

    def _encrypted(self, key: bytes, block: bytes) -> bytes:
        # An array of 64-bit words is aligned as the interface says.
        state = (ctypes.c_uint64 * -(-self._state_size // 8))()
        output = ctypes.create_string_buffer(block, len(block))
        self._library.crypto_block_set_key(state, key)
        self._library.crypto_block_encrypt(state, output)
        return output.raw


@cache
def library(folders: tuple[Path, ...]) -> Library:
    """Return the C sources of a directory as a `Library`."""
    return Library(folders)


def _compiled(folders: tuple[Path, ...], function: str) -> Path:
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
            with atomic_files.made_by(target) as temporary:
                toolchain.run(["cc", *flags, *found, "-o", temporary])
        except toolchain.BuildError as error:
            message = f"this machine cannot compile {folders[0]}: {error}"
            raise NotACipherError(message) from None
        if not hasattr(ctypes.CDLL(str(target)), function):
            target.unlink()
            message = f"the C sources of {folders[0]} have no {function}"
            raise NotACipherError(message)
    return target
