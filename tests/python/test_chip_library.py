# SPDX-License-Identifier: Apache-2.0
"""Liberty files: what is read of them, and what is said of those that cannot be."""

from __future__ import annotations

import gzip
from typing import TYPE_CHECKING

import pytest

from samara.chip import library
from samara.chip.library import Kind, LibraryError

if TYPE_CHECKING:
    from pathlib import Path

CELLS = """\
/* cell (COMMENT) { area : 1; } */
library ("toy") {
  nom_voltage : 1.2; nom_temperature : 25;
  default_operating_conditions : "middle";
  cell (NAND2_2) { area : 8; pin (A) { } }
  cell ("nand2_1") { area : 4; }
  cell (inv_1) { area : 2.5; }
  cell (dff) { area : 20;
    ff (IQ, IQN) { clocked_on : CK; }
  }
  cell (gate) { area : 12; clock_gating_integrated_cell : "latch_posedge";
    statetable ("CK E", "G") { }
  }
  cell (hold) { area : 9;
    latch (IQ, IQN) { }
  }
}
"""


def liberty(folder: Path, text: str = CELLS, name: str = "toy.lib") -> Path:
    path = folder / name
    path.write_bytes(gzip.compress(text.encode()) if name[-1] == "z" else text.encode())
    return path


@pytest.mark.parametrize("name", ["toy.lib", "toy.lib.gz"])
def test_cells_of_any_library(name: str, tmp_path: Path) -> None:
    toy = library.load(liberty(tmp_path, name=name))
    assert (toy.name, toy.process, len(toy.cells)) == ("toy", "toy", 6)
    assert toy.corner == "middle (1.2 V, 25 °C)"
    assert toy.nand2.name == "nand2_1"
    assert toy.gate_equivalents(10) == 2.5
    assert (toy.flip_flop.name, toy.driver) == ("dff", "inv_1")
    kinds = {cell.name: cell.kind for cell in toy.cells.values()}
    assert kinds["gate"] is Kind.CLOCK_GATE
    assert kinds["hold"] is Kind.LATCH
    assert kinds["inv_1"] is Kind.LOGIC
    assert toy.has_clock_gate
    assert toy.text() == CELLS


def test_the_hash_does_not_depend_on_compression(tmp_path: Path) -> None:
    plain = library.load(liberty(tmp_path))
    packed = library.load(liberty(tmp_path, name="other.lib.gz"))
    assert plain.sha256 == packed.sha256


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("module core; endmodule", "is not a Liberty file"),
        ("library (empty) { }", "is not a Liberty file"),
        (CELLS.replace("nand2", "x").replace("NAND2", "x"), "no cell with nand2"),
        (CELLS.replace("ff (IQ", "latch (IQ"), "no flip-flop"),
    ],
)
def test_what_is_not_a_library(text: str, why: str, tmp_path: Path) -> None:
    with pytest.raises(LibraryError, match=why):
        library.load(liberty(tmp_path, text))


def test_a_damaged_gzip_file(tmp_path: Path) -> None:
    path = tmp_path / "cut.lib.gz"
    path.write_bytes(gzip.compress(CELLS.encode())[:-40])
    with pytest.raises(LibraryError, match="damaged gzip"):
        library.load(path)


def test_a_file_that_is_too_large(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(library, "MAX_BYTES", len(CELLS) - 1)
    with pytest.raises(LibraryError, match="too large"):
        library.load(liberty(tmp_path, name="bomb.lib.gz"))


def test_no_such_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(FileNotFoundError):
        library.load(tmp_path / "none.lib")
    monkeypatch.setattr(library, "DEFAULT", tmp_path / "none.lib")
    with pytest.raises(LibraryError, match="install the package qflow-tech-osu018"):
        library.load()


def test_the_library_of_debian() -> None:
    osu = library.load()
    assert (osu.nand2.area, osu.flip_flop.area) == (24, 96)
    assert not osu.has_clock_gate
    assert osu.rules.process == "OSU018 180 nm"
