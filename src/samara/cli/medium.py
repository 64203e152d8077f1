# SPDX-License-Identifier: Apache-2.0
"""Connect IEEE 802.15.4 nodes: frames in ZEP packets over UDP.

Runs until Ctrl-C, then prints statistics. Each frame is delivered to all other
senders that have sent a packet before; a hello is enough. RIOT's native nodes
and Wireshark use ZEP, too. Only programs on this machine can reach the medium
unless --host is given. As on a radio, everybody who reaches it receives all
frames and can send any.

Without --csma and --collisions one frame is on the air at a time: the others
wait, as if carrier sensing were perfect and free. With them, nodes that do not
hear each other (--topology) collide at one that hears both.

\b
Examples:
  samara medium
  samara medium --topology chain.csv --csma --collisions
  samara medium --loss-of 12ab:34cd=0.2 --loss-of 34cd:12ab=0.05
  samara medium --loss 0.1 --seed 7 --pcap air.pcap --json
  samara medium --pcap - --link-type 230 | tshark -r -
  echo '{"do": "lose", "count": 10}' | samara medium --control
"""

from samara.cli.shared.streaming import streaming
from samara.link.ieee802154.air.serving import run_medium

# With a capture on stdout, the figures would end up in it.
command = streaming(
    run_medium,
    json_help="Print the statistics at the end as JSON Lines.",
    beside=lambda request: request.captures_to_stdout,
    always_json=lambda request: request.control,
    outlives_readers=True,
)
