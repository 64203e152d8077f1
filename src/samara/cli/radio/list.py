# SPDX-License-Identifier: Apache-2.0
"""List the serial ports at which there may be a radio.

A port is not opened: `samara radio probe` asks what is there.

\b
Examples:
  samara radio list
  samara radio list --json
"""

from samara.cli.shared.answering import answering
from samara.link.ieee802154.radios.probing import list_radios

command = answering(list_radios)
