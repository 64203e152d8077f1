# SPDX-License-Identifier: Apache-2.0
"""Show results: those that come with the sources, and your own.

Without an option that selects or sorts, there is one row for each device, with
the fastest standard suite there. --json and --csv have all results.

Without --suite, suites that differ only in the length of their tag share a
row, such as aes128-ccm-4..16, with the figures of the longest tag.

The figure of merit (--sort fom) of a result is the sum over code, memory
(variables and stack) and cycles (set-up and seal) of its value divided by
the least value of all results that are compared: 3 is the best possible.
Compared are results of one device, of the same sizes and of the same kind:
frames, authenticated suites, unauthenticated suites, block ciphers.

On a narrow terminal the least important columns are left out.

\b
Examples:
  samara bench show
  samara bench show --device atmega328p --message 64 --ad 14 --sort fom
  samara bench show --device nrf52840 --suite aes128-ccm-8 --message 32
  samara bench show --suite aes128-ccm-16 --csv
"""

from samara.bench.show import show, show_as_csv
from samara.cli.shared.answering import answering

command = answering(show, writes=False, csv=show_as_csv)
