# SPDX-License-Identifier: Apache-2.0
"""Ways of medium access, one module each, found by scanning this package.

A module has a class that derives from `samara.energy.medium_access.MediumAccess`
under the name ``MAC``. Its name is the module's, with hyphens: box_mac_2.py is
``box-mac-2``. Its `links` are the kinds of link whose nodes can have it.
"""

from __future__ import annotations

import importlib
import pkgutil
from dataclasses import fields
from functools import cache
from typing import TYPE_CHECKING, Any

from samara.crypto.names import find
from samara.errors import MisuseError

if TYPE_CHECKING:
    from samara.energy.medium_access import MediumAccess


@cache
def _by_name() -> dict[str, type[MediumAccess]]:
    modules = sorted(module.name for module in pkgutil.iter_modules(__path__))
    return {
        name.replace("_", "-"): importlib.import_module(f"{__name__}.{name}").MAC
        for name in modules
    }


def forget() -> None:
    """Scan again when asked next: for a module that was added meanwhile."""
    _by_name.cache_clear()


def names() -> list[str]:
    """Return the names of all ways of medium access."""
    return list(_by_name())


def of_link(link: str) -> list[str]:
    """Return the names of those that name a kind of link."""
    return [name for name, each in _by_name().items() if link in each.links]


def settings(name: str) -> dict[str, Any]:
    """Return the settings of a way of medium access, with their defaults.

    >>> settings("x-mac")["wake_interval_s"]
    0.25

    Raises
    ------
    samara.crypto.UnknownNameError
        When there is none of this name; the text tells the nearest names.
    """
    return {field.name: field.default for field in fields(kind(name))}


def kind(name: str) -> Any:  # noqa: ANN401 - a dataclass that is a MediumAccess
    """Return the class of a way of medium access; errors as `settings`."""
    return find("medium access", name, _by_name())


def mac(name: str, **given: Any) -> MediumAccess:  # noqa: ANN401 - numbers or arrays
    """Return a way of medium access.

    Parameters
    ----------
    given
        Settings that are not to have their defaults.

    >>> mac("box-mac-2", wake_interval_s=0.5).title
    'BoX-MAC-2: the frame is repeated until it is acknowledged'

    Raises
    ------
    samara.crypto.UnknownNameError
        When there is none of this name; the text tells the nearest names.
    MisuseError
        When it has no such setting.
    """
    known = settings(name)
    if unknown := set(given) - set(known):
        message = f"{name} has no setting {min(unknown)!r}; it has {', '.join(known)}"
        raise MisuseError(message)
    return _by_name()[name](**given)
