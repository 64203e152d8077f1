# SPDX-License-Identifier: Apache-2.0
"""`samara pcap`: whole captures of IEEE 802.15.4."""

import json
import stat
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console
from rich.progress import track

from samara.cli import files
from samara.cli.frame import check_one_number
from samara.cli.outcome import ExitCode, MisuseError, say, warn
from samara.link.ieee802154 import captures
from samara.link.ieee802154.captures import Change, Keys, Opening, Outcome, Protecting
from samara.link.ieee802154.tools import ASN_END

_HELP = """Protect and open whole captures of IEEE 802.15.4.

The file of keys is TOML: keys with mode, index, source and cipher as far as they
have them, and the devices that have short addresses. docs/frame-tools.md has more.

\b
  key = [{ key = "c0c1c2c3c4c5c6c7c8c9cacbcccdcecf", mode = 1, index = 1 }]
  device = [{ extended = "acde480000000001", short = "0001", pan = "4321" }]
"""

app = typer.Typer(help=_HELP, no_args_is_help=False)

_Source = Annotated[
    Path, typer.Argument(metavar="IN", help="A pcap file of link type 195, 230 or 283.")
]
_Target = Annotated[
    Path, typer.Argument(metavar="OUT", help="What to write; - is stdout.")
]
_Keys = Annotated[
    Path,
    typer.Option(
        "--keys", metavar="FILE", help="Keys and addresses; see samara pcap --help."
    ),
]
_Asn = Annotated[
    int | None,
    typer.Option(
        "--asn",
        min=0,
        metavar="N",
        help="The absolute slot number (TSCH) of the first packet.",
        show_default=False,
    ),
]
_Drop = Annotated[
    bool,
    typer.Option("--drop", help="Leave out frames that cannot be changed."),
]
_Json = Annotated[bool, typer.Option("--json", help="What became of them, as JSON.")]

# A file of keys has a few hundred bytes.
_KEYS_SIZE_MAX = 1 << 20


@app.command("open")
def open_(  # noqa: PLR0913 - one parameter an option
    source: _Source,
    target: _Target,
    *,
    keys: _Keys,
    level_4: Annotated[
        bool,
        typer.Option("--level-4", help="Open level 4, too, which proves nothing."),
    ] = False,
    asn: _Asn = None,
    drop: _Drop = False,
    as_json: _Json = False,
) -> int:
    """Verify and decrypt the frames of a capture; write it without security.

    Frames that are not secured, not genuine, repeated, or cut short are told by
    number and reason, and copied as they are, to the byte, or left out with
    --drop; exit code 1 then.

    A frame that suppresses its frame counter (TSCH) has a nonce of the absolute
    slot number. The packet's TAP header (link type 283) tells it; otherwise it
    is --asn for the first packet, and one more for each packet after it.

    \b
    Examples:
      samara pcap open secured.pcap clear.pcap --keys keys.toml
    """
    change = Opening(_keys(keys), encryption_only=level_4)
    return _convert(source, target, change, drop=drop, as_json=as_json, asn=asn)


@app.command("protect")
def protect(  # noqa: PLR0913 - one parameter an option
    source: _Source,
    target: _Target,
    *,
    keys: _Keys,
    level: Annotated[
        int, typer.Option(min=1, max=7, help="The security level, 1 to 7.")
    ],
    frame_counter: Annotated[
        int | None,
        typer.Option(
            min=0,
            help="Each sender's first; never twice under one key.",
            show_default=False,
        ),
    ] = None,
    asn: _Asn = None,
    drop: _Drop = False,
    as_json: _Json = False,
) -> int:
    """Secure the frames of a capture with the first key of the file.

    Frames that are secured already, cut short, or damaged (by their check
    sequence), and those whose sender's extended address is not known, are told
    by number and reason, and copied as they are, to the byte, or left out with
    --drop; exit code 1 then.

    With --asn in place of --frame-counter, the counters are suppressed and the
    nonces are made of the absolute slot number, as in TSCH. A packet's TAP header
    (link type 283) tells it; otherwise it is --asn for the first packet and one
    more for each packet after it, and a TAP header then tells it from now on. The
    frames must be ones of 2015.

    \b
    Examples:
      samara pcap protect clear.pcap secured.pcap --keys keys.toml --level 5 \\
        --frame-counter 0
      samara pcap protect clear.pcap secured.pcap --keys keys.toml --level 6 \\
        --asn 123456
    """
    check_one_number(frame_counter, asn)
    change = Protecting(_keys(keys), level, frame_counter)
    return _convert(source, target, change, drop=drop, as_json=as_json, asn=asn)


def _convert(
    source: Path,
    target: Path,
    change: Change,
    *,
    drop: bool,
    as_json: bool,
    asn: int | None,
) -> int:
    if asn is not None and asn >= ASN_END:
        message = f"--asn is 0 to {ASN_END - 1}, not {asn}"
        raise MisuseError(message)
    files.refuse_screen(target)
    screen = Console(stderr=True)
    with files.reading(source) as given, files.writing(target, hold=True) as written:
        outcomes: list[Outcome] = list(
            track(
                captures.convert(given, written, change, keep=not drop, first_asn=asn),
                description="frames",
                console=screen,
                transient=True,
                disable=not screen.is_terminal,
            )
        )
    refused = [outcome for outcome in outcomes if outcome.refused]
    _tell(outcomes, refused, target, as_json=as_json)
    return ExitCode.REFUSED if refused else ExitCode.DONE


def _tell(
    outcomes: list[Outcome], refused: list[Outcome], target: Path, *, as_json: bool
) -> None:
    changed = len(outcomes) - len(refused)
    # With the capture on stdout, the figures would end up in it.
    if target == files.STANDARD_STREAM:
        as_json = False
    if as_json:
        reasons = [{"number": each.number, "reason": each.refused} for each in refused]
        print(json.dumps({"frames": len(outcomes), "refused": reasons}, indent=2))
        return
    for each in refused:
        say(f"frame {each.number}: {each.refused}")
    if target != files.STANDARD_STREAM:
        print(f"{changed} of {len(outcomes)} frames changed")


def _keys(path: Path) -> Keys:
    with path.open("rb") as file:
        mode = path.stat().st_mode
        content = file.read(_KEYS_SIZE_MAX)
    if stat.S_ISREG(mode) and mode & (stat.S_IRGRP | stat.S_IROTH):
        warn(f"others than its owner can read {path}; chmod 600 it")
    return captures.keys_of(content.decode("utf-8", "replace"))
