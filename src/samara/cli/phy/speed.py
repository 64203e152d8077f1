# SPDX-License-Identifier: Apache-2.0
"""Measure the bit rates of encoding, encrypting and decoding on this machine.

Bit rates are of payload and tag, in one core's processor time; the best of
several rounds. Encode: from payloads to the bits on the air. Decode: from soft
bits to payloads. Chain: both.

\b
Examples:
  samara phy speed
  samara phy speed --code conv --payload 60 --json
"""

from samara.cli.shared.answering import answering
from samara.phy.chain_speed import measure_chains

command = answering(measure_chains)
