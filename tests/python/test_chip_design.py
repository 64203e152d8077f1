# SPDX-License-Identifier: Apache-2.0
"""Cores: names, parameters, and the files that they are made of."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from samara.chip import design
from samara.chip.choosing import CoresRequest, chosen_cores, list_cores
from samara.chip.design import Core, Variant
from samara.crypto import UnknownNameError
from samara.errors import MisuseError
from samara.records import records_of

if TYPE_CHECKING:
    from pathlib import Path


def test_each_core_is_found_by_its_name() -> None:
    cores = design.cores()
    assert len(cores) == len({core.name for core in cores}) == 42
    assert all(design.core(core.name) == core for core in cores)
    with pytest.raises(UnknownNameError, match="grain-n8"):
        design.core("grain-n8-fats")


def test_parameters() -> None:
    core = Core(8, Variant.LOW_POWER, authenticates=False)
    assert core.name == "grain-ple-n8-low-power"
    assert core.parameters == {"N": 8, "AUTHENTICATE": 0, "FAST": 0, "LOW_POWER": 1}
    assert (core.bits_a_clock, Core(1).bits_a_clock) == (8, 0.5)
    with pytest.raises(MisuseError, match="N = 3 does not exist"):
        Core(3)


def test_sources_are_those_of_the_core_alone() -> None:
    names = {path.stem for path in design.sources()}
    assert {design.TOP, "samara_grain128_step"} <= names
    assert "samara_grain128_axi" not in names


def test_options_select_cores() -> None:
    assert chosen_cores(["1,2", "4"], ["fast"], True) == [  # noqa: FBT003
        Core(n, Variant.FAST) for n in (1, 2, 4)
    ]
    assert chosen_cores(None, None, None) == design.cores()
    for widths, variants in ((["3"], None), (["1,"], None), (None, ["slow"])):
        with pytest.raises(MisuseError, match=r"expected one of|is unknown"):
            chosen_cores(widths, variants, None)


def test_cores_are_described_as_asked_for() -> None:
    request = CoresRequest(widths=("8,64",), variants=("fast",), authenticates=False)
    found = records_of(list_cores(request))
    assert [(each.name, each.n, each.bits_a_clock) for each in found] == [
        ("grain-ple-n8-fast", 8, 8),
        ("grain-ple-n64-fast", 64, 64),
    ]
    assert found[1].parameters == {
        "N": 64, "AUTHENTICATE": 0, "FAST": 1, "LOW_POWER": 0
    }  # fmt: skip
    every = records_of(list_cores(CoresRequest()))
    assert len(every) == 42
    assert sum(each.authenticates for each in every) == 21


def test_comments_do_not_change_the_hash(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    text = "module samara_grain128; wire a; endmodule\n"
    paths = [tmp_path / folder / "samara_grain128.v" for folder in ("a", "b", "c")]
    changed = [
        text,
        "// a\n" + text.replace(" wire", "\n  wire"),
        text.replace("a", "b"),
    ]
    hashes = []
    for path, content in zip(paths, changed, strict=True):
        path.parent.mkdir()
        path.write_text(content)
        monkeypatch.setattr(design, "sources", lambda _, path=path: [path])
        hashes.append(design.sources_hash())
    assert hashes[0] == hashes[1] != hashes[2]
