# SPDX-License-Identifier: Apache-2.0
"""`samara bench`: what ciphers cost on simulated microcontrollers."""

import csv
import json
import sys
from collections.abc import Callable, Sequence
from dataclasses import asdict
from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer
from rich.table import Table

from samara.bench import added, building, devices, ranking, running, store, subjects
from samara.bench.measuring import Task
from samara.cli import bench_best
from samara.cli.bench_check import accept, check
from samara.cli.bench_options import (
    PROCESSORS,
    Ads,
    Devices,
    Jobs,
    Json,
    Messages,
    Opts,
    Suites,
    carry_out,
    chosen_devices,
    chosen_optimisations,
    chosen_sizes,
)
from samara.cli.bench_report import report_
from samara.cli.outcome import ExitCode, MisuseError, say
from samara.cli.tables import console

app = typer.Typer(
    help="Measure what ciphers cost on simulated microcontrollers.",
    no_args_is_help=False,
)
app.command("report")(report_)
app.command("check")(check)
app.command("accept")(accept)


@app.command("devices")
def devices_(*, as_json: Json = False) -> None:
    """List the devices, and where their figures come from.

    \b
    Examples:
      samara bench devices
      samara bench devices --json
    """
    found = devices.devices()
    if as_json:
        print(json.dumps([_device_json(device) for device in found], indent=2))
        return
    table = Table("device", "title", "MHz", "flash", "RAM", "V", "mA", "cycles")
    for device in found:
        current = device.active_current_a
        table.add_row(
            device.name,
            device.title,
            f"{device.clock_hz / 1e6:g}",
            f"{device.flash_bytes:,}",
            f"{device.ram_bytes:,}",
            f"{device.supply_voltage_v.value:g}",
            f"{current.value * 1e3:g}{'' if current.checked else '?'}",
            device.family.cycles,
        )
    table.caption = "?: from memory of the source that --json names, not checked"
    console().print(table)
    notes = {d.family.title: d.family.cycles_note for d in found}
    for title, note in notes.items():
        if note:
            console().print(f"{title}: cycles {note}", highlight=False)


def _device_json(device: devices.Device) -> dict[str, object]:
    fields = asdict(device)
    family = fields.pop("family")
    return fields | {
        "family": family["name"],
        "simulator": family["simulator"],
        "cycles": family["cycles"],
        "cycles_note": family["cycles_note"],
        "compiler": family["compiler"],
        "flags": device.words(device.family.flags),
    }


@app.command("run")
def run_(  # noqa: PLR0913 - one parameter an option
    *,
    device: Devices = None,
    suite: Suites = None,
    message: Messages = None,
    ad: Ads = None,
    opt: Opts = None,
    jobs: Jobs = PROCESSORS,
    where: Annotated[
        Path | None,
        typer.Option(
            "--store", metavar="PATH", help="A file, or a folder for one a device."
        ),
    ] = None,
    as_json: Json = False,
) -> int:
    """Compile ciphers for devices, run them there, and count.

    Every answer is compared with the library on this machine. Results are
    added to build/bench/results.jsonl, or where --store says.

    \b
    Examples:
      samara bench run --device atmega328p --suite aes128-ccm-8 --message 64
      samara bench run --suite grain128aead --suite ascon-aead128 --json
    """
    chosen = [subjects.subject(s) for s in suite] if suite else subjects.subjects()
    tasks = running.plan(
        chosen_devices(device),
        chosen,
        chosen_sizes(message, ad),
        chosen_optimisations(opt),
    )
    outcome, _ = _measure(tasks, jobs, where or store.own(), as_json=as_json)
    return outcome


@app.command("add")
def add(  # noqa: PLR0913 - one parameter an option
    path: Annotated[Path, typer.Argument(metavar="PATH", help="The folder.")],
    *,
    name: Annotated[
        str, typer.Option("--name", metavar="NAME", help="What to call it.")
    ],
    include: Annotated[
        list[Path] | None,
        typer.Option(
            "--include", metavar="DIR", help="Directory of more headers (repeatable)."
        ),
    ] = None,
    kat: Annotated[
        Path | None,
        typer.Option(
            "--kat",
            metavar="FILE",
            exists=True,
            dir_okay=False,
            help="Known answers, in the format of NIST's project.",
        ),
    ] = None,
    reference: Annotated[
        Path | None,
        typer.Option(
            "--reference",
            metavar="DIR",
            exists=True,
            file_okay=False,
            help="Compare the answers with the C sources of this directory.",
        ),
    ] = None,
    same_as: Annotated[
        str,
        typer.Option(
            "--same-as",
            metavar="SUITE",
            help="Compare the answers with this suite of samara.",
        ),
    ] = "",
    replace: Annotated[
        bool,
        typer.Option("--replace", help="Use NAME for this folder instead of another."),
    ] = False,
    device: Devices = None,
    message: Messages = None,
    ad: Ads = None,
    opt: Opts = None,
    jobs: Jobs = PROCESSORS,
    as_json: Json = False,
) -> int:
    """Measure a cipher of somebody else.

    PATH is a directory with api.h and sources in C and assembly (.S, .s) that
    define crypto_aead_encrypt and crypto_aead_decrypt, as in NIST's Lightweight
    Cryptography project. The header crypto_aead.h is supplied if PATH lacks it.

    Answers of the devices are compared with --same-as, or with --reference, or
    else with the C sources of PATH, compiled for this machine. Known answers
    are checked as well. Without --kat, a file LWC_AEAD_KAT_*.txt in PATH or in
    its parent directory is used. If this machine cannot compile the sources,
    known answers are enough: the device must also open what it has sealed and
    refuse a changed tag.

    NAME is kept for `samara bench run` and `show` if at least one device could
    build and run the cipher.

    \b
    Examples:
      samara bench add firmware/examples/ascon --name my-ascon --device atmega328p \\
        --message 64
      samara bench add firmware/examples/ascon --name my-ascon --device cortex-m3 \\
        --same-as ascon-aead128 --replace --message 16 --ad 14 --opt O2
    """
    folders = tuple(folder.resolve() for folder in include or ())
    source = added.Source(
        folder=path.resolve(),
        includes=folders,
        same_as=same_as,
        reference=reference.resolve() if reference else None,
        kat=kat.resolve() if kat else None,
    )
    if same_as and reference:
        told = "--same-as and --reference exclude each other: give one of them"
        raise MisuseError(told)
    cipher = added.check(name, source, replace_other=replace)
    tasks = running.plan(
        chosen_devices(device),
        [subjects.of_added(cipher)],
        chosen_sizes(message, ad),
        chosen_optimisations(opt),
    )
    outcome, built = _measure(tasks, jobs, store.own(), as_json=as_json)
    if built:
        added.remember(cipher)
        if not as_json:
            print(f"{name} was compared with {cipher.judge}")
    else:
        say(f"no device could run it: {name} is not kept")
    return outcome


class Sort(StrEnum):
    """What `show` can sort by."""

    CYCLES = "cycles"
    CODE = "code"
    RAM = "ram"
    STACK = "stack"
    ENERGY = "energy"
    FOM = "fom"


@app.command("show")
def show(  # noqa: PLR0913 - one parameter an option
    *,
    device: Devices = None,
    suite: Suites = None,
    message: Annotated[
        int | None, typer.Option("--message", metavar="BYTES", help="Its size.")
    ] = None,
    ad: Annotated[
        int | None, typer.Option("--ad", metavar="BYTES", help="The header's size.")
    ] = None,
    opt: Opts = None,
    sort: Annotated[Sort | None, typer.Option(help="Least first.")] = None,
    as_json: Json = False,
    as_csv: Annotated[bool, typer.Option("--csv", help="As CSV.")] = False,
) -> None:
    """Show results: those that come with the sources, then your own.

    `fom`, the figure of merit, is the sum over code, memory (variables and stack)
    and cycles (set-up and seal) of a value over the least among those shown: the
    smaller the better, 3 the best. Compared are results for the same device, the
    same sizes and of the same kind: frames, authenticated and unauthenticated
    suites, block ciphers. CCM* cut into phases is left out.

    \b
    Examples:
      samara bench show --device atmega328p --message 64 --ad 14 --sort fom
      samara bench show --suite aes128-ccm-16 --csv
    """
    results = [
        result
        for result in store.read(store.committed(), store.own())
        if (not device or result["device"] in device)
        and (not suite or result["suite"] in suite)
        and (message is None or result["message_bytes"] == message)
        and (ad is None or result["ad_bytes"] == ad)
        and (not opt or result["opt"] in opt)
    ]
    if sort is not None:
        results = _sorted(results, sort)
    if as_json:
        print(json.dumps(results, indent=2))
    elif as_csv:
        _print_csv(results)
    else:
        print_results(results)


def _sorted(results: list[store.Result], sort: Sort) -> list[store.Result]:
    keys: dict[Sort, Callable[[store.Result], float]] = {
        Sort.CYCLES: store.cycles,
        Sort.CODE: store.code,
        Sort.RAM: lambda result: result["static_ram_bytes"],
        Sort.STACK: lambda result: result["stack_bytes"],
        Sort.ENERGY: store.energy,
    }
    if sort is Sort.FOM:
        return ranking.ranked(results)
    figures = [result for result in results if result["cycles"]]
    return sorted(figures, key=keys[sort])


def _print_csv(results: Sequence[store.Result]) -> None:
    rows = [_flat(result) for result in results]
    names = list(dict.fromkeys(name for row in rows for name in row))
    writer = csv.DictWriter(sys.stdout, names, lineterminator="\n")
    writer.writeheader()
    writer.writerows(rows)


def _flat(result: store.Result) -> dict[str, object]:
    """Give each operation's figure a column of its own."""
    row: dict[str, object] = {}
    for name, value in result.items():
        if isinstance(value, dict):
            row |= {f"{name}_{verb}": each for verb, each in value.items()}
        elif name not in _BY_OPERATION:
            row[name] = value
    return row


_BY_OPERATION = ("cycles", "instructions", "time_us", "energy_uj", "varies")


def _measure(
    tasks: Sequence[Task], jobs: int, where: Path, *, as_json: bool
) -> tuple[ExitCode, bool]:
    """Measure, store and print; return the exit code, and whether anything ran."""
    rows, errors = carry_out(tasks, jobs, where)
    results = [row.as_json() for row in rows]
    if as_json:
        print(json.dumps(results, indent=2))
    else:
        print_results(results)
    for error in dict.fromkeys(errors):
        say(error)
    return ExitCode.REFUSED if errors else ExitCode.DONE, bool(results)


def print_results(results: Sequence[store.Result]) -> None:
    """Show results as a table."""
    if not results:
        return
    shown = results[:_SHOWN]
    console().print(_table(shown))
    if len(results) > _SHOWN:
        print(
            f"The first {_SHOWN} of {len(results):,}. Options of `samara bench show`"
            " choose among them; --csv and --json give them all."
        )
    for line in _remarks(shown):
        console().print(line, highlight=False)


def _table(shown: Sequence[store.Result]) -> Table:
    has_merit = any("fom" in result for result in shown)
    table = Table("device", "suite", "opt", "bytes", "code", "RAM", "stack")
    for name in ("set-up", "seal", "open", "seal ms", "seal uJ", "same time"):
        table.add_column(name)
    if has_merit:
        table.add_column("FOM")
    for column in table.columns[3:]:
        column.justify = "right"
    for result in shown:
        table.add_row(*_cells(result))
    table.caption = (
        "bytes: message + header; set-up, seal, open: cycles"
        + _EXPLAINED * any(r["origin"] == "estimated" for r in shown)
        + _MERIT * has_merit
    )
    return table


def _remarks(shown: Sequence[store.Result]) -> list[str]:
    """Return what is to be said below a table, each once."""
    problems = dict.fromkeys(r["problem"] for r in shown if r["problem"])
    return [
        *filter(None, map(_parts, shown)),
        *dict.fromkeys(map(_how_made, shown)),
        *bench_best.lines(shown),
        *(f"-: {problem}" for problem in problems),
    ]


_EXPLAINED = "; ~: estimated from the processor's manual"
_MERIT = "; FOM: figure of merit, by set-up and seal, among results of the same kind"
_SHOWN = 500
"""How many results a table has: drawing them takes longer than finding them."""
_OPERATIONS = 3
"""Set-up and two more; what cycles are given of behind them are parts."""


def _how_made(result: store.Result) -> str:
    """Tell a device's compiler flags, and what its cycles leave out."""
    words = (result["flags"] or "flags not recorded").split()
    flags = " ".join(word for word in words if word != f"-{result['opt']}")
    note = devices.cycles_note(result["device"])
    return f"{result['device']}: {flags}" + (f"; cycles {note}" if note else "")


def _parts(result: store.Result) -> str:
    """Tell the cycles of an operation's parts, where there are."""
    parts = list((result["cycles"] or {}).items())[_OPERATIONS:]
    if not parts:
        return ""
    told = ", ".join(f"{name.replace('_', ' ')} {count:,}" for name, count in parts)
    name = " ".join(result[word] for word in ("device", "suite", "implementation"))
    return f"{name} -{result['opt']}, cycles of the parts: {told}"


def _cells(result: store.Result) -> list[str]:
    name = result["suite"]
    if result["implementation"] != building.PORTABLE:
        name += f" ({result['implementation']})"
    cells = [
        result["device"],
        name,
        result["opt"],
        f"{result['message_bytes']}+{result['ad_bytes']}",
        *(_count(result[f"{key}_bytes"]) for key in ("code", "static_ram", "stack")),
    ]
    if result["cycles"] is None:
        return cells + ["-"] * (6 + ("fom" in result))
    mark = "~" if result["origin"] == "estimated" else ""
    operations = list(result["cycles"].values())[:_OPERATIONS]
    cells += [f"{mark}{count:,}" for count in operations]
    cells.append(f"{list(result['time_us'].values())[1] / 1e3:.2f}")
    cells.append(f"{list(result['energy_uj'].values())[1]:.1f}")
    cells.append("yes" if result["constant_time"] else f"varies {_spread(result)}")
    if "fom" in result:
        cells.append(f"{result['fom']:.2f}")
    return cells


def _spread(result: store.Result) -> str:
    return ", ".join(f"{name} {by}" for name, by in result["varies"].items())


def _count(number: int | None) -> str:
    return "-" if number is None else f"{number:,}"
