# SPDX-License-Identifier: Apache-2.0
"""The command line: `samara`, and the table of its commands.

Importing a command's module takes time, so this happens only when that command is
called. Until then the table here stands for it.
"""

import signal
import sys
from typing import NamedTuple, NoReturn


class Command(NamedTuple):
    """The name of a command, and the module that has it."""

    name: str
    place: str
    """``module:function`` within `samara.cli`, or ``module:app`` for a
    `typer.Typer` that has commands of its own."""
    help: str
    """The first paragraph of the command's help, which `samara --help` shows."""


COMMANDS = (
    Command(
        "demo",
        "demo:demo",
        "Send the papers' messages between nodes, and show what each cost.",
    ),
    Command(
        "node",
        "node:app",
        "Exchange messages over a link; keys and counters survive a crash.",
    ),
    Command("receipt", "receipt:app", "Show and explain what a message cost."),
    Command(
        "medium",
        "medium:medium",
        "Join nodes of IEEE 802.15.4: frames in ZEP packets over UDP.",
    ),
    Command(
        "modem",
        "modem:modem",
        "Emulate two serial radios: what goes into one port comes out of the other.",
    ),
    Command(
        "channel",
        "channel:channel",
        "Join radios over ZeroMQ: every one hears all others, and noise.",
    ),
    Command(
        "frame",
        "frame:app",
        "Protect, open and inspect single frames of IEEE 802.15.4.",
    ),
    Command(
        "pcap",
        "pcap:app",
        "Protect and open the IEEE 802.15.4 frames of a capture file.",
    ),
    Command(
        "phy",
        "phy:app",
        "Measure and show encryption at the physical layer.",
    ),
    Command(
        "bench",
        "bench:app",
        "Measure what ciphers cost on simulated microcontrollers.",
    ),
    Command(
        "suites",
        "ciphers:suites",
        "List the suites and block ciphers, with their sizes in bytes.",
    ),
    Command(
        "keygen",
        "ciphers:keygen",
        "Generate a random key for a suite, and write it as hex digits.",
    ),
    Command(
        "seal",
        "sealing:seal",
        "Encrypt and authenticate a message.",
    ),
    Command(
        "open",
        "sealing:open_",
        "Verify and decrypt a message that `samara seal` wrote.",
    ),
    Command(
        "keystream",
        "ciphers:keystream",
        "Print keystream bits of Grain-128PLE as hex digits.",
    ),
    Command(
        "block",
        "ciphers:block",
        "Encrypt or decrypt one block with a block cipher.",
    ),
    Command(
        "speed",
        "speed:speed_",
        "Measure how fast this machine seals messages, next to OpenSSL.",
    ),
    Command(
        "tour",
        "tour:tour",
        "Seal and open a message with every suite, and try to forge it.",
    ),
)


def main() -> NoReturn:
    """Run the command line of this process."""
    # When the reader of a pipe has left (head), the process ends without an error.
    # SIGTERM becomes an exception, so that unfinished output files are removed.
    signal.signal(signal.SIGPIPE, signal.SIG_DFL)
    signal.signal(signal.SIGTERM, lambda number, _: sys.exit(128 + number))
    # So does SIGINT, except during the imports, when nothing has to be removed: then
    # it ends the process at once. If the parent ignores it, it stays ignored.
    interruptible = signal.getsignal(signal.SIGINT) is signal.default_int_handler
    if interruptible:
        signal.signal(signal.SIGINT, signal.SIG_DFL)
    from samara.cli.running import run  # noqa: PLC0415 - as above

    if interruptible:
        signal.signal(signal.SIGINT, signal.default_int_handler)
    sys.exit(run(sys.argv[1:]))
