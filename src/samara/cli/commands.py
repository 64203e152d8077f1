# SPDX-License-Identifier: Apache-2.0
"""The table of the commands of `samara`, and the commands in a folder.

A command with commands of its own is a folder: each module in it that has an object
`command` is one, named as the module. The module's docstring is its help, which can be
read without importing it.
"""

import ast
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

_QUOTES = '"""'


class Command(NamedTuple):
    """The name of a command, and the module that has it."""

    name: str
    place: str
    """``module:function`` within `samara.cli`; ``module:app`` for a `typer.Typer` that
    has commands of its own; or the name of a folder."""
    help: str
    """The first paragraph of the command's help, which `samara --help` shows."""


COMMANDS = (
    Command(
        "console",
        "console:console",
        "Show links at work on a page in the browser.",
    ),
    Command(
        "demo",
        "demo:command",
        "Send the papers' messages between nodes, and show what each cost.",
    ),
    Command(
        "node",
        "node",
        "Exchange messages over a link; keys and counters survive a crash.",
    ),
    Command(
        "ip",
        "ip",
        "Carry IPv6 across links: every program runs over them.",
    ),
    Command("receipt", "receipt:app", "Show and explain what a message costs."),
    Command(
        "medium",
        "medium:command",
        "Connect IEEE 802.15.4 nodes: frames in ZEP packets over UDP.",
    ),
    Command(
        "modem",
        "modem:command",
        "Emulate two serial radios, whose ports are connected over simulated air.",
    ),
    Command(
        "channel",
        "channel:command",
        "Join software-defined radios over ZeroMQ: each hears all others, and noise.",
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
        "phy",
        "Measure and show encryption at the physical layer.",
    ),
    Command(
        "energy",
        "energy",
        "Compute the energy of messages, and how long batteries last.",
    ),
    Command(
        "advise",
        "advise:command",
        "Recommend a suite, tag and layer for a product, and tell how long it lives.",
    ),
    Command(
        "randomness",
        "randomness",
        "Test keystreams, and the output of any program, for randomness.",
    ),
    Command(
        "bench",
        "bench",
        "Measure what ciphers cost on simulated microcontrollers.",
    ),
    Command(
        "chip",
        "chip",
        "Measure what the Grain-128 core costs in gates, time and energy.",
    ),
    Command(
        "suites",
        "ciphers:suites",
        "List the suites and block ciphers, with their sizes in bytes.",
    ),
    Command(
        "keygen",
        "ciphers:keygen",
        "Generate a random key for a suite or a block cipher, and write it as hex "
        "digits.",
    ),
    Command(
        "seal",
        "sealing:seal",
        "Encrypt and authenticate a file or a message.",
    ),
    Command(
        "open",
        "sealing:open_",
        "Verify and decrypt what `samara seal` wrote.",
    ),
    Command(
        "keystream",
        "keystream:keystream_",
        "Print keystream of a suite, as hex digits or as bytes.",
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


def commands_in(folder: str) -> Iterator[Command]:
    """Yield the commands in a folder of `samara.cli`, by their names."""
    for path in sorted((Path(__file__).parent / folder).glob("*.py")):
        source = path.read_text(encoding="utf-8")
        if "\ncommand = " in source:
            place = f"{folder}.{path.stem}:command"
            yield Command(path.stem, place, _first_paragraph(source))


def _first_paragraph(source: str) -> str:
    # What follows the docstring is not parsed: that would take most of the time.
    docstring = source[: source.index(_QUOTES, source.index(_QUOTES) + 1) + 3]
    text = ast.get_docstring(ast.parse(docstring)) or ""
    return " ".join(text.split("\n\n")[0].split())
