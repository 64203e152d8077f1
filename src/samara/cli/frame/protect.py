# SPDX-License-Identifier: Apache-2.0
"""Secure a frame, and print it as hex digits, without FCS.

The key identifier mode follows from the options: mode 0 without any, mode 1
with --key-index, mode 2 or 3 with a --key-source of 4 or 8 bytes as well. A
frame of version 2003 becomes one of version 2006.

WARNING: the frame counter is not stored. Two frames with the same key, sender
and frame counter reveal the contents of both. The same is true of --asn.

With --asn instead of --frame-counter, the frame counter is suppressed, and the
nonce contains the absolute slot number, as in TSCH. This needs a frame of
version 2015. The nonce then contains the short source address, so that
--address is not needed.

\b
Examples:
  samara frame protect --key @key --level 5 --frame-counter 7 --key-index 1 \\
    --address 0001=acde480000000001 41882a2143020001003231
  samara frame protect --key @key --level 6 --asn 123456 --key-index 1 \\
    41a82a2143020001003231
"""

from samara.cli.shared.answering import answering
from samara.link.ieee802154.frames.single import protect_frame

command = answering(protect_frame, writes=False)
