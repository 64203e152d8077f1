# SPDX-License-Identifier: Apache-2.0
"""The folder of a node: its identity, its keys, its state.

=============  ==========================================================
node.json      the kind of link, addresses, settings: nothing secret
keys.json      the keys; only the owner may read it, or it is refused
pair.json      the other end, keys included, until it is made from this
state.db       the counters (`samara.link.node.state`); lock: who uses it
rekey.json     new keys that are about to take effect
=============  ==========================================================

All of one node have the same identity; files of two are refused together.
"""

from __future__ import annotations

import contextlib
import difflib
import shlex
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from samara.atomic_files import sync_folder
from samara.link.node import records, state_file, witness
from samara.link.node.end import End
from samara.link.node.kinds import kind, run_options
from samara.link.node.records import FolderError
from samara.link.node.state import State
from samara.link.node.witness import Witness
from samara.records.parameters import spelled

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping
    from pathlib import Path

NODE, KEYS, PAIR, REKEY = "node.json", "keys.json", "pair.json", "rekey.json"
# A node that is complete but for the name of this file.
_ALMOST = "node.json.new"


@dataclass(frozen=True, slots=True)
class Described:
    """What the folder of a node says."""

    link: str
    end: End
    identity: str


def make_pair(
    folder: Path,
    link: str,
    given: Mapping[str, Any],
    *,
    allow_unauthenticated: bool = False,
    witnesses: Path | None = None,
) -> None:
    """Make the first node of a pair.

    Parameters
    ----------
    folder
        Must be empty, or not be there.
    link
        Name of a kind of link (`samara.link.node.kinds.kinds`).
    given
        Options of that kind.
    allow_unauthenticated
        Whether its messages need not be authenticated.
    witnesses
        The folder of its witness. Default: the user's.

    Raises
    ------
    MisuseError
        When it cannot be made so; then nothing is left of it.
    """
    chosen = kind(link)
    first, second = chosen.new_pair(given)
    warned = chosen.warning(first.settings)
    if warned and not (warned.authenticates or allow_unauthenticated):
        message = f"{warned.text}; --allow-unauthenticated makes such nodes"
        raise FolderError(message)
    with new_node(folder, link, first, state_file.new_identity(), witnesses):
        other = records.fields_with_keys(link, second, state_file.new_identity())
        records.write(folder / PAIR, other, is_new=True)


def make_second(
    folder: Path,
    paired_with: Path,
    given: Mapping[str, Any],
    witnesses: Path | None = None,
) -> str:
    """Make the second node of a pair, once; return its kind of link.

    Parameters
    ----------
    paired_with
        The folder of the first node, or the file pair.json out of it. The file
        is taken away: two nodes made from it would use the same nonces.
    given
        Where the link is, when that differs at this end.
    witnesses
        The folder of its witness. Default: the user's.

    Raises
    ------
    MisuseError
        When the pair is complete already, or the second cannot be made so; then
        nothing is left of it, and the file is where it was.
    """
    with second_end(paired_with) as half:
        link = half.link
        if other := set(given) - {option.name for option in run_options(kind(link))}:
            message = (
                f"{spelled(min(other))} cannot be given here: the first node of the "
                "pair has set it for both ends"
            )
            raise FolderError(message)
        end = End({**half.end.settings, **given}, half.end.keys)
        kind(link).check(end.settings, end.keys)
        with new_node(folder, link, end, half.identity, witnesses):
            half.take()
    return link


@dataclass(frozen=True, slots=True)
class SecondEnd(Described):
    """The second end of a pair, which no node is yet."""

    take: Callable[[], None]
    """Takes the file away, so that nobody else gets it. FolderError if it is gone."""


@contextlib.contextmanager
def second_end(paired_with: Path) -> Iterator[SecondEnd]:
    """Give the second end of a pair, which exists once.

    Whoever uses it calls `take` before that takes effect. If the block is left by an
    exception, the file is where it was.

    Raises
    ------
    MisuseError
        When the pair is complete already, or is about to get new keys.
    """
    source = _pair_file_of(paired_with)
    if (source.parent / REKEY).exists():
        message = (
            f"{source.parent} is about to get new keys: `samara node status` of it "
            "finishes that"
        )
        raise FolderError(message)
    if not source.exists():
        raise _already_made(source)
    fields = records.read_secret(source)
    link, end = records.end_of(fields, fields, source)
    identity = records.identity_of(fields, source)
    with _taken_away(source) as take:
        yield SecondEnd(link, end, identity, take)


def _pair_file_of(paired_with: Path) -> Path:
    """Return the file pair.json of the first node, or that was given itself.

    Raises
    ------
    FolderError
        When there is no such directory or file; the text names one that is near.
    """
    if paired_with.is_dir():
        if not (paired_with / NODE).is_file():
            raise not_a_node_error(paired_with)
        return paired_with / PAIR
    if not paired_with.exists() and paired_with.name != PAIR:
        message = f"there is no directory or file {paired_with}{_hint(paired_with)}"
        raise FolderError(message)
    return paired_with


def not_a_node_error(folder: Path) -> FolderError:
    """Return the error for a path that is missing or not the directory of a node."""
    if folder.is_file():
        return FolderError(f"{folder} is a file; name the directory of a node")
    if folder.exists():
        problem = f"{folder} is not a node: it has no file {NODE}"
    else:
        problem = f"there is no directory {folder}"
    quoted = shlex.quote(str(folder))
    hint = _hint(folder) or f"; `samara node init {quoted}` makes a node"
    return FolderError(f"{problem}{hint}")


def _hint(path: Path) -> str:
    """Return a question that names nodes with a name like that of a path."""
    near = path.absolute().parent
    try:
        nodes = [each.parent.name for each in near.glob(f"*/{NODE}")]
    except OSError:
        return ""
    found = difflib.get_close_matches(path.name, nodes, n=2)
    names = " or ".join(str(path.with_name(name)) for name in found)
    return f"; did you mean {names}?" if names else ""


def _already_made(source: Path) -> FolderError:
    return FolderError(
        f"{source} is not there: the second node of this pair has been made; "
        "`samara node rekey --offline` of the first makes another pair.json"
    )


@contextlib.contextmanager
def _taken_away(source: Path) -> Iterator[Callable[[], None]]:
    """Take a file away, once and for all when the block is left in good order.

    Of several processes, only one can take it. It is not removed before the
    block is left, since writing it again may fail.
    """
    taken = source.with_name(f"{source.name}.taken")
    is_taken = False

    def take() -> None:
        nonlocal is_taken
        try:
            source.rename(taken)
        except FileNotFoundError:
            raise _already_made(source) from None
        is_taken = True
        sync_folder(source.parent)

    try:
        yield take
    except BaseException:
        if is_taken:
            taken.rename(source)
        raise
    taken.unlink()
    sync_folder(source.parent)


def read(folder: Path) -> Described:
    """Return the kind of link, settings and keys in the directory of a node.

    Raises
    ------
    MisuseError
        When it is not a node's, others may read its keys, or it is damaged.
    """
    path = folder / NODE
    if not path.is_file():
        raise not_a_node_error(folder)
    fields, secret = records.read(path), records.read_secret(folder / KEYS)
    link, end = records.end_of(fields, secret, path)
    identity = records.identity_of(fields, path)
    if identity != records.identity_of(secret, folder / KEYS):
        message = (
            f"{path} and {KEYS} are of two nodes; `samara node rekey --offline` gives "
            "the node new keys"
        )
        raise FolderError(message)
    kind(link).check(end.settings, end.keys)
    return Described(link, end, identity)


def warning_of(link: str, end: End) -> str | None:
    """Return what a user of this link has to be warned of; None for nothing."""
    warned = kind(link).warning(end.settings)
    return None if warned is None else warned.text


@contextlib.contextmanager
def new_node(
    folder: Path, link: str, end: End, identity: str, witnesses: Path | None
) -> Iterator[None]:
    """Make the directory of a node; it is kept if the block ends without exception.

    Parameters
    ----------
    folder
        Must be empty, or not be there.
    witnesses
        The folder of its witness. Default: the user's.

    Raises
    ------
    MisuseError
        When it cannot be made; then nothing is left of it.
    """
    witnesses = witnesses or witness.default_folder()
    is_ours, has_witness = not folder.exists(), False
    folder.mkdir(mode=0o700, exist_ok=True)
    if any(folder.iterdir()):
        message = f"{folder} is not empty: give a new or empty directory"
        raise FolderError(message)
    try:
        sync_folder(folder.absolute().parent)
        folder.chmod(0o700)
        Witness.make(witnesses, identity)
        has_witness = True
        State.make(folder, identity, witnesses)
        records.write(folder / KEYS, records.keys_of(end, identity), is_new=True)
        # Under another name, so that nothing is left that may find no room.
        almost = folder / _ALMOST
        records.write(almost, records.fields_of(link, end, identity), is_new=True)
        yield
        # Last: a folder without it is no node.
        almost.rename(folder / NODE)
        sync_folder(folder)
    except BaseException:
        if has_witness:
            Witness.remove(witnesses, identity)
        for path in folder.iterdir():
            path.unlink()
        if is_ours:
            folder.rmdir()
        raise
