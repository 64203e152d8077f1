# SPDX-License-Identifier: Apache-2.0
"""The commands of the tutorials run, and print what the pages show.

The blocks fenced as sh of a page are typed one after the other in one directory. Lines
of a block fenced as text come in the output of the block before it, in this order;
`...` stands for what is left out.
"""

from __future__ import annotations

import re
import subprocess
from pathlib import Path
from typing import NamedTuple

import pytest
import shell

ROOT = Path(__file__).parents[2]
PAGES = [
    ROOT / "docs" / "start.md",
    *sorted(
        page
        for page in (ROOT / "docs" / "tutorials").glob("*.md")
        if page.name != "README.md"
    ),
]
TIMEOUT_S = 300
_BLOCK = re.compile(r"^```(sh|text)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
_ENDS = "samara-tutorial: end of block"
LEFT_OUT = "..."


class Step(NamedTuple):
    """Commands, and lines that they print."""

    commands: str
    shown: list[str]


def steps(page: str) -> list[Step]:
    """Return the blocks of commands, each with what the page shows of its output."""
    found: list[Step] = []
    for language, text in _BLOCK.findall(page):
        if language == "sh":
            found.append(Step(text, []))
        else:
            found[-1].shown.extend(text.splitlines())
    return found


def as_shown(shown: list[str], printed: list[str]) -> bool:
    """Return whether lines come in this order; `...` within a line is any text."""
    patterns = [
        re.escape(line.strip()).replace(re.escape(LEFT_OUT), ".*")
        for line in shown
        if line.strip() not in ("", LEFT_OUT)
    ]
    waiting = iter(line.strip() for line in printed)
    return all(
        any(re.fullmatch(pattern, line) for line in waiting) for pattern in patterns
    )


def script(commands: list[Step]) -> str:
    """Return all commands; a line tells where the output of each block ends."""
    return "\n".join(f"{step.commands}\necho '{_ENDS}'" for step in commands)


@pytest.fixture
def sources(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a clone of its own: what a tutorial measures stays out of this one."""
    clone = tmp_path_factory.mktemp("clone")
    for path in ROOT.iterdir():
        if path.name not in {"build", ".git"}:
            (clone / path.name).symlink_to(path)
    return clone


# The commands of advice.md are written as those of other pages: test_docs_commands.
TYPED = [page for page in PAGES if page.name != "advice.md"]


@pytest.mark.slow
@pytest.mark.parametrize("page", TYPED, ids=lambda page: str(page.stem))
def test_a_tutorial_runs(page: Path, sources: Path, tmp_path: Path) -> None:
    found = steps(page.read_text(encoding="utf-8"))
    assert found, "no commands"
    done = subprocess.run(
        ["/bin/bash", "-euc", script(found)],
        cwd=tmp_path,
        env={
            **shell.environment(),
            "SAMARA": str(ROOT),
            "SAMARA_ROOT": str(sources),
            "HOME": str(tmp_path),
        },
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        timeout=TIMEOUT_S,
        check=False,
    )
    printed = done.stdout.decode()
    assert done.returncode == 0, printed
    parts = printed.split(_ENDS)
    for step, part in zip(found, parts, strict=False):
        assert as_shown(step.shown, part.splitlines()), f"{step}\n{part}"
    assert len(parts) == len(found) + 1


def test_what_is_not_printed_is_found() -> None:
    printed = ["head", "one 1", "two"]
    assert as_shown(["...", "one ...", "two"], printed)
    assert as_shown([], printed)
    assert not as_shown(["two", "one ..."], printed)
    assert not as_shown(["three"], printed)


def test_blocks_are_read_in_order() -> None:
    page = "```sh\na\n```\ntext\n```text\nb\n```\n```sh\nc\n```\n"
    assert steps(page) == [Step("a\n", ["b"]), Step("c\n", [])]


def test_every_tutorial_is_in_the_list() -> None:
    listed = (ROOT / "docs" / "tutorials" / "README.md").read_text(encoding="utf-8")
    names = set(re.findall(r"\]\((\w[\w-]*\.md)\)", listed))
    assert names == {page.name for page in PAGES[1:]}
