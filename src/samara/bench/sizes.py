# SPDX-License-Identifier: Apache-2.0
"""The sizes of message and associated data that ciphers are measured at by default.

Cycles do not grow evenly with the size, because a cipher works on whole blocks. The
sizes show the steps, so that cycles can be computed for the sizes in between
(`samara.energy.grid`):

- modes of block ciphers are measured at the first and the last byte of blocks,
  between which their cycles grow linearly, and at two blocks, because some
  implementations encrypt two at once;
- all other ciphers are measured at every size up to a little more than two blocks,
  with associated data of every remainder of 4: Grain works on words that may hold the
  end of the associated data and the beginning of the message;
- associated data is measured likewise; CCM puts two bytes before it;
- frames of IEEE 802.15.4 are measured with every header that nodes send.
"""

from __future__ import annotations

from itertools import product
from typing import TYPE_CHECKING

from samara.bench import frames

if TYPE_CHECKING:
    from samara.bench.subjects import Subject

MESSAGE_SIZES = (0, 16, 32, 64, 95, 128, 256, 1224)
AD_SIZES = (0, 14, 40)

PERIOD = 32
"""Bytes of two blocks. The steps of larger sizes repeat those of the first two."""

WORD = 4
"""Bytes of the longest word that may hold the end of the associated data and the
beginning of the message."""

BASE_MESSAGE, BASE_AD = 16, 14
"""Bytes of the message that all sizes of associated data are measured with, and of
the associated data that all messages are measured with."""

_FIRST_AND_LAST = (0, 1, 15, 16, 17, 31, 32)
_ADS_FIRST_AND_LAST = (0, 1, 14, 15, 16, 17, 30, 31, 32)
# Grain's first bytes differ from those of later periods; 64 shows a later one.
_EVERY = (*range(PERIOD + 9), 2 * PERIOD)
_IN_FRAMES = (2 * PERIOD, 95)


_OF_PAPERS = {
    # The lengths in its paper's Table I; a frame with 95 bytes that stay readable.
    "grain128ple": ((100, 0), (1024, 0)),
    "aes128-ccm-": ((0, 109),),
}
"""Additional sizes, by the beginning of names."""


def sizes_of(subject: Subject) -> tuple[tuple[int, int], ...]:
    """Return the default sizes of message and associated data for a subject.

    `samara.bench.measuring.sizes_for` leaves out those that it does not take.
    """
    in_blocks = subject.cipher_is_block
    messages = _FIRST_AND_LAST if in_blocks else _EVERY
    ads = _ADS_FIRST_AND_LAST if in_blocks else tuple(range(PERIOD + 1))
    if subject.frame is not None:
        messages, ads = (*messages, *_IN_FRAMES), frames.HEADER_SIZES
        usual: tuple[tuple[int, int], ...] = ()
    else:
        usual = tuple(product(MESSAGE_SIZES, AD_SIZES))
    by_remainder = {ad % WORD: ad for ad in reversed(ads)} | {BASE_AD % WORD: BASE_AD}
    bases = (BASE_AD,) if in_blocks else sorted(by_remainder.values())
    fine = list(product(messages, bases))
    fine += [(BASE_MESSAGE, ad) for ad in ads]
    for beginning, more in _OF_PAPERS.items():
        fine += more if subject.slug.startswith(beginning) else ()
    return tuple(dict.fromkeys((*usual, *fine)))
