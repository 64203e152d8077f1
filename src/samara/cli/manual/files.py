# SPDX-License-Identifier: Apache-2.0
"""The files of the manual, at their places below share/."""

from __future__ import annotations

from typing import TYPE_CHECKING

from samara.cli.commands import COMMANDS
from samara.cli.manual import roff
from samara.cli.manual.completion import SCRIPTS
from samara.cli.manual.described import described
from samara.cli.running import load, root_command
from samara.cli.shared.files import writing

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path


def write_manual(share: Path, version: str) -> list[Path]:
    """Write all pages and completions, and return their paths.

    Parameters
    ----------
    share
        Directory such as /usr/share, which is made if need be.
    version
        Version of samara, which pages name at their feet.
    """
    texts = {
        **SCRIPTS,
        **{f"man/man1/{name}.1": text for name, text in _pages(version)},
    }
    for place, text in texts.items():
        path = share / place
        path.parent.mkdir(parents=True, exist_ok=True)
        with writing(path, hold=False) as file:
            file.write(text.encode())
    return [share / place for place in texts]


def _pages(version: str) -> Iterator[tuple[str, str]]:
    below = {f"samara {row.name}": row.help for row in COMMANDS}
    # Those under it have pages of their own.
    root = described(root_command(), "samara")._replace(commands=[])
    yield "samara", roff.page(root, version, below)
    for row, path in zip(COMMANDS, below, strict=True):
        command = described(load(row), path)
        yield roff.name_of(path), roff.page(command, version, {})
