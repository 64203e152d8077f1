# SPDX-License-Identifier: Apache-2.0
"""List the suites and block ciphers, with their sizes in bytes.

A suite is a cipher in a mode with its tag length. Standing says how far to rely
on it: a standard, a finalist of a competition, or for research only.

Suites that differ only in the tag length share a row: aes128-ccm-4..16 stands
for aes128-ccm-4, aes128-ccm-6 and so on, as --all lists them. --json prints all.

\b
Examples:
  samara suites
  samara suites --all
  samara suites --json
"""

from samara.cli.shared.answering import answering
from samara.crypto.listing import list_suites

command = answering(list_suites, writes=False)
