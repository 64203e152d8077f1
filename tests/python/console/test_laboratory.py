# SPDX-License-Identifier: Apache-2.0
"""What the laboratory of the console refuses before it starts anything."""

from __future__ import annotations

import asyncio
import os
from typing import TYPE_CHECKING

import pytest

from samara.console.conversation import RefusedError
from samara.console.laboratory import Laboratory
from samara.errors import MisuseError

if TYPE_CHECKING:
    from pathlib import Path


def test_without_root_a_sentence_says_what_is_needed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(os, "geteuid", lambda: 1000)
    laboratory = Laboratory(tmp_path)
    assert "sudo samara console" in laboratory.shown().missing
    with pytest.raises(MisuseError, match="needs network namespaces, and so root"):
        asyncio.run(laboratory.start(3, "chain", 0.0))
    assert not laboratory.shown().is_running


def test_nothing_is_sent_or_steered_where_no_network_runs(tmp_path: Path) -> None:
    laboratory = Laboratory(tmp_path)
    with pytest.raises(RefusedError, match="start one first"):
        laboratory.carry("ping", "n1", "n2")
    with pytest.raises(RefusedError, match="start one first"):
        asyncio.run(laboratory.steer("kill", "n1"))
