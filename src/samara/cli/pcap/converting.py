# SPDX-License-Identifier: Apache-2.0
"""What the commands of `samara pcap` do: one capture becomes another."""

from __future__ import annotations

from pathlib import Path
from typing import IO, TYPE_CHECKING, Annotated, Any, TypeAlias

import typer

from samara.cli.outputs import refuse_keys
from samara.cli.shared import files
from samara.cli.shared.diagnostics import note, say, warn
from samara.cli.shared.json_lines import print_record
from samara.cli.shared.progress import progress
from samara.cli.shared.showing import exit_status
from samara.link.ieee802154.captures.converting import Capture, RefusedFrame
from samara.records import Notice, Progress, records_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from samara.cli.shared.progress import TellProgress

Source = Annotated[
    Path,
    typer.Argument(
        metavar="IN",
        help="Capture to read, pcap or pcapng, of link type 195, 230 or 283; - is "
        "stdin.",
    ),
]
Target = Annotated[
    Path, typer.Argument(metavar="OUT", help="Capture to write, pcap; - is stdout.")
]
Json = Annotated[
    bool,
    typer.Option("--json", help="Print JSON Lines: refused frames, then the counts."),
]
_Convert: TypeAlias = "Callable[[IO[bytes], IO[bytes]], Iterator[Any]]"


def convert(
    source: Path, target: Path, keys: Path, answer: _Convert, *, as_json: bool
) -> int:
    """Write a capture, report what was refused, and return the exit status.

    Parameters
    ----------
    keys
        The file with the keys, which is not to be replaced.
    """
    files.refuse_screen(target)
    refuse_keys(target, "OUT", [keys])
    with (
        files.reading(source) as given,
        files.writing(target, hold=True) as written,
        progress("frames") as tell,
    ):
        kept = list(_kept(answer(given, written), tell))
    # With the capture on stdout, nothing else may be printed there.
    _report(kept, is_free=target != files.STANDARD_STREAM, as_json=as_json)
    return exit_status(kept)


def _kept(answer: Iterator[Any], tell: TellProgress) -> Iterator[Any]:
    for each in answer:
        if isinstance(each, Progress):
            tell(each.share, each.doing)
        elif isinstance(each, Notice):
            (warn if each.warns else note)(each.text)
        else:
            yield each


def _report(answer: Sequence[Any], *, is_free: bool, as_json: bool) -> None:
    for each in records_of(answer):
        if as_json and is_free:
            print_record(each)
        elif isinstance(each, RefusedFrame):
            say(f"frame {each.frame}: {each.reason}")
        elif isinstance(each, Capture) and is_free:
            print(f"{each.changed} of {each.frames} frames changed")
