# SPDX-License-Identifier: GPL-3.0-or-later
"""What the tests of the blocks share."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture
def state_file(tmp_path: Path) -> str:
    """Name a file for a frame counter."""
    return str(tmp_path / "counter")
