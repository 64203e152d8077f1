# SPDX-License-Identifier: Apache-2.0
"""Suites as people name them: by a suite's slug, or by a cipher's name alone."""

from __future__ import annotations

import re
from typing import NamedTuple

from samara.crypto.block import block_ciphers
from samara.crypto.names import find
from samara.crypto.registry import Suite, suites
from samara.errors import MisuseError

DEFAULT_TAG_SIZE = 8
"""Bytes of the tag, when a cipher is named without a mode."""

_CCM = re.compile(r"(?P<cipher>.+)-ccm-(?P<tag_size>[0-9]+)")


class CipherAndTag(NamedTuple):
    """What the name of a CCM suite consists of."""

    cipher: str
    tag_size: int | None
    """Bytes; None when the name does not tell."""


def suite_named(name: str, *, tag_size: int = DEFAULT_TAG_SIZE) -> Suite:
    """Return the suite that a user named.

    >>> [suite_named(name).slug for name in ("aes128-gcm", "aes128", "grain128aead")]
    ['aes128-gcm', 'aes128-ccm-8', 'grain128aead']
    >>> suite_named("aes128", tag_size=16).slug
    'aes128-ccm-16'

    Parameters
    ----------
    name
        The slug of a suite, or the name of a block cipher, which stands for its
        CCM suite.
    tag_size
        Bytes of the tag that such a CCM suite has.

    Raises
    ------
    UnknownNameError
        When there is none; the text tells the nearest names.
    MisuseError
        When a block cipher has no CCM suite with such a tag.
    """
    known = {suite.slug: suite for suite in suites()}
    ciphers = {
        cipher: suite
        for slug, suite in known.items()
        if (cipher := cipher_and_tag(slug).cipher) != slug
        and slug == f"{cipher}-ccm-{tag_size}"
    }
    if name not in ciphers and any(name == each.slug for each in block_ciphers()):
        message = (
            f"{name} is a block cipher, of which there is no suite with this tag: "
            "`samara suites` lists all suites"
        )
        raise MisuseError(message)
    return find("suite", name, {**ciphers, **known})


def cipher_and_tag(name: str) -> CipherAndTag:
    """Split the name of a CCM suite; any other name is a cipher.

    >>> cipher_and_tag("aes128-ccm-8"), cipher_and_tag("grain128aead").tag_size
    (CipherAndTag(cipher='aes128', tag_size=8), None)
    """
    parts = _CCM.fullmatch(name)
    if parts is None:
        return CipherAndTag(name, None)
    return CipherAndTag(parts["cipher"], int(parts["tag_size"]))
