# SPDX-License-Identifier: Apache-2.0
"""Make a node from an invitation, once, and join the network.

The node that has made the invitation must listen. If it does not answer in time,
exit status 1 says so; the new node then asks again whenever it listens or sends. If
it refuses, because the invitation was used already or has expired by its clock,
exit status 1 and a sentence say that.

\b
Examples:
  samara node join bob --invitation bob.invitation
  samara node join bob --invitation - --medium 10.0.0.1:17754
"""

from pathlib import Path
from typing import Annotated, Any

import typer

from samara.cli.node.arguments import ANSWER_S, Directory, Timeout
from samara.cli.node.output import EVENTS
from samara.cli.node.settling import settled
from samara.cli.shared import files
from samara.cli.shared.answering import prints
from samara.cli.shared.json_lines import Json, print_json
from samara.cli.shared.link_options import takes_link_options
from samara.link.node import folder as folders
from samara.link.node import networks
from samara.link.node.records import check_secret
from samara.link.node.settling import Settled

# Far above the longest invitation.
_TEXT_MAX = 4096


def _join(
    folder: Directory,
    *,
    invitation: Annotated[
        Path,
        typer.Option(
            metavar="FILE|-",
            help="File with the invitation, which is removed when it has been used;"
            " - reads stdin.",
        ),
    ],
    timeout: Timeout = ANSWER_S,
    as_json: Json = False,
    link_options: dict[str, Any],
) -> int:
    if invitation != files.STANDARD_STREAM:
        check_secret(invitation)
    with files.reading(invitation) as file:
        content = file.read(_TEXT_MAX)
    link = networks.join(folder, content.decode("ascii", "replace"), link_options)
    if invitation != files.STANDARD_STREAM:
        invitation.unlink()
    own = folders.read(folder).end.settings["name"]
    if as_json:
        print_json("joined", {"node": folder, "name": own, "link": link})
    else:
        print(
            f"{folder}: made, with the name {own} in a network over {link}", flush=True
        )
    return settled(folder, timeout, as_json=as_json)


command = prints(Settled, *EVENTS)(
    takes_link_options(
        lambda option: option.at_each_run,
        lambda option: "as the invitation has it" if option.in_invitation else None,
    )(_join)
)
