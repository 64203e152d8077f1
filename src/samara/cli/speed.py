# SPDX-License-Identifier: Apache-2.0
"""Measure how fast this machine seals messages, next to OpenSSL.

The messages have 64 bytes and 16 KiB. Each figure is the best of several
rounds, in which all suites take turns. A suite is timed inside the C library,
with the key schedule computed for every message. OpenSSL is called from Python
(package cryptography) with the key set up once: at 64 bytes its figure is
mostly the cost of the call. Its ratios at 16 KiB are without the time of a call
with an empty message.

A second table has frames of 127 bytes, 1024 in a batch call, each with its own
key; of grain128ple they are keystreams. OpenSSL takes them one at a time; the
last column leaves out what its call takes for an empty message, which favours
OpenSSL.

\b
Examples:
  samara speed aes128-gcm grain128aead
  samara speed ascon-aead128 --json
"""

from samara.cli.shared.answering import answering
from samara.speed.answer import measure_speed

command = answering(measure_speed, writes=False)
