# SPDX-License-Identifier: Apache-2.0
"""The program in docs/store.md."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "store.md").read_text(encoding="utf-8")
SOURCES = ("store/*.c", "common/[a-z]*.c", "arch/x86_64/cpu_x86_64.c")


def test_the_program_prints_what_the_page_says(tmp_path: Path) -> None:
    (source,) = re.findall(r"^```c\n(.*?)^```", PAGE, re.DOTALL | re.MULTILINE)
    program, main = tmp_path / "counter", tmp_path / "main.c"
    main.write_text(source, encoding="utf-8")
    core = ROOT / "core"
    sources = [path for name in SOURCES for path in sorted(core.glob(name))]
    flags = ("-std=c11", "-Wall", "-Wextra", "-Werror")
    command = ["cc", *flags, f"-I{core}", f"-I{core}/include", "-o", str(program)]
    subprocess.run([*command, str(main), *map(str, sources)], check=True)
    done = subprocess.run([program], check=True, capture_output=True, text=True)
    stated = re.search(r"It prints ([0-9, ]+) and ([0-9]+):", PAGE)
    assert stated
    assert done.stdout.split() == [*stated[1].split(", "), stated[2]]
