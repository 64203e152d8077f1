# SPDX-License-Identifier: Apache-2.0
"""Ciphers that `bench add` measures: their names, and their references.

The answers of a device are compared with those of a reference: a suite of samara that
does the same, or C sources compiled for this machine, by default those of the
directory itself. Known answers are checked in addition; without a reference they are
the only check.
"""

from __future__ import annotations

import json
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from samara import atomic_files, crypto
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
"""Names of files with known answers, in the directory or its parent."""

KNOWN_ANSWERS = 32
"""Known answers of a file that are checked on a device."""


@dataclass(frozen=True, slots=True)
class Source:
    """Where an added cipher is, and what its answers are compared with."""

    folder: Path
    includes: tuple[Path, ...] = ()
    """Directories with further header files of the sources."""
    same_as: str = ""
    """Slug of the suite that is the reference, if one is."""
    reference: Path | None = None
    """Directory with the C sources that are the reference, if they are."""
    kat: Path | None = None
    """File of known answers, if there is one."""

    @property
    def folders(self) -> tuple[Path, ...]:
        """All directories that a result depends on."""
        return (self.folder, *self.includes)

    @staticmethod
    def language_flags(source: Path) -> list[str]:
        """Return the compiler's flags for the language of a source file."""
        return foreign.language_flags(source)

    def sources(self) -> list[Path]:
        """Return the source files that are compiled for a device."""
        return foreign.sources(self.folder)

    def include_folders(self) -> list[Path]:
        """Return the directories in which the compiler looks for header files."""
        return foreign.include_folders(self.folders)

    def as_json(self) -> dict[str, object]:
        """Return all fields as plain values."""
        return {
            "folder": str(self.folder),
            "includes": [str(path) for path in self.includes],
            "same_as": self.same_as,
            "reference": str(self.reference or ""),
            "kat": str(self.kat or ""),
        }

    @classmethod
    def from_json(cls, row: dict[str, object]) -> Source:
        """Return what `as_json` gave."""
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
    """A cipher that is not part of samara. Sizes are in bytes."""

    name: str
    source: Source
    sizes: foreign.Sizes

    @property
    def has_program(self) -> bool:
        """Whether there is a reference beside known answers."""
        return bool(self.source.same_as or self.source.reference)

    @property
    def judge(self) -> str:
        """The references, in words."""
        source = self.source
        kind = "block cipher" if self.sizes.block else "suite"
        named = [f"the {kind} {source.same_as}"] if source.same_as else []
        if source.reference is not None:
            named = [f"the C sources of {source.reference} on this machine"]
        if source.kat is not None:
            named += [f"the known answers of {source.kat}"]
        return " and ".join(named)

    def seal(
        self, key: bytes, nonce: bytes, message: bytes, associated_data: bytes
    ) -> bytes:
        """Return ciphertext and tag of the reference.

        Of a block cipher, the message is one block, and the result the encrypted one.

        Raises
        ------
        NotACipherError
            If there is none beside known answers.
        """
        source = self.source
        if source.same_as and self.sizes.block:
            return crypto.block_cipher(source.same_as).encrypt(key, message)
        if source.same_as:
            suite = crypto.suite(source.same_as)
            return suite.seal(key, nonce, message, associated_data)
        if source.reference is None:
            text = f"{self.name} has no reference other than known answers"
            raise NotACipherError(text)
        program = foreign.library(_with_headers(source.reference, source))
        return program.seal(key, nonce, message, associated_data)

    def macros(self) -> tuple[str, ...]:
        """Return macros for the measuring program: how long an expanded key is."""
        if not self.sizes.block:
            return ()
        return (f"MEASURE_STATE_BYTES={foreign.state_size(self.source.folders)}",)

    def known_answers(self) -> list[KnownAnswer]:
        """Return the known answers that are checked on a device."""
        if self.source.kat is None:
            return []
        return known_answers.spread(known_answers.read(self.source.kat), KNOWN_ANSWERS)


def _with_headers(folder: Path, source: Source) -> tuple[Path, ...]:
    return (folder, *source.includes)


def _list() -> Path:
    return places.made() / "added-ciphers.json"


def _cipher(name: str, source: Source) -> AddedCipher:
    return AddedCipher(name, source, foreign.sizes(source.folders))


def _sources() -> dict[str, Source]:
    path = _list()
    if not path.is_file():
        return {}
    rows = json.loads(path.read_text(encoding="utf-8"))
    return {name: Source.from_json(row) for name, row in rows.items()}


def ciphers() -> list[str]:
    """Return the names of the added ciphers whose directories exist."""
    return [name for name, source in _sources().items() if source.folder.is_dir()]


def cipher(name: str) -> AddedCipher:
    """Return the added cipher of this name."""
    return _cipher(name, _sources()[name])


def check(name: str, source: Source, *, replace_other: bool = False) -> AddedCipher:
    """Return a cipher with its references, after checking that it can have the name.

    Parameters
    ----------
    source
        If it names neither a suite nor a reference, the directory's own C sources
        are the reference, provided that this machine can compile them and that
        they give the known answers. If it names no file of known answers, one in
        or beside the directory is used.
    replace_other
        Whether the name may be taken from another cipher.

    Raises
    ------
    NotACipherError
        If the name or the directory cannot be used, or there is no reference.
    """
    _check_name(name, source, replace_other=replace_other)
    if not source.folder.is_dir():
        message = f"{source.folder} is not a directory"
        raise NotACipherError(message)
    found = _cipher(name, source)
    if found.sizes.block and source.kat is not None:
        message = (
            "--kat has known answers of AEAD ciphers; compare a block cipher with"
            " --same-as or --reference"
        )
        raise NotACipherError(message)
    if not found.sizes.block and source.kat is None:
        found = replace(found, source=replace(source, kat=_known_answers_near(found)))
    if source.same_as:
        _check_same(found, source.same_as)
    if source.reference is not None:
        _check_reference(found, source.reference)
    if source.same_as or source.reference is not None:
        _check_known_answers(found)
        return found
    return _judged_by_itself(found)


def _check_name(name: str, source: Source, *, replace_other: bool) -> None:
    known = _sources()
    if not name or not name[0].isalpha() or set(name) - _NAME_CHARACTERS:
        message = (
            f"--name {name!r}: use a lower-case letter, then lower-case letters,"
            " digits, - and _"
        )
        raise NotACipherError(message)
    taken = name in known and known[name].folders != source.folders
    if taken and not replace_other:
        message = (
            f"the name {name} belongs to {known[name].folder}: use --replace to take it"
        )
        raise NotACipherError(message)
    suites = {suite.slug for suite in crypto.suites()}
    if name in suites | {cipher.slug for cipher in crypto.block_ciphers()}:
        message = f"{name} is a cipher of samara's own: use another name"
        raise NotACipherError(message)


def _judged_by_itself(found: AddedCipher) -> AddedCipher:
    """Use the directory's own C sources as reference, if that is possible."""
    source = found.source
    with_own = replace(found, source=replace(source, reference=source.folder))
    try:
        foreign.library(source.folders)
        _check_known_answers(with_own)
    except NotACipherError as error:
        if source.kat is None:
            kat = "" if found.sizes.block else "--kat FILE, "
            message = (
                f"{error}; give a reference: {kat}--reference DIR or --same-as NAME"
            )
            raise NotACipherError(message) from None
        _check_sizes(found, known_answers.read(source.kat))
        return found
    return with_own


def _known_answers_near(found: AddedCipher) -> Path | None:
    """Return the file of known answers in a directory or its parent, if any."""
    folder = found.source.folder
    for place in (folder, folder.parent):
        paths = sorted(place.glob(_NEAR_BY))
        if len(paths) == 1 and _fits(found, known_answers.read(paths[0])):
            return paths[0]
    return None


def _fits(found: AddedCipher, answers: Sequence[KnownAnswer]) -> bool:
    wanted = found.sizes
    return all(
        answer.sizes == (wanted.key, wanted.nonce, wanted.tag) for answer in answers
    )


def _check_sizes(found: AddedCipher, answers: Sequence[KnownAnswer]) -> None:
    if not _fits(found, answers):
        message = (
            f"{found.source.kat} has keys, nonces and tags of other sizes than"
            f" {found.source.folder}: {found.sizes}"
        )
        raise NotACipherError(message)


def _check_known_answers(found: AddedCipher) -> None:
    """Check that the reference gives all known answers."""
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


def _check_same(cipher: AddedCipher, name: str) -> None:
    sizes = _sizes_of_own(name, is_block=bool(cipher.sizes.block))
    if cipher.sizes != sizes:
        message = f"{name} takes {sizes}, the directory's cipher {cipher.sizes}"
        raise NotACipherError(message)


def _sizes_of_own(name: str, *, is_block: bool) -> foreign.Sizes:
    """Return the sizes of a suite or of a block cipher of samara."""
    if is_block:
        block = crypto.block_cipher(name)
        return foreign.Sizes(block.key_size, block=block.block_size)
    suite = crypto.suite(name)
    return foreign.Sizes(suite.key_size, suite.nonce_size, suite.tag_size)


def _check_reference(cipher: AddedCipher, folder: Path) -> None:
    sizes = foreign.sizes(_with_headers(folder, cipher.source))
    if sizes != cipher.sizes:
        message = f"{folder} takes {sizes}, the cipher {cipher.sizes}"
        raise NotACipherError(message)


def remember(cipher: AddedCipher) -> None:
    """Store a cipher under its name."""
    known = _sources() | {cipher.name: cipher.source}
    rows = {name: source.as_json() for name, source in known.items()}
    with atomic_files.made_by(_list()) as temporary:
        temporary.write_text(json.dumps(rows, indent=2) + "\n", encoding="utf-8")
