# SPDX-License-Identifier: Apache-2.0
"""Make two neighbours of a node neighbours of each other.

This node draws a key for them, and sends it to each under the key that it shares
with that one. It knows the key at that time: the two rely on this node not to keep
it, and to name the right nodes. They must listen, and hear each other if they are
to talk. If one knows the other already, the two keep their key. The network needs
a security level that encrypts and authenticates, 5 to 7.

If one does not answer in time, exit status 1 says so; this node then asks again
whenever it listens or sends, also after it was killed.

\b
Examples:
  samara node introduce hub bob carol
"""

from samara.cli.shared.streaming import streaming
from samara.link.node.introducing import introduce

command = streaming(introduce)
