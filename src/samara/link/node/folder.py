# SPDX-License-Identifier: Apache-2.0
"""The folder of a node: who it is, its keys, its state.

=============  ==========================================================
node.json      the kind of link, addresses, settings: nothing secret
keys.json      the keys; only the owner may read it, or it is refused
pair.json      the other end, keys included, until it is made from this
state.db       the counters (`samara.link.node.state`); lock: who uses it
=============  ==========================================================
"""

from __future__ import annotations

import json
import os
import stat
from typing import TYPE_CHECKING, Any

from samara.errors import MisuseError
from samara.link.node.kinds import End, kind, spelled
from samara.link.node.state import State

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

_NODE, _KEYS, _PAIR = "node.json", "keys.json", "pair.json"
_OTHERS = stat.S_IRWXG | stat.S_IRWXO


class FolderError(MisuseError):
    """A folder that is not a node's, or that others have access to."""


def make_pair(folder: Path, link: str, given: Mapping[str, Any]) -> None:
    """Make the first node of a pair.

    Parameters
    ----------
    folder
        Must be empty, or not be there.
    link
        One of `samara.link.node.kinds.KINDS`.
    given
        Options of that kind.

    Raises
    ------
    MisuseError
        When it cannot be made so.
    """
    chosen = kind(link)
    if unknown := set(given) - chosen.options:
        known = ", ".join(map(spelled, sorted(chosen.options)))
        message = f"{link} takes no {spelled(min(unknown))}; it takes {known}"
        raise FolderError(message)
    first, second = chosen.new_pair(given)
    _make(folder, link, first)
    _write(folder / _PAIR, _as_json(link, second, with_keys=True))


def make_second(folder: Path, paired_with: Path, given: Mapping[str, Any]) -> str:
    """Make the second node of a pair, once; return its kind of link.

    Parameters
    ----------
    paired_with
        The folder of the first node, or the file pair.json out of it. The file
        is taken away: two nodes made from it would use the same nonces.
    given
        Where the link is, when that differs at this end.

    Raises
    ------
    MisuseError
        When the pair is complete already, or the second cannot be made so.
    """
    source = paired_with / _PAIR if paired_with.is_dir() else paired_with
    if not source.exists():
        message = f"{source} is not there: the second node of this pair has been made"
        raise FolderError(message)
    fields = _read_secret(source)
    link, end = _end_of(fields, fields, source)
    if other := set(given) - kind(link).run_options:
        message = f"{spelled(min(other))} was settled by the first node"
        raise FolderError(message)
    _prepare(folder)
    # Before the new node can be used: this file makes no third one.
    source.unlink()
    _make(folder, link, End({**end.settings, **given}, end.keys))
    return link


def read(folder: Path) -> tuple[str, End]:
    """Return a node's kind of link and its end of it.

    Raises
    ------
    FolderError
        When the folder is not a node's, or others may read its keys.
    """
    path = folder / _NODE
    if not path.is_file():
        message = f"{folder} is not a node; `samara node init {folder}` makes one"
        raise FolderError(message)
    return _end_of(_parsed(path), _read_secret(folder / _KEYS), path)


def _prepare(folder: Path) -> None:
    folder.mkdir(mode=0o700, exist_ok=True)
    if any(folder.iterdir()):
        message = f"{folder} is not empty; a node gets a folder of its own"
        raise FolderError(message)


def _make(folder: Path, link: str, end: End) -> None:
    _prepare(folder)
    folder.chmod(0o700)
    State.make(folder)
    _write(folder / _KEYS, _keys_as_json(end))
    # Last: a folder without it is no node.
    _write(folder / _NODE, _as_json(link, end, with_keys=False))


def _as_json(link: str, end: End, *, with_keys: bool) -> dict[str, Any]:
    fields = {"link": link, "settings": end.settings}
    return {**fields, **_keys_as_json(end)} if with_keys else fields


def _keys_as_json(end: End) -> dict[str, Any]:
    return {"keys": {name: key.hex() for name, key in end.keys.items()}}


def _end_of(
    fields: Mapping[str, Any], secret: Mapping[str, Any], path: Path
) -> tuple[str, End]:
    try:
        keys = {str(n): bytes.fromhex(key) for n, key in secret["keys"].items()}
        return str(fields["link"]), End(dict(fields["settings"]), keys)
    except (KeyError, TypeError, ValueError, AttributeError):
        # What is wrong may be a key: it is not repeated.
        message = f"{path} and the keys with it are not what samara wrote"
        raise FolderError(message) from None


def _write(path: Path, fields: Mapping[str, Any]) -> None:
    descriptor = os.open(path, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600)
    with os.fdopen(descriptor, "w", encoding="utf-8") as file:
        json.dump(fields, file, indent=2)
        file.write("\n")
        file.flush()
        os.fsync(file.fileno())


def _read_secret(path: Path) -> dict[str, Any]:
    if path.stat().st_mode & _OTHERS:
        message = f"others than its owner have access to {path}; chmod 600 it"
        raise FolderError(message)
    return _parsed(path)


def _parsed(path: Path) -> dict[str, Any]:
    try:
        fields = json.loads(path.read_text("utf-8"))
    except ValueError:
        fields = None
    if not isinstance(fields, dict):
        message = f"{path} is damaged"
        raise FolderError(message)
    return fields
