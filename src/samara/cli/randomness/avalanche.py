# SPDX-License-Identifier: Apache-2.0
"""Show how many bits flips of single key and plaintext bits change, by round.

Each bit of random keys and plaintexts is flipped. A good cipher then changes half
of the block, whichever bit it was, long before its last round. Of Grain-128PLE
nonce bits are flipped instead of plaintext bits, and the share is that of the
first 64 bits of keystream after so many start-up clocks.

Rounds are run by a model in Python that agrees with the C library at full rounds.

\b
Examples:
  samara randomness avalanche modspeck128-128 -o pictures
  samara randomness avalanche grain128ple --json
"""

from samara.cli.shared.answering import answering
from samara.randomness.flipping import flips

command = answering(flips, writes=False)
