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
from samara.link import ieee802154
from samara.link.ieee802154 import receipts
from samara.link.ieee802154.frames.levels import (
    ENCRYPTION_ONLY,
    authenticates,
    mic_size,
)
from samara.link.ieee802154.frames.template import (
    FrameTemplate,
)
from samara.link.ieee802154.limits import RETRIES
from samara.link.ieee802154.link_options import DEFAULT_CIPHER, OPTIONS
from samara.link.ieee802154.settings import check, new_settings, two_addresses
from samara.link.node.end import End
from samara.link.node.kinds import Kind, Protection, Warned, warning_of
from samara.link.node.link_addresses import LinkAddresses
from samara.link.node.options import (
    Option,
    SettingError,
    shown,
)

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from samara.link.node.device_record import DeviceRecord
    from samara.link.node.kind_networks import Networks
    from samara.link.node.link import Link
    from samara.link.node.messages import Planned
    from samara.link.node.options import Settings
    from samara.link.node.receipt import Receipt
    from samara.link.node.simulated_air import AirPlan, SimulatedAir
    from samara.link.node.sniffing import Sniffing
    from samara.link.node.state import State
    from samara.link.node.state_file import Record


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
    unsecured: ClassVar[Mapping[str, Any] | None] = MappingProxyType({"level": 0})

    @property
    def networks(self) -> Networks:
        """What makes nodes of networks."""
        from samara.link.ieee802154.networks import (  # noqa: PLC0415 - late
            Ieee802154Networks,
        )

        return Ieee802154Networks(self.name)

    @property
    def sniffing(self) -> Sniffing:
        """What hears frames, and opens them."""
        from samara.link.ieee802154.sniffing.hearing import (  # noqa: PLC0415 - late
            Ieee802154Sniffing,
        )

        return Ieee802154Sniffing()

    def new_pair(self, given: Mapping[str, Any]) -> tuple[End, End]:
        """Draw a key and addresses for two nodes."""
        settings = new_settings(self.name, given)
        own, peer = two_addresses()
        settings |= {"own": own, "peer": peer}
        self.check(settings, None)
        return self.both_ends(settings)

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
        check(settings, keys)

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
        frames = {size: template.psdu_of(size) for size in set(payloads)}
        sent = receipts.Sent(
            message.direction,
            message.size,
            [frames[size] for size in payloads],
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

    def device_record(self, end: End) -> DeviceRecord:
        """Return the key and the settings as samara/node_ieee802154.h takes them."""
        from samara.link.ieee802154.device_record import (  # noqa: PLC0415 - late
            record_of,
        )

        self.check(end.settings, end.keys)
        return record_of(end.settings, end.keys["key"])

    def addresses(
        self, settings: Settings, records: Mapping[str, Record]
    ) -> LinkAddresses:
        """Return the addresses that are in the frames of a node."""
        from samara.link.ieee802154.keys import neighbours  # noqa: PLC0415 - late

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

    def load(self) -> None:
        """Import the module of the link."""
        import samara.link.ieee802154.end  # noqa: F401, PLC0415 - that is all

    def open(self, end: End, state: State) -> Link:
        """Open one end."""
        from samara.link.ieee802154.end import Ieee802154Link  # noqa: PLC0415 - late

        return Ieee802154Link(end, state)


KIND = Ieee802154Kind()


def _standing(cipher: str) -> crypto.Standing:
    known = {each.slug: each.standing for each in crypto.block_ciphers()}
    known |= {each.slug: each.standing for each in crypto.suites()}
    return known[cipher]
