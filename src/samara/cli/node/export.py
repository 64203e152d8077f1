# SPDX-License-Identifier: Apache-2.0
"""Write the provisioning record of a device that is the second end of a pair.

The record contains the key of the pair. The firmware gives it to
samara_node_adopt (samara/node.h), once. The file pair.json of the first node
is taken away, so that no other node and no other device gets the same key:
two of them would use the same nonces.

A device whose memory was erased must not get its record again. Make a new
record: `samara node rekey --offline` of the first node, then export again.

\b
Examples:
  samara node init host --link rf-serial --port /dev/ttyUSB0
  samara node export host sensor.h
  samara node listen host
"""

from samara.cli.shared.streaming import streaming
from samara.link.node.exporting import export

command = streaming(export)
