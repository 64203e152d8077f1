# SPDX-License-Identifier: Apache-2.0
"""`samara pcap`: captures of IEEE 802.15.4 frames."""

from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console
from rich.progress import track

from samara.cli.frame_options import (
    Asn,
    FrameCounter,
    Level,
    Level4,
    check_asn,
    check_one_number,
)
from samara.cli.shared import files
from samara.cli.shared.diagnostics import ExitCode, say
from samara.cli.shared.inputs import warn_if_shared
from samara.cli.shared.json_lines import print_json
from samara.link.ieee802154.captures import protection as captures
from samara.link.ieee802154.captures.protection import (
    Change,
    FrameResult,
    Keys,
    Opening,
    Protecting,
)

_HELP = """Protect and open the IEEE 802.15.4 frames of a capture file.

The key file (--keys) is TOML with two lists of tables. A key has key, and where
needed mode (key identifier mode), index, source and cipher. A device has extended,
and short and pan for frames with short addresses. docs/frame-tools.md describes
them.

\b
  key = [{ key = "c0c1c2c3c4c5c6c7c8c9cacbcccdcecf", mode = 1, index = 1 }]
  device = [{ extended = "acde480000000001", short = "0001", pan = "4321" }]

\b
Examples:
  samara pcap open secured.pcap clear.pcap --keys keys.toml
  samara pcap protect clear.pcap secured.pcap --keys keys.toml --level 5 \\
    --frame-counter 0
"""

app = typer.Typer(help=_HELP, no_args_is_help=False)

_Source = Annotated[
    Path,
    typer.Argument(
        metavar="IN",
        help="Capture to read, pcap or pcapng, of link type 195, 230 or 283; - is "
        "stdin.",
    ),
]
_Target = Annotated[
    Path, typer.Argument(metavar="OUT", help="Capture to write, pcap; - is stdout.")
]
_Keys = Annotated[
    Path,
    typer.Option(
        "--keys",
        metavar="FILE",
        help="Key file with keys and addresses; see samara pcap --help.",
    ),
]
_Drop = Annotated[
    bool,
    typer.Option("--drop", help="Leave out frames that cannot be changed."),
]
_Json = Annotated[
    bool,
    typer.Option("--json", help="Print JSON Lines: refused frames, then the counts."),
]

# A key file has a few hundred bytes.
_KEYS_SIZE_MAX = 1 << 20


@app.command("open")
def open_(  # noqa: PLR0913 - one parameter an option
    source: _Source,
    target: _Target,
    *,
    keys: _Keys,
    level_4: Level4 = False,
    asn: Asn = None,
    drop: _Drop = False,
    as_json: _Json = False,
) -> int:
    """Verify and decrypt the frames of a capture, and write them without security.

    Frames that are not secured, not genuine, replayed or cut short are reported
    with their number and the reason. They are copied unchanged, or left out with
    --drop. The exit status is then 1.

    The nonce of a frame that suppresses its frame counter (TSCH) contains the
    absolute slot number. It is taken from the packet's TAP header (link type 283);
    otherwise the first packet has --asn, and each further packet is one slot later.

    \b
    Examples:
      samara pcap open secured.pcap clear.pcap --keys keys.toml
      samara pcap open secured.pcap clear.pcap --keys keys.toml --drop --json
    """
    change = Opening(_keys(keys), encryption_only=level_4)
    return _convert(source, target, change, drop=drop, as_json=as_json, asn=asn)


@app.command("protect")
def protect(  # noqa: PLR0913 - one parameter an option
    source: _Source,
    target: _Target,
    *,
    keys: _Keys,
    level: Level,
    frame_counter: FrameCounter = None,
    asn: Asn = None,
    drop: _Drop = False,
    as_json: _Json = False,
) -> int:
    """Secure the frames of a capture with the first key of the key file.

    Frames that are already secured, cut short or damaged (wrong FCS), and frames
    whose sender's extended address is not known, are reported with their number and
    the reason. They are copied unchanged, or left out with --drop. The exit status
    is then 1.

    With --asn instead of --frame-counter, frame counters are suppressed and nonces
    contain the absolute slot number, as in TSCH. It is taken from the packet's TAP
    header (link type 283); otherwise the first packet has --asn, each further packet
    is one slot later, and the number is written to the TAP header. The frames must
    be of version 2015.

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
    check_asn(asn)
    files.refuse_screen(target)
    screen = Console(stderr=True)
    with files.reading(source) as given, files.writing(target, hold=True) as written:
        results: list[FrameResult] = list(
            track(
                captures.convert(given, written, change, keep=not drop, first_asn=asn),
                description="frames",
                console=screen,
                transient=True,
                disable=not screen.is_terminal,
            )
        )
    refused = [outcome for outcome in results if outcome.refused]
    _report(results, refused, target, as_json=as_json)
    return ExitCode.REFUSED if refused else ExitCode.DONE


def _report(
    results: list[FrameResult],
    refused: list[FrameResult],
    target: Path,
    *,
    as_json: bool,
) -> None:
    changed = len(results) - len(refused)
    # With the capture on stdout, nothing else may be printed there.
    is_free = target != files.STANDARD_STREAM
    if as_json and is_free:
        for each in refused:
            print_json("refused_frame", {"frame": each.number, "reason": each.refused})
        print_json("capture", {"frames": len(results), "changed": changed})
        return
    for each in refused:
        say(f"frame {each.number}: {each.refused}")
    if is_free:
        print(f"{changed} of {len(results)} frames changed")


def _keys(path: Path) -> Keys:
    with path.open("rb") as file:
        content = file.read(_KEYS_SIZE_MAX)
        warn_if_shared(path, path.stat().st_mode)
    return captures.keys_of(content.decode("utf-8", "replace"))
