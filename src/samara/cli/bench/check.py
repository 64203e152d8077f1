# SPDX-License-Identifier: Apache-2.0
"""Measure again, and compare with the committed results.

One message of each suite is measured, with -Os; with --all, everything. All
committed results are read, also those that are not measured again, and figures
that cannot be true are told: sizes beyond the memory, times that are not those
of the cycles, fewer cycles for more work.

Results that were committed with another version of the compiler are counted,
and not compared. To commit to changed figures, use `samara bench accept`.

Exit status: 0 if all figures are equal; 1 if one differs or cannot be true,
nothing could be compared, or something could not be measured; 2 if the command
was called wrongly.

\b
Examples:
  samara bench check --device atmega328p
  samara bench check --device cortex-m4 --suite aes128-ccm-8 --all
  samara bench check --all
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from samara.bench import checking, sanity, store
from samara.bench.requests import chosen_devices, chosen_subjects
from samara.cli.bench.differences import print_difference, say_differences, say_some
from samara.cli.bench.measuring import carry_out
from samara.cli.bench.options import Devices, Implementations, Jobs, Suites, only
from samara.cli.shared.diagnostics import ExitCode, say
from samara.cli.shared.json_lines import Json, print_json
from samara.cli.shared.repeatable import PROCESSORS

if TYPE_CHECKING:
    from collections.abc import Sequence

    from samara.bench.checking import Comparison, Difference


def _check(
    *,
    device: Devices = None,
    suite: Suites = None,
    everything: Annotated[
        bool,
        typer.Option(
            "--all", help="Measure all that `bench run` measures: 30 minutes."
        ),
    ] = False,
    implementation: Implementations = None,
    jobs: Jobs = PROCESSORS,
    as_json: Json = False,
) -> int:
    chosen = chosen_devices(device or ())
    paths = [store.committed_of(one.name) for one in chosen]
    committed = store.read(*paths, strict=True)
    faults = sanity.faults(committed)
    planned = checking.tasks(
        chosen, chosen_subjects(suite or ()), everything=everything
    )
    tasks = only(planned, implementation)
    results, errors = carry_out(tasks, jobs, where=None)
    compared = checking.compare(results, committed)
    for error in errors:
        say(error)
    say_some([f"cannot be true: {fault}" for fault in faults])
    if as_json:
        _print_json(compared, faults)
    else:
        _print(compared)
    failed = errors or faults or compared.differences or not compared.compared
    return ExitCode.REFUSED if failed else ExitCode.DONE


def _print(compared: Comparison) -> None:
    say_differences(compared.differences)
    for compilers, count in compared.other_compiler.items():
        say(f"{count} results not compared: other compiler: {compilers}")
    if compared.unknown:
        say(f"{compared.unknown} results not compared: none are committed")
    differences, better = compared.differences, compared.better
    print(
        f"{compared.compared} results compared, {len(differences)} figures differ:"
        f" {better} better, {len(differences) - better} worse or other"
    )
    if differences:
        say(
            "to commit to the new figures, with the reason:"
            f" samara bench accept {_selection(differences)} --why TEXT"
        )


def _print_json(compared: Comparison, faults: Sequence[str]) -> None:
    for each in compared.differences:
        print_difference(each)
    print_json(
        "check",
        {
            "compared": compared.compared,
            "differences": len(compared.differences),
            "better": compared.better,
            "cannot_be_true": list(faults),
            "not_committed": compared.unknown,
            "other_compiler": compared.other_compiler,
        },
    )


def _selection(differences: Sequence[Difference]) -> str:
    """Return the options that select all programs with a difference."""
    programs = [each.program for each in differences]
    chosen = dict.fromkeys(f"--device {program.device}" for program in programs)
    suites = dict.fromkeys(f"--suite {program.suite}" for program in programs)
    return " ".join([*chosen, *suites])


command = _check
