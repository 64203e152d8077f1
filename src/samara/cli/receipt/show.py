# SPDX-License-Identifier: Apache-2.0
"""Show receipts as tables: bytes by part, and figures with their origins.

\b
Examples:
  samara receipt explain --link ieee802154 --level 5 --json >receipt.json
  samara receipt show receipt.json --device msp430f1611
"""

from samara.cli.receipt.printing import Json, print_receipts
from samara.cli.shared.answering import prints, takes_request
from samara.cli.shared.receipt_tables import print_receipt
from samara.energy.receipts import ReceiptsRequest, shown_receipts
from samara.link.node.receipt_record import ReceiptRecord


@prints(ReceiptRecord)
def _show(request: ReceiptsRequest, *, as_json: Json = False) -> None:
    print_receipts(shown_receipts(request), print_receipt, as_json=as_json)


command = takes_request(_show)
