# SPDX-License-Identifier: Apache-2.0
"""Measure a selection again, and put its figures into results/.

The new figures replace the committed ones at all sizes. The reason is added
to results/accepted.jsonl, with what has changed. If anything cannot be
measured, nothing is replaced and the exit status is 1.

\b
Examples:
  samara bench accept --device cortex-m0 --suite aes128-ccm-16 \\
    --why "masks against a compiler's shortcut cost 3 %"
"""

from typing import Annotated

import typer

from samara.bench import accepting, running
from samara.bench.requests import chosen_devices, chosen_subjects
from samara.cli.bench.differences import print_difference, say_differences
from samara.cli.bench.measuring import carry_out
from samara.cli.bench.options import (
    Devices,
    Implementations,
    Jobs,
    Opts,
    Suites,
    chosen_optimisations,
    only,
)
from samara.cli.shared.diagnostics import ExitCode, MisuseError, say
from samara.cli.shared.json_lines import Json, print_json
from samara.cli.shared.repeatable import PROCESSORS


def _accept(  # noqa: PLR0913 - one parameter an option
    *,
    why: Annotated[
        str,
        typer.Option(
            "--why",
            metavar="TEXT",
            help="Reason for the new figures, kept in results/accepted.jsonl.",
        ),
    ],
    device: Devices = None,
    suite: Suites = None,
    opt: Opts = None,
    implementation: Implementations = None,
    everything: Annotated[
        bool, typer.Option("--all", help="Accept everything, not a selection.")
    ] = False,
    jobs: Jobs = PROCESSORS,
    as_json: Json = False,
) -> int:
    if not why.strip():
        message = "--why is empty: give the reason for the new figures in a sentence"
        raise MisuseError(message)
    if not (device or suite or opt or implementation or everything):
        message = (
            "select what to accept by --device, --suite, --opt or --implementation,"
            " or give --all"
        )
        raise MisuseError(message)
    chosen = chosen_subjects(suite or ())
    added = [one.slug for one in chosen if one.source is not None]
    if added:
        message = f"{added[0]} is not a cipher of samara: results/ has only those"
        raise MisuseError(message)
    opts = chosen_optimisations(opt)
    planned = running.plan(chosen_devices(device or ()), chosen, None, opts)
    plan = only(planned, implementation)
    results, errors = carry_out(accepting.tasks(plan), jobs, where=None)
    for error in errors:
        say(error)
    if errors:
        say("nothing is accepted")
        return ExitCode.REFUSED
    changes = accepting.accept(results, why.strip())
    if as_json:
        for each in changes:
            print_difference(each)
        counts = {"accepted": len(results), "differences": len(changes)}
        print_json("accept", counts)
    else:
        say_differences(changes)
        print(f"{len(results)} results accepted, {len(changes)} figures changed")
    return ExitCode.DONE


command = _accept
