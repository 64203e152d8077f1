# SPDX-License-Identifier: Apache-2.0
"""Keep a node up: receive and send for other commands, until Ctrl-C.

`samara node send`, `samara node listen` and `samara node status` of the same
directory then use this process, by a socket in the directory. Messages are stored
until a listener has taken them, at most 1000 and 4 MiB of them, and only then
acknowledged.

SIGINT (Ctrl-C) and SIGTERM end it in good order: unused counters are returned. It
can be run by systemd: docs/samara-node@.service is an example.

\b
Examples:
  samara node up alice &
  samara node listen alice &
  samara node send alice "21.5 C" --ack
  samara node up left --port /dev/ttyUSB0
"""

from samara.cli.shared.streaming import streaming
from samara.link.node.staying_up import keep_up

command = streaming(keep_up)
