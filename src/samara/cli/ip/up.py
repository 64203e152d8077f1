# SPDX-License-Identifier: Apache-2.0
"""Give a node a network interface whose IPv6 packets cross the link.

The packets are compressed (RFC 6282), cut (RFC 4944) and secured as every message
of the node. The address of the interface follows from the prefix and the node's
address on the link. The command runs until Ctrl-C; the interface is gone then. It
needs root, or the capability CAP_NET_ADMIN.

Without root, --userspace carries UDP datagrams, such as those of CoAP: what a
client sends to --listen crosses the link, and leaves at the other node's
--forward. The other node may have an interface or --userspace, too.

\b
Examples:
  samara ip up alice
  samara ip up alice --netns a
  samara ip up bob --own-netns --json
  samara ip up alice --userspace --listen 5683
  samara ip up bob --userspace --forward 127.0.0.1:5690
"""

from samara.cli.shared.streaming import streaming
from samara.net.bringing_up import bring_up

command = streaming(bring_up)
