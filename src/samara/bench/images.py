# SPDX-License-Identifier: Apache-2.0
"""Linked programs: their sizes, and the addresses of symbols."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, cast

from samara.extras import needed

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from pathlib import Path
    from typing import BinaryIO

    from elftools.elf.elffile import ELFFile
    from elftools.elf.sections import Symbol, SymbolTableSection

# Flags of sections that are in memory when the program runs, and that it can write.
_ALLOCATED = 2
_WRITTEN = 1

_CIPHER_PREFIXES = ("samara_", "crypto_aead_", "crypto_block_")


@dataclass(frozen=True, slots=True)
class Image:
    """A linked program. Sizes are in bytes."""

    path: Path
    flash_bytes: int
    """Code, constants and the initial values of variables."""
    ram_bytes: int
    """Variables."""
    state_bytes: int
    """The variables that a cipher keeps between calls: its expanded key."""
    symbols: Mapping[str, int]


def read(path: Path) -> Image:
    """Read an ELF file."""
    with path.open("rb") as file:
        elf = _elf(file)
        flash, ram = _sizes(elf)
        symbols = {symbol.name: symbol for symbol in _symbols(elf)}
        state = symbols.get("measure_state")
        return Image(
            path=path,
            flash_bytes=flash,
            ram_bytes=ram,
            state_bytes=0 if state is None else int(state["st_size"]),
            symbols={name: int(s["st_value"]) for name, s in symbols.items() if name},
        )


def _elf(file: BinaryIO) -> ELFFile:
    with needed("bench"):
        from elftools.elf.elffile import ELFFile  # noqa: PLC0415 - an extra
    return ELFFile(file)


def _symbols(elf: ELFFile) -> Iterator[Symbol]:
    for section in elf.iter_sections("SHT_SYMTAB"):
        yield from cast("SymbolTableSection", section).iter_symbols()


def _sizes(elf: ELFFile) -> tuple[int, int]:
    flash = ram = 0
    for section in elf.iter_sections():
        flags, size = section["sh_flags"], section["sh_size"]
        if not flags & _ALLOCATED:
            continue
        stored = section["sh_type"] != "SHT_NOBITS"
        flash += size if stored else 0
        ram += size if flags & _WRITTEN else 0
    return flash, ram


def undefined(objects: Sequence[Path]) -> set[str]:
    """Return the ciphers' functions that these object files call."""
    names: set[str] = set()
    for path in objects:
        with path.open("rb") as file:
            names |= {
                symbol.name
                for symbol in _symbols(_elf(file))
                if symbol["st_shndx"] == "SHN_UNDEF"
            }
    return {name for name in names if name.startswith(_CIPHER_PREFIXES)}


def contents(path: Path) -> list[tuple[int, bytes]]:
    """Return the contents of memory at the start, by address."""
    with path.open("rb") as file:
        segments = list(_elf(file).iter_segments("PT_LOAD"))
        return [(s["p_paddr"], s.data()) for s in segments if s["p_filesz"]]
