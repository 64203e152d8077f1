# SPDX-License-Identifier: Apache-2.0
"""`samara advise`: which suite to take on a device, and how long it lives."""

from collections.abc import Callable
from typing import Annotated

import typer

from samara.cli import advise_tables
from samara.cli.energy.options import BandLimit, Interval, describes_node
from samara.cli.shared import output_files
from samara.cli.shared.completion import one_of
from samara.cli.shared.diagnostics import ExitCode, MisuseError
from samara.cli.shared.json_lines import Json
from samara.cli.shared.output_files import Output
from samara.cli.shared.progress import progress
from samara.cli.shared.tables import Wide
from samara.energy import NotMeasuredError, coprocessor
from samara.energy.advise import (
    FORGERY_MAX,
    LAYERS,
    Candidate,
    Choice,
    Limits,
    Use,
    advise,
    unreachable,
    weighed,
)
from samara.energy.candidates import candidates, without_security
from samara.energy.link_macs import mac_of
from samara.energy.pareto import paint_choices
from samara.energy.requests import NodeRequest
from samara.energy.scenario import Scenario

_HOUR_S = 3600.0
_ANY = "any"
_CHOSEN = ("suite", "level", "framing", "tag_size")
"""Options of links that are what is asked for."""


@describes_node(
    wanted=lambda option: option.changes_receipt and option.name not in _CHOSEN
)
def advise_(  # noqa: PLR0913 - one parameter an option
    *,
    interval: Interval = 300.0,
    years: Annotated[
        float | None,
        typer.Option(
            metavar="YEARS",
            min=0.001,
            help="Years that nine of ten nodes have to live. Default: any life.",
        ),
    ] = None,
    flash: Annotated[
        int | None,
        typer.Option(
            metavar="BYTES",
            min=1,
            help="Most flash, such as 4096 or 4Ki. Default: any.",
        ),
    ] = None,
    ram: Annotated[
        int | None,
        typer.Option(
            metavar="BYTES", min=1, help="Most RAM, stack included. Default: any."
        ),
    ] = None,
    latency: Annotated[
        float | None,
        typer.Option(
            metavar="SECONDS",
            min=1e-6,
            help="Longest mean latency of a hop, such as 50ms or 0.05. Default: any.",
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
            metavar="NAME",
            autocompletion=one_of(lambda: (_ANY, *LAYERS)),
            help="Layer that encrypts: link (frames), payload (the application), "
            "physical (all bits, without a tag), or any.",
        ),
    ] = _ANY,
    band: BandLimit = None,
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
    interoperable: Annotated[
        bool,
        typer.Option(
            "--interoperable",
            help="Take only frames that others' software for the standard of the link "
            "opens: AES-128 in CCM* on ieee802154.",
        ),
    ] = False,
    output: Output = None,
    wide: Wide = False,
    as_json: Json = False,
    described: NodeRequest,
) -> int:
    """Recommend a suite, tag and layer for a product, and tell how long it lives.

    All suites that the bench has measured on the device are tried, at each layer and
    with each build. Of those that keep all limits, the one with the longest life is
    recommended; lives within 1 % are equal, and then a standard comes before a
    finalist, and less flash before more. The node sends to a sink in range and passes
    on nothing: for one that relays, see `samara energy network`. -o draws flash against
    energy. When nothing fits, the command says what to relax to which value, and exits
    with 1.

    \b
    Examples:
      samara advise --device atmega328p --bytes 20 --interval 300 --years 1
      samara advise --device cortex-m4 --mac contikimac --battery cr2032 \\
        --tag 8 --layer link -o choices.svg
      samara advise --device atmega328p --flash 4Ki --ram 200 --latency 150ms --json
    """
    if layer not in (_ANY, *LAYERS):
        problem = f"unknown --layer {layer!r}: give {', '.join((_ANY, *LAYERS))}"
        raise MisuseError(problem)
    limits = Limits(
        years=years,
        flash_bytes=flash,
        ram_bytes=ram,
        latency_s=latency,
        tag_bytes=tag,
        forgery=forgery,
        layer=None if layer == _ANY else layer,
        messages_per_hour=_HOUR_S / interval,
        allow_unauthenticated=allow_unauthenticated,
        allow_unencrypted=allow_unencrypted,
        allow_research=allow_research,
        interoperable=interoperable,
    )
    if coprocessor.named(described.device) is not None:
        problem = (
            "samara advise weighs programs by flash and RAM, which a core does not"
            " have: give --device a microcontroller; samara energy life takes cores"
        )
        raise MisuseError(problem)
    link, given = described.used_link, described.link_options
    mac_of(link)
    scenario = described.scenario({**given, **without_security(link)})
    wanted = list(candidates(link, described.message_bytes, given))
    if interoperable and not any(each.is_interoperable for each in wanted):
        problem = (
            f"frames of {link} are samara's own, and no other software opens them: "
            "leave out --interoperable, or give --link ieee802154"
        )
        raise MisuseError(problem)
    use = Use(interval, years or 1.0, band)
    with progress("suites") as tell:
        choices, missing = _weighed(scenario, wanted, use, tell)
    if not choices:
        problem = (
            f"the bench has measured nothing on {scenario.device}: run `samara bench "
            f"run --device {scenario.device}`"
        )
        raise MisuseError(problem)
    told = advise(choices, limits)
    asked = advise_tables.Asked(
        link, scenario, interval, limits, missing, unreachable(scenario, limits, use)
    )
    if as_json:
        advise_tables.print_as_json(told, asked)
    else:
        advise_tables.print_advice(told, asked, wide=wide)
    output_files.write(
        output,
        advise_tables.rows(told),
        lambda figure, colours: paint_choices(figure.subplots(), told, colours),
        (7.2, 4.2),
    )
    return ExitCode.DONE if told.recommended else ExitCode.REFUSED


def _weighed(
    scenario: Scenario,
    wanted: list[Candidate],
    use: Use,
    tell: Callable[[float], None],
) -> tuple[list[Choice], list[str]]:
    """Return all choices, and the suites that the bench has not measured."""
    found: list[Choice] = []
    missing: list[str] = []
    for done, candidate in enumerate(wanted, start=1):
        try:
            found += weighed(scenario, candidate, use)
        except NotMeasuredError:
            missing.append(candidate.calls[0].suite)
        tell(done / len(wanted))
    return found, missing
