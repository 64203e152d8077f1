# SPDX-License-Identifier: Apache-2.0
"""Send a message of at most 1 MiB, and print what it cost.

Without --ack the sender does not know whether the message arrived. With it, exit
status 0 means that the other node has handed the message on, once. Exit status 1
means that this is not known: no acknowledgement arrived, or the other node was
stopped meanwhile. With --frame-retries the radio of the next node acknowledges each
frame: that the frame was received, not that it is genuine; exit status 1 means that
one was not acknowledged. If `samara node up` keeps the node up, that process sends.

\b
Examples:
  samara node send alice "21.5 C"
  samara node send alice "21.5 C" --receipt --device atmega128rfa1
  samara node send alice --ack --receipt - <reading
  samara node send alice --lines - --json <readings
  samara node send alice "21.5 C" --json | samara receipt show -
"""

from samara.cli.node.messages import HOW_TO_COST, JSON_HELP, with_costs
from samara.cli.shared.streaming import streaming
from samara.link.node.sending_messages import send

command = streaming(send, json_help=JSON_HELP, options=HOW_TO_COST, more=with_costs)
