# SPDX-License-Identifier: Apache-2.0
"""Verify and decrypt a frame, and print its payload as hex digits.

The exit status is 1 if the frame is not genuine, or not secured. Without
--key-index and --key-source, any key identifier in the frame is accepted.

The payload printed is the part that is encrypted at levels 4 to 7. A command
identifier and the fixed fields of a beacon are in front of it; --json shows
them too.

A frame of TSCH that suppresses its frame counter needs --asn. Its nonce
contains the short source address, so that --address is not needed.

\b
Examples:
  samara frame open --key @key --address 0001=acde480000000001 - <frame
  samara frame open --key @key --asn 123456 - <slotted-frame
"""

from samara.cli.shared.answering import answering
from samara.link.ieee802154.frames.single import open_frame

command = answering(open_frame, writes=False)
