# SPDX-License-Identifier: Apache-2.0
"""Write a message as a recording of packets, as a transceiver chip sends them.

Chips are those of samara sniff: CC1101, nRF24, Si446x and SX126x, or a profile. A
packet has preamble, sync word, length, payload and check sequence, with the chip's
whitening, in GFSK, 2-FSK or MSK. samara sniff receives them.

With --key, Grain-128PLE encrypts all bits after the sync word, in place of the
whitening, and the payload ends with a tag of 4 bytes. A packet is as long as
without encryption. Never use a frame counter twice with the same key: --counter
must give the first unused one.

-o writes the spectrum as a picture.

\b
Examples:
  samara phy packets hello --message '21.5 C'
  samara phy packets heard --chip sx126x -i reading --ebn0 12 --offset 1000
  samara phy packets secret --message '21.5 C' --key @link.key --counter 0
  samara sniff secret --protocol cc1101 --key @link.key
"""

from samara.cli.shared.answering import answering
from samara.phy.transceivers.packet_recordings import record_packets
from samara.phy.transceivers.spectrum import files

command = answering(record_packets, files=files)
