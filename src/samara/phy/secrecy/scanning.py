# SPDX-License-Identifier: Apache-2.0
"""Modules of a package by name: symbol_order.py is ``symbol-order``.

A name that ends with .py is a file of the user's, anywhere.
"""

from __future__ import annotations

import importlib
import importlib.util
import pkgutil
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from samara.crypto.names import find
from samara.errors import MisuseError
from samara.phy.secrecy.blaming import blaming

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from importlib.machinery import ModuleSpec
    from types import ModuleType

_OWN = "samara_own_"
"""Begin of the names of modules that are files of the user's."""


@dataclass(frozen=True, slots=True)
class Kind:
    """What the modules of a package define.

    Parameters
    ----------
    name
        In a word: "scheme".
    attribute
        What each module has.
    faults
        Tells what is wrong with an object that should be one; empty: nothing.
    """

    name: str
    package: ModuleType
    attribute: str
    faults: Callable[[object], str]

    def names(self) -> list[str]:
        """Return the names of all modules of the package; imports none."""
        found = pkgutil.iter_modules(self.package.__path__)
        return sorted(each.name.replace("_", "-") for each in found)

    def find(self, name: str) -> Any:  # noqa: ANN401 - the caller knows the type
        """Return what the module of this name, or the file, defines.

        Raises
        ------
        MisuseError
            When there is no such module, or one that cannot be used. The text says why.
        """
        spec = self._spec(name)
        module = _module(spec)
        if not hasattr(module, self.attribute):
            message = f"{spec.origin} has no {self.attribute}, the {self.name} itself"
            raise MisuseError(message)
        found = getattr(module, self.attribute)
        if fault := self.faults(found):
            message = f"{spec.origin}: {self.attribute} is {fault}"
            raise MisuseError(message)
        return found

    def found(self, names: Iterable[str]) -> dict[str, Any]:
        """Return what modules or files define, by what answers call them."""
        given: dict[str, str] = {}
        for name in names:
            before = given.setdefault(_called(name), name)
            if before != name:
                message = f"{before} and {name} have one name: rename a file"
                raise MisuseError(message)
        return {called: self.find(name) for called, name in given.items()}

    def _spec(self, name: str) -> ModuleSpec:
        if _is_file(name):
            return self._spec_of_file(Path(name))
        known = {each: each.replace("-", "_") for each in self.names()}
        place = f"{self.package.__name__}.{find(self.name, name, known)}"
        return _made(importlib.util.find_spec(place))

    def _spec_of_file(self, file: Path) -> ModuleSpec:
        if not file.is_file():
            message = f"{file}: there is no such file; give a {self.name} or its file"
            raise MisuseError(message)
        called = _called(file.name)
        if called in self.names():
            message = f"{file}: {called} is a {self.name} already: rename the file"
            raise MisuseError(message)
        module = f"{_OWN}{self.name}_{file.stem}"
        return _made(importlib.util.spec_from_file_location(module, file))


def _is_file(name: str) -> bool:
    return name.endswith(".py")


def _called(name: str) -> str:
    """Return a file's name without its folder and .py, other names as they are."""
    return Path(name).stem.replace("_", "-") if _is_file(name) else name


def _made(spec: ModuleSpec | None) -> ModuleSpec:
    assert spec is not None  # noqa: S101 - what was found, or ends with .py
    return spec


def _module(spec: ModuleSpec) -> ModuleType:
    file = str(spec.origin)
    with blaming([file], otherwise=file):
        if spec.name.startswith(_OWN):
            return _run(spec)
        return importlib.import_module(spec.name)


def _run(spec: ModuleSpec) -> ModuleType:
    """Return the module of a file; another file of its name may be there already."""
    module = importlib.util.module_from_spec(spec)
    # Before it runs, since dataclasses look there.
    sys.modules[spec.name] = module
    assert spec.loader is not None  # noqa: S101 - of a file
    spec.loader.exec_module(module)
    return module
