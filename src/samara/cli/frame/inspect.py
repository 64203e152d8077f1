# SPDX-License-Identifier: Apache-2.0
"""Show the fields of a frame.

No key is needed, and nothing is verified or decrypted.

\b
Examples:
  samara frame inspect 41882a2143020001003231
  samara frame inspect --clauses 41882a2143020001003231
  samara frame inspect --json 41882a2143020001003231
"""

from samara.cli.shared.answering import answering
from samara.link.ieee802154.frames.single import inspect_frame

command = answering(inspect_frame, writes=False)
