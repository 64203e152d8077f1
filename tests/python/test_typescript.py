# SPDX-License-Identifier: Apache-2.0
"""Types for programs in TypeScript are those of the lines that commands print."""

from __future__ import annotations

import json
import shutil
import subprocess
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, ClassVar

import pytest
from shell import samara
from vectorfile import ROOT

from record_types.scanning import types
from samara.crypto import Standing
from samara.figure import Figure, Origin
from samara.records import Field, Record, record_class
from samara.records.typescript import declarations

if TYPE_CHECKING:
    from collections.abc import Sequence


@record_class
class Ends:
    """Two ends."""

    low: Annotated[Figure, Field("Low end.", unit="ms")]
    high: Annotated[float | None, Field("High end.", unit="m")]


@record_class
class Toy(Record):
    """A toy. It has */ all.

    More of it.
    """

    TYPE: ClassVar[str] = "plaything"

    name: Annotated[str, Field("Name.")]
    origin: Annotated[Origin, Field("Origin.")]
    standing: Annotated[Standing | None, Field("Standing.")]
    ends: Annotated[tuple[Ends | None, ...], Field("Ends.")]
    other: Annotated[Ends, Field("Other ends.")]
    counts: Annotated[Mapping[str, int], Field("Counts.", unit="byte")]
    either: Annotated[int | str, Field("Either.")]
    good: Annotated[bool | None, Field("Good.", optional=True)]
    free: Annotated[Mapping[str, Any], Field("Free.")]
    drawn: Annotated[int, Field("Drawn.", in_json=False)]


@record_class
class Last(Record):
    """The last."""

    ends: Annotated[Ends | None, Field("Ends.")]


def test_an_interface_for_each_record_and_each_group() -> None:
    text = declarations([Toy, Last])
    _, _, ours = text.partition("  source: string;\n}\n\n")
    assert ours.splitlines() == [
        "export interface Ends {",
        "  /** Low end. Unit: s. */",
        "  low: Figure;",
        "  /** High end. Unit: m. */",
        "  high: number | null;",
        "}",
        "",
        "/** A toy. It has * / all. */",
        "export interface Toy {",
        '  type: "plaything";',
        "  /** Name. */",
        "  name: string;",
        "  /** Origin. */",
        "  origin: Origin;",
        "  /** Standing. */",
        '  standing: "standard" | "finalist" | "research" | null;',
        "  /** Ends. */",
        "  ends: Array<Ends | null>;",
        "  /** Other ends. */",
        "  other: Ends;",
        "  /** Counts. */",
        "  counts: Record<string, number>;",
        "  /** Either. */",
        "  either: number | string;",
        "  /** Good. */",
        "  good?: boolean;",
        "  /** Free. */",
        "  free: Record<string, unknown>;",
        "}",
        "",
        "/** The last. */",
        "export interface Last {",
        '  type: "last";',
        "  /** Ends. */",
        "  ends: Ends | null;",
        "}",
        "",
        "/** A line of JSON. */",
        "export type SamaraRecord = Toy | Last;",
    ]


def test_two_groups_of_one_name_are_refused() -> None:
    def other() -> type[Record]:
        @record_class
        class Ends(Record):
            """Other ends."""

            size: Annotated[int, Field("Size.")]

        return Ends

    with pytest.raises(ValueError, match="there are two Ends with other fields"):
        declarations([Toy, other()])


def test_the_types_of_the_page_are_those_of_the_records() -> None:
    written = (ROOT / "page" / "src" / "lib" / "records.ts").read_text(encoding="utf-8")
    assert written == declarations(types()), (
        "page/src/lib/records.ts is out of date: run tools/types-of-records"
    )


def compiler() -> Path | None:
    """Return TypeScript's compiler: that of the page here, or an installed one."""
    own = ROOT / "page" / "node_modules" / ".bin" / "tsc"
    found = str(own) if own.exists() else shutil.which("tsc")
    return Path(found) if found else None


TSC = compiler()
needs_tsc = pytest.mark.skipif(
    TSC is None, reason="needs TypeScript's compiler (tsc), which is not installed"
)


def compiled(program: str, kinds: Sequence[type[Record]], folder: Path) -> str:
    """Return what the compiler says of a program that imports the types."""
    assert TSC is not None
    (folder / "records.ts").write_text(declarations(kinds))
    (folder / "program.ts").write_text(
        f'import type {{ SamaraRecord }} from "./records.js";\n{program}'
    )
    options = ["--strict", "--noEmit", "--target", "es2022", "--module", "nodenext"]
    done = subprocess.run(
        [TSC, *options, "--moduleResolution", "nodenext", "program.ts"],
        cwd=folder,
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode == 0) == (done.stdout == ""), done
    return done.stdout


COMMANDS = (
    "energy life --draws 10",
    "energy message --draws 10",
    "energy airtime --draws 10",
    "chip cores",
    "chip compare",
    "bench devices",
    "randomness sources",
)


@needs_tsc
@pytest.mark.slow
def test_the_compiler_takes_lines_of_commands(tmp_path: Path) -> None:
    lines: list[str] = []
    for command in COMMANDS:
        done = samara(*command.split(), "--json", folder=tmp_path)
        assert done.stdout, done
        lines += done.stdout.decode().splitlines()
    program = f"export const lines: SamaraRecord[] = [{','.join(lines)}];\n"
    assert compiled(program, types(), tmp_path) == ""


@needs_tsc
@pytest.mark.slow
def test_the_compiler_tells_types_apart_and_refuses_others(tmp_path: Path) -> None:
    figure = {"value": 1.5, "unit": "s", "origin": "measured", "source": "a"}
    line = json.dumps({"type": "last", "ends": {"low": figure, "high": None}})
    reading = (
        f"const record = {line} as SamaraRecord;\n"
        "export const read =\n"
        '  record.type === "last" ? record.ends?.low.value : record.good;\n'
    )
    assert compiled(reading, [Toy, Last], tmp_path) == ""
    wrong = f"export const line: SamaraRecord = {line.replace('measured', 'guessed')};"
    assert "guessed" in compiled(wrong, [Toy, Last], tmp_path)
