# SPDX-License-Identifier: Apache-2.0
"""Optional dependencies: load one, or name the command that installs it.

`pip install samara` installs only what most commands need. The other packages
belong to an extra of pyproject.toml, such as ``samara[phy]``. A function that needs
one loads it by `need`; a module that cannot work without one puts its import into
`needed`:

    with needed("phy"):
        import zmq

If the package is missing, the user reads one sentence with the command that
installs it, and no traceback.
"""

from __future__ import annotations

import contextlib
import importlib
from typing import TYPE_CHECKING

from samara.errors import MisuseError

if TYPE_CHECKING:
    from collections.abc import Iterator
    from types import ModuleType

# Packages that have another name for pip than for Python.
_NAMES_FOR_PIP = {
    "elftools": "pyelftools",
    "lakers": "lakers-python",
    "serial": "pyserial",
    "zmq": "pyzmq",
}


class MissingPackageError(MisuseError):
    """A package of an extra is not installed; the text says how to install it."""


@contextlib.contextmanager
def needed(extra: str) -> Iterator[None]:
    """Replace the error of an import by a sentence that says what to install.

    Parameters
    ----------
    extra
        Name of the extra in pyproject.toml that has the package, such as "phy".

    Raises
    ------
    MissingPackageError
        If an import of the block fails because a package is not installed.
    """
    try:
        yield
    except ModuleNotFoundError as error:
        package = (error.name or "").partition(".")[0]
        if package in ("", "samara"):
            raise
        message = (
            f"the Python package {_NAMES_FOR_PIP.get(package, package)} is not "
            f"installed: run pip install 'samara[{extra}]'"
        )
        raise MissingPackageError(message) from None


def need(module: str, extra: str) -> ModuleType:
    """Import a module of an optional package and return it.

    Parameters
    ----------
    module
        Name of the module as Python imports it, such as "scipy.stats".
    extra
        Name of the extra in pyproject.toml that has the package.

    Raises
    ------
    MissingPackageError
        If the package is not installed.
    """
    with needed(extra):
        return importlib.import_module(module)
