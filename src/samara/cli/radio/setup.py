# SPDX-License-Identifier: Apache-2.0
"""Set a serial module up: channel, power and what else its profile knows.

It says what has to be done first, such as a pin that must be held, asks, and then
writes. Each answer is checked; after a wrong one nothing more is written.

\b
Examples:
  samara radio setup /dev/ttyUSB0 --module hc-12 --dry-run
  samara radio setup /dev/ttyUSB0 --module hc-12 --set channel=4
  samara radio setup /dev/ttyUSB0 --module e32-433t20d --yes
"""

from samara.cli.shared.asking_user import agrees
from samara.cli.shared.streaming import streaming
from samara.link.rfserial.modules.programming import set_up

command = streaming(set_up, more=lambda _request, _faces: {"agrees": agrees})
