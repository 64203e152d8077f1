# SPDX-License-Identifier: Apache-2.0
"""Which planted faults were found on this machine, and in which state of the sources.

A fault is on record by a hash of its row, of the file that it changes and of the files
of the test that found it: a change of any of them calls for planting it again, and
every clone of the project finds what another one found.
"""

from __future__ import annotations

import hashlib
from dataclasses import astuple
from typing import TYPE_CHECKING

from testing.session import ROOT

if TYPE_CHECKING:
    from pathlib import Path

    from testing.planted_rows import Mutation


def state(row: Mutation, root: Path = ROOT) -> str:
    """Return the hash of a row, of its file and of its test as they are now."""
    value = hashlib.sha256(repr(astuple(row)).encode())
    for path in (root / row.file, *row.test_files()):
        value.update(hashlib.sha256(path.read_bytes()).digest())
    return value.hexdigest()
