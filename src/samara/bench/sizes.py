# SPDX-License-Identifier: Apache-2.0
"""The sizes of message and header that a run of everything measures.

Cycles do not rise evenly with the size: a cipher works on whole blocks. What is
measured has to show that, so that a size in between can be told from it
(`samara.energy.grid`):

- modes of block ciphers at the first and the last byte of blocks, between which
  they rise evenly, and of two blocks, which some implementations encrypt at once;
- all other ciphers at every size up to some more than two blocks, and with
  headers of every remainder of 4: Grain works on words that hold the end of the
  header and the beginning of the message;
- headers in the same way, which CCM puts behind two bytes of its own;
- frames of IEEE 802.15.4 with every header that nodes send.
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
"""Bytes of two blocks: the steps of sizes beyond are those of the first ones."""

WORD = 4
"""Bytes of the longest word in which a header and a message may meet."""

BASE_MESSAGE, BASE_AD = 16, 14
"""The message that all headers are measured with, and the header that all
messages are."""

_FIRST_AND_LAST = (0, 1, 15, 16, 17, 31, 32)
_HEADERS_FIRST_AND_LAST = (0, 1, 14, 15, 16, 17, 30, 31, 32)
# Grain's first bytes differ from those of later periods; 64 for what these take.
_EVERY = (*range(PERIOD + 9), 2 * PERIOD)
_IN_FRAMES = (2 * PERIOD, 95)


_OF_PAPERS = {
    # Lengths of its paper's Table I, and a frame of 95 bytes that stays readable.
    "grain128ple": ((100, 0), (1024, 0)),
    "aes128-ccm-": ((0, 109),),
}
"""More sizes, by what names begin with."""


def sizes_of(subject: Subject) -> tuple[tuple[int, int], ...]:
    """Return the sizes of message and header that a subject is measured with.

    Sizes that it does not take are for `samara.bench.measuring.sizes_for` to
    leave out.
    """
    in_blocks = subject.cipher_is_block
    messages = _FIRST_AND_LAST if in_blocks else _EVERY
    headers = _HEADERS_FIRST_AND_LAST if in_blocks else tuple(range(PERIOD + 1))
    if subject.frame is not None:
        messages, headers = (*messages, *_IN_FRAMES), frames.HEADER_SIZES
        usual: tuple[tuple[int, int], ...] = ()
    else:
        usual = tuple(product(MESSAGE_SIZES, AD_SIZES))
    bases = {header % WORD: header for header in reversed(headers)} | {
        BASE_AD % WORD: BASE_AD
    }
    ads = (BASE_AD,) if in_blocks else sorted(bases.values())
    fine = list(product(messages, ads))
    fine += [(BASE_MESSAGE, header) for header in headers]
    for beginning, more in _OF_PAPERS.items():
        fine += more if subject.slug.startswith(beginning) else ()
    return tuple(dict.fromkeys((*usual, *fine)))
