# SPDX-License-Identifier: Apache-2.0
"""The sizes of message and associated data that ciphers are measured at by default.

Cycles do not grow evenly with the size, because a cipher works on whole blocks. The
sizes show the steps, so that cycles can be computed for the sizes in between
(`samara.energy.grid`):

- modes of block ciphers are measured at the first and the last byte of two blocks,
  between which their cycles grow linearly. Where two blocks are encrypted at once, the
  next two are measured likewise, because what goes with a block differs between the
  first two and all later ones: CCM that opens has the key stream of the tag to encrypt;
- all other ciphers are measured at every size up to a little more than a period (two
  blocks of 16 bytes, or one of a cipher with longer blocks), with associated data of
  every remainder of a word of 4 bytes, of Grain 8: Grain works on words that may hold
  the end of the associated data and the beginning of the message;
- associated data is measured likewise; CCM puts two bytes before it;
- frames of IEEE 802.15.4 are measured with every header that nodes send.
"""

from __future__ import annotations

from itertools import product
from typing import TYPE_CHECKING, NamedTuple

from samara.bench import frames

if TYPE_CHECKING:
    from samara.bench.devices import Family
    from samara.bench.subjects import Subject

MESSAGE_SIZES = (0, 16, 32, 64, 95, 128, 256, 1224)
AD_SIZES = (0, 14, 40)


class Periods(NamedTuple):
    """Bytes after which the steps of a cipher's cycles repeat."""

    message: int = 32
    ad: int = 16
    block: int = 0
    """Bytes of a block where the cipher works on one or two whole ones; else 0."""
    word: int = 4
    """Bytes of the longest word that may hold the end of the associated data and the
    beginning of the message."""


_PERIODS = {
    # ChaCha20 has blocks of 64 bytes, Poly1305 of 16.
    "chacha20-poly1305": Periods(64, 16),
    "norx32": Periods(48, 48),
    # The assembly of AVRs makes 8 bytes of keystream at once.
    "grain128aead": Periods(word=8),
}
"""By the names of ciphers whose blocks do not divide 32 bytes, or not 16 of associated
data, or whose words are longer."""

BASE_MESSAGE, BASE_AD = 16, 14
"""Bytes of the message that all sizes of associated data are measured with, and of
the associated data that all messages are measured with."""

_FIRST_AND_LAST = (0, 1, 15, 16, 17, 31, 32)
_OF_LATER_PAIRS = (33, 47, 48, 49, 63, 64)
_ADS_FIRST_AND_LAST = (0, 1, 14, 15, 16, 17, 30, 31, 32)
_IN_FRAMES = (64, 95)

_OF_PAPERS = {
    # The lengths in its paper's Table I; a frame with 95 bytes that stay readable.
    "grain128ple": ((100, 0), (1024, 0)),
    "aes128-ccm-": ((0, 109),),
}
"""Additional sizes, by the beginning of names."""


def sizes_of(subject: Subject, family: Family) -> tuple[tuple[int, int], ...]:
    """Return the default sizes of message and associated data on a family's devices.

    `samara.bench.measuring.sizes_for` leaves out those that it does not take.
    """
    in_blocks = subject.cipher_is_block
    messages, ads = _steps_of(subject, family)
    if subject.frame is not None:
        messages, ads = (*messages, *_IN_FRAMES), frames.HEADER_SIZES
        usual: tuple[tuple[int, int], ...] = ()
    else:
        usual = tuple(product(MESSAGE_SIZES, AD_SIZES))
    word = periods_of(subject).word
    by_remainder = {ad % word: ad for ad in reversed(ads)} | {BASE_AD % word: BASE_AD}
    bases = (BASE_AD,) if in_blocks else sorted(by_remainder.values())
    fine = list(product(messages, bases))
    fine += [(BASE_MESSAGE, ad) for ad in ads]
    for beginning, more in _OF_PAPERS.items():
        fine += more if subject.slug.startswith(beginning) else ()
    return tuple(dict.fromkeys((*usual, *fine)))


def periods_of(subject: Subject) -> Periods:
    """Return the bytes after which the steps of a subject's cycles repeat."""
    if subject.cipher_is_block:
        return Periods(block=16)
    return _PERIODS.get(subject.cipher.replace("_", "-"), Periods())


def _steps_of(
    subject: Subject, family: Family
) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """Return the sizes of messages, and of associated data, that show the steps."""
    if subject.cipher_is_block:
        later = _OF_LATER_PAIRS if family.blocks_at_once > 1 else ()
        return (*_FIRST_AND_LAST, *later), _ADS_FIRST_AND_LAST
    periods = periods_of(subject)
    # Grain's first bytes differ from those of later periods; the last size shows one.
    messages = (*range(periods.message + 9), 2 * periods.message)
    # The first bytes of associated data have its length before them.
    return messages, tuple(range(2 * max(periods.ad, 16) + 1))
