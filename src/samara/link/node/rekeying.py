# SPDX-License-Identifier: Apache-2.0
"""New keys for a node, and for the other end of its link.

The new keys are written to one file, rekey.json, whole or not at all. From then
on they are the node's: whoever opens the node next replaces the other files by
what follows from that one, and removes it. A process that is killed at any point
leaves a node with its old keys and counters, or with new ones.
"""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING, Any

from samara.atomic_files import sync_folder
from samara.link.node import folder as folders
from samara.link.node import records, state, state_file, witness
from samara.link.node.folder import KEYS, NODE, PAIR, REKEY
from samara.link.node.kinds import kind
from samara.link.node.records import FolderError
from samara.link.node.state import State
from samara.link.node.witness import Witness

if TYPE_CHECKING:
    from collections.abc import Mapping

# Files without a name that were given one for a moment (`samara.atomic_files`).
_TEMPORARY_FILES = ".samara-*"
# What was taken for the other end of the keys before.
_TAKEN = "pair.json.taken"


def rekey(folder: Path) -> None:
    """Give a node new keys and counters from zero, and write pair.json anew.

    The settings stay. The state and the old keys need not be good: this is what
    helps a node that was restored from a backup, copied or damaged.

    Raises
    ------
    MisuseError
        When a process uses the node, its settings are damaged, or something
        cannot be written; then it is as it was.
    """
    path = folder / NODE
    if not path.is_file():
        raise folders.not_a_node_error(folder)
    with state.locked(folder):
        _finish(folder)
        fields = records.read(path)
        link, old = records.end_of(fields, {"keys": {}}, path)
        chosen = kind(link)
        chosen.check(old.settings, None)
        own, other = chosen.both_ends(old.settings)
        identity = state_file.new_identity()
        witnesses = witness.default_folder()
        _remove_temporary_files(folder)
        Witness.make(witnesses, identity)
        try:
            order = {
                "witness": os.fspath(witnesses),
                "before": _before(folder),
                "own": records.fields_with_keys(link, own, identity),
                "other": records.fields_with_keys(
                    link, other, state_file.new_identity()
                ),
            }
            records.write(folder / REKEY, order, is_new=True)
        except BaseException:
            # Unless it is there, and only its durability is in doubt.
            if not (folder / REKEY).exists():
                Witness.remove(witnesses, identity)
            raise
        _finish(folder)


def finish(folder: Path) -> None:
    """Finish a change of keys that was interrupted, if there was one.

    Raises
    ------
    MisuseError
        When that cannot be done.
    """
    if (folder / REKEY).exists():
        with state.locked(folder):
            _finish(folder)


def _before(folder: Path) -> dict[str, str] | None:
    about = state_file.read_identity(folder)
    if about is None:
        return None
    return {"identity": about.identity, "witness": os.fspath(about.witness)}


def _finish(folder: Path) -> None:
    path = folder / REKEY
    if not path.exists():
        return
    order = records.read_secret(path)
    own, other, witnesses, before = _parsed(order, path)
    link, end = records.end_of(own, own, path)
    identity = records.identity_of(own, path)
    State.remove(folder)
    sync_folder(folder)
    # Its witness was made with the order, and is not made again: it knows
    # whether these keys were used since.
    State.make(folder, identity, witnesses)
    records.write(folder / KEYS, records.keys_of(end, identity), is_new=False)
    records.write(folder / NODE, records.fields_of(link, end, identity), is_new=False)
    (folder / _TAKEN).unlink(missing_ok=True)
    records.write(folder / PAIR, other, is_new=False)
    _remove_temporary_files(folder)
    path.unlink()
    sync_folder(folder)
    if before is not None:
        Witness.remove(*before)


def _parsed(
    order: Mapping[str, Any], path: Path
) -> tuple[dict[str, Any], dict[str, Any], Path, tuple[Path, str] | None]:
    match order:
        case {"own": dict(own), "other": dict(other), "witness": str(witnesses)}:
            pass
        case _:
            message = f"{path} is damaged: remove it if the node was never used since"
            raise FolderError(message)
    match order.get("before"):
        case {"identity": str(identity), "witness": str(old)}:
            return own, other, Path(witnesses), (Path(old), identity)
    return own, other, Path(witnesses), None


def _remove_temporary_files(folder: Path) -> None:
    for file in folder.glob(_TEMPORARY_FILES):
        file.unlink(missing_ok=True)
