# SPDX-License-Identifier: Apache-2.0
"""Make an invitation, with which one newcomer can join a network.

The invitation contains the key that the newcomer shares with this node: whoever
sees it can read and forge their messages. Bring it to the newcomer over a channel
that nobody else can read. This node accepts it once, from the first that proves to
have the key, while it listens, and for a day unless --expires says otherwise. With
--json it is printed only if --text is given.

With --edhoc the two nodes agree on their key by EDHOC (RFC 9528) when the newcomer
joins. Somebody who gets the invitation afterwards cannot read what was recorded.
Somebody who has a copy before can join in the newcomer's place, but cannot read or
change messages between the two. Compare the code that is printed with that of
`samara node join`: if it is the same, the invitation was not replaced on its way.
Both nodes need pip install 'samara[edhoc]'.

\b
Examples:
  samara node invite hub --name bob -o bob.invitation
  samara node invite hub --name sensor-3 --qr --expires 1
  samara node invite hub --name carol --edhoc -o carol.invitation
  samara node invite hub --cancel bob
"""

from rich.console import Console

from samara.cli.shared.diagnostics import MisuseError
from samara.cli.shared.streaming import Faces, streaming
from samara.extras import need
from samara.link.node.inviting import InviteRequest, QrCode, invite


def _checked(request: InviteRequest, faces: Faces) -> dict[str, object]:
    if request.qr and faces["as_json"]:
        message = "--qr draws on a terminal, and --json does not: give --text instead"
        raise MisuseError(message)
    if request.qr:
        # Before the invitation is drawn.
        need("segno", "qr")
    return {}


def _print_qr(code: QrCode, screen: Console) -> None:
    segno = need("segno", "qr")
    segno.make(code.text, error="m", micro=False).terminal(screen.file, compact=True)


command = streaming(invite, more=_checked, shows={QrCode: _print_qr})
