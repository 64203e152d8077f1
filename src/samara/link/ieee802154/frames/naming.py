# SPDX-License-Identifier: Apache-2.0
"""Ciphers of frames as people name them."""

from __future__ import annotations

from samara.crypto.resolving import cipher_and_tag
from samara.errors import MisuseError
from samara.link.ieee802154.frames.levels import MIC_SIZES, mic_size
from samara.link.ieee802154.frames.security import (
    FrameCipher,
    frame_cipher,
    frame_ciphers,
)


def frame_cipher_named(name: str, level: int | None = None) -> FrameCipher:
    """Return the cipher that a user named: by its name, or by a CCM suite of it.

    >>> frame_cipher_named("aes128").slug, frame_cipher_named("aes128-ccm-8", 6).slug
    ('aes128', 'aes128')

    Parameters
    ----------
    name
        Such as ``"aes128"`` or ``"aes128-ccm-8"``.
    level
        The security level, when it is known: it decides how long the MIC is.

    Raises
    ------
    samara.crypto.UnknownNameError
        When no cipher of frames has this name; the text says which are near.
    MisuseError
        When the suite has a tag of another size than the MIC of the level, or of
        any level.
    """
    known = {cipher.slug for cipher in frame_ciphers()}
    cipher, tag_size = cipher_and_tag(name)
    if tag_size is None or cipher not in known:
        return frame_cipher(name)
    if tag_size not in MIC_SIZES:
        message = f"{name} does not fit frames: a MIC has 4, 8 or 16 bytes"
        raise MisuseError(message)
    if level is not None and mic_size(level) != tag_size:
        message = (
            f"{name} has a tag of {tag_size} bytes, but the MIC of security level "
            f"{level} has {mic_size(level)}: choose another level, or name only "
            f"the cipher: {cipher}"
        )
        raise MisuseError(message)
    return frame_cipher(cipher)
