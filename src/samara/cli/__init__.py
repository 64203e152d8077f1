# SPDX-License-Identifier: Apache-2.0
"""The command line: `samara`, and the table of its commands.

Nothing is imported here that takes time, and a command's module only when that
command is called.
"""

import signal
import sys
from typing import NamedTuple, NoReturn


class Command(NamedTuple):
    """How a command is called, and where it is."""

    name: str
    place: str
    """``module:function`` within `samara.cli`, or ``module:app`` for a
    `typer.Typer` with commands of its own."""
    help: str
    """The first paragraph of its help, which `samara --help` shows."""


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
        "Protect, open and read single frames of IEEE 802.15.4.",
    ),
    Command(
        "pcap",
        "pcap:app",
        "Protect and open whole captures of IEEE 802.15.4.",
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
        "List all suites and block ciphers. Sizes are in bytes.",
    ),
    Command(
        "keygen",
        "ciphers:keygen",
        "Draw a random key for a suite; it is written as hex digits.",
    ),
    Command(
        "seal",
        "sealing:seal",
        "Encrypt and authenticate a message; the output is ciphertext, then tag.",
    ),
    Command("open", "sealing:open_", "Verify and decrypt what `samara seal` wrote."),
    Command(
        "keystream",
        "ciphers:keystream",
        "Write keystream bits as hex digits, packed from the least significant bit.",
    ),
    Command(
        "block",
        "ciphers:block",
        "Encrypt or decrypt one block: the cipher alone, to be compared with others.",
    ),
    Command(
        "speed",
        "speed:speed_",
        "Measure sealing of 64 bytes and of 16 KiB, beside OpenSSL in the same run.",
    ),
    Command(
        "tour",
        "tour:tour",
        "Seal and open a message with every suite, and try to forge it.",
    ),
)


def main() -> NoReturn:
    """Run the command line of this process."""
    # A reader that has seen enough (head) ends this process without a word, and
    # a request to end lets it take half-written files away first.
    signal.signal(signal.SIGPIPE, signal.SIG_DFL)
    signal.signal(signal.SIGTERM, lambda number, _: sys.exit(128 + number))
    # So does an interrupt; while there is nothing to take away yet, it ends the
    # process at once. What a shell started in the background ignores it.
    interruptible = signal.getsignal(signal.SIGINT) is signal.default_int_handler
    if interruptible:
        signal.signal(signal.SIGINT, signal.SIG_DFL)
    from samara.cli.running import run  # noqa: PLC0415 - as above

    if interruptible:
        signal.signal(signal.SIGINT, signal.default_int_handler)
    sys.exit(run(sys.argv[1:]))
