# SPDX-License-Identifier: Apache-2.0
"""The keys of nodes whose directories somebody has, to read what they send."""

from __future__ import annotations

import functools
import time
from collections import defaultdict
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from samara.errors import MisuseError, RefusedError
from samara.link.ieee802154 import receipts
from samara.link.ieee802154.frames.acks import BROADCAST_SHORT
from samara.link.ieee802154.frames.fcs import FCS_SIZE
from samara.link.ieee802154.frames.frame import (
    ADDRESS_SIZE,
    Address,
    Frame,
    FrameType,
    KeyId,
    parse,
)
from samara.link.ieee802154.frames.levels import ENCRYPTION_ONLY
from samara.link.ieee802154.frames.security import frame_cipher
from samara.link.ieee802154.frames.tools import FrameDevice, FrameKey, Opener
from samara.link.ieee802154.keys import group as groups
from samara.link.ieee802154.keys import neighbours
from samara.link.ieee802154.keys.neighbours import CURRENT
from samara.link.ieee802154.sniffing import wireshark
from samara.link.node import folder as folders
from samara.link.node import state_file
from samara.link.node.sniffing import OpenedFrame, SniffedFrame, Sniffer

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from pathlib import Path

    from samara.link.ieee802154.keys.neighbours import SharedKey
    from samara.link.node.receipt import Direction, Receipt

_SENDERS_MAX = 254
_READ_AGAIN_S = 0.1
"""How often directories are read for frames that no key opens, at most."""


class UnknownNodeError(RefusedError):
    """A frame is of a node, or for one, that no directory given knows."""


class NoKeyError(RefusedError):
    """Two nodes share no key that is known."""


@dataclass(frozen=True, slots=True)
class KnownNode:
    """A node whose directory was given, or a neighbour of one."""

    name: str
    folder: Path | None
    """None: it was not given."""
    short: int
    extended: bytes
    pan: int

    @property
    def device(self) -> FrameDevice:
        """Return it as a sender of frames."""
        return FrameDevice(self.extended, self.short, self.pan)


ALL = KnownNode("all", None, BROADCAST_SHORT, b"\xff" * ADDRESS_SIZE, BROADCAST_SHORT)
"""Whom frames to the group are for."""


class Keyring(Sniffer):
    """Opens frames with the keys that nodes share, also with those drawn later.

    When a frame does not open, the directories of sender and receiver are read again:
    a node stores a new key before it uses it.

    Parameters
    ----------
    nodes
        Directories of nodes of one network. They may be running.

    Raises
    ------
    MisuseError
        When one is not the directory of a node of IEEE 802.15.4.
    """

    def __init__(self, nodes: Sequence[Path]) -> None:
        self._known: dict[int | bytes, KnownNode] = {BROADCAST_SHORT: ALL}
        self._senders: list[FrameDevice] = []
        self._keys: dict[frozenset[bytes], dict[KeyId, FrameKey]] = defaultdict(dict)
        self._openers: dict[frozenset[bytes], Opener] = {}
        self._read_in_vain_s: dict[frozenset[bytes], float] = {}
        self.settings = {}
        self.keys: dict[FrameKey, None] = {}
        """All that were seen, in the order in which they were read."""
        for folder in nodes:
            self._read(folder)

    @property
    def key_count(self) -> int:
        """How many keys were seen."""
        return len(self.keys)

    def read(self, encoded: bytes) -> SniffedFrame:
        """Read a frame with its FCS."""
        frame = parse(encoded[:-FCS_SIZE])
        is_acknowledgement = frame.type is FrameType.ACKNOWLEDGEMENT
        security_bytes = _security_size(frame)
        if is_acknowledgement and frame.level:
            # The counter that is all it carries.
            security_bytes += len(frame.payload)
        return SniffedFrame(
            encoded,
            is_acknowledgement,
            -1 if frame.sequence is None else frame.sequence,
            security_bytes,
            functools.partial(self._carried, frame, encoded[:-FCS_SIZE]),
        )

    def _carried(self, frame: Frame, data: bytes) -> OpenedFrame:
        source = self.node_of(frame.source)
        destination = self.node_of(frame.destination)
        if frame.level:
            payload = self.open(data, source, destination).payload
        else:
            payload = frame.payload
        return OpenedFrame(
            source.name,
            destination.name,
            _bytes_of(frame.source),
            _bytes_of(frame.destination),
            payload,
        )

    def receipt(
        self,
        direction: Direction,
        payload_bytes: int,
        frames: Sequence[bytes],
        repetitions: Sequence[bytes],
        acknowledgements: Sequence[bytes],
    ) -> Receipt:
        """Return what frames cost that have their FCS."""
        sent = receipts.Sent(
            direction,
            payload_bytes,
            frames,
            repetitions=repetitions,
            acknowledgements=acknowledgements,
        )
        level = parse(frames[-1][:-FCS_SIZE]).level
        suite = receipts.suite_of(self.settings["suite"], level)
        return receipts.receipt_of(sent, suite)

    def wireshark_tables(self) -> Mapping[str, Sequence[str]]:
        """Return all keys that were seen, and the addresses of all nodes."""
        return wireshark.tables(self.keys, self._senders)

    def node_of(self, address: Address) -> KnownNode:
        """Return the node that has an address.

        Raises
        ------
        UnknownNodeError
            When its directory was not given.
        """
        found = self._known.get(address.long or address.short or 0)
        if found is None:
            message = "the directory of this node was not given"
            raise UnknownNodeError(message)
        return found

    def open(self, data: bytes, source: KnownNode, destination: KnownNode) -> Frame:
        """Return a secured frame, given without FCS, with its payload decrypted.

        Raises
        ------
        RefusedError
            When no key of the two nodes opens it.
        """
        pair = frozenset((source.extended, destination.extended))
        try:
            return self._opened(pair, data, source)
        except RefusedError:
            if not self._has_new_keys(pair, source, destination):
                raise
        return self._opened(pair, data, source)

    def _opened(self, pair: frozenset[bytes], data: bytes, source: KnownNode) -> Frame:
        opener = self._openers.get(pair)
        if opener is None:
            message = "the two nodes share no key that is known"
            raise NoKeyError(message)
        return opener.open(data, sender=source.extended)

    def _has_new_keys(
        self, pair: frozenset[bytes], source: KnownNode, destination: KnownNode
    ) -> bool:
        """Read the directories of two nodes again; tell whether that may help.

        Frames that others send in their names cost a reading now and then only.
        """
        now_s = time.monotonic()
        if now_s - self._read_in_vain_s.get(pair, -_READ_AGAIN_S) < _READ_AGAIN_S:
            return False
        before = self._openers.get(pair)
        for folder in filter(None, (source.folder, destination.folder)):
            try:
                self._read(folder)
            except (MisuseError, OSError):
                # It is just being changed, or gone; what was read before remains.
                continue
        if self._openers.get(pair) is before:
            self._read_in_vain_s[pair] = now_s
            return False
        return True

    def _read(self, folder: Path) -> None:
        described = folders.read(folder)
        if described.link != receipts.LINK:
            message = f"{folder} is a node of {described.link}, not of {receipts.LINK}"
            raise MisuseError(message)
        settings = described.end.settings
        self.settings = self.settings or settings
        own, pan = settings["own"], int(settings["pan"], 16)
        extended = bytes.fromhex(own["extended"])
        self._know(KnownNode(folder.name, folder, int(own["short"], 16), extended, pan))
        size = frame_cipher(settings["suite"]).key_size
        records = state_file.records_in(folder)
        found = neighbours.of_records(records, size)
        if settings["peer"] is not None and not found:
            found = [neighbours.of_pair(settings["peer"], described.end.keys["key"])]
        for each in found:
            if each.extended not in self._known:
                # One end's directory has all that opens frames between the two.
                name = each.name or f"{each.short:04x}"
                self._know(KnownNode(name, None, each.short, each.extended, pan))
            self._share(extended, each.extended, each.keys, settings)
        group = groups.stored(records, size)
        if group is not None:
            for sender in self._senders:
                self._share(sender.extended, ALL.extended, group.keys, settings)

    def _know(self, node: KnownNode) -> None:
        self._known[node.short] = self._known[node.extended] = node
        if node.device not in self._senders:
            self._senders.append(node.device)

    def _share(
        self,
        one: bytes,
        other: bytes,
        keys: Sequence[SharedKey],
        settings: Mapping[str, Any],
    ) -> None:
        """Take the keys of frames between two nodes."""
        pair = frozenset((one, other))
        shared = {key.key_id: key for key in _frame_keys(keys, settings)}
        self.keys |= dict.fromkeys(shared.values())
        together = self._keys[pair] | shared
        if together == self._keys[pair]:
            return
        self._keys[pair] = together
        self._openers[pair] = Opener(
            list(together.values()),
            # Grows as directories are read.
            self._senders,
            encryption_only=settings["level"] == ENCRYPTION_ONLY,
            places=_SENDERS_MAX,
        )


def _frame_keys(
    keys: Sequence[SharedKey], settings: Mapping[str, Any]
) -> Iterator[FrameKey]:
    """Yield the keys that frames may have.

    While keys are changed, those of several roles are used side by side, under their
    indexes. Frames without an index have the current one.
    """
    mode = settings["key_id_mode"]
    source = bytes.fromhex(settings["key_source"])
    for key in keys:
        if mode or key.role == CURRENT:
            key_id = KeyId(mode, key.index if mode else 0, source)
            yield FrameKey(key.key, key_id, settings["suite"])


def _bytes_of(address: Address) -> bytes:
    if address.long is not None:
        return address.long
    return (address.short or 0).to_bytes(2, "big")


def _security_size(frame: Frame) -> int:
    if frame.security is None:
        return 0
    key_id = frame.security.key_id
    index = 1 if key_id.mode else 0
    counter = 0 if frame.security.counter is None else 4
    return 1 + index + len(key_id.source) + counter + len(frame.mic)
