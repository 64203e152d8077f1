# SPDX-License-Identifier: Apache-2.0
"""Agree with a neighbour on a new key, over the air.

The neighbour must listen. Old and new key are used side by side until each node
has seen that the other uses the new one; then the old one is removed. Counters of
the new key start at zero. If either node is killed, both go on from where they
were when they run again. Nodes of ieee802154 with a level that authenticates and
key id mode 1 to 3 can do this, and do it by themselves before a frame counter ends.

With --edhoc they agree by EDHOC (RFC 9528): whoever has recorded that and learns the
old key later cannot compute the new one. Neighbours that have joined by EDHOC always
do so. Both nodes need pip install 'samara[edhoc]'.

With --group the first node of a network changes the key for messages to all: it
goes to all whom it has invited, and by them to those whom they have invited. Both
keys are used side by side until each has the new one.

With --offline the node gets new keys and counters without the other one, and a new
pair.json. Use it for other kinds of link, and after a node was restored from a
backup, copied or damaged. The other node keeps the old keys until it is made
again: remove its directory, then run `samara node init` with --pair-with. If the
command is interrupted, the node has either the old keys or the new ones.

\b
Examples:
  samara node rekey alice
  samara node rekey hub --neighbour bob
  samara node rekey hub --neighbour bob --edhoc
  samara node rekey hub --group
  samara node rekey alice --offline
  rm -r bob; samara node init bob --pair-with alice
"""

from samara.cli.shared.streaming import streaming
from samara.link.node.renewing import rekey

command = streaming(rekey)
