# SPDX-License-Identifier: Apache-2.0
"""Ciphers of others: folders with the interface of NIST's LWC project.

Such a folder has `api.h` (CRYPTO_KEYBYTES, CRYPTO_NPUBBYTES, CRYPTO_ABYTES) and
sources with `crypto_aead_encrypt` and `crypto_aead_decrypt`, in C and, where the
device's compiler takes them, in assembly (`.S`). What a device answers is
compared with the C sources compiled for this machine, or with a suite of
samara's that does the same.
"""

from __future__ import annotations

import ctypes
import json
import re
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from samara import crypto
from samara.bench import places, toolchain
from samara.bench.sources import hash_of_files
from samara.errors import MisuseError

_DEFINE = re.compile(r"^\s*#\s*define\s+CRYPTO_(\w+)\s+(\d+)", re.MULTILINE)
_NAME = re.compile(r"[a-z][a-z0-9_-]*")


class NotACipherError(MisuseError):
    """A folder is not what `bench add` takes."""


@dataclass(frozen=True, slots=True)
class Source:
    """Where somebody's cipher is, and what it is compared with."""

    folder: Path
    includes: tuple[Path, ...] = ()
    """Folders of headers that the sources ask for."""
    same_as: str = ""
    """The suite that answers the same; "" for its own sources."""

    @property
    def folders(self) -> tuple[Path, ...]:
        """All folders that a result depends on."""
        return (self.folder, *self.includes)

    def as_json(self) -> dict[str, object]:
        """Return what is remembered."""
        includes = [str(path) for path in self.includes]
        return {
            "folder": str(self.folder),
            "includes": includes,
            "same_as": self.same_as,
        }


@dataclass(frozen=True, slots=True)
class AddedCipher:
    """Somebody's cipher. Sizes are in bytes."""

    name: str
    source: Source
    key_size: int
    nonce_size: int
    tag_size: int

    def seal(
        self, key: bytes, nonce: bytes, message: bytes, associated_data: bytes
    ) -> bytes:
        """Return what it must make of a message."""
        if self.source.same_as:
            suite = crypto.suite(self.source.same_as)
            return suite.seal(key, nonce, message, associated_data)
        return self._seal_here(key, nonce, message, associated_data)

    def _seal_here(
        self, key: bytes, nonce: bytes, message: bytes, associated_data: bytes
    ) -> bytes:
        size = ctypes.c_ulonglong()
        output = ctypes.create_string_buffer(len(message) + self.tag_size + 1)
        library = ctypes.CDLL(str(_library(self.source)))
        result = library.crypto_aead_encrypt(
            *(output, ctypes.byref(size)),
            *(message, ctypes.c_ulonglong(len(message))),
            *(associated_data, ctypes.c_ulonglong(len(associated_data))),
            *(None, nonce, key),
        )
        if result != 0:
            message_text = f"{self.name} cannot seal on this machine"
            raise NotACipherError(message_text)
        return output.raw[: size.value]


@cache
def _library(source: Source) -> Path:
    target = places.made() / f"added-{hash_of_files(source.folders)}.so"
    if not target.is_file():
        sources = sorted(source.folder.glob("*.c"))
        flags = ["-std=gnu11", "-O2", "-w", "-fPIC", "-shared"]
        flags += [f"-I{folder}" for folder in source.folders]
        try:
            with places.whole(target) as partial:
                toolchain.run(["cc", *flags, *sources, "-o", partial])
        except toolchain.BuildError as error:
            message = f"this machine cannot compile {source.folder}: {error}"
            raise NotACipherError(message) from None
    return target


def _list() -> Path:
    return places.made() / "added-ciphers.json"


def _read(name: str, source: Source) -> AddedCipher:
    api = source.folder / "api.h"
    if not api.is_file():
        message = f"{source.folder} has no api.h"
        raise NotACipherError(message)
    sizes = dict(_DEFINE.findall(api.read_text(encoding="utf-8", errors="replace")))
    try:
        key, nonce, tag = (sizes[n] for n in ("KEYBYTES", "NPUBBYTES", "ABYTES"))
    except KeyError as error:
        message = f"{api} does not define CRYPTO_{error.args[0]} as a number"
        raise NotACipherError(message) from None
    return AddedCipher(name, source, int(key), int(nonce), int(tag))


def _sources() -> dict[str, Source]:
    path = _list()
    if not path.is_file():
        return {}
    rows = json.loads(path.read_text(encoding="utf-8"))
    return {
        name: Source(
            Path(row["folder"]), tuple(map(Path, row["includes"])), row["same_as"]
        )
        for name, row in rows.items()
    }


def ciphers() -> list[AddedCipher]:
    """Return what was added and is still there."""
    return [
        _read(name, source)
        for name, source in _sources().items()
        if (source.folder / "api.h").is_file()
    ]


def add(name: str, source: Source, *, replace: bool = False) -> AddedCipher:
    """Remember a cipher under a name.

    Parameters
    ----------
    replace
        Whether another that has the name gives it up.

    Raises
    ------
    NotACipherError
        When the name or the folder cannot be taken.
    """
    known = _sources()
    if not _NAME.fullmatch(name):
        message = f"{name!r} is no name: small letters, digits, - and _"
        raise NotACipherError(message)
    if name in known and known[name] != source and not replace:
        message = f"{name} is {known[name].folder} already; --replace replaces it"
        raise NotACipherError(message)
    suites = {suite.slug for suite in crypto.suites()}
    if name in suites | {cipher.slug for cipher in crypto.block_ciphers()}:
        message = f"{name} is samara's own"
        raise NotACipherError(message)
    cipher = _read(name, source)
    if source.same_as:
        _check_same(cipher, crypto.suite(source.same_as))
    else:
        _library(source)
    rows = {key: one.as_json() for key, one in {**known, name: source}.items()}
    with places.whole(_list()) as partial:
        partial.write_text(json.dumps(rows, indent=2) + "\n", encoding="utf-8")
    return cipher


def _check_same(cipher: AddedCipher, suite: crypto.Suite) -> None:
    sizes = (cipher.key_size, cipher.nonce_size, cipher.tag_size)
    if sizes != (suite.key_size, suite.nonce_size, suite.tag_size):
        message = (
            f"{suite.slug} takes {suite.key_size}, {suite.nonce_size} and"
            f" {suite.tag_size} bytes of key, nonce and tag, the folder's cipher"
            f" {cipher.key_size}, {cipher.nonce_size} and {cipher.tag_size}"
        )
        raise NotACipherError(message)
