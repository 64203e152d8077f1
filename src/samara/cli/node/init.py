# SPDX-License-Identifier: Apache-2.0
"""Create a node: a directory with its identity, keys and counters.

Two nodes make a pair. The first, made with --link, draws the keys of both and
sets how they communicate. The second is made from the first with --pair-with,
once. If it is to run on another machine, move the file pair.json from the first
node's directory there over a confidential channel: it contains the keys.

With --network, the node is alone at first, and gets as many neighbours as it
invites: see `samara node invite` and `samara node join`.

Security levels 0 and 4 of ieee802154, and all framings of rf-serial but sealed,
do not authenticate messages; they need --allow-unauthenticated.

\b
Examples:
  samara node init alice --link ieee802154
  samara node init bob --pair-with alice
  samara node init hub --link ieee802154 --network
  samara node init left --link rf-serial --port /dev/ttyUSB0 --baud 115200
  samara node init right --pair-with left --port /dev/ttyUSB1
  samara node init near --link sdr --radio uhd: --frequency 868.3e6
  samara advise --device atmega328p --layer link --json |
    samara node init sensor --advise -
"""

from samara.cli.shared.streaming import streaming
from samara.link.node.making import make

command = streaming(make)
