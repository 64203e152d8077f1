# SPDX-License-Identifier: Apache-2.0
"""Show receipts as tables: bytes by part, and figures with their origins.

\b
Examples:
  samara receipt explain --link ieee802154 --level 5 --json >receipt.json
  samara receipt show receipt.json --device msp430f1611
"""

from samara.cli.shared.answering import answering
from samara.energy.receipts import show_receipts

command = answering(show_receipts, writes=False)
