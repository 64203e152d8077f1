# SPDX-License-Identifier: Apache-2.0
"""Show links at work on a page in the browser.

Prints an address to open; it can be used once, and the next one is printed then.
Two nodes talk there, each a process as `samara node up` starts it: the page shows
each frame on the air, what an attacker can do, and what refuses it.

Runs until Ctrl-C, which also ends the nodes. Conversations are kept in the
directory of --state, and can be started again.

\b
Examples:
  samara console
  samara console alice bob
  samara console --port 9000 --state ./talks
"""

from pathlib import Path
from typing import Annotated

import typer

from samara.cli.shared.answering import prints
from samara.cli.shared.diagnostics import say
from samara.console import happenings, laboratory_records, offers
from samara.console.answers import lines
from samara.extras import needed


@prints(
    lines.AnswerEnd,
    lines.AnswerNotice,
    lines.AnswerProgress,
    lines.AnswerRemark,
    lines.AnswerTable,
    happenings.BurstHeard,
    happenings.ConversationNote,
    happenings.ConversationRefusal,
    happenings.FrameHeard,
    happenings.MessageArrived,
    happenings.MessageSent,
    happenings.MessageSpoken,
    happenings.Overheard,
    happenings.ProgramState,
    laboratory_records.LaboratoryShown,
    laboratory_records.NodeSteered,
    laboratory_records.TrafficEnded,
    offers.ActOffered,
    offers.ConversationListed,
    offers.DeviceOffered,
    offers.DialOffered,
    offers.KeyShown,
    offers.LinkOffered,
    offers.ScreenInvited,
)
def _console(
    nodes: Annotated[
        list[Path] | None,
        typer.Argument(
            metavar="[DIR...]",
            help="Directories of nodes to show, too. Default: none.",
            show_default=False,
        ),
    ] = None,
    *,
    host: Annotated[
        str,
        typer.Option(
            metavar="ADDRESS",
            help="IP address to listen on. Default: 127.0.0.1, this machine only.",
            show_default=False,
        ),
    ] = "127.0.0.1",
    port: Annotated[
        int,
        typer.Option(
            min=0,
            max=65535,
            help="Port to listen on, or the next free one; 0: any. Default: 8154.",
            show_default=False,
        ),
    ] = 8154,
    folder: Annotated[
        Path | None,
        typer.Option(
            "--state",
            metavar="DIR",
            help="Where conversations are kept. Default: samara/console in"
            " $XDG_STATE_HOME or ~/.local/state.",
            show_default=False,
        ),
    ] = None,
) -> None:
    with needed("console"):
        from samara.console import serving  # noqa: PLC0415 - not for help texts

    if not serving.PAGE.is_dir():
        say("the page is not built (tools/setup builds it): only the API is served")
    if host != serving.HOST:
        say(
            f"warning: everybody who reaches {host} can load the page, and who sees an"
            " address that is printed here can use it first; nothing is encrypted on"
            " the way to the browser"
        )
    serving.serve(
        folder or serving.default_folder(),
        host,
        port,
        _tell,
        nodes=tuple(nodes or ()),
        commands="samara.cli.shared.questions:commands",
        tell_taken=lambda used: say(f"port {port} is taken: {used} is used instead"),
    )


def _tell(address: str) -> None:
    """Print an address alone on its line, where a terminal makes a link of it."""
    say("open this address in a browser; it can be used once:")
    print(address, flush=True)


command = _console
