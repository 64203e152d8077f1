# SPDX-License-Identifier: Apache-2.0
"""What is public of the Python package is described, has types, and has examples."""

from __future__ import annotations

import importlib
import inspect
import re
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

import samara

if TYPE_CHECKING:
    from collections.abc import Iterator

PAGE = Path(__file__).parents[2] / "docs" / "reference" / "python.md"
MODULES = [name for name in samara.__all__ if name != "__version__"]
# Their examples are all records and requests: a class made in an example would be
# one more type of docs/json.md.
DECORATORS = {"record_class", "request_class"}


def public(name: str) -> Iterator[tuple[str, Any]]:
    """Yield the functions and classes that a module gives to others."""
    module = importlib.import_module(f"samara.{name}")
    own = [
        key
        for key, value in vars(module).items()
        if getattr(value, "__module__", "") == module.__name__ and key[0] != "_"
    ]
    for key in getattr(module, "__all__", own):
        value = getattr(module, key)
        if inspect.isfunction(value) or inspect.isclass(value):
            yield key, value


ALL = {f"{name}.{key}": value for name in MODULES for key, value in public(name)}
FUNCTIONS = {name: value for name, value in ALL.items() if inspect.isfunction(value)}


def test_the_reference_has_the_public_modules() -> None:
    described = re.findall(r"^::: samara\.(\w+)", PAGE.read_text(), re.MULTILINE)
    assert sorted(described) == sorted(MODULES)
    assert len(ALL) > 30


def test_a_star_imports_them() -> None:
    names: dict[str, Any] = {}
    exec("from samara import *", names)  # noqa: S102 - what a user may type
    assert set(samara.__all__) <= set(names)
    assert names["__version__"] == samara.__version__


@pytest.mark.parametrize("name", ALL)
def test_it_is_described(name: str) -> None:
    value = ALL[name]
    assert (value.__doc__ or "").strip(), name
    for key, method in vars(value).items() if inspect.isclass(value) else ():
        if inspect.isfunction(method) and not key.startswith("_"):
            assert (method.__doc__ or "").strip(), f"{name}.{key}"


@pytest.mark.parametrize("name", FUNCTIONS)
def test_a_function_has_types_and_an_example(name: str) -> None:
    function = FUNCTIONS[name]
    signature = inspect.signature(function)
    assert signature.return_annotation is not inspect.Signature.empty
    for parameter in signature.parameters.values():
        assert parameter.annotation is not inspect.Parameter.empty
    if function.__name__ not in DECORATORS:
        assert ">>> " in (function.__doc__ or "")
