# SPDX-License-Identifier: Apache-2.0
"""Ciphers of others: folders with the interface of NIST's LWC project.

Such a folder has `api.h` (CRYPTO_KEYBYTES, CRYPTO_NPUBBYTES, CRYPTO_ABYTES) and
sources with `crypto_aead_encrypt` and `crypto_aead_decrypt`. What a device
answers is compared with the same sources, compiled for this machine.
"""

from __future__ import annotations

import ctypes
import json
import re
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from samara.bench import places, toolchain
from samara.bench.building import hash_of_files
from samara.errors import MisuseError

_DEFINE = re.compile(r"^\s*#\s*define\s+CRYPTO_(\w+)\s+(\d+)", re.MULTILINE)
_NAME = re.compile(r"[a-z][a-z0-9_-]*")


class NotACipherError(MisuseError):
    """A folder is not what `bench add` takes."""


@dataclass(frozen=True, slots=True)
class AddedCipher:
    """Somebody's cipher. Sizes are in bytes."""

    name: str
    folder: Path
    key_size: int
    nonce_size: int
    tag_size: int

    def seal(
        self, key: bytes, nonce: bytes, message: bytes, associated_data: bytes
    ) -> bytes:
        """Return what the cipher, compiled for this machine, makes of it."""
        size = ctypes.c_ulonglong()
        output = ctypes.create_string_buffer(len(message) + self.tag_size + 1)
        library = ctypes.CDLL(str(_library(self.folder)))
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
def _library(folder: Path) -> Path:
    target = places.made() / f"added-{hash_of_files([folder])}.so"
    if not target.is_file():
        sources = sorted(folder.glob("*.c"))
        flags = ("-std=gnu11", "-O2", "-w", "-fPIC", "-shared", f"-I{folder}")
        with places.whole(target) as partial:
            toolchain.run(["cc", *flags, *sources, "-o", partial])
    return target


def _list() -> Path:
    return places.made() / "added.json"


def _read(name: str, folder: Path) -> AddedCipher:
    api = folder / "api.h"
    if not api.is_file():
        message = f"{folder} has no api.h"
        raise NotACipherError(message)
    sizes = dict(_DEFINE.findall(api.read_text(encoding="utf-8", errors="replace")))
    try:
        key, nonce, tag = (sizes[n] for n in ("KEYBYTES", "NPUBBYTES", "ABYTES"))
    except KeyError as error:
        message = f"{api} does not define CRYPTO_{error.args[0]} as a number"
        raise NotACipherError(message) from None
    return AddedCipher(name, folder, int(key), int(nonce), int(tag))


def _folders() -> dict[str, str]:
    path = _list()
    folders: dict[str, str] = {}
    if path.is_file():
        folders.update(json.loads(path.read_text(encoding="utf-8")))
    return folders


def ciphers() -> list[AddedCipher]:
    """Return what was added and is still there."""
    return [
        _read(name, Path(folder))
        for name, folder in _folders().items()
        if Path(folder, "api.h").is_file()
    ]


def add(name: str, folder: Path) -> AddedCipher:
    """Remember a folder under a name.

    Raises
    ------
    NotACipherError
        When the name or the folder cannot be taken.
    """
    if not _NAME.fullmatch(name):
        message = f"{name!r} is no name: small letters, digits, - and _"
        raise NotACipherError(message)
    cipher = _read(name, folder.resolve())
    _library(cipher.folder)
    folders = {**_folders(), name: str(cipher.folder)}
    _list().parent.mkdir(parents=True, exist_ok=True)
    _list().write_text(json.dumps(folders, indent=2) + "\n", encoding="utf-8")
    return cipher
