# SPDX-License-Identifier: Apache-2.0
"""`samara demo --over`: files by CoAP or TFTP, and what protecting them costs."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

from rich.console import Console
from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn

from samara.cli.shared.diagnostics import ExitCode, MisuseError, say
from samara.cli.shared.json_lines import print_json
from samara.cli.shared.tables import console, legend, print_figures, print_text
from samara.crypto.names import find
from samara.units import BYTES

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from samara.demo.over import Run

PROTOCOLS = ("coap", "tftp")
SIZE_MAX = 100_000

_PROTECTED = {
    "ieee802154": "link, levels 5 to 7",
    "rf-serial": "link, with a tag",
    "sdr": "link",
}
"""The kinds of link, the default first, and what protection by them is called."""
_OVERHEAD = 500
"""What a step takes besides its file, in bytes, for the bar."""


def sizes_of(texts: Sequence[str]) -> list[int]:
    """Return the sizes that were given, as in `1k,10k,100k`.

    Raises
    ------
    MisuseError
        When there is one that a file cannot have.
    """
    return [_size_of(text) for each in texts for text in each.split(",")]


def _size_of(text: str) -> int:
    size = BYTES.whole(text)
    if not 0 < size <= SIZE_MAX:
        message = f"a size is 1 to {SIZE_MAX} bytes, as 500 or 10k: {text!r}"
        raise MisuseError(message)
    return size


def _link_of(names: Sequence[str] | None) -> str:
    """Return the kind of link that was asked for.

    Raises
    ------
    MisuseError
        When there are several, or it is not known.
    """
    if not names:
        return next(iter(_PROTECTED))
    if len(names) > 1:
        message = "--over takes one --link: run it once for each"
        raise MisuseError(message)
    return find("link", names[0], {name: name for name in _PROTECTED})


def run_over(
    protocol: str,
    links: Sequence[str] | None,
    sizes: Sequence[int] | None,
    device: str,
    *,
    as_json: bool,
) -> int:
    """Run the experiment, and print its tables."""
    from samara.demo import over, over_tables  # noqa: PLC0415 - not for help texts

    link = _link_of(links)

    start_s = time.monotonic()
    if reason := over.left_out(protocol):
        say(reason)
    chosen = sizes or over.SIZES
    runs = list(_runs(protocol, link, chosen, device, as_json=as_json))
    screen = console()
    for table in (
        *over_tables.costs(protocol, runs),
        over_tables.protection(_PROTECTED[link]),
    ):
        if as_json:
            print_json("table", {"link": link, **table.as_json()})
        else:
            print_figures(table, screen)
            screen.print()
    if as_json:
        print_json("demo", {"duration_s": round(time.monotonic() - start_s, 3)})
    else:
        print_text(screen, legend())
    lost = sum(not run.crossed for run in runs)
    if lost:
        say(f"{lost} files did not cross")
    return ExitCode.REFUSED if lost else ExitCode.DONE


def _runs(
    protocol: str, link: str, sizes: Sequence[int], device: str, *, as_json: bool
) -> Iterator[Run]:
    """Run the experiment; on a terminal, show its progress."""
    from samara.demo import over  # noqa: PLC0415 - not for help texts

    screen = Console(stderr=True)
    columns = (TextColumn("{task.description}"), BarColumn(), TimeElapsedColumn())
    planned = [
        step.total + _OVERHEAD
        for case in over.cases(protocol, link)
        for step in over.steps(protocol, case, sizes)
    ]
    before = 0
    with Progress(
        *columns, console=screen, transient=True, disable=not screen.is_terminal
    ) as progress:
        task = progress.add_task(protocol, total=sum(planned))

        def show(run: Run) -> None:
            arrived = min(run.layers["payload"], run.step.total)
            words = f"{run.case.name}: {run.step.verb} {run.step.size:,} B"
            progress.update(task, completed=before + arrived, description=words)

        for run, share in zip(
            over.run(protocol, sizes, device, show, link), planned, strict=True
        ):
            before += share
            progress.update(task, completed=before)
            if not as_json and not screen.is_terminal:
                verb, size = run.step.verb, run.step.size
                say(f"{run.case.name}: {verb} of {size} bytes done")
            yield run
