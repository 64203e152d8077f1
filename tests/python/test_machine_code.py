# SPDX-License-Identifier: Apache-2.0
"""The machine code of assembly is the one that was measured.

machine_code.json has a hash of the code and the relocations of every file that is
assembly alone, for each way to compile it. A change of comments, macros or generators
must not change one. After a change that is meant, write the file anew:

    .venv/bin/python tests/python/test_machine_code.py
"""

import hashlib
import json
import subprocess
from functools import cache
from pathlib import Path

import pytest
from elftools.elf.elffile import ELFFile
from elftools.elf.relocation import RelocationSection
from elftools.elf.sections import SymbolTableSection

from samara.bench import devices, ways

ROOT = Path(__file__).parents[2]
STORED = Path(__file__).with_name("machine_code.json")
DEVICES = {
    "armv6m": "cortex-m0",
    "armv7m": "cortex-m4",
    "avr": "atmega328p",
    "msp430": "msp430f1611",
    "rv32": "ibex",
}
OPTS = ("Os", "O2")
IMPLEMENTATIONS = ("assembly", "balanced", "small")


def assembly_files() -> list[str]:
    """Return the files whose functions are all assembly."""
    found = []
    for family in DEVICES:
        for path in sorted((ROOT / "core" / "arch" / family).glob("*.c")):
            text = path.read_text()
            if "__attribute__((naked" in text and "  return " not in text:
                found.append(path.relative_to(ROOT).as_posix())
    return found


FILES = assembly_files()


@cache
def builds(family: str) -> list[ways.Build]:
    """Return the ways to compile the assembly of a family."""
    device = devices.device(DEVICES[family])
    names = {
        known.name for known in ways.known_implementations() if known.runs_on(device)
    }
    chosen = [name for name in IMPLEMENTATIONS if name in names]
    return [ways.Build(device, name, opt) for name in chosen for opt in OPTS]


def code_of(file: str, folder: Path) -> dict[str, str]:
    """Return size and hash of a file's code, for each way that leaves any."""
    found = {}
    for build in builds(Path(file).parent.name):
        target = folder / "object.o"
        command = [build.device.family.compiler, *build.flags]
        command += [f"-I{ROOT}/core", f"-I{ROOT}/core/include", "-c", str(ROOT / file)]
        subprocess.run([*command, "-o", str(target)], check=True)
        size, digest = code_in(target)
        if size:
            found[f"{build.implementation} -{build.opt}"] = f"{size} bytes {digest}"
    return found


def code_in(target: Path) -> tuple[int, str]:
    """Return the bytes of an object's code, and a hash of it and its relocations."""
    digest, size = hashlib.sha256(), 0
    with target.open("rb") as file:
        elf = ELFFile(file)
        for section in elf.iter_sections():
            if section.name.startswith((".text", ".progmem", ".rodata")):
                size += section.data_size
                digest.update(section.name.encode() + section.data())
            elif isinstance(section, RelocationSection):
                symbols = elf.get_section(section["sh_link"])
                assert isinstance(symbols, SymbolTableSection)
                for one in section.iter_relocations():
                    name = symbols.get_symbol(one["r_info_sym"]).name
                    digest.update(
                        f"{name} {one['r_info_type']} {one['r_offset']}".encode()
                    )
    return size, digest.hexdigest()[:16]


@pytest.mark.parametrize("file", FILES)
def test_the_machine_code_is_as_stored(file: str, tmp_path: Path) -> None:
    stored = json.loads(STORED.read_text())
    assert code_of(file, tmp_path) == stored[file]


def test_each_file_that_is_stored_is_there() -> None:
    stored = json.loads(STORED.read_text())
    assert set(stored) == set(FILES)
    assert all(stored.values())


if __name__ == "__main__":
    import tempfile

    with tempfile.TemporaryDirectory() as place:
        every = {file: code_of(file, Path(place)) for file in FILES}
    STORED.write_text(json.dumps(every, indent=1) + "\n")
