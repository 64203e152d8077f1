# SPDX-License-Identifier: Apache-2.0
"""Run a network of nodes with IPv6, each in a network namespace of its own.

Makes nodes with a key for each pair of neighbours, the simulated air between
them (over rf-serial two modems), interfaces, addresses and routes. Packets for
other nodes than neighbours are forwarded hop by hop. Runs until Ctrl-C; then
everything is gone, also if the command is killed. Needs root.

\b
Examples:
  samara ip lab
  samara ip lab --nodes 5 --topology star --loss 0.05 --pcap air.pcap
  samara ip lab --nodes 2 --level 7 --json
  samara ip lab --link rf-serial --baud 9600
"""

from samara.cli.shared.diagnostics import say
from samara.cli.shared.streaming import streaming
from samara.net.laboratory import run_lab

command = streaming(
    run_lab,
    more=lambda *_: {"say": say},
    always_json=lambda request: request.control,
)
