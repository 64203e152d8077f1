# SPDX-License-Identifier: Apache-2.0
"""Serial modules: a profile each, in `profiles` and in the user's directory.

`--module` of a node names one: a profile that comes with samara, one in ``modules/`` of
the user's configuration directory of samara, or a file whose name ends with ``.toml``.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from samara.crypto.names import find
from samara.errors import MisuseError
from samara.link.rfserial.modules.profile import SIZE_MAX, Profile, profile_of
from samara.user_folders import user_folder

if TYPE_CHECKING:
    from collections.abc import Mapping

DEFAULT = "srf"
"""The module of nodes that name none."""
_BUILT_IN = Path(__file__).parent / "profiles"
_SUFFIX = ".toml"


def own_folder() -> Path | None:
    """Return where the user's profiles are found; None without a home directory."""
    folder = user_folder("XDG_CONFIG_HOME", ".config")
    return None if folder is None else folder / "modules"


def names() -> list[str]:
    """Return the names of all profiles that are found."""
    return list(_paths())


def built_in() -> list[str]:
    """Return the names of the profiles that come with samara."""
    return list(_built_in_paths())


def module(name: str) -> Profile:
    """Return the profile of a module.

    Parameters
    ----------
    name
        A name of `names`, or a file.

    Raises
    ------
    samara.crypto.UnknownNameError
        When there is no such module.
    MisuseError
        When its file cannot be read, or is no profile.
    """
    if name.endswith(_SUFFIX):
        return _read(name, Path(name))
    if name in _built_in_paths():
        return _built_in(name)
    paths = _paths()
    find("module", name, paths)
    return _read(name, paths[name])


def lasting_name(name: str) -> str:
    """Return a name that means the same in any directory."""
    return str(Path(name).resolve()) if name.endswith(_SUFFIX) else name


def of_settings(settings: Mapping[str, Any]) -> Profile:
    """Return the module of a node, set as the node is; nodes of before have the SRF."""
    profile = module(settings.get("module") or DEFAULT)
    return profile.with_settings(settings["packet_size"], settings["modem_timeout_ms"])


def radio_of(given: Mapping[str, Any]) -> str | None:
    """Return the radio of a module that is named; None for that of nodes of before."""
    name = given.get("module")
    return None if name in (None, DEFAULT) else module(name).radio


def _paths() -> Mapping[str, Path]:
    """Return the files of all profiles by name; those of samara come first."""
    built_in, folder = _built_in_paths(), own_folder()
    own = _paths_in(folder) if folder else {}
    return {**built_in, **{name: own[name] for name in own if name not in built_in}}


def _paths_in(folder: Path) -> Mapping[str, Path]:
    return {path.stem: path for path in sorted(folder.glob(f"*{_SUFFIX}"))}


# These files do not change while a program runs; receipts ask for them hundreds of
# times.
@cache
def _built_in_paths() -> Mapping[str, Path]:
    return _paths_in(_BUILT_IN)


@cache
def _built_in(name: str) -> Profile:
    return _read(name, _BUILT_IN / f"{name}{_SUFFIX}")


def _read(name: str, path: Path) -> Profile:
    try:
        with path.open("rb") as file:
            content = file.read(SIZE_MAX + 1)
        text = content.decode()
    except OSError as error:
        message = f"the module {name} cannot be read: {error.strerror}"
        raise MisuseError(message) from None
    except UnicodeDecodeError:
        message = f"the module {name} is no text in UTF-8"
        raise MisuseError(message) from None
    if len(content) > SIZE_MAX:
        message = f"the module {name} is longer than {SIZE_MAX:,} bytes"
        raise MisuseError(message)
    return profile_of(name, text)
