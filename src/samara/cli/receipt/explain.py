# SPDX-License-Identifier: Apache-2.0
"""Explain a receipt: what each part and figure is, and where it comes from.

The receipt is read from FILE, or made for a message that has not been sent. Such
a message is encoded as nodes encode it.

\b
Examples:
  samara receipt explain --link ieee802154 --level 5 --bytes 95 \\
    --device atmega128rfa1
  samara receipt explain --link ieee802154 --level 6 --device atmega128rfa1 \\
    --mac contikimac --battery cr2032 --interval 600
  samara receipt explain --link rf-serial --framing cbc-hex --bytes 14
  samara receipt explain --link ieee802154 --bytes 20 --ack --received
  samara receipt explain --link rf-serial --json >receipt.json
  samara receipt explain receipt.json
"""

from samara.cli.shared.answering import answering
from samara.energy.receipts import explain_receipts

command = answering(explain_receipts, writes=False)
