# SPDX-License-Identifier: Apache-2.0
"""Make a node from an invitation, once, and join the network.

The node that has made the invitation must listen. If it does not answer in time,
exit status 1 says so; the new node then asks again whenever it listens or sends. If
it refuses, because the invitation was used already or has expired by its clock,
exit status 1 and a sentence say that.

An invitation that was made with --edhoc is used by EDHOC (RFC 9528). Compare the code
that is printed with that of `samara node invite`.

\b
Examples:
  samara node join bob --invitation bob.invitation
  samara node join carol --invitation carol.invitation --edhoc
  samara node join bob --invitation - --medium 10.0.0.1:17754
"""

from samara.cli.shared.streaming import streaming
from samara.link.node.joining import join

command = streaming(join)
