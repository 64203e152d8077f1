# SPDX-License-Identifier: Apache-2.0
"""Write the provisioning records of two devices that talk to each other.

Each device gets one record: its firmware gives it to samara_node_adopt
(samara/node.h), once. No node of this machine can read what they send, and
nothing of the key is kept here. When a record is lost, or the memory of a device
was erased, make two new ones.

\b
Examples:
  samara node devices sensor.h receiver.h --link rf-serial
  samara node devices left.h right.h --link ieee802154 --level 6
"""

from samara.cli.shared.streaming import streaming
from samara.link.node.device_pairs import pair

command = streaming(pair)
