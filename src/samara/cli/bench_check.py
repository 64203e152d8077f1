# SPDX-License-Identifier: Apache-2.0
"""`samara bench check` and `accept`: figures may not change unnoticed."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from samara.bench import accepting, checking, running, sanity, store
from samara.cli.bench_options import (
    Devices,
    Implementations,
    Jobs,
    Opts,
    Suites,
    carry_out,
    chosen_devices,
    chosen_optimisations,
    chosen_subjects,
    only,
)
from samara.cli.diagnostics import ExitCode, MisuseError, say
from samara.cli.json_lines import Json, print_json
from samara.cli.repeatable import PROCESSORS

if TYPE_CHECKING:
    from collections.abc import Sequence

    from samara.bench.checking import Comparison, Difference

_SHOWN = 40
"""Lines of one kind that are printed; the others are counted."""


def check(
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
    chosen = chosen_devices(device)
    paths = [store.committed_of(one.name) for one in chosen]
    committed = store.read(*paths, strict=True)
    faults = sanity.faults(committed)
    planned = checking.tasks(chosen, chosen_subjects(suite), everything=everything)
    tasks = only(planned, implementation)
    results, errors = carry_out(tasks, jobs, where=None)
    compared = checking.compare(results, committed)
    for error in errors:
        say(error)
    _say_some([f"cannot be true: {fault}" for fault in faults])
    if as_json:
        _print_json(compared, faults)
    else:
        _print(compared)
    failed = errors or faults or compared.differences or not compared.compared
    return ExitCode.REFUSED if failed else ExitCode.DONE


def _print(compared: Comparison) -> None:
    _say_differences(compared.differences)
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
        _print_difference(each)
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


def _print_difference(difference: Difference) -> None:
    program, sizes = difference.program, difference.sizes
    print_json(
        "difference",
        {
            **program._asdict(),
            "message_bytes": sizes.message,
            "ad_bytes": sizes.ad,
            "figure": difference.figure,
            "committed": difference.committed,
            "found": difference.found,
            "better": difference.is_better,
        },
    )


def _say_differences(differences: Sequence[Difference]) -> None:
    worst_first = sorted(differences, key=lambda each: each.is_better)
    _say_some(list(map(str, worst_first)))


def _say_some(lines: Sequence[str]) -> None:
    for each in lines[:_SHOWN]:
        say(each)
    if len(lines) > _SHOWN:
        say(f"... and {len(lines) - _SHOWN} more")


def _selection(differences: Sequence[Difference]) -> str:
    """Return the options that select all programs with a difference."""
    programs = [each.program for each in differences]
    chosen = dict.fromkeys(f"--device {program.device}" for program in programs)
    suites = dict.fromkeys(f"--suite {program.suite}" for program in programs)
    return " ".join([*chosen, *suites])


def accept(  # noqa: PLR0913 - one parameter an option
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
    """Measure a selection again, and put its figures into results/.

    The new figures replace the committed ones at all sizes. The reason is added
    to results/accepted.jsonl, with what has changed. If anything cannot be
    measured, nothing is replaced and the exit status is 1.

    \b
    Examples:
      samara bench accept --device cortex-m0 --suite aes128-ccm-16 \\
        --why "masks against a compiler's shortcut cost 3 %"
    """
    if not why.strip():
        message = "--why is empty: give the reason for the new figures in a sentence"
        raise MisuseError(message)
    if not (device or suite or opt or implementation or everything):
        message = (
            "select what to accept by --device, --suite, --opt or --implementation,"
            " or give --all"
        )
        raise MisuseError(message)
    chosen = chosen_subjects(suite)
    added = [one.slug for one in chosen if one.source is not None]
    if added:
        message = f"{added[0]} is not a cipher of samara: results/ has only those"
        raise MisuseError(message)
    opts = chosen_optimisations(opt)
    planned = running.plan(chosen_devices(device), chosen, None, opts)
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
            _print_difference(each)
        counts = {"accepted": len(results), "differences": len(changes)}
        print_json("accept", counts)
    else:
        _say_differences(changes)
        print(f"{len(results)} results accepted, {len(changes)} figures changed")
    return ExitCode.DONE
