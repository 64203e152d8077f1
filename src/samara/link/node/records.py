# SPDX-License-Identifier: Apache-2.0
"""The JSON files of a node, written atomically, each with a format number."""

from __future__ import annotations

import json
import stat
from typing import TYPE_CHECKING, Any

from samara.atomic_files import MODE_OF_OWNER, replacing
from samara.errors import MisuseError
from samara.link.node.end import End
from samara.link.node.state_file import IDENTITY, IDENTITY_SIZE

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

FORMAT = 1
"""Format of node.json, keys.json and pair.json."""

_OTHERS = stat.S_IRWXG | stat.S_IRWXO
_SIZE_MAX = 1 << 20


class FolderError(MisuseError):
    """A directory that is not that of a node, or that others have access to."""


def write(path: Path, fields: Mapping[str, Any], *, is_new: bool) -> None:
    """Write a file that only its owner can read; it is durable on return.

    Parameters
    ----------
    is_new
        Whether the file must not exist. Otherwise it is replaced atomically.

    Raises
    ------
    FileExistsError
        When it exists and `is_new` is set.
    """
    text = json.dumps({"format": FORMAT, **fields}, indent=2) + "\n"
    with replacing(path, exclusive=is_new, mode=MODE_OF_OWNER) as file:
        file.write(text.encode())


def read(path: Path) -> dict[str, Any]:
    """Return the fields of a file.

    Raises
    ------
    FolderError
        When it is damaged, or its format is not known.
    """
    try:
        with path.open("rb") as file:
            content = file.read(_SIZE_MAX + 1)
        # The limit is far above the size of any file that `write` makes.
        fields = None if len(content) > _SIZE_MAX else json.loads(content)
    except (ValueError, RecursionError):
        fields = None
    if not isinstance(fields, dict):
        message = f"{path} is damaged: it is not a JSON object"
        raise FolderError(message)
    known = fields.get("format")
    if type(known) is not int or known < 1:
        message = f"{path} is damaged: it has no format number"
        raise FolderError(message)
    if known > FORMAT:
        message = (
            f"{path} has format {known}, and this samara knows format {FORMAT}: use "
            "a newer samara"
        )
        raise FolderError(message)
    return fields


def read_secret(path: Path) -> dict[str, Any]:
    """Return the fields of a file that only its owner may have access to.

    Raises
    ------
    FolderError
        When others have access, it is damaged, or its format is not known.
    """
    check_secret(path)
    return read(path)


def check_secret(path: Path) -> None:
    """Check that only its owner has access to a file.

    Raises
    ------
    FolderError
        When they have.
    """
    if path.stat().st_mode & _OTHERS:
        message = f"others than its owner have access to {path}; chmod 600 it"
        raise FolderError(message)


def identity_of(fields: Mapping[str, Any], path: Path) -> str:
    """Return the identity of the node that a file belongs to.

    Raises
    ------
    FolderError
        When the file has none.
    """
    identity = fields.get("identity")
    if not isinstance(identity, str) or not IDENTITY.fullmatch(identity):
        message = f"{path} is damaged: it has no identity of {IDENTITY_SIZE} bytes"
        raise FolderError(message)
    return identity


def end_of(
    fields: Mapping[str, Any], secret: Mapping[str, Any], path: Path
) -> tuple[str, End]:
    """Return the kind of link and the end in two files; the kind checks them later.

    Raises
    ------
    FolderError
        When a field is missing or invalid. It may be a key, so that the message does
        not contain it.
    """
    link, settings, keys = (
        fields.get("link"),
        fields.get("settings"),
        secret.get("keys"),
    )
    if (
        isinstance(link, str)
        and isinstance(settings, dict)
        and isinstance(keys, dict)
        and all(isinstance(key, str) for key in keys.values())
    ):
        try:
            values = {name: bytes.fromhex(key) for name, key in keys.items()}
            return link, End(settings, values)
        except ValueError:
            pass
    message = f"{path} is damaged: its link, settings or keys are missing or invalid"
    raise FolderError(message)


def fields_of(link: str, end: End, identity: str) -> dict[str, Any]:
    """Return the fields of an end without its keys."""
    return {"identity": identity, "link": link, "settings": end.settings}


def fields_with_keys(link: str, end: End, identity: str) -> dict[str, Any]:
    """Return the fields of an end with its keys."""
    return fields_of(link, end, identity) | keys_of(end, identity)


def keys_of(end: End, identity: str) -> dict[str, Any]:
    """Return the fields with the keys of an end."""
    keys = {name: key.hex() for name, key in end.keys.items()}
    return {"identity": identity, "keys": keys}
