# SPDX-License-Identifier: Apache-2.0
"""`samara bench check` and `accept`: figures may not change unnoticed."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from samara.bench import accepting, checking, running, store, subjects
from samara.cli.bench_options import (
    PROCESSORS,
    Devices,
    Jobs,
    Opts,
    Suites,
    carry_out,
    chosen_devices,
    chosen_optimisations,
)
from samara.cli.outcome import ExitCode, MisuseError, say

if TYPE_CHECKING:
    from collections.abc import Sequence

    from samara.bench.checking import Comparison, Difference

_SHOWN = 40
"""How many differences are printed; the rest are counted."""


def check(
    *,
    device: Devices = None,
    everything: Annotated[
        bool,
        typer.Option("--all", help="Measure all that `run` measures: 12 minutes."),
    ] = False,
    jobs: Jobs = PROCESSORS,
) -> int:
    """Measure a small fixed set again, and compare with the committed results.

    Exit code 1 when any figure differs, whatever the reason: to keep the new
    figures, call `samara bench accept`. Results that were committed with
    another version of the compiler are not compared, and counted apart.

    \b
    Examples:
      samara bench check --device atmega328p
      samara bench check --all
    """
    tasks = checking.tasks(chosen_devices(device), everything=everything)
    rows, errors = carry_out(tasks, jobs, where=None)
    committed = store.read(store.committed(), strict=True)
    compared = checking.compare([row.as_json() for row in rows], committed)
    for error in errors:
        say(error)
    _tell(compared)
    failed = errors or compared.differences or not compared.compared
    return ExitCode.REFUSED if failed else ExitCode.DONE


def _tell(compared: Comparison) -> None:
    _tell_differences(compared.differences)
    for compilers, count in compared.other_compiler.items():
        say(f"{count} results not compared, another compiler made them: {compilers}")
    if compared.unknown:
        say(f"{compared.unknown} results not compared: none are committed")
    differences = compared.differences
    better = sum(each.is_better for each in differences)
    print(
        f"{compared.compared} results compared, {len(differences)} figures differ:"
        f" {better} better, {len(differences) - better} worse or other"
    )
    if differences:
        say(
            "to keep the new figures and to write down why:"
            f" samara bench accept {_selection(differences)} --why TEXT"
        )


def _tell_differences(differences: Sequence[Difference]) -> None:
    worst_first = sorted(differences, key=lambda each: each.is_better)
    for each in worst_first[:_SHOWN]:
        say(str(each))
    if len(worst_first) > _SHOWN:
        say(f"... and {len(worst_first) - _SHOWN} more")


def _selection(differences: Sequence[Difference]) -> str:
    """Return the options that name all programs with a difference."""
    names = [each.what.split()[:2] for each in differences]
    chosen = dict.fromkeys(f"--device {device}" for device, _ in names)
    suites = dict.fromkeys(f"--suite {suite}" for _, suite in names)
    return " ".join([*chosen, *suites])


def accept(
    *,
    why: Annotated[
        str,
        typer.Option(
            "--why", metavar="TEXT", help="The reason, for results/accepted.jsonl."
        ),
    ],
    device: Devices = None,
    suite: Suites = None,
    opt: Opts = None,
    everything: Annotated[
        bool, typer.Option("--all", help="Accept everything, not a selection.")
    ] = False,
    jobs: Jobs = PROCESSORS,
) -> int:
    """Measure a selection again, and commit to its figures.

    The new figures replace those in results/, at all sizes, and the reason is
    added to results/accepted.jsonl with what has changed. When anything cannot
    be measured nothing is replaced.

    \b
    Examples:
      samara bench accept --device cortex-m0 --suite aes128-ccm-16 \\
        --why "masks against a compiler's shortcut cost 3 %"
    """
    if not why.strip():
        message = "--why is empty: say in a sentence why the figures are others"
        raise MisuseError(message)
    if not (device or suite or opt or everything):
        message = "name what to accept by --device, --suite or --opt, or give --all"
        raise MisuseError(message)
    chosen = [subjects.subject(s) for s in suite] if suite else subjects.subjects()
    added = [one.slug for one in chosen if one.source is not None]
    if added:
        message = f"{added[0]} was added here: results/ is for samara's own ciphers"
        raise MisuseError(message)
    opts = chosen_optimisations(opt)
    plan = running.plan(chosen_devices(device), chosen, None, opts)
    rows, errors = carry_out(accepting.tasks(plan), jobs, where=None)
    for error in errors:
        say(error)
    if errors:
        say("nothing is accepted")
        return ExitCode.REFUSED
    changes = accepting.accept(rows, why.strip())
    _tell_differences(changes)
    print(f"{len(rows)} results accepted, {len(changes)} figures changed")
    return ExitCode.DONE
