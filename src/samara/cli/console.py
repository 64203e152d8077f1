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

from samara.cli.outputs import check_directory
from samara.cli.shared.answering import prints, takes_request
from samara.cli.shared.diagnostics import say
from samara.console import (
    conversation_records,
    laboratory_records,
    node_records,
    offers,
)
from samara.console.answers import lines
from samara.console.requests import HOST, ConsoleRequest
from samara.doctor import PAGE_ADVICE
from samara.extras import needed


@prints(
    lines.AnswerEnd,
    lines.AnswerNotice,
    lines.AnswerProgress,
    lines.AnswerRemark,
    lines.AnswerTable,
    conversation_records.BurstHeard,
    conversation_records.ConversationNote,
    conversation_records.ConversationRefusal,
    conversation_records.FrameHeard,
    conversation_records.MessageArrived,
    conversation_records.MessageSent,
    conversation_records.MessageSpoken,
    conversation_records.Overheard,
    conversation_records.ProgramState,
    laboratory_records.LaboratoryShown,
    laboratory_records.NodeSteered,
    laboratory_records.TrafficEnded,
    node_records.NodeShown,
    offers.ActionOffered,
    offers.ConversationListed,
    offers.DeviceOffered,
    offers.SettingOffered,
    offers.KeyShown,
    offers.LinkOffered,
    offers.ScreenInvited,
)
def _console(request: ConsoleRequest) -> None:
    with needed("console"):
        from samara.console import serving  # noqa: PLC0415 - not for help texts

    folder = request.folder or serving.default_folder()
    check_directory(folder, "--state")
    if not serving.PAGE.is_dir():
        say(f"the page is not built, only the API is served: {PAGE_ADVICE}")
    if request.host != HOST:
        say(
            f"warning: everybody who reaches {request.host} can load the page, and who"
            " sees an address that is printed here can use it first; nothing is"
            " encrypted on the way to the browser"
        )
    serving.serve(
        folder,
        request.host,
        request.port,
        _tell,
        nodes=request.nodes,
        commands="samara.cli.shared.questions:commands",
        tell_taken=lambda used: say(
            f"port {request.port} is taken: {used} is used instead"
        ),
    )


def _tell(address: str) -> None:
    """Print an address alone on its line, where a terminal makes a link of it."""
    say("open this address in a browser; it can be used once:")
    print(address, flush=True)


command = takes_request(_console)
