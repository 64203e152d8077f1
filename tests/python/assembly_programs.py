# SPDX-License-Identifier: Apache-2.0
"""Programs that call assembly of the core, for the simulated devices."""

from __future__ import annotations

import subprocess
from pathlib import Path
from typing import TYPE_CHECKING

from samara.bench import devices, images

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

ROOT = Path(__file__).parents[2]
CORE = ROOT / "core"


def linked(
    folder: Path, device: str, text: str, sources: Iterable[Path], *options: str
) -> images.Image:
    """Return a program of this text, of sources and of the device's start-up code.

    Parameters
    ----------
    options
        Of the compiler, beside those of the device's family.
    """
    main, program = folder / "main.c", folder / "main.elf"
    main.write_text(text)
    found = devices.device(device)
    family = found.family
    command = [family.compiler, *found.words(family.flags), "-Os", *options]
    command += [f"-I{CORE}", f"-I{CORE}/include"]
    command += map(str, [main, family.folder / "start.c", *sources])
    linking = [*found.words(family.linker_flags), *family.libraries]
    # gcc takes a file of specs once.
    command += [word for word in linking if word not in command]
    subprocess.run([*command, "-o", str(program)], check=True)
    return images.read(program)


def calls_of(functions: Sequence[str]) -> tuple[str, str]:
    """Return text that makes the macro `CALL` of each function, and its cases.

    The case of a function is its number.
    """
    calls = "".join(f"CALL({name})\n" for name in functions)
    cases = "".join(
        f"    case {n}:\n      call_{name}();\n      break;\n"
        for n, name in enumerate(functions)
    )
    return calls, cases
