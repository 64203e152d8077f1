# SPDX-License-Identifier: Apache-2.0
"""Show what the bits on the air reveal without the key, and when a nonce repeats.

The first table has p-values of randomness tests of the bits on the air, for
payloads of zeros with and without encryption. The second table is about pairs of
frames with the same nonce, which a correct transmitter never sends: the sum of
both frames has no keystream, so parity checks of the channel code detect it, and
a decoder turns it into the sum of both payloads.

\b
Examples:
  samara phy reuse
  samara phy reuse --ebn0 8 -o pictures --json
"""

from samara.cli.shared.answering import answering
from samara.phy import reuse

command = answering(reuse.show_reuse, files=reuse.files)
