# SPDX-License-Identifier: Apache-2.0
"""Invitations: how a newcomer becomes a neighbour.

An invitation is a line of text, short enough for a QR code: `SAMARA1:` and base32 of
the settings of the network, the addresses of who invites, a name and a short address
for the newcomer, and a key. That key is the first one of the two nodes. A newcomer
draws its own extended address, so that two who use the same invitation never use the
same nonce; who invites accepts the first one that proves to have the key, once, and
until the invitation ends by its own clock. A newcomer whose invitation was used, or has
ended, is told so under that key.

With a credential (`SAMARA2:`, and at the end the public key of the inviter for EDHOC)
the key of the invitation is no key of messages: it secures the run alone that leads to
the first one, see `joining`.
"""

from __future__ import annotations

import base64
import secrets
import struct
import time
import zlib
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Self

from samara.errors import MisuseError
from samara.extras import need
from samara.link.ieee802154.keys.control import (
    INVITATION_ID_SIZE,
)
from samara.link.ieee802154.keys.neighbours import (
    INVITER,
    NEIGHBOURS_MAX,
    SENT,
    Neighbour,
    Renewal,
    SharedKey,
)
from samara.link.ieee802154.limits import NAME, SHORT_ADDRESSES
from samara.link.node.members import Change
from samara.link.node.state import StateError

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from samara.link.node.options import Settings
    from samara.link.node.quantities import Number
    from samara.link.node.state_file import Record

PREFIX = "SAMARA1:"
PREFIX_EDHOC = "SAMARA2:"
"""Of invitations with a credential."""
OPEN_MAX = 16
"""Invitations of a node that nobody has used yet."""
NO_END = 0
"""As the time when an invitation ends: never. So have those of an older samara."""

_RECORD = "invitation"
_ADDRESSES = ("short", "extended")
# Level, key id mode, frame version, form of addresses, PAN, channel, short and extended
# address of who invites, short address of the newcomer, end.
_FIXED = struct.Struct(f">BBHBHBH8sHI{INVITATION_ID_SIZE}s")
_TEXTS = ("suite", "medium", "mac", "wake_up", "inviter", "name")
_MAY_BE_MISSING = ("mac", "wake_up")
_CHECK = struct.Struct(">I")
_LENGTH_MAX = 1024
_CREDENTIAL_SIZE = _STATIC_SIZE = 32


class InvitationError(MisuseError):
    """An invitation that is damaged, used, or cannot be made; it is not repeated."""


@dataclass(frozen=True, slots=True)
class Invitation:
    """An invitation, with its secret."""

    settings: Settings
    """Of the network; without addresses of nodes."""
    inviter: str
    inviter_short: int
    inviter_extended: bytes
    name: str
    """Of the newcomer."""
    short: int
    key: bytes
    id: bytes
    ends_s: int = NO_END
    """Seconds since 1970."""
    credential: bytes = b""
    """The inviter's public key for EDHOC; empty: the key is that of messages."""
    static: bytes = b""
    """At the inviter alone: the private key of the credential."""

    @property
    def text(self) -> str:
        """The line of text: it is a secret."""
        own = self.settings
        fixed = _FIXED.pack(
            own["level"],
            own["key_id_mode"],
            own["frame_version"],
            _ADDRESSES.index(own["addresses"]),
            int(own["pan"], 16),
            own["channel"],
            self.inviter_short,
            self.inviter_extended,
            self.short,
            self.ends_s,
            self.id,
        )
        texts = {**own, "inviter": self.inviter, "name": self.name}
        parts = [(texts.get(each) or "").encode() for each in _TEXTS]
        parts += [bytes.fromhex(own["key_source"]), self.key]
        if self.credential:
            parts.append(self.credential)
        content = fixed + b"".join(bytes([len(part)]) + part for part in parts)
        content += _CHECK.pack(zlib.crc32(content))
        prefix = PREFIX_EDHOC if self.credential else PREFIX
        return prefix + base64.b32encode(content).decode().rstrip("=")

    @classmethod
    def of(cls, text: str) -> Self:
        """Read an invitation; its settings are to be checked.

        Raises
        ------
        InvitationError
            When it is none. The text of the error does not repeat it.
        """
        try:
            prefix, content = _content_of(text)
            return cls._of(content, has_credential=prefix == PREFIX_EDHOC)
        except (ValueError, IndexError, struct.error):
            message = (
                f"this is no invitation: it begins with {PREFIX} or {PREFIX_EDHOC}, "
                "goes on with capital letters and the digits 2 to 7, and has a check "
                "value; copy all of it"
            )
            raise InvitationError(message) from None

    @classmethod
    def _of(cls, content: bytes, *, has_credential: bool) -> Self:
        level, mode, version, addresses, pan, channel, *rest = _FIXED.unpack_from(
            content
        )
        parts, at = [], _FIXED.size
        for _ in range(len(_TEXTS) + 2 + has_credential):
            parts.append(content[at + 1 :][: content[at]])
            at += 1 + content[at]
        if at != len(content):
            raise ValueError
        credential = parts.pop() if has_credential else b""
        if len(credential) != has_credential * _CREDENTIAL_SIZE:
            raise ValueError
        texts = {each: part.decode() for each, part in zip(_TEXTS, parts, strict=False)}
        inviter, name = texts.pop("inviter"), texts.pop("name")
        for each in _MAY_BE_MISSING:
            if not texts[each]:
                del texts[each]
        settings = {
            "level": level,
            "key_id_mode": mode,
            "frame_version": version,
            "addresses": _ADDRESSES[addresses],
            "pan": f"{pan:04x}",
            "channel": channel,
            "key_source": parts[-2].hex(),
            **texts,
        }
        inviter_short, inviter_extended, short, ends_s, identity = rest
        names_are_good = NAME.fullmatch(inviter) and NAME.fullmatch(name)
        if not names_are_good or not {short, inviter_short} <= set(SHORT_ADDRESSES):
            raise ValueError
        return cls(
            settings,
            inviter,
            inviter_short,
            inviter_extended,
            name,
            short,
            parts[-1],
            identity,
            ends_s,
            credential,
        )

    @property
    def record_name(self) -> str:
        """The name of its record at the node that invites."""
        return f"{_RECORD} {self.id.hex()}"

    def as_record(self) -> Record:
        """Return what the node that invites stores of it."""
        record: Record = {
            "name": self.name,
            "short": f"{self.short:04x}",
            "key": self.key.hex(),
            "ends_s": self.ends_s,
        }
        return record | ({"static": self.static.hex()} if self.static else {})

    def neighbour(self) -> Neighbour:
        """Return the node that invites, as the newcomer's first neighbour."""
        renewal = None
        if self.credential:
            renewal = Renewal(1, "", by_edhoc=True, peer=self.credential.hex())
        return Neighbour(
            self.inviter,
            self.inviter_short,
            self.inviter_extended,
            (SharedKey(self.key),),
            renewal,
            invitation=self.id.hex(),
            kin=INVITER,
            edhoc=renewal is not None,
        )


def _content_of(text: str) -> tuple[str, bytes]:
    """Return the prefix of an invitation, and what it stands for."""
    line = "".join(text.split())
    prefix = line[: len(PREFIX)]
    if prefix not in (PREFIX, PREFIX_EDHOC) or len(line) > _LENGTH_MAX:
        raise ValueError
    digits = line.removeprefix(prefix)
    content = base64.b32decode(digits + "=" * (-len(digits) % 8))
    content, check = content[: -_CHECK.size], content[-_CHECK.size :]
    if _CHECK.unpack(check)[0] != zlib.crc32(content):
        raise ValueError
    return prefix, content


def drawn(  # noqa: PLR0913 - what an invitation is drawn from
    settings: Settings,
    neighbours: Iterable[Neighbour],
    records: Mapping[str, Record],
    name: str | None,
    key_size: int,
    ends_s: int = NO_END,
    *,
    edhoc: bool = False,
) -> Invitation:
    """Draw a new invitation of a node.

    Parameters
    ----------
    settings, neighbours, records
        Of the node.
    name
        For the newcomer. Default: one with its short address.
    edhoc
        Whether the two agree on their first key by EDHOC.

    Raises
    ------
    MissingPackageError
        When the packages for EDHOC are not installed.
    InvitationError
        When the name is not possible or in use, or there are too many neighbours.
    """
    opened = _without_expired(open_in(records))
    known = list(neighbours)
    if len(opened) >= OPEN_MAX or len(known) + len(opened) >= NEIGHBOURS_MAX:
        message = (
            f"a node has at most {NEIGHBOURS_MAX} neighbours and {OPEN_MAX} open "
            "invitations: --cancel removes one of these"
        )
        raise InvitationError(message)
    own = settings["own"]
    used = {int(own["short"], 16), *(each.short for each in known)}
    used |= {int(each["short"], 16) for each in opened.values()}
    short = secrets.choice([each for each in SHORT_ADDRESSES if each not in used])
    name = name or f"node-{short:04x}"
    names = {settings["name"], *(each.name for each in known)}
    names |= {each["name"] for each in opened.values()}
    if not NAME.fullmatch(name) or name in names:
        message = (
            f"{name!r:.60} cannot be the name of the newcomer: give 1 to 20 letters, "
            "digits, dots, hyphens or underscores that no neighbour has"
        )
        raise InvitationError(message)
    shared = {
        key: value
        for key, value in settings.items()
        if key not in ("own", "peer", "name")
    }
    return Invitation(
        shared,
        settings["name"],
        int(own["short"], 16),
        bytes.fromhex(own["extended"]),
        name,
        short,
        secrets.token_bytes(key_size),
        secrets.token_bytes(INVITATION_ID_SIZE),
        ends_s,
        *(_drawn_credential() if edhoc else ()),
    )


def _drawn_credential() -> tuple[bytes, bytes]:
    """Draw a public key for one invitation, and its private one."""
    from samara.edhoc.credentials import StaticKey  # noqa: PLC0415 - of an extra

    need("lakers", "edhoc")
    key = StaticKey.drawn()
    return key.public, key.private


def has_credential(record: Record) -> bool:
    """Return whether the newcomer of an invitation joins by EDHOC."""
    return "static" in record


def open_names(records: Mapping[str, Record]) -> dict[str, int]:
    """Return the names in invitations that were not used, with their ends."""
    return {each["name"]: each["ends_s"] for each in open_in(records).values()}


def reserved(records: Mapping[str, Record]) -> tuple[set[str], set[int]]:
    """Return the names and the short addresses in invitations that may be used."""
    opened = _without_expired(open_in(records)).values()
    return {each["name"] for each in opened}, {int(e["short"], 16) for e in opened}


def displaced(
    records: Mapping[str, Record], name: str, short: int | None = None
) -> Change:
    """Return what removes expired invitations that a new name or address displaces.

    They are kept until then, so that a newcomer is told why it is not accepted.

    Parameters
    ----------
    name, short
        Of a new newcomer or neighbour. Short address: default, any.
    """
    opened = open_in(records)
    kept = _without_expired(opened)
    expired = {key: each for key, each in opened.items() if key not in kept}
    gone = {
        key
        for key, each in expired.items()
        if each["name"] == name or int(each["short"], 16) == short
    }
    by_end = sorted(expired.keys() - gone, key=lambda key: expired[key]["ends_s"])
    excess = len(opened) - len(gone) + 1 - OPEN_MAX
    gone |= set(by_end[: max(excess, 0)])
    return Change(dict.fromkeys(gone), _numbers_of(opened[key] for key in gone))


def _numbers_of(records: Iterable[Record]) -> list[Number]:
    """Return the names of the counters of keys in invitations."""
    return [SharedKey(b"").number(SENT, each["name"]) for each in records]


def has_expired(record: Record) -> bool:
    """Return whether an invitation has ended, by the clock of this node."""
    ends_s = int(record["ends_s"])
    return ends_s != NO_END and ends_s <= time.time()


def _without_expired(opened: Mapping[str, Record]) -> dict[str, Record]:
    return {key: each for key, each in opened.items() if not has_expired(each)}


def without(records: Mapping[str, Record], name: str) -> Change:
    """Return what removes the invitation of a name that nobody has used.

    Raises
    ------
    InvitationError
        When there is none.
    """
    opened = open_in(records)
    found = [key for key, each in opened.items() if each["name"] == name]
    if not found:
        open_ones = ", ".join(open_names(records)) or "none"
        message = f"there is no open invitation of {name!r:.60}; there are: {open_ones}"
        raise InvitationError(message)
    return Change(dict.fromkeys(found), _numbers_of(opened[key] for key in found))


def open_in(records: Mapping[str, Record]) -> dict[str, Record]:
    """Return the invitations that were not used, by the names of their records."""
    found = {
        name: record
        for name, record in records.items()
        if name.partition(" ")[0] == _RECORD
    }
    for name, record in found.items():
        if not _is_record(record):
            message = f"the state of the node is damaged: its record {name!r}"
            raise StateError(message)
    return found


def _is_record(record: Mapping[str, Any]) -> bool:
    try:
        bytes.fromhex(record["key"])
        is_short = int(record["short"], 16) in SHORT_ADDRESSES
        is_name = NAME.fullmatch(record["name"]) is not None
        is_static = len(bytes.fromhex(record.get("static", ""))) in (0, _STATIC_SIZE)
    except (KeyError, TypeError, ValueError):
        return False
    return is_short and is_name and is_static and type(record.get("ends_s")) is int
