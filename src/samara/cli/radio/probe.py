# SPDX-License-Identifier: Apache-2.0
"""Ask a radio of IEEE 802.15.4 what it is, or measure two serial modules.

A radio is reset, and no node can use it meanwhile; it says what it is, and counts the
frames that it hears. It is a radio co-processor with OpenThread's RCP firmware, such as
an nRF52840 dongle, an ESP32-C6 or -H2, or an EFR32.

With two serial ports, what is written to the first is awaited at the second: packets,
silence between them, time, losses. A profile of them is for --module of nodes.

\b
Examples:
  samara radio probe spinel:/dev/ttyACM0
  samara radio probe spinel:/dev/ttyUSB0?baud=460800 --channel 26 --seconds 10
  samara radio probe /dev/ttyUSB0 /dev/ttyUSB1 --profile my-module.toml
"""

from samara.cli.radio.probing import probe
from samara.cli.shared.answering import answering

command = answering(probe)
