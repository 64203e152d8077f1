# SPDX-License-Identifier: Apache-2.0
"""Options and markers of all tests: which run, and which have to wait.

A test marked `slow` is left out by --quick. A test marked `thorough` runs only with
--all, or when -k names it. Tests that share a fixture of their module run in one
process: what it provides, such as a site or a browser, is made once.
"""

from __future__ import annotations

import os

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


@pytest.hookimpl(tryfirst=True)
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
    for item in kept:
        if _shares_with_its_module(item) and not item.get_closest_marker("xdist_group"):
            item.add_marker(pytest.mark.xdist_group(item.nodeid.partition("::")[0]))


def _shares_with_its_module(item: pytest.Item) -> bool:
    """Tell whether a test uses a fixture that is made once for its module."""
    # Of pytest's own objects, which have no public way to ask for this.
    found = getattr(getattr(item, "_fixtureinfo", None), "name2fixturedefs", {})
    scopes = {each.scope for definitions in found.values() for each in definitions}
    return "module" in scopes
