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

from typing import Any

from samara.cli.node.arguments import Directory
from samara.cli.shared.diagnostics import say
from samara.cli.shared.link_options import takes_link_options
from samara.cli.shared.stop_signals import stop_on_signals
from samara.link.node.local_server import LocalServer
from samara.link.node.node import Node
from samara.link.node.service import Service


def _up(folder: Directory, *, link_options: dict[str, Any]) -> None:
    is_over = stop_on_signals()
    with Node(folder, link_options) as node:
        service = Service(node, say)
        service.attach(LocalServer(service, folder))
        if node.warning is not None:
            say(f"warning: {node.warning}")
        say(f"{folder} is up; press Ctrl-C to stop")
        service.run(is_over)


command = takes_link_options(lambda option: option.at_each_run, "as the node was made")(
    _up
)
