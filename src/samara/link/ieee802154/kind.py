# SPDX-License-Identifier: Apache-2.0
"""The kind of link `ieee802154`: secured frames over `samara medium`.

Both ends share one key. The nonce contains the sender's extended address, so the
two ends never use the same nonce. Nodes exchange data frames only, with the level
and the addresses that `samara node init` was given.
"""

from __future__ import annotations

import secrets
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, ClassVar

from samara import crypto
from samara.crypto.resolving import cipher_and_tag
from samara.errors import MisuseError
from samara.link import ieee802154
from samara.link.ieee802154 import medium_access, mesh, receipts
from samara.link.ieee802154.air.zep import CHANNEL, CHANNELS
from samara.link.ieee802154.air.zep_radio import DEFAULT_MEDIUM
from samara.link.ieee802154.frames.levels import (
    ENCRYPTION_ONLY,
    KEY_SOURCE_SIZES,
    LEVELS,
    MIC_SIZES,
    authenticates,
    mic_size,
)
from samara.link.ieee802154.frames.naming import frame_cipher_named
from samara.link.ieee802154.frames.template import (
    VERSIONS,
    FrameTemplate,
    asks_for_acks,
)
from samara.link.ieee802154.keys import group, introducing, invitations, neighbours
from samara.link.ieee802154.keys.neighbours import NAME, SHORT_ADDRESSES
from samara.link.ieee802154.mac.mac import RETRIES, RETRIES_MAX
from samara.link.ieee802154.sniffing import wireshark
from samara.link.node.end import End
from samara.link.node.kinds import Kind, Protection, Warned, warning_of
from samara.link.node.link_addresses import LinkAddresses
from samara.link.node.members import Change, Invited, Joining, Known, NewMember
from samara.link.node.options import (
    HexDigits,
    Option,
    SettingError,
    check_keys,
    check_settings,
    settings_from,
    shown,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence
    from pathlib import Path

    from samara.link.node.link import Link
    from samara.link.node.messages import Planned
    from samara.link.node.options import Settings
    from samara.link.node.receipt import Receipt
    from samara.link.node.simulated_air import AirPlan, SimulatedAir
    from samara.link.node.sniffing import Sniffer
    from samara.link.node.state import State
    from samara.link.node.state_file import Record

DEFAULT_LEVEL = 5
_V2015 = 2015
DEFAULT_CIPHER = "aes128"


def _drawn_pan() -> str:
    return f"{secrets.choice(SHORT_ADDRESSES):04x}"


_ACCESS_TITLES = ", or ".join(
    access.title for access in medium_access.by_name().values()
)
OPTIONS = (
    Option(
        name="level",
        type=int,
        help="Security level.",
        values=LEVELS,
        default=DEFAULT_LEVEL,
        changes_receipt=True,
    ),
    Option(
        name="suite",
        type=str,
        metavar="SUITE",
        help="Suite that secures frames, such as aes128-ccm-8 or ascon-aead128, or"
        " a cipher alone; the level sets the size of the MIC.",
        default=DEFAULT_CIPHER,
        changes_receipt=True,
    ),
    Option(
        name="key_id_mode",
        type=int,
        help="Key identifier mode: 0 implicit, 1 index, 2 and 3 index with a source"
        " of 4 or 8 bytes.",
        values=range(4),
        default=1,
        changes_receipt=True,
    ),
    Option(
        name="frame_version",
        type=int,
        help="Year of the standard that defines the frames.",
        values=tuple(VERSIONS),
        default=2006,
        changes_receipt=True,
    ),
    Option(
        name="addresses",
        type=str,
        help="Form of the addresses in frames.",
        values=("short", "extended"),
        default="short",
        changes_receipt=True,
    ),
    Option(
        name="pan",
        type=str,
        metavar="HEX",
        help="PAN identifier.",
        values=HexDigits(1, 4),
        default=_drawn_pan,
        default_text="random",
    ),
    Option(
        name="channel",
        type=int,
        help="Channel.",
        values=CHANNELS,
        default=CHANNEL,
    ),
    Option(
        name="frame_retries",
        type=int,
        help="Ask for an acknowledgement of each frame, and send a frame again up to so"
        " often when none arrives (macMaxFrameRetries; the standard's default is"
        f" {RETRIES}).",
        values=range(RETRIES_MAX + 1),
        default_text="no acknowledgements are asked for",
        at_each_run=True,
        in_invitation=False,
        changes_receipt=True,
        may_be_missing=True,
    ),
    Option(
        name="mac",
        type=str,
        metavar="MAC",
        help=f"Medium access: {_ACCESS_TITLES}.",
        values=tuple(medium_access.by_name()),
        default=medium_access.DEFAULT,
        at_each_run=True,
        may_be_missing=True,
    ),
    *(
        option
        for access in medium_access.by_name().values()
        for option in access.options
    ),
    Option(
        name="late_frames",
        type=bool,
        help="Accept a frame that up to 64 others have overtaken, once; the standard"
        " refuses it.",
        default=False,
        default_text="--no-late-frames",
        at_each_run=True,
        in_invitation=False,
        may_be_missing=True,
    ),
    Option(
        name="medium",
        type=str,
        metavar="HOST:PORT",
        help="Address of `samara medium`.",
        default=DEFAULT_MEDIUM,
        at_each_run=True,
    ),
    Option(
        name="paced",
        type=bool,
        help="Wait for the air time of each frame before the next is sent.",
        default=True,
        at_each_run=True,
        on_command_line=False,
    ),
)


class Ieee802154Kind(Kind):
    """The kind of link."""

    name: ClassVar[str] = "ieee802154"
    options: ClassVar[tuple[Option, ...]] = OPTIONS
    radio: ClassVar[str | None] = "at86rf231"
    bit_rate: ClassVar[int | None] = 250_000
    macs: ClassVar[tuple[str, ...]] = ("box-mac-2",)
    fragments: ClassVar[bool] = True
    lab_options: ClassVar[Mapping[str, Any]] = MappingProxyType(
        {"frame_retries": RETRIES}
    )
    wireshark_keys: ClassVar[str | None] = wireshark.KEYS
    has_simulated_air: ClassVar[bool] = True
    has_networks: ClassVar[bool] = True
    unsecured: ClassVar[Mapping[str, Any] | None] = MappingProxyType({"level": 0})

    def new_pair(self, given: Mapping[str, Any]) -> tuple[End, End]:
        """Draw a key and addresses for two nodes."""
        settings = settings_from(self.name, OPTIONS, given)
        settings |= _cipher_and_level(settings["suite"], given.get("level"))
        settings["key_source"] = _drawn_source(settings)
        own, peer = _two_addresses()
        settings |= {"own": own, "peer": peer}
        self.check(settings, None)
        return self.both_ends(settings)

    def new_network(self, name: str, given: Mapping[str, Any]) -> End:
        """Draw addresses for the first node of a network; it has no neighbour yet."""
        if not _is_name(name):
            message = (
                f"{name!r:.60} cannot be the name of a node: give one of 1 to 20 "
                "letters, digits, dots, hyphens or underscores with --name"
            )
            raise SettingError(message)
        settings = settings_from(self.name, OPTIONS, given)
        settings |= _cipher_and_level(settings["suite"], given.get("level"))
        settings["key_source"] = _drawn_source(settings)
        own, _ = _two_addresses()
        settings |= {"own": own, "peer": None, "name": name}
        return self._checked_network(settings)

    def new_mesh(
        self,
        names: Mapping[int, str],
        edges: Sequence[tuple[int, int]],
        given: Mapping[str, Any],
    ) -> Mapping[int, NewMember]:
        """Draw all nodes of a network at once."""
        return mesh.members_of(names, edges, lambda name: self.new_network(name, given))

    def new_group(self, settings: Settings) -> Mapping[str, Record]:
        """Draw the key of a group for the first node of a network."""
        if settings["level"] < ENCRYPTION_ONLY or settings["key_id_mode"] == 0:
            message = (
                "--group needs --level 5, 6 or 7 and --key-id-mode 1, 2 or 3: "
                "newcomers get the key of the group in a frame, and frames must name it"
            )
            raise SettingError(message)
        key_size = ieee802154.frame_cipher(settings["suite"]).key_size
        key = secrets.token_bytes(key_size)
        return {neighbours.GROUP: group.first(key).as_record()}

    def _checked_network(self, settings: Settings) -> End:
        self.check(settings, None)
        if not authenticates(settings["level"]):
            message = (
                f"security level {settings['level']} does not authenticate: a network "
                "has levels 1 to 3 or 5 to 7"
            )
            raise SettingError(message)
        return End(settings, {})

    def invite(
        self,
        settings: Settings,
        records: Mapping[str, Record],
        name: str | None,
        ends_s: int,
    ) -> Invited:
        """Draw an invitation of a node of a network."""
        if settings["peer"] is not None:
            message = (
                "this node is one of a pair, and cannot invite others: `samara node "
                "init --network` makes one that can"
            )
            raise SettingError(message)
        key_size = ieee802154.frame_cipher(settings["suite"]).key_size
        known = neighbours.of_records(records, key_size)
        made = invitations.drawn(settings, known, records, name, key_size, ends_s)
        displaced = invitations.displaced(records, made.name)
        added = Change({made.record_name: made.as_record()})
        return Invited(made.text, made.name, displaced.and_(added))

    def known(self, records: Mapping[str, Record]) -> Known:
        """Return what users may see of neighbours and invitations."""
        ends = invitations.open_names(records)
        open_ones = {name: ends_s or None for name, ends_s in ends.items()}
        return Known(neighbours.described(records), open_ones)

    def withdraw(self, records: Mapping[str, Record], name: str) -> Change:
        """Return what removes the invitation of a name that nobody has used."""
        return invitations.without(records, name)

    def join(self, text: str, given: Mapping[str, Any]) -> Joining:
        """Return the end of a newcomer with an invitation."""
        invitation = invitations.Invitation.of(text)
        own, _ = _two_addresses()
        own["short"] = f"{invitation.short:04x}"
        settings = {
            **invitation.settings,
            **given,
            "own": own,
            "peer": None,
            "name": invitation.name,
        }
        end = self._checked_network(settings)
        key_size = ieee802154.frame_cipher(settings["suite"]).key_size
        check_keys({"key": invitation.key}, {"key": key_size})
        inviter = invitation.neighbour()
        return Joining(end, invitation.id, {inviter.record_name: inviter.as_record()})

    def forget(
        self, settings: Settings, records: Mapping[str, Record], name: str
    ) -> Change:
        """Return what removes a neighbour, and the key of the group that it has."""
        change = neighbours.forgotten(records, name)
        key_size = ieee802154.frame_cipher(settings["suite"]).key_size
        known = neighbours.of_records(records, key_size)
        gone = next(each for each in known if each.name == name)
        change = change.and_(introducing.after_forgetting(records, name))
        return change.and_(group.after_forgetting(records, gone, key_size))

    def both_ends(self, settings: Settings) -> tuple[End, End]:
        """Draw a key; the ends differ in which address is their own."""
        if settings["peer"] is None:
            message = (
                "a node of a network gets its keys by invitation: make it anew, with "
                "`samara node join`, or `samara node init --network`"
            )
            raise SettingError(message)
        key_size = ieee802154.frame_cipher(settings["suite"]).key_size
        keys = {"key": secrets.token_bytes(key_size)}
        other = {**settings, "own": settings["peer"], "peer": settings["own"]}
        return End(settings, keys), End(other, keys)

    def check(self, settings: Settings, keys: Mapping[str, bytes] | None) -> None:
        """Check all settings, and the key."""
        is_pair = settings.get("peer") is not None
        check_settings(settings, OPTIONS, _OF_PAIRS if is_pair else _OF_NETWORKS)
        cipher = ieee802154.frame_cipher(settings["suite"])
        _check_mic(cipher, settings["level"])
        if len(settings["key_source"]) != 2 * KEY_SOURCE_SIZES[settings["key_id_mode"]]:
            message = (
                f"the key source has {len(settings['key_source'])} hex digits; key id "
                f"mode {settings['key_id_mode']} needs "
                f"{2 * KEY_SOURCE_SIZES[settings['key_id_mode']]}"
            )
            raise SettingError(message)
        _check_acknowledged(settings)
        own, peer = settings["own"], settings["peer"]
        if is_pair and any(own[name].lower() == peer[name].lower() for name in own):
            # They would use the same nonces.
            message = "both ends have the same address"
            raise SettingError(message)
        if is_pair and keys != {}:
            # None: they were renewed, and are in the state.
            check_keys(keys, {"key": cipher.key_size})
        elif not is_pair:
            check_keys(keys, {})

    def warning(self, settings: Settings) -> Warned | None:
        """Levels 0 and 4 do not authenticate."""
        level = settings["level"]
        if not authenticates(level):
            allowed = "send forged messages and replay old ones"
            if level != ENCRYPTION_ONLY:
                allowed = "send forged messages, replay old ones and read all messages"
            text = (
                f"security level {level} does not authenticate: anybody can {allowed}"
            )
            return Warned(text, authenticates=False)
        slug = ieee802154.frame_cipher(settings["suite"]).slug
        return warning_of(slug, _standing(slug))

    def described(self, settings: Settings) -> Mapping[str, str]:
        """Return the settings as text."""
        addresses = {
            f"{end} {form} address": text
            for end in ("own", "peer")
            for form, text in (settings[end] or {}).items()
        }
        suite = receipts.suite_of(settings["suite"], settings["level"])
        public = {
            name: value
            for name, value in settings.items()
            if name not in ("own", "peer", "paced")
        }
        public["suite"] = suite or "none"
        public["key_source"] = settings["key_source"] or "none"
        return {name: shown(value) for name, value in public.items()} | addresses

    def planned(self, settings: Settings, message: Planned) -> Receipt:
        """Return the receipt of a message that has not been sent."""
        template = FrameTemplate.of(settings)
        payloads = message.payloads(template.payload_size)
        sent = receipts.Sent(
            message.direction,
            message.size,
            [template.psdu_of(size) for size in payloads],
            answers=[template.psdu_of(size) for size in message.answers],
            acknowledgements=template.acknowledgements_of(len(payloads)),
        )
        suite = receipts.suite_of(settings["suite"], settings["level"])
        return receipts.receipt_of(sent, suite)

    def protections(self) -> Iterator[Protection]:
        """Yield ciphers and levels: those whose frames the bench can measure."""
        from samara.bench import frames  # noqa: PLC0415 - not for help texts

        for cipher, level in frames.measurable():
            yield Protection(
                {"suite": cipher, "level": level},
                _standing(cipher),
                mic_size(level),
                encrypts=level >= ENCRYPTION_ONLY,
                # The standard has no other cipher.
                is_interoperable=cipher == DEFAULT_CIPHER,
            )

    def addresses(
        self, settings: Settings, records: Mapping[str, Record]
    ) -> LinkAddresses:
        """Return the addresses that are in the frames of a node."""
        form = settings["addresses"]
        own, peer = settings["own"], settings["peer"]
        known = neighbours.described(records) if peer is None else {None: peer}
        return LinkAddresses(
            bytes.fromhex(own[form]),
            {name: bytes.fromhex(each[form]) for name, each in known.items()},
        )

    def simulated_air(self, plan: AirPlan) -> SimulatedAir:
        """Return a medium."""
        from samara.link.ieee802154.air import simulated_air  # noqa: PLC0415 - late

        return simulated_air.SimulatedMedium(plan)

    def sniffer(self, nodes: Sequence[Path]) -> Sniffer:
        """Return the keys of nodes, which open their frames."""
        from samara.link.ieee802154.sniffing.keyring import Keyring  # noqa: PLC0415

        return Keyring(nodes)

    def open(self, end: End, state: State) -> Link:
        """Open one end."""
        from samara.link.ieee802154.end import Ieee802154Link  # noqa: PLC0415 - late

        return Ieee802154Link(end, state)


KIND = Ieee802154Kind()


def _standing(cipher: str) -> crypto.Standing:
    known = {each.slug: each.standing for each in crypto.block_ciphers()}
    known |= {each.slug: each.standing for each in crypto.suites()}
    return known[cipher]


def _cipher_and_level(suite: str, level: int | None) -> Settings:
    """Return cipher and level for a suite, or for a cipher alone.

    Frames name a cipher and a level. A suite such as `aes128-ccm-8` has both: the
    size of its tag stands for the level, unless a level is given, too.
    """
    cipher = frame_cipher_named(suite, level)
    tag_size = cipher_and_tag(suite).tag_size
    if level is None:
        encrypted = None if tag_size is None else MIC_SIZES.index(tag_size)
        level = DEFAULT_LEVEL if encrypted is None else ENCRYPTION_ONLY + encrypted
    return {"suite": cipher.slug, "level": level}


def _check_mic(cipher: ieee802154.FrameCipher, level: int) -> None:
    if mic_size(level) > cipher.tag_size:
        message = (
            f"level {level} has a MIC of {mic_size(level)} bytes, and the longest of "
            f"{cipher.slug} has {cipher.tag_size}"
        )
        raise MisuseError(message)


def _check_acknowledged(settings: Settings) -> None:
    is_2015 = settings["frame_version"] == _V2015
    if asks_for_acks(settings) and is_2015 and settings["level"] == ENCRYPTION_ONLY:
        name = medium_access.name_of(settings)
        asks = medium_access.access_of(settings).asks_for_acks
        option = f"--mac {name}" if asks else "--frame-retries"
        message = (
            f"{option} needs --frame-version 2006, or another level than "
            f"{ENCRYPTION_ONLY}, which does not authenticate: acknowledgements of 2015 "
            "are secured like the frames that they answer"
        )
        raise SettingError(message)


def _two_addresses() -> tuple[Settings, Settings]:
    shorts = secrets.SystemRandom().sample(SHORT_ADDRESSES, 2)
    first, second = (
        # Locally administered: no other device has it.
        {"short": f"{short:04x}", "extended": f"02{secrets.token_hex(7)}"}
        for short in shorts
    )
    return first, second


def _has_addresses(value: object) -> bool:
    return (
        isinstance(value, dict)
        and set(value) == {"short", "extended"}
        and value["short"] in HexDigits(4, 4)
        and value["extended"] in HexDigits(16, 16)
        and int(value["short"], 16) in SHORT_ADDRESSES
    )


def _is_key_source(value: object) -> bool:
    return any(value in HexDigits(2 * size, 2 * size) for size in KEY_SOURCE_SIZES)


def _is_name(value: object) -> bool:
    return isinstance(value, str) and NAME.fullmatch(value) is not None


def _drawn_source(settings: Settings) -> str:
    return secrets.token_hex(KEY_SOURCE_SIZES[settings["key_id_mode"]])


_OF_PAIRS: Mapping[str, Callable[[Any], bool]] = {
    "key_source": _is_key_source,
    "own": _has_addresses,
    "peer": _has_addresses,
}
"""Settings that are drawn, and what tells whether they are good."""

_OF_NETWORKS: Mapping[str, Callable[[Any], bool]] = {
    **_OF_PAIRS,
    "peer": lambda value: value is None,
    "name": _is_name,
}
"""The same of a node whose neighbours are in its state."""
