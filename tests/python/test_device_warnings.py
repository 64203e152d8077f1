# SPDX-License-Identifier: Apache-2.0
"""What devices link compiles without a warning.

On an AVR a size has 16 bits: a conversion that loses bits there is seen by its
compiler alone. What the program would be is not looked at here.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from samara.bench import devices, toolchain, ways
from samara.bench.ways import Build

CORE = Path(__file__).parents[2] / "core"
WARNINGS = ("-Wall", "-Wextra", "-Wconversion", "-Wundef", "-Werror")

# Each compiler, at the level at which it sees most.
BUILDS = (("atmega328p", "Os"), ("cortex-m4", "O3"), ("msp430f1611", "O2"))


def _sources() -> list[Path]:
    """Return all sources but those for hosts."""
    return sorted(
        path
        for path in CORE.glob("**/*.c")
        if not {"host", "x86_64"} & set(path.relative_to(CORE).parts)
    )


def _compile(build: Build, source: Path, folder: Path) -> None:
    includes = [f"-I{CORE}", f"-I{CORE}/include"]
    words: list[str | Path] = [
        build.device.family.compiler,
        *build.flags,
        *WARNINGS,
        *includes,
    ]
    # What assembly replaces is seen by the parser, and C is compiled as a whole.
    arguments: list[str | Path] = ["-c", "-o", folder / "object.o"]
    is_parsed = build.implementation != ways.PORTABLE
    words += ["-fsyntax-only"] if is_parsed else arguments
    toolchain.run([*words, source], folder=CORE.parent)


@pytest.mark.slow
@pytest.mark.parametrize("implementation", [ways.PORTABLE, "assembly"])
@pytest.mark.parametrize(("device", "opt"), BUILDS)
def test_nothing_warns(
    device: str, opt: str, implementation: str, tmp_path: Path
) -> None:
    build = Build(devices.device(device), implementation, opt)
    for source in _sources():
        _compile(build, source, tmp_path)


def test_a_lost_bit_on_a_small_machine_is_seen(tmp_path: Path) -> None:
    source = tmp_path / "lossy.c"
    source.write_text(
        "#include <stddef.h>\n#include <stdint.h>\n"
        "size_t lossy(uint32_t effort);\n"
        "size_t lossy(uint32_t effort) { return effort; }\n"
    )
    build = Build(devices.device("atmega328p"), ways.PORTABLE, "Os")
    with pytest.raises(toolchain.BuildError, match="conversion"):
        _compile(build, source, tmp_path)
