# SPDX-License-Identifier: Apache-2.0
"""Protect, open and inspect single frames of IEEE 802.15.4.

Frames are hex digits without the frame check sequence (FCS).

\b
Examples:
  samara frame inspect 41882a2143020001003231
  samara frame protect --key @key --level 5 --frame-counter 7 --key-index 1 \\
    --address 0001=acde480000000001 41882a2143020001003231
"""
