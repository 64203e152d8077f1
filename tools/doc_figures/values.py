# SPDX-License-Identifier: Apache-2.0
"""What figures of docs are computed from: names for the expressions in docs/figures/.

An expression is Python, with these names and no others:

- `bench(device, suite, sizes, way, opt)`: the result of the bench; see `Measured`;
- `synthesis(library, core, goal)`: fields of a netlist in results/chip, by name;
- `suite(name)`: a suite, with its sizes `key_size`, `nonce_size` and `tag_size`;
- `paper`: what the preset `paper` of the energy model gives; see `Preset`;
- `published(file, column, value, figure)`: the cell of the row in which a column has a
  value;
- `constant("module:name")`: of the Python package; a function is called;
- `toml("file", "table", "name", ...)`: of a file of data;
- `header("file", "name")`: an enumerator or macro of C;
- `needed_db(system, size)`, `bandwidth(system, size)`: of pictures/short-codes.csv,
  for 1 % of lost frames, and by bits of the payload; `least_db(size)`: of any code;
- `round`, `min`, `max`, `sum`.
"""

from __future__ import annotations

import importlib
import json
import re
import tomllib
from dataclasses import dataclass, replace
from functools import cache, cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from phy_peers import drawing, measuring
from samara import crypto
from samara.bench import published, store
from samara.bench.results import Operation
from samara.energy import assumptions, paper_figures, topology
from samara.energy.contours import contours, taken_by_security
from samara.energy.network_ranges import networks
from samara.energy.paper_contradictions import blocks_of_ccm
from samara.energy.paper_figures import STATED_NODES, surfaces_of
from samara.energy.security import Security
from samara.energy.steps import result_of

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from samara.bench.results import Result
    from samara.energy.network_ranges import Networks
    from samara.energy.paper_figures import PaperClaim

ROOT = Path(__file__).resolve().parents[2]
_DAY_S = 86_400.0
_NUMBER = r"(0[xX][0-9a-fA-F]+|\d+)"


@dataclass(frozen=True, slots=True)
class Measured:
    """A result of the bench, by short names."""

    result: Result

    @property
    def set_up(self) -> int:
        """Cycles of the key's set-up."""
        return self.result.set_up_cycles

    @property
    def seal(self) -> int:
        """Cycles to seal, or to encrypt a block."""
        return self.result.protect_cycles

    @property
    def open(self) -> int:
        """Cycles to open, or to decrypt a block."""
        return self.result.unprotect_cycles

    @property
    def total(self) -> int:
        """Cycles of set-up and seal together."""
        return self.result.total_cycles

    @property
    def instructions(self) -> int:
        """Instructions to seal, or to encrypt a block."""
        return (self.result.instructions or {})[self.result.verbs.protect]

    @property
    def total_instructions(self) -> int:
        """Instructions of set-up and seal together."""
        return (self.result.instructions or {})[Operation.SET_UP] + self.instructions

    @property
    def code(self) -> int:
        """Bytes that the linker keeps."""
        return self.result.code_bytes or 0

    @property
    def stack(self) -> int:
        """Bytes of stack."""
        return self.result.stack_bytes or 0

    @property
    def ram(self) -> int:
        """Bytes of variables."""
        return self.result.static_ram_bytes or 0


class Preset:
    """What the preset `paper` gives, by `samara energy paper` and around it."""

    @cached_property
    def _surfaces(self) -> dict[int, Networks]:
        return {
            6: surfaces_of("hardware"),
            7: surfaces_of("software"),
        }

    @cached_property
    def _stated(self) -> list[PaperClaim]:
        return paper_figures.claims(self._surfaces)

    def ours(self, row: int) -> float:
        """Return ours of a row of what the paper states; % or days."""
        return self._in_page_units(row, self._stated[row].ours.value)

    def theirs(self, row: int) -> float:
        """Return what the paper states in a row; % or days."""
        return self._in_page_units(row, self._stated[row].published.value)

    def _in_page_units(self, row: int, value: float) -> float:
        is_share = self._stated[row].published.unit == "1"
        return value * 100 if is_share else value / _DAY_S

    @cached_property
    def software_least(self) -> float:
        """% that software takes at least, of dense networks at the first interval."""
        sizes = np.array(self._surfaces[7].sizes)
        dense = (sizes >= STATED_NODES[0]) & (sizes <= STATED_NODES[1])
        return float(self._surfaces[7].stated_taken[dense, 0].min()) * 100

    @cached_property
    def _from_200_s(self) -> Networks:
        case, first_s = assumptions.case("paper-software"), np.array([200.0])
        return result_of(
            networks(case, None, topology.chain, list(assumptions.PAPER_SIZES), first_s)
        )

    @property
    def taken_from_200_s(self) -> float:
        """% that software takes at most if the shortest interval is 200 s."""
        return float(self._from_200_s.stated_taken.max()) * 100

    @property
    def life_from_200_s(self) -> float:
        """Days of the shortest life then."""
        return float(self._from_200_s.stated_s.min()) / _DAY_S

    @property
    def blocks(self) -> int:
        """Blocks of AES that CCM* takes for the paper's frame."""
        return blocks_of_ccm(paper_figures.PAYLOAD_BYTES, paper_figures.HEADER_BYTES)

    def taken_by(self, cycles: int) -> float:
        """Return % that CCM* takes with an AES of so many cycles a block, at most."""
        frame_j = self.blocks * cycles / 32e6 * 79.2e-3
        plain = assumptions.paper_node()
        nodes = [plain, replace(plain, security=Security("", 0, frame_j, frame_j))]
        sizes, intervals_s = (
            assumptions.PAPER_SIZES[-1:],
            assumptions.paper_intervals_s()[:1],
        )
        lives_s = [
            np.asarray(
                assumptions.paper_store().life_s(
                    contours(node, topology.chain, sizes, intervals_s).power_w
                )
            )
            for node in nodes
        ]
        return float(taken_by_security(*lives_s).max()) * 100


@cache
def _results(file: Path, suite: str) -> Mapping[object, Result]:
    rows = store.read(file, suites=[suite])
    return {row.identity: row for row in rows}


def _bench(folder: Path) -> Callable[..., Measured]:
    def bench(
        device: str, suite: str, sizes: str, way: str = "portable", opt: str = "Os"
    ) -> Measured:
        """Return a result; sizes are `1224+40`, of message and associated data."""
        message, _, ad = sizes.partition("+")
        asked = ((device, suite, way, opt), (int(message), int(ad or 0)))
        found = _results(folder / f"{device}.jsonl", suite).get(asked)
        if found is None:
            message = (
                f"results have none of {suite} of {sizes} on {device}, {way} {opt}"
            )
            raise LookupError(message)
        return Measured(found)

    return bench


def _synthesis(folder: Path) -> Callable[[str, str, str], Mapping[str, Any]]:
    @cache
    def rows(library: str) -> list[dict[str, Any]]:
        lines = (folder / f"{library}.jsonl").read_text(encoding="utf-8").splitlines()
        return [json.loads(line) for line in lines]

    def synthesis(library: str, core: str, goal: str) -> Mapping[str, Any]:
        """Return the fields of a line of results/chip about a core alone."""
        asked = {"kind": "synthesis", "core": core, "goal": goal}.items()
        alone = (row for row in rows(library) if row.get("top", "core") == "core")
        (row,) = (row for row in alone if asked <= row.items())
        return row

    return synthesis


def _published(file: str, column: str, value: str, figure: str) -> float:
    (row,) = [row for row in published.table(file) if row.text(column) == value]
    return row.value(figure)


def _constant(name: str) -> Any:  # noqa: ANN401 - whatever has that name
    module, _, attribute = name.partition(":")
    found: Any = importlib.import_module(module)
    for part in attribute.split("."):
        found = getattr(found, part)
    return found() if callable(found) else found


def _toml(file: str, *names: str) -> Any:  # noqa: ANN401 - whatever is there
    found: Any = tomllib.loads((ROOT / file).read_text(encoding="utf-8"))
    for name in names:
        found = found[name]
    return found


def _header(file: str, name: str) -> int:
    text = (ROOT / file).read_text(encoding="utf-8")
    match = re.search(rf"\b{re.escape(name)}\b\s*(?:=|\()?\s*{_NUMBER}", text)
    if not match:
        raise LookupError(f"{file} has no number for {name}")
    return int(match[1], 0)


def _curve(system: str, size: int) -> list[measuring.Point]:
    table = ROOT / "docs" / "pictures" / "short-codes.csv"
    points = measuring.from_table(table.read_text(encoding="utf-8"))
    found = [
        each for each in points if (each.system, each.payload_bytes) == (system, size)
    ]
    if not found:
        raise LookupError(f"{table} has nothing of {system} with {size} bytes")
    return found


def _needed_db(system: str, size: int) -> float:
    return measuring.needed_db(_curve(system, size))


def _bandwidth(system: str, size: int) -> float:
    return _curve(system, size)[0].bandwidth_times_time


def _least_db(size: int) -> float:
    fine = np.arange(0, 6, 0.01)
    return float(fine[drawing.least(size, fine) < measuring.COMPARED_SHARE][0])


def value_of(results: Path) -> Callable[[str], float]:
    """Return what gives the value of an expression.

    Parameters
    ----------
    results
        Directory with the results of the bench.
    """
    names = {
        "bench": _bench(results), "paper": Preset(), "published": _published,
        "constant": _constant, "toml": _toml, "header": _header,
        "suite": crypto.suite, "synthesis": _synthesis(results / "chip"),
        "needed_db": _needed_db, "bandwidth": _bandwidth, "least_db": _least_db,
        "round": round, "min": min, "max": max, "sum": sum,
    }  # fmt: skip

    @cache
    def value(expression: str) -> float:
        try:
            return float(eval(expression, {"__builtins__": {}}, names))  # noqa: S307 - of our own files
        except Exception as error:
            raise ValueError(f"docs/figures/: {expression}: {error!r}") from error

    return value
