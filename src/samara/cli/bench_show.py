# SPDX-License-Identifier: Apache-2.0
"""`samara bench show`: the results that are there."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from enum import StrEnum
from typing import Annotated

import typer

from samara import crypto
from samara.bench import ranking, store, subjects
from samara.bench.ranking import Ranked
from samara.bench.results import Result
from samara.cli.bench_json import print_result
from samara.cli.bench_options import (
    Devices,
    Implementations,
    Opts,
    Suites,
    chosen_implementations,
    chosen_optimisations,
)
from samara.cli.bench_results import print_csv, print_results
from samara.cli.json_lines import Json
from samara.cli.tables import Wide
from samara.crypto.names import find


class Sort(StrEnum):
    """What `show` can sort by."""

    CYCLES = "cycles"
    CODE = "code"
    RAM = "ram"
    STACK = "stack"
    ENERGY = "energy"
    FOM = "fom"


_KEYS: dict[Sort, Callable[[Result], float]] = {
    Sort.CYCLES: lambda result: result.protect_cycles,
    Sort.CODE: lambda result: result.code_bytes or 0,
    Sort.RAM: lambda result: result.static_ram_bytes or 0,
    Sort.STACK: lambda result: result.stack_bytes or 0,
    Sort.ENERGY: lambda result: result.protect_energy_uj or 0,
}


def show(  # noqa: PLR0913 - one parameter an option
    *,
    device: Devices = None,
    suite: Suites = None,
    message: Annotated[
        int | None,
        typer.Option(
            "--message",
            metavar="BYTES",
            min=0,
            help="Size of the message. Default: all.",
            show_default=False,
        ),
    ] = None,
    ad: Annotated[
        int | None,
        typer.Option(
            "--ad",
            metavar="BYTES",
            min=0,
            help="Size of the associated data. Default: all.",
            show_default=False,
        ),
    ] = None,
    opt: Opts = None,
    implementation: Implementations = None,
    sort: Annotated[
        Sort | None,
        typer.Option(
            help="Sort by this, the least first. Default: as they were measured.",
            show_default=False,
        ),
    ] = None,
    as_json: Json = False,
    as_csv: Annotated[
        bool, typer.Option("--csv", help="Print CSV, with units in the heads.")
    ] = False,
    wide: Wide = False,
) -> None:
    """Show results: those that come with the sources, and your own.

    Without --suite, suites that differ only in the length of their tag share a
    row, such as aes128-ccm-4..16, with the figures of the longest tag.

    The figure of merit (--sort fom) of a result is the sum over code, memory
    (variables and stack) and cycles (set-up and seal) of its value divided by
    the least value of all results that are compared: 3 is the best possible.
    Compared are results of one device, of the same sizes and of the same kind:
    frames, authenticated suites, unauthenticated suites, block ciphers.

    On a narrow terminal the least important columns are left out.

    \b
    Examples:
      samara bench show --device atmega328p --message 64 --ad 14 --sort fom
      samara bench show --device nrf52840 --suite aes128-ccm-8 --message 32
      samara bench show --suite aes128-ccm-16 --csv
    """
    opts = chosen_optimisations(opt) if opt else ()
    chosen = chosen_implementations(implementation) if implementation else ()
    found = [
        result
        for result in _read(device, suite)
        if (not device or result.device in device)
        and (not suite or result.suite in suite)
        and (message is None or result.message_bytes == message)
        and (ad is None or result.ad_bytes == ad)
        and (not opts or result.opt in opts)
        and (not chosen or result.implementation in chosen)
    ]
    rows = _sorted(found, sort)
    if as_json:
        for row in rows:
            print_result(row)
    elif as_csv:
        print_csv(rows)
    else:
        sizes = {"--message": message, "--ad": ad}
        names = {
            "--device": device or (),
            "--suite": suite or (),
            "--opt": opts,
            "--implementation": chosen,
        }
        empty = _why_empty(names, sizes) if not rows else ""
        print_results(rows, empty=empty, wide=wide, fold=not suite)


def _read(devices: Sequence[str] | None, suites: Sequence[str] | None) -> list[Result]:
    """Read all results of these devices.

    Raises
    ------
    samara.crypto.UnknownNameError
        If a suite is neither known nor measured.
    """
    committed = store.committed()
    files = [committed / f"{name}.jsonl" for name in devices or ()]
    found = store.read(*(files or [committed]), store.own())
    for suite in suites or ():
        _check_known(suite, found)
    return found


def _check_known(suite: str, found: Iterable[Result]) -> None:
    try:
        subjects.subject(suite)
    except crypto.UnknownNameError:
        # A cipher that was added, measured and removed still has its results.
        names = [one.slug for one in subjects.subjects()]
        names += [result.suite for result in found]
        find("suite or block cipher", suite, dict.fromkeys(names))


def _sorted(results: Sequence[Result], sort: Sort | None) -> Sequence[Result | Ranked]:
    if sort is None:
        return results
    if sort is Sort.FOM:
        return ranking.ranked(results)
    return sorted((one for one in results if one.has_figures), key=_KEYS[sort])


def _why_empty(
    names: Mapping[str, Sequence[str]], sizes: Mapping[str, int | None]
) -> str:
    """Return why there are no results, and the command that measures them."""
    words = [f"{option} {value}" for option in names for value in names[option]]
    words += [f"{option} {n}" for option, n in sizes.items() if n is not None]
    selected = " ".join(words)
    if not selected:
        return "No results. To measure: samara bench run"
    others = _other_sizes(names)
    return f"No results for {selected}.{others} To measure: samara bench run {selected}"


def _other_sizes(names: Mapping[str, Sequence[str]]) -> str:
    """Return which sizes there are results of, where the sizes are the reason."""
    devices, suites = names["--device"], names["--suite"]
    if not suites:
        return ""
    found = {
        result.sizes
        for result in _read(devices, suites)
        if result.suite in suites
        and (not devices or result.device in devices)
        and result.opt in (names["--opt"] or {result.opt})
        and result.implementation
        in (names["--implementation"] or {result.implementation})
    }
    if not found:
        return ""
    messages = ", ".join(map(str, sorted({size.message for size in found})))
    ads = ", ".join(map(str, sorted({size.ad for size in found})))
    return f" There are results for --message {messages} and --ad {ads}."
