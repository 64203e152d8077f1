# SPDX-License-Identifier: Apache-2.0
"""Options and markers of all tests: which run, and which have to wait.

A test marked `slow` is left out by --quick. A test marked `thorough` runs only with
--all, or when -k names it.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import pytest


def pytest_addoption(parser: pytest.Parser) -> None:
    group = parser.getgroup("samara")
    group.addoption(
        "--quick", action="store_true", help="leave out the tests marked slow"
    )
    group.addoption(
        "--all", action="store_true", help="run the tests marked thorough, too"
    )


def pytest_configure(config: pytest.Config) -> None:
    if config.getoption("--all"):
        # Every program starts from nothing: tests/python/forks.py.
        os.environ["SAMARA_TEST_FORKS"] = "no"


def pytest_collection_modifyitems(
    config: pytest.Config, items: list[pytest.Item]
) -> None:
    left_out = set()
    if config.getoption("--quick"):
        left_out.add("slow")
    if not config.getoption("--all") and not config.option.keyword:
        left_out.add("thorough")
    kept = [item for item in items if not any(map(item.get_closest_marker, left_out))]
    dropped = [item for item in items if any(map(item.get_closest_marker, left_out))]
    if dropped:
        config.hook.pytest_deselected(items=dropped)
    items[:] = kept
