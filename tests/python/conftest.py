# SPDX-License-Identifier: Apache-2.0
"""What all tests share."""

from __future__ import annotations

import os
import signal
import tempfile
from typing import TYPE_CHECKING

import pytest
from hypothesis import settings

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from quiet_air import Air

# The same examples on every run: a failure is then due to a change. To look for
# new ones: SAMARA_HYPOTHESIS=explore.
settings.register_profile("repeat", derandomize=True, deadline=None, database=None)
settings.register_profile("explore", max_examples=2000, deadline=None)
settings.load_profile(os.environ.get("SAMARA_HYPOTHESIS", "repeat"))

# A shell lets its background jobs ignore it, and with them what they start: the
# tests interrupt programs.
signal.signal(signal.SIGINT, signal.default_int_handler)

# Nodes leave their witnesses in the user's state directory: not in the real one.
os.environ["XDG_STATE_HOME"] = tempfile.mkdtemp(prefix="state-")


@pytest.fixture(autouse=True)
def _signals_as_before() -> Iterator[None]:
    """Let what a command does about signals be over with its test.

    One that runs until it is stopped takes them for itself, and for its process.
    """
    asked = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
    before = {number: signal.getsignal(number) for number in asked}
    yield
    for number, handler in before.items():
        signal.signal(number, handler)


@pytest.fixture
def air(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Air:
    """Join all nodes of ieee802154 of a test; what they await comes at once."""
    import quiet_air  # noqa: PLC0415 - for few tests

    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "xdg"))
    quiet_air.hurried(monkeypatch)
    return quiet_air.quiet_air(monkeypatch)


@pytest.fixture
def clone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """Provide a clone of what synthesis reads, so that nothing done before is found."""
    from samara.bench import places  # noqa: PLC0415 - for few tests

    root = tmp_path / "clone"
    root.mkdir()
    for name in ("rtl", "core", "devices"):
        (root / name).symlink_to(places.root() / name)
    monkeypatch.setenv("SAMARA_ROOT", str(root))
    places.root.cache_clear()
    yield root
    places.root.cache_clear()


@pytest.fixture
def one_script(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let small netlists come from one script for ABC: they are there sooner."""
    from samara.chip import recipes  # noqa: PLC0415 - for few tests

    goal = recipes.Goal.AREA
    recipe = recipes.RECIPES[goal]
    last = recipe._replace(mappings=recipe.mappings[-1:])
    monkeypatch.setitem(recipes.RECIPES, goal, last)
