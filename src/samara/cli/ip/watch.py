# SPDX-License-Identifier: Apache-2.0
"""Show each IPv6 packet on the air: frames, bytes by layer, and energy.

One line is one packet on one hop: the frames that carried it, such as 3+1 when one
of three was repeated; their bytes by layer; and the energy of sender and receiver
together, estimated as on receipts, with repetitions and acknowledgements. Packets
of which not all frames were heard, and frames of other nodes, are not shown. Runs
until Ctrl-C, or to the end of a capture.

With -o FILE.pcapng, the frames and, in FILE.pcapng.wireshark, the keys of the
nodes are written, so that Wireshark and tshark show what the frames carry. Only
their owner can read them. Who has the keys can read and forge frames: remove the
directory when it is no longer needed.

\b
Examples:
  samara ip watch alice bob
  samara ip watch alice bob --count 10 --json
  samara ip watch DIR/n* --medium 127.0.0.1:40000 -o air.pcapng
  samara ip watch alice bob --radio spinel:/dev/ttyACM2 -o - |
    wireshark -k -i -
  samara ip watch alice bob --radio pcap:air.pcap
  WIRESHARK_CONFIG_DIR=air.pcapng.wireshark tshark -r air.pcapng
  samara ip watch alice bob -o - --wireshark keys |
    WIRESHARK_CONFIG_DIR=keys wireshark -k -i -
"""

from samara.cli.shared.streaming import streaming
from samara.net.watching import watch

# With a capture on stdout, what is printed would end up in it.
command = streaming(watch, beside=lambda request: request.files.is_stdout)
