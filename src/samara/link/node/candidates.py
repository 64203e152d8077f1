# SPDX-License-Identifier: Apache-2.0
"""All suites that can secure a message of a link, at each layer: for advice.

A candidate of the layer `link` is secured by the frames of the link; one of the layer
`payload` by the application, which sends the sealed message and four bytes of its
frame counter in frames without security.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from samara import crypto
from samara.bench import frames
from samara.energy.advise import Candidate
from samara.energy.security import Call
from samara.errors import MisuseError
from samara.link.node.loads import load_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from typing import Any

    from samara.crypto import Suite

_COUNTER_BYTES = 4
_IV_BYTES = 16
_LEVELS = range(1, 8)
_ENCRYPTING_FROM = 4
PLAIN: Mapping[str, Mapping[str, Any]] = {
    "ieee802154": {"level": 0},
    "rf-serial": {"framing": "plain"},
}
"""Options of frames without security, by kind of link."""


def candidates(
    link: str, message_bytes: int, given: Mapping[str, Any]
) -> Iterator[Candidate]:
    """Yield all candidates for messages of this size.

    A suite whose frame does not hold the message is left out.

    Parameters
    ----------
    link
        A kind of link of `PLAIN`.
    given
        Options of the link that do not choose what secures it.

    Raises
    ------
    MisuseError
        When the link does not take such options, or one frame does not hold the
        message even without security.
    """
    load_of(link, message_bytes, {**given, **PLAIN[link]})
    of_link = _of_frames if link == "ieee802154" else _of_units
    yield from of_link(link, message_bytes, given)
    yield from _of_payloads(link, message_bytes, given)


def _of_frames(link: str, size: int, given: Mapping[str, Any]) -> Iterator[Candidate]:
    known = {each.slug: each.standing for each in crypto.block_ciphers()}
    known |= {each.slug: each.standing for each in crypto.suites()}
    for cipher, level in frames.measurable():
        options = {**given, "suite": cipher, "level": level}
        try:
            load = load_of(link, size, options)
        except MisuseError:
            continue
        yield Candidate(
            layer="link",
            suite=load.calls[0].suite.removeprefix(f"{link}-"),
            standing=known[cipher],
            tag_bytes=frames.MIC_SIZES[level & 3],
            encrypts=level >= _ENCRYPTING_FROM,
            frame_bytes=load.plain_bytes,
            added_bytes=load.added_bytes,
            calls=load.calls,
            options=options,
        )


def _of_units(link: str, size: int, given: Mapping[str, Any]) -> Iterator[Candidate]:
    for suite in crypto.suites():
        options = {**given, "suite": suite.slug, "framing": "sealed"}
        try:
            load = load_of(link, size, options)
        except (MisuseError, ValueError):
            continue
        yield Candidate(
            layer="link",
            suite=suite.slug,
            standing=suite.standing,
            tag_bytes=suite.tag_size,
            encrypts=True,
            frame_bytes=load.plain_bytes,
            added_bytes=load.added_bytes,
            calls=load.calls,
            options=options,
        )


def _of_payloads(link: str, size: int, given: Mapping[str, Any]) -> Iterator[Candidate]:
    plain = load_of(link, size, {**given, **PLAIN[link]})
    for suite in crypto.suites():
        if suite.slug == _AT_THE_PHYSICAL_LAYER:
            continue
        added = _added_to_payload(suite, size)
        try:
            load_of(link, size + added, {**given, **PLAIN[link]})
        except MisuseError:
            continue
        yield Candidate(
            layer="payload",
            suite=suite.slug,
            standing=suite.standing,
            tag_bytes=suite.tag_size,
            encrypts=True,
            frame_bytes=plain.plain_bytes,
            added_bytes=added,
            calls=(Call(suite.slug, size, 0),),
            options={**given, **PLAIN[link]},
        )


_AT_THE_PHYSICAL_LAYER = "grain128ple"
"""It encrypts coded bits in a software-defined radio, which the energy model does not
have; it does not authenticate."""


def _added_to_payload(suite: Suite, size: int) -> int:
    in_front = _IV_BYTES if suite.padding_size else _COUNTER_BYTES
    return suite.sealed_size(size) - size + in_front
