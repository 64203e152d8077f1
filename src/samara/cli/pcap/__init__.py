# SPDX-License-Identifier: Apache-2.0
"""Protect and open the IEEE 802.15.4 frames of a capture file.

The key file (--keys) is TOML with two lists of tables. A key has key, and where
needed mode (key identifier mode), index, source and cipher. A device has extended,
and short and pan for frames with short addresses. docs/frame-tools.md describes
them.

\b
  key = [{ key = "c0c1c2c3c4c5c6c7c8c9cacbcccdcecf", mode = 1, index = 1 }]
  device = [{ extended = "acde480000000001", short = "0001", pan = "4321" }]

\b
Examples:
  samara pcap open secured.pcap clear.pcap --keys keys.toml
  samara pcap protect clear.pcap secured.pcap --keys keys.toml --level 5 \\
    --frame-counter 0
"""
