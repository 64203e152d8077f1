# SPDX-License-Identifier: Apache-2.0
"""`samara bench`: what ciphers cost on simulated microcontrollers."""

import json
import os
from collections.abc import Sequence
from dataclasses import asdict
from itertools import product
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console
from rich.progress import (
    BarColumn,
    MofNCompleteColumn,
    Progress,
    TextColumn,
    TimeRemainingColumn,
)
from rich.table import Table

from samara.bench import added, building, devices, running, store, subjects
from samara.bench.measuring import Task
from samara.cli.ciphers import console
from samara.cli.outcome import ExitCode, MisuseError, say

app = typer.Typer(
    help="Measure what ciphers cost on simulated microcontrollers.",
    no_args_is_help=False,
)

_Devices = Annotated[
    list[str] | None,
    typer.Option("--device", metavar="DEVICE", help="Which; all when not given."),
]
_Messages = Annotated[
    list[int] | None,
    typer.Option("--message", metavar="BYTES", min=0, help="Sizes of the message."),
]
_Ads = Annotated[
    list[int] | None,
    typer.Option("--ad", metavar="BYTES", min=0, help="Sizes of the header."),
]
_Opts = Annotated[
    list[str] | None,
    typer.Option("--opt", metavar="OPT", help="Os, O2, O3; all when not given."),
]
_Jobs = Annotated[
    int, typer.Option("--jobs", metavar="N", min=1, help="How many at a time.")
]
_Json = Annotated[bool, typer.Option("--json", help="As JSON.")]

_PROCESSORS = os.cpu_count() or 1


@app.command("devices")
def devices_(*, as_json: _Json = False) -> None:
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


def _device_json(device: devices.Device) -> dict[str, object]:
    fields = asdict(device)
    family = fields.pop("family")
    return fields | {
        "family": family["name"],
        "simulator": family["simulator"],
        "cycles": family["cycles"],
        "compiler": family["compiler"],
        "flags": device.words(device.family.flags),
    }


@app.command("run")
def run_(  # noqa: PLR0913 - one parameter an option
    *,
    device: _Devices = None,
    suite: Annotated[
        list[str] | None,
        typer.Option(
            "--suite",
            metavar="SUITE",
            help="Suites and block ciphers; all when not given.",
        ),
    ] = None,
    message: _Messages = None,
    ad: _Ads = None,
    opt: _Opts = None,
    jobs: _Jobs = _PROCESSORS,
    where: Annotated[
        Path | None,
        typer.Option(
            "--store", metavar="PATH", help="A file, or a folder for one a device."
        ),
    ] = None,
    as_json: _Json = False,
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
        _devices(device), chosen, _sizes(message, ad), _optimisations(opt)
    )
    return _measure(tasks, jobs, where or store.own(), as_json=as_json)


@app.command("add")
def add(  # noqa: PLR0913 - one parameter an option
    path: Annotated[Path, typer.Argument(metavar="PATH", help="The folder.")],
    *,
    name: Annotated[
        str, typer.Option("--name", metavar="NAME", help="What to call it.")
    ],
    device: _Devices = None,
    message: _Messages = None,
    ad: _Ads = None,
    opt: _Opts = None,
    jobs: _Jobs = _PROCESSORS,
    as_json: _Json = False,
) -> int:
    """Measure a cipher of somebody else.

    PATH is a folder with api.h and sources that have crypto_aead_encrypt and
    crypto_aead_decrypt, as NIST's Lightweight Cryptography project has them. The
    answers of the devices are compared with the same sources compiled for this
    machine. From then on NAME is a suite of `samara bench run` and `show`.

    \b
    Examples:
      samara bench add ascon-c/crypto_aead/asconaead128/opt8 --name ascon-c-8
    """
    added.add(name, path)
    chosen = [subjects.subject(name)]
    tasks = running.plan(
        _devices(device), chosen, _sizes(message, ad), _optimisations(opt)
    )
    return _measure(tasks, jobs, store.own(), as_json=as_json)


def _devices(names: Sequence[str] | None) -> list[devices.Device]:
    return [devices.device(name) for name in names] if names else devices.devices()


def _sizes(
    messages: Sequence[int] | None, ads: Sequence[int] | None
) -> list[tuple[int, int]]:
    return list(
        product(messages or running.MESSAGE_SIZES, ads or _default_ads(messages))
    )


def _default_ads(messages: Sequence[int] | None) -> tuple[int, ...]:
    """One header size suffices for who asks for one message size."""
    return running.AD_SIZES if messages is None else (0,)


def _optimisations(names: Sequence[str] | None) -> Sequence[str]:
    for name in names or ():
        if name not in building.OPTIMISATIONS:
            known = ", ".join(building.OPTIMISATIONS)
            message = f"--opt takes {known}, not {name!r}"
            raise MisuseError(message)
    return names or building.OPTIMISATIONS


def _measure(tasks: Sequence[Task], jobs: int, where: Path, *, as_json: bool) -> int:
    screen = Console(stderr=True)
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn())
    results: list[store.Result] = []
    errors: list[str] = []
    with Progress(
        *columns,
        TimeRemainingColumn(),
        console=screen,
        transient=True,
        disable=not screen.is_terminal,
    ) as progress:
        bar = progress.add_task("measuring", total=len(tasks))
        for outcome in running.carry_out(tasks, jobs):
            store.append(where, outcome.rows)
            results += [row.as_json() for row in outcome.rows]
            errors += [outcome.error] if outcome.error else []
            progress.advance(bar)
    if as_json:
        print(json.dumps(results, indent=2))
    else:
        print_results(results)
    for error in errors:
        say(error)
    return ExitCode.REFUSED if errors else ExitCode.DONE


def print_results(results: Sequence[store.Result]) -> None:
    """Show results as a table."""
    table = Table("device", "suite", "opt", "bytes", "code", "RAM", "stack")
    for name in ("set-up", "seal", "open", "seal ms", "seal uJ", "same time"):
        table.add_column(name)
    for column in table.columns[3:]:
        column.justify = "right"
    for result in results:
        table.add_row(*_cells(result))
    table.caption = (
        "bytes: message + header; set-up, seal, open: cycles"
        + _EXPLAINED * any(r["origin"] == "estimated" for r in results)
    )
    console().print(table)
    problems = dict.fromkeys(r["problem"] for r in results if r["problem"])
    for problem in problems:
        console().print(f"-: {problem}", highlight=False)


_EXPLAINED = "; ~: estimated from the processor's manual"


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
        return cells + ["-"] * 6
    mark = "~" if result["origin"] == "estimated" else ""
    cells += [f"{mark}{count:,}" for count in result["cycles"].values()]
    cells.append(f"{list(result['time_us'].values())[1] / 1e3:.2f}")
    cells.append(f"{list(result['energy_uj'].values())[1]:.1f}")
    cells.append("yes" if result["constant_time"] else f"varies {_spread(result)}")
    return cells


def _spread(result: store.Result) -> str:
    return ", ".join(f"{name} {by}" for name, by in result["varies"].items())


def _count(number: int | None) -> str:
    return "-" if number is None else f"{number:,}"
