# SPDX-License-Identifier: Apache-2.0
"""Remove a neighbour and the keys that are shared with it.

Its frames are refused from now on. It is not told, and keeps its keys. If this node
has drawn the key for messages to all, a new one takes its place, which goes to all
other neighbours that it has invited; the output says when more is to be done. To
have the neighbour back, invite it again.

\b
Examples:
  samara node forget hub bob
"""

from samara.cli.shared.streaming import streaming
from samara.link.node.forgetting import forget

command = streaming(forget)
