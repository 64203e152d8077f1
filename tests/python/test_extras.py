# SPDX-License-Identifier: Apache-2.0
"""A missing optional package is one sentence with the command that installs it."""

from __future__ import annotations

import importlib
import math
import sys

import pytest

from samara.extras import MissingPackageError, need, needed


def test_a_module_that_is_installed_is_returned() -> None:
    assert need("math", "phy") is math


@pytest.mark.parametrize(
    ("module", "package"),
    [("zmq", "pyzmq"), ("serial", "pyserial"), ("scipy.stats", "scipy")],
)
def test_a_missing_package_is_named_as_pip_names_it(
    module: str, package: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, module.partition(".")[0], None)
    monkeypatch.setitem(sys.modules, module, None)
    with pytest.raises(MissingPackageError) as caught:
        need(module, "phy")
    assert str(caught.value) == (
        f"the Python package {package} is not installed: run pip install 'samara[phy]'"
    )


def test_a_fault_of_ours_is_not_taken_for_a_missing_package() -> None:
    with pytest.raises(ModuleNotFoundError), needed("phy"):
        importlib.import_module("samara.no_such_module")
