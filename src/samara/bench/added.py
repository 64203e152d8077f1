# SPDX-License-Identifier: Apache-2.0
"""Ciphers of others that are measured: their names, and what judges their answers.

What a device answers is compared with what a judge answers: a suite of samara's
that does the same, or C sources compiled for this machine, which are those of
the folder itself unless another is named. Known answers judge where there is no
such program, and in any case beside it.
"""

from __future__ import annotations

import json
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from samara import crypto, drafts
from samara.bench import foreign, known_answers, places
from samara.bench.foreign import NotACipherError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from samara.bench.known_answers import KnownAnswer

__all__ = [
    "AddedCipher",
    "NotACipherError",
    "Source",
    "check",
    "cipher",
    "ciphers",
    "remember",
]

_NAME_CHARACTERS = set("abcdefghijklmnopqrstuvwxyz0123456789-_")
_NEAR_BY = "*AEAD*KAT*.txt"
"""Files of known answers as the project names them, in or above a folder."""

KNOWN_ANSWERS = 32
"""Known answers that a device is tried with, of all those in a file."""


@dataclass(frozen=True, slots=True)
class Source:
    """Where somebody's cipher is, and what its answers are compared with."""

    folder: Path
    includes: tuple[Path, ...] = ()
    """Folders of headers that the sources ask for."""
    same_as: str = ""
    """The suite that answers the same, if one is named."""
    reference: Path | None = None
    """The folder whose C sources answer the same, compiled for this machine."""
    kat: Path | None = None
    """The file of known answers, if there is one."""

    @property
    def folders(self) -> tuple[Path, ...]:
        """All folders that a result depends on."""
        return (self.folder, *self.includes)

    @staticmethod
    def language_flags(source: Path) -> list[str]:
        """Return the flags for the language of one of its sources."""
        return foreign.language_flags(source)

    def sources(self) -> list[Path]:
        """Return the files that are compiled for a device."""
        return foreign.sources(self.folder)

    def include_folders(self) -> list[Path]:
        """Return where a device's compiler looks for headers."""
        return foreign.include_folders(self.folders)

    def as_json(self) -> dict[str, object]:
        """Return what is remembered."""
        return {
            "folder": str(self.folder),
            "includes": [str(path) for path in self.includes],
            "same_as": self.same_as,
            "reference": str(self.reference or ""),
            "kat": str(self.kat or ""),
        }

    @classmethod
    def from_json(cls, row: dict[str, object]) -> Source:
        """Return what was remembered."""
        includes = row["includes"]
        assert isinstance(includes, list)  # noqa: S101 - for the type checker
        reference, kat = str(row.get("reference", "")), str(row.get("kat", ""))
        return cls(
            folder=Path(str(row["folder"])),
            includes=tuple(map(Path, includes)),
            same_as=str(row["same_as"]),
            reference=Path(reference) if reference else None,
            kat=Path(kat) if kat else None,
        )


@dataclass(frozen=True, slots=True)
class AddedCipher:
    """Somebody's cipher. Sizes are in bytes."""

    name: str
    source: Source
    key_size: int
    nonce_size: int
    tag_size: int

    @property
    def has_program(self) -> bool:
        """Whether a program tells what must come of any message."""
        return bool(self.source.same_as or self.source.reference)

    @property
    def judge(self) -> str:
        """What its answers are compared with, in words."""
        source = self.source
        named = [f"the suite {source.same_as}"] if source.same_as else []
        if source.reference is not None:
            named = [f"the C sources of {source.reference} on this machine"]
        if source.kat is not None:
            named += [f"the known answers of {source.kat}"]
        return " and ".join(named)

    def seal(
        self, key: bytes, nonce: bytes, message: bytes, associated_data: bytes
    ) -> bytes:
        """Return what it must make of a message.

        Raises
        ------
        NotACipherError
            When no program tells: there are known answers alone.
        """
        source = self.source
        if source.same_as:
            suite = crypto.suite(source.same_as)
            return suite.seal(key, nonce, message, associated_data)
        if source.reference is None:
            told = f"{self.name} has known answers alone to be compared with"
            raise NotACipherError(told)
        program = foreign.library(_with_headers(source.reference, source))
        return program.seal(key, nonce, message, associated_data)

    def known_answers(self) -> list[KnownAnswer]:
        """Return the known answers that a device is tried with."""
        if self.source.kat is None:
            return []
        return known_answers.spread(known_answers.read(self.source.kat), KNOWN_ANSWERS)


def _with_headers(folder: Path, source: Source) -> tuple[Path, ...]:
    return (folder, *source.includes)


def _list() -> Path:
    return places.made() / "added-ciphers.json"


def _cipher(name: str, source: Source) -> AddedCipher:
    return AddedCipher(name, source, *foreign.sizes(source.folders))


def _sources() -> dict[str, Source]:
    path = _list()
    if not path.is_file():
        return {}
    rows = json.loads(path.read_text(encoding="utf-8"))
    return {name: Source.from_json(row) for name, row in rows.items()}


def ciphers() -> list[str]:
    """Return the names of what was added and is still there."""
    return [name for name, source in _sources().items() if source.folder.is_dir()]


def cipher(name: str) -> AddedCipher:
    """Return the cipher that was added under a name."""
    return _cipher(name, _sources()[name])


def check(name: str, source: Source, *, replace_other: bool = False) -> AddedCipher:
    """Return a cipher that may have a name, and what its answers are judged by.

    Parameters
    ----------
    source
        Where neither a suite nor a reference is named, the folder's own C
        sources are the reference, provided that this machine compiles them and
        that they give the known answers. A file of known answers beside the
        folder is taken when none is named.
    replace_other
        Whether another that has the name gives it up.

    Raises
    ------
    NotACipherError
        When the name or the folder cannot be taken, or nothing can judge it.
    """
    _check_name(name, source, replace_other=replace_other)
    if not source.folder.is_dir():
        message = f"{source.folder} is not a folder"
        raise NotACipherError(message)
    found = _cipher(name, source)
    if source.kat is None:
        found = replace(found, source=replace(source, kat=_known_answers_near(found)))
    if source.same_as:
        _check_same(found, crypto.suite(source.same_as))
    if source.reference is not None:
        _check_reference(found, source.reference)
    if source.same_as or source.reference is not None:
        _check_known_answers(found)
        return found
    return _judged_by_itself(found)


def _check_name(name: str, source: Source, *, replace_other: bool) -> None:
    known = _sources()
    if not name or not name[0].isalpha() or set(name) - _NAME_CHARACTERS:
        message = f"{name!r} is no name: small letters, digits, - and _"
        raise NotACipherError(message)
    taken = name in known and known[name].folders != source.folders
    if taken and not replace_other:
        message = f"{name} is {known[name].folder} already; --replace replaces it"
        raise NotACipherError(message)
    suites = {suite.slug for suite in crypto.suites()}
    if name in suites | {cipher.slug for cipher in crypto.block_ciphers()}:
        message = f"{name} is samara's own"
        raise NotACipherError(message)


def _judged_by_itself(found: AddedCipher) -> AddedCipher:
    """Take the folder's own C sources as reference, where they can be it."""
    source = found.source
    with_own = replace(found, source=replace(source, reference=source.folder))
    try:
        foreign.library(source.folders)
        _check_known_answers(with_own)
    except NotACipherError as error:
        if source.kat is None:
            message = (
                f"{error}; name what to compare with: --kat FILE, --reference"
                " FOLDER or --same-as SUITE"
            )
            raise NotACipherError(message) from None
        _check_sizes(found, known_answers.read(source.kat))
        return found
    return with_own


def _known_answers_near(found: AddedCipher) -> Path | None:
    """Return the one file of known answers in or above a folder, if it fits."""
    folder = found.source.folder
    for place in (folder, folder.parent):
        paths = sorted(place.glob(_NEAR_BY))
        if len(paths) == 1 and _fits(found, known_answers.read(paths[0])):
            return paths[0]
    return None


def _fits(found: AddedCipher, answers: Sequence[KnownAnswer]) -> bool:
    wanted = (found.key_size, found.nonce_size, found.tag_size)
    return all(answer.sizes == wanted for answer in answers)


def _check_sizes(found: AddedCipher, answers: Sequence[KnownAnswer]) -> None:
    if not _fits(found, answers):
        message = (
            f"{found.source.kat} has keys, nonces and tags of other sizes than"
            f" {found.source.folder}: {found.key_size}, {found.nonce_size} and"
            f" {found.tag_size} bytes"
        )
        raise NotACipherError(message)


def _check_known_answers(found: AddedCipher) -> None:
    """Have the program that judges give all known answers itself."""
    if found.source.kat is None:
        return
    answers = known_answers.read(found.source.kat)
    _check_sizes(found, answers)
    for known in answers:
        answer = found.seal(
            known.key, known.nonce, known.message, known.associated_data
        )
        if answer != known.sealed:
            judge = replace(found, source=replace(found.source, kat=None)).judge
            message = (
                f"{judge} gives another answer than {found.source.kat} has for"
                f" Count = {known.count}"
            )
            raise NotACipherError(message)


def _check_same(cipher: AddedCipher, suite: crypto.Suite) -> None:
    sizes = (cipher.key_size, cipher.nonce_size, cipher.tag_size)
    if sizes != (suite.key_size, suite.nonce_size, suite.tag_size):
        message = (
            f"{suite.slug} takes {suite.key_size}, {suite.nonce_size} and"
            f" {suite.tag_size} bytes of key, nonce and tag, the folder's cipher"
            f" {cipher.key_size}, {cipher.nonce_size} and {cipher.tag_size}"
        )
        raise NotACipherError(message)


def _check_reference(cipher: AddedCipher, folder: Path) -> None:
    wanted = (cipher.key_size, cipher.nonce_size, cipher.tag_size)
    sizes = foreign.sizes(_with_headers(folder, cipher.source))
    if sizes != wanted:
        message = (
            f"{folder} takes {sizes.key}, {sizes.nonce} and {sizes.tag} bytes of key,"
            f" nonce and tag, the cipher {wanted[0]}, {wanted[1]} and {wanted[2]}"
        )
        raise NotACipherError(message)


def remember(cipher: AddedCipher) -> None:
    """Have a cipher's name stand for it from now on."""
    known = _sources() | {cipher.name: cipher.source}
    rows = {name: source.as_json() for name, source in known.items()}
    with drafts.made_by(_list()) as draft:
        draft.write_text(json.dumps(rows, indent=2) + "\n", encoding="utf-8")
