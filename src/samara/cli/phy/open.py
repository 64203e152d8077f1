# SPDX-License-Identifier: Apache-2.0
"""Open the messages in a recording of bursts, with the key of the link.

Messages are printed on stdout, and a line for each burst on stderr. Several keys
may be given: each burst is opened with the one that fits, in either direction of
the link. A payload is shown only if its tag is right. Modulation, payload size
and encryption are those that samara phy record wrote into the metadata.

The frame counter is not on the air; it is searched. The exit status is 1 if a
burst is not opened, or none is found.

Recordings by samara node send are opened by the other node, which knows the
format of the link: samara node listen NODE --radio file:RECORDING.

\b
Examples:
  samara phy open hello --key @hello.key
  samara phy open capture.cs16 --rate 1MHz --key @a.key --key @b.key --json
  samara phy open late --key @link.key --counter 70000 --modulation bpsk
"""

from samara.cli.shared.answering import answering
from samara.phy.opening import open_bursts

command = answering(open_bursts, writes=False)
