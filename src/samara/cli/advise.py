# SPDX-License-Identifier: Apache-2.0
"""`samara advise`: which suite to take on a device, and how long it lives."""

import re
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.console import Console
from rich.progress import Progress

from samara.cli import advise_tables, energy_tables
from samara.cli.energy_options import (
    Battery,
    Bytes,
    Celsius,
    Device,
    Json,
    Mac,
    Radio,
    WakeInterval,
    described,
)
from samara.cli.link_options import takes_link_options
from samara.cli.outcome import ExitCode, MisuseError
from samara.cli.tables import Wide
from samara.energy import NotMeasuredError, catalogue
from samara.energy.advise import (
    FORGERY_MAX,
    LAYERS,
    Advice,
    Candidate,
    Choice,
    Limits,
    Use,
    advise,
    weighed,
)
from samara.energy.scenario import Scenario
from samara.link.node.candidates import PLAIN, candidates

_HOUR_S = 3600.0
_OF_RADIO = {"srf": "rf-serial"}
"""Kinds of link of radios that are not for frames."""
_CHOSEN = ("suite", "level", "framing", "tag_size")
"""Options of links that are what is asked for."""
_SCALES = {
    "bytes": {"": 1.0, "k": 1024.0, "kib": 1024.0},
    "time": {"": 1.0, "s": 1.0, "ms": 1e-3},
}


@takes_link_options(
    lambda option: option.changes_receipt and option.name not in _CHOSEN
)
def advise_(  # noqa: PLR0913 - one parameter an option
    *,
    device: Device = "atmega128rfa1",
    radio: Radio = None,
    link: Annotated[
        str | None,
        typer.Option(
            metavar="LINK",
            help=f"{' or '.join(PLAIN)}. Default: rf-serial with the radio srf, else "
            "ieee802154.",
        ),
    ] = None,
    size: Bytes = 20,
    interval: Annotated[
        float,
        typer.Option(
            metavar="S", min=0.001, help="Seconds from one message to the next."
        ),
    ] = 300.0,
    mac: Mac = None,
    wake_interval: WakeInterval = None,
    battery: Battery = "2xaa-alkaline",
    celsius: Celsius = 20.0,
    years: Annotated[
        float | None,
        typer.Option(
            min=0.001,
            help="Years that nine of ten nodes have to live. Default: any life.",
        ),
    ] = None,
    flash: Annotated[
        str | None,
        typer.Option(
            metavar="BYTES", help="Most flash, such as 4096 or 4k. Default: any."
        ),
    ] = None,
    ram: Annotated[
        str | None,
        typer.Option(metavar="BYTES", help="Most RAM, stack included. Default: any."),
    ] = None,
    latency: Annotated[
        str | None,
        typer.Option(
            metavar="TIME",
            help="Longest mean latency of a hop, such as 50ms or 0.05s. Default: any.",
        ),
    ] = None,
    tag: Annotated[
        int | None,
        typer.Option(
            metavar="BYTES", min=0, max=16, help="Shortest tag. Default: any."
        ),
    ] = None,
    forgery: Annotated[
        float,
        typer.Option(
            metavar="P",
            min=0,
            max=1,
            help="Largest chance that one forged frame is accepted within --years (one "
            "year when it is not given), while forged frames fill the radio's time.",
        ),
    ] = FORGERY_MAX,
    layer: Annotated[
        str,
        typer.Option(
            metavar="NAME", help=f"Layer that encrypts: any, {', '.join(LAYERS)}."
        ),
    ] = "any",
    band: Annotated[
        str | None,
        typer.Option(
            metavar="NAME",
            help="Band whose duty cycle counts: "
            f"{', '.join(each.name for each in catalogue.bands())}. Default: none.",
        ),
    ] = None,
    allow_unauthenticated: Annotated[
        bool,
        typer.Option(
            "--allow-unauthenticated", help="Take also what accepts forged messages."
        ),
    ] = False,
    allow_unencrypted: Annotated[
        bool,
        typer.Option("--allow-unencrypted", help="Take also what authenticates only."),
    ] = False,
    allow_research: Annotated[
        bool,
        typer.Option(
            "--allow-research",
            help="Take also ciphers that are for research, not to be relied on.",
        ),
    ] = False,
    output: Annotated[
        Path | None,
        typer.Option(
            "-o",
            metavar="FILE",
            help="Write flash against energy as FILE: .png, .svg or .csv by its name.",
        ),
    ] = None,
    wide: Wide = False,
    as_json: Json = False,
    link_options: dict[str, Any],
) -> int:
    """Recommend a suite, tag and layer for a product, and tell how long it lives.

    All suites that the bench has measured on the device are tried, in the frames of
    the link (link) or in their payload (payload), with each build. Of those that keep
    all limits, the one with the longest life is recommended; lives within 1 % are
    equal, and then a standard comes before a finalist, and less flash before more.
    When nothing fits, the command says what to relax to which value, and exits with 1.

    \b
    Examples:
      samara advise --device atmega328p --bytes 20 --interval 300 --years 1
      samara advise --device cortex-m4 --mac contikimac --battery cr2032 \\
        --tag 8 --layer link -o choices.svg
      samara advise --device atmega328p --flash 4k --ram 200 --latency 150ms --json
    """
    if layer not in ("any", *LAYERS):
        problem = f"unknown --layer {layer!r}: give any, {', '.join(LAYERS)}"
        raise MisuseError(problem)
    if output is not None:
        energy_tables.check_output(output)
    used = link or _OF_RADIO.get(radio or "", "ieee802154")
    if used not in PLAIN:
        problem = f"--link {used!r} has no energy model: give {' or '.join(PLAIN)}"
        raise MisuseError(problem)
    limits = Limits(
        years=years,
        flash_bytes=_measure("--flash", flash, "bytes"),
        ram_bytes=_measure("--ram", ram, "bytes"),
        latency_s=_measure("--latency", latency, "time"),
        tag_bytes=tag,
        forgery=forgery,
        layer=None if layer == "any" else layer,
        messages_per_hour=_HOUR_S / interval,
        allow_unauthenticated=allow_unauthenticated,
        allow_unencrypted=allow_unencrypted,
        allow_research=allow_research,
    )
    scenario = described(
        used, size, device, radio, mac, wake_interval, {**link_options, **PLAIN[used]},
        battery=battery, celsius=celsius,
    )  # fmt: skip
    choices, missing = _weighed(
        scenario,
        list(candidates(used, size, link_options)),
        Use(interval, years or 1.0, band),
    )
    if not choices:
        problem = (
            f"the bench has measured nothing on {device}: run `samara bench run "
            f"--device {device}`"
        )
        raise MisuseError(problem)
    told = advise(choices, limits)
    asked = advise_tables.Asked(used, scenario, interval, limits, missing)
    _show(told, asked, as_json=as_json, wide=wide)
    if output is not None:
        advise_tables.write(told, output)
    return ExitCode.DONE if told.recommended else ExitCode.REFUSED


def _show(
    told: Advice, asked: advise_tables.Asked, *, as_json: bool, wide: bool
) -> None:
    if as_json:
        advise_tables.print_as_json(told, asked)
    else:
        advise_tables.print_advice(told, asked, wide=wide)


def _weighed(
    scenario: Scenario, wanted: list[Candidate], use: Use
) -> tuple[list[Choice], list[str]]:
    """Return all choices, and the suites that the bench has not measured."""
    found: list[Choice] = []
    missing: list[str] = []
    screen = Console(stderr=True)
    with Progress(
        console=screen, transient=True, disable=not screen.is_terminal
    ) as progress:
        for candidate in progress.track(wanted, description=""):
            try:
                found += weighed(scenario, candidate, use)
            except NotMeasuredError:
                missing.append(candidate.calls[0].suite)
    return found, missing


def _measure(option: str, text: str | None, kind: str) -> float | None:
    """Return a number with its unit, in bytes or seconds.

    Raises
    ------
    MisuseError
        When the text is no such number.
    """
    if text is None:
        return None
    scales = _SCALES[kind]
    parts = re.fullmatch(r"(\d+(?:\.\d+)?) ?([a-z]*)", text.lower())
    if not parts or parts[2] not in scales or not float(parts[1]):
        units = ", ".join(unit for unit in scales if unit)
        problem = (
            f"{option} {text!r} is not valid: expected a number above 0, alone or "
            f"followed by {units}"
        )
        raise MisuseError(problem)
    return float(parts[1]) * scales[parts[2]]
