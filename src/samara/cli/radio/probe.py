# SPDX-License-Identifier: Apache-2.0
"""Ask a radio of IEEE 802.15.4 what it is, and count the frames that it hears.

The radio is reset, and no node can use it meanwhile. It is a radio co-processor with
OpenThread's RCP firmware, such as an nRF52840 dongle, an ESP32-C6 or -H2, or an EFR32.

\b
Examples:
  samara radio probe spinel:/dev/ttyACM0
  samara radio probe spinel:/dev/ttyUSB0?baud=460800 --channel 26 --seconds 10
"""

from samara.cli.shared.answering import answering
from samara.link.ieee802154.radios.probing import probe

command = answering(probe)
