# SPDX-License-Identifier: Apache-2.0
"""`samara demo --over`: files by CoAP or TFTP, and what protecting them costs."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

from samara.cli.json_lines import print_json
from samara.cli.outcome import ExitCode, say
from samara.cli.tables import console, legend, print_figures, print_text

if TYPE_CHECKING:
    from collections.abc import Sequence

PROTOCOLS = ("coap", "tftp")


def run_over(
    protocol: str, sizes: Sequence[int] | None, device: str, *, as_json: bool
) -> int:
    """Run the experiment, and print its tables."""
    from samara.demo import over, over_tables  # noqa: PLC0415 - not for help texts

    start_s, runs = time.monotonic(), []
    for run in over.run(protocol, sizes or over.SIZES, device):
        runs.append(run)
        if not as_json:
            say(f"{run.case.name}: {run.step.verb} of {run.step.size} bytes done")
    screen = console()
    for table in (over_tables.costs(protocol, runs), over_tables.protection()):
        if as_json:
            print_json("table", {"link": "ieee802154", **table.as_json()})
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
