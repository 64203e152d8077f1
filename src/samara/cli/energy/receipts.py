# SPDX-License-Identifier: Apache-2.0
"""Compare what one message costs with each suite, at each layer.

Layers: link (the frames are secured), payload (the application seals the message
itself), physical (all bits are encrypted, without a tag). The first row has no
security. Energy is that of cipher and radio at the sender; listening and sleep are
not in it: samara energy message has them.

\b
Examples:
  samara energy receipts --bytes 20
  samara energy receipts --link rf-serial --device atmega328p --tag 8 --tag 16
  samara energy receipts --bytes 95 --tag 16 --layer link --json
"""

from samara.cli.shared.answering import answering
from samara.energy.receipts_compared import compare_receipts

command = answering(compare_receipts)
