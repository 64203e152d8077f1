# SPDX-License-Identifier: Apache-2.0
"""Give programs the OSCORE secret that this node shares with a neighbour.

OSCORE (RFC 8613) protects CoAP from end to end, also behind routers and proxies. Two
neighbours that have agreed on a key by EDHOC have a secret for it from the same run.
This command writes it as a security context: a directory with settings.json, which
aiocoap reads, with mode 0600. Run it at both nodes; both show the same number.

Each node gives a secret out once. A copy of a context begins to count at zero again,
which repeats nonces: move the directory, and never copy it or restore it from a backup.
`samara node rekey --edhoc` makes another secret.

\b
Examples:
  samara node oscore hub --neighbour bob -o hub-bob
  samara node oscore bob -o bob-hub
"""

from samara.cli.shared.streaming import streaming
from samara.link.node.oscore import oscore

command = streaming(oscore)
