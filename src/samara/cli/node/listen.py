# SPDX-License-Identifier: Apache-2.0
"""Print messages as they arrive, one a line, until Ctrl-C.

Lost and refused messages are reported on stderr. A message is stored as received
before it is printed: it is printed at most once, and replays never. Control
characters and bytes that are not UTF-8 are printed as \\xNN. With --raw all bytes
are written unchanged; do not use it on a terminal, which obeys control characters.

If `samara node up` keeps the node up, messages come from that process, those that
waited for a listener first. Each listener receives all of them. A message is
acknowledged when one listener has printed it. If a listener or the node was killed
in between, the message is printed again, and reported as a possible repetition.

\b
Examples:
  samara node listen bob
  samara node listen bob --count 1 --timeout 10 --json
  samara node listen bob --observe
"""

from samara.cli.node.messages import HOW_TO_COST, JSON_HELP, with_costs
from samara.cli.shared.diagnostics import MisuseError
from samara.cli.shared.streaming import Faces, streaming
from samara.link.node.listening import ListenRequest, heard


def _more(request: ListenRequest, faces: Faces) -> dict[str, object]:
    has_receipts = faces["as_json"] or request.receipt or faces["device"] is not None
    if request.raw and has_receipts:
        message = "--raw writes messages only: it excludes --json, --receipt, --device"
        raise MisuseError(message)
    return {"receipts": has_receipts, **with_costs(request, faces)}


command = streaming(heard, json_help=JSON_HELP, options=HOW_TO_COST, more=_more)
