# SPDX-License-Identifier: Apache-2.0
"""Test keystreams, or the output of any program, for randomness.

Exit status: 0 when no test fails, 1 when one fails, 2 for wrong usage. A good
source fails with a probability of 0.1 %: the error is divided among all decisions
of the run. NIST's own criteria, test by test, are shown as well; a good source
misses some of them. Passing does not prove that a source is secure.

Keys and nonces are made of --seed and stand in the result. Bits are not stored.
A file is judged by the sequences that it holds. Bits of a byte are read from the
most significant one on. Dieharder reads as many bytes as its tests want, and ent
SEQUENCES times BITS; both are one process.

\b
Examples:
  samara randomness run modspeck128-128-ctr -o modspeck
  samara randomness run /dev/urandom --sequences 100 --jobs 2
  samara randomness run exec:'openssl rand 125000000' --json
  samara randomness run bad:lcg --sequences 20
"""

from samara.cli.shared.answering import answering
from samara.randomness.run import run

command = answering(run, writes=False)
