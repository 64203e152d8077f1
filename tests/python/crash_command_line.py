# SPDX-License-Identifier: Apache-2.0
"""What the command lines of the crash tests have in common."""

from __future__ import annotations

import argparse
import json
from typing import TYPE_CHECKING, Protocol

from crash_joints import JOINTS
from crash_processes import own_folder, serve

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from pathlib import Path


class Findings(Protocol):
    """What came of a crash test."""

    @property
    def is_good(self) -> bool:
        """Whether nothing happened that must not, and enough that should."""
        ...

    def is_as_expected(self, fault: str) -> bool:
        """Whether all is good, or the fault that was planted has shown."""
        ...


def parser_of(
    description: str, faults: Sequence[str], *, rounds: int = 200, has_link: bool = True
) -> argparse.ArgumentParser:
    """Return a parser of the options that all crash tests have."""
    parser = argparse.ArgumentParser(description=description)
    if has_link:
        parser.add_argument("--link", choices=sorted(JOINTS), default="ieee802154")
    parser.add_argument(
        "--rounds",
        type=int,
        default=rounds,
        help="how many rounds at least; with a fault, at most",
    )
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--fault", choices=("", *faults), default="")
    parser.add_argument("--fork-server", action="store_true", help=argparse.SUPPRESS)
    return parser


def run(
    options: argparse.Namespace,
    crash: Callable[[Path], Findings],
    node: Callable[..., None] | None = None,
) -> int:
    """Run a crash test in a directory of its own, print what came of it; the status.

    Parameters
    ----------
    node
        What a process of a node runs, where a `ForkServer` starts it.
    """
    if node is not None and options.fork_server:
        serve(node)
        return 0
    with own_folder() as folder:
        findings = crash(folder)
    print(json.dumps({**vars(findings), "is_good": findings.is_good}, indent=2))
    return 0 if findings.is_as_expected(options.fault) else 1
