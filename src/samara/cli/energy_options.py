# SPDX-License-Identifier: Apache-2.0
"""Options of `samara energy` and `samara advise`, each of them once.

What describes a node, its link and its battery is the same for all commands: a
command that is decorated with `describes_node` has a parameter `described`.
"""

import inspect
import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any

import typer

from samara.cli.completion import one_of
from samara.cli.device_option import ModelDevice
from samara.cli.gathering import gathering
from samara.cli.link_options import PARAMETER as LINK_OPTIONS
from samara.cli.link_options import given_of, link_parameters, macs_in_words
from samara.cli.outcome import MisuseError
from samara.energy import catalogue, check_tag, presets, topology
from samara.energy.mac import names, settings
from samara.energy.message_frames import frames_of_message
from samara.energy.receipt_costs import radio_for
from samara.energy.scenario import Scenario
from samara.energy.security import Sealing
from samara.link.node.kinds import kinds, mac_of, mac_settings, macs
from samara.link.node.options import Option
from samara.units import Unit

PARAMETER = "described"
_MOST_NUMBERS = 200
_MOST_BYTES = 1 << 20
_USUAL_LINK = "ieee802154"
_PANEL = "Options of the node"
COMPARED = "none, a level such as 6, suite=NAME"


def _of_batteries() -> list[str]:
    return [each.name for each in catalogue.batteries()]


def _of_radios() -> list[str]:
    return [each.name for each in catalogue.radios()]


def of_bands() -> list[str]:
    """Return the names of all bands."""
    return [each.name for each in catalogue.bands()]


Interval = Annotated[
    float,
    typer.Option(
        metavar="SECONDS",
        min=0.001,
        help="Seconds from one message of a node to its next.",
    ),
]
Draws = Annotated[
    int, typer.Option(min=10, max=1_000_000, help="Draws from the tolerances.")
]
BandLimit = Annotated[
    str | None,
    typer.Option(
        "--band",
        metavar="NAME",
        autocompletion=one_of(of_bands),
        help=f"Band whose duty cycle counts: {', '.join(of_bands())}. Default: none.",
    ),
]
Topology = Annotated[
    str,
    typer.Option(
        "--topology",
        metavar="NAME",
        autocompletion=one_of(lambda: topology.SHAPES),
        help=f"Shape of the network: {', '.join(topology.SHAPES)}.",
    ),
]
Sink = Annotated[
    str,
    typer.Option(
        metavar="PLACE",
        autocompletion=one_of(lambda: (topology.CORNER, topology.CENTRE)),
        help="Place of the sink with --topology grid: corner, centre, or COLUMN,ROW "
        "from 0,0.",
    ),
]
Edges = Annotated[
    Path | None,
    typer.Option(
        metavar="FILE",
        help="CSV file with the columns from, to and, if links are poor, delivery, in "
        "place of --topology and --nodes. The sink is called sink.",
    ),
]
Delivery = Annotated[
    float,
    typer.Option(
        metavar="P",
        min=0.01,
        max=1,
        help="Share of the frames, and of the acknowledgements, that arrive over each "
        "link of --topology.",
    ),
]
Preset = Annotated[
    str,
    typer.Option(
        metavar="NAME",
        autocompletion=one_of(lambda: presets.CASES),
        help="honest: as the other options say. paper, which is paper-software, and "
        "paper-hardware: as Altolini et al.; of the other options only --topology, "
        "--sink, --nodes, --interval, --band and -o apply.",
    ),
]


@dataclass(frozen=True, slots=True, kw_only=True)
class Described:
    """A node, as a user describes it."""

    link: Annotated[
        str | None,
        typer.Option(
            metavar="LINK",
            autocompletion=one_of(macs),
            help=f"Kind of link: {' or '.join(macs())}. Default: the one that --radio "
            f"is usual for, else {_USUAL_LINK}.",
        ),
    ] = None
    size: Annotated[
        int,
        typer.Option(
            "--bytes",
            metavar="BYTES",
            min=0,
            max=_MOST_BYTES,
            help="Size of a message in bytes.",
        ),
    ] = 20
    device: ModelDevice = "atmega128rfa1"
    radio: Annotated[
        str | None,
        typer.Option(
            metavar="RADIO",
            autocompletion=one_of(_of_radios),
            help=f"Transceiver: {', '.join(_of_radios())}. Default: the one of the "
            "device or of the link.",
        ),
    ] = None
    mac: Annotated[
        str | None,
        typer.Option(
            metavar="NAME",
            autocompletion=one_of(names),
            help=f"Medium access of the link: {macs_in_words()}. Default: the first.",
        ),
    ] = None
    wake_interval: Annotated[
        float | None,
        typer.Option(
            metavar="SECONDS",
            min=0.001,
            help="Seconds from one wake-up to the next, if nodes wake up with this "
            "medium access. Default: that of the medium access.",
        ),
    ] = None
    battery: Annotated[
        str,
        typer.Option(
            metavar="NAME",
            autocompletion=one_of(_of_batteries),
            help=f"Battery: {', '.join(_of_batteries())}.",
        ),
    ] = "2xaa-alkaline"
    celsius: Annotated[
        float,
        typer.Option(
            metavar="CELSIUS",
            min=-60,
            max=120,
            help="Temperature of the battery in degrees Celsius.",
        ),
    ] = 20.0
    sealing: Annotated[
        Sealing,
        typer.Option(
            help="How often a frame is sealed that the medium access repeats: once, or "
            "every-copy, each with a frame counter of its own."
        ),
    ] = Sealing.ONCE
    open_before_filter: Annotated[
        bool,
        typer.Option(
            "--open-before-filter",
            help="Open overheard frames too, before the address filter. Default: after "
            "it.",
        ),
    ] = False
    reserve: Annotated[
        int,
        typer.Option(
            metavar="N",
            min=1,
            max=1 << 32,
            help="Frame counters that one durable write reserves.",
        ),
    ] = 1000
    link_options: Mapping[str, Any]
    """Those that were given, of the kind of link."""

    @property
    def used_link(self) -> str:
        """The kind of link."""
        if self.link is not None:
            return self.link
        usual = {kinds()[link].radio: link for link in macs()}
        return usual.get(self.radio, _USUAL_LINK)

    def scenario(self, link_options: Mapping[str, Any] | None = None) -> Scenario:
        """Return what the energy model takes.

        Parameters
        ----------
        link_options
            In place of the options of the link.

        Raises
        ------
        MisuseError
            When the link has no energy model, no radio is usual for it, its nodes
            cannot have the medium access, or that has no wake-up interval; when the
            device is a core that does not compute tags of this size.
        """
        link, used_mac = self.used_link, mac_of(self.used_link, self.mac)
        radio = self.radio or radio_for(link, self.device)
        if radio is None:
            message = f"no radio is usual for {link} on {self.device}: give --radio"
            raise MisuseError(message)
        given = self.link_options if link_options is None else link_options
        frames = frames_of_message(link, self.size, given)
        if frames.calls and (tag := given.get("tag_size")) is not None:
            check_tag(self.device, tag)
        return Scenario(
            device=self.device,
            radio=radio,
            mac=used_mac,
            mac_settings={
                **mac_settings(link, used_mac, given),
                **self._settings_of(used_mac),
            },
            battery=self.battery,
            celsius=self.celsius,
            **frames.described(),
            sealing=self.sealing,
            opens_before_filter=self.open_before_filter,
            reserved=self.reserve,
        )

    def _settings_of(self, used_mac: str) -> dict[str, float]:
        known = settings(used_mac)
        if self.wake_interval is None:
            return {}
        if "wake_interval_s" not in known:
            message = (
                f"--wake-interval does not apply to --mac {used_mac}: nodes do not wake"
            )
            raise MisuseError(message)
        return {"wake_interval_s": self.wake_interval}


_OF_BATTERY = ("battery", "celsius")


def describes_node(
    *,
    wanted: Callable[[Option], bool] = lambda option: option.changes_receipt,
    without: tuple[str, ...] = (),
    **defaults: str,
) -> Callable[[Callable[..., int | None]], Callable[..., int | None]]:
    """Return a decorator that gives a command the options of a `Described` node.

    The command has a parameter `described` instead.

    Parameters
    ----------
    wanted
        Tells which options of kinds of link the command takes.
    without
        Fields of `Described` that do not apply to the command.
    defaults
        Other defaults of fields.
    """
    fields = inspect.signature(Described, eval_str=True).parameters
    own = [
        _in_panel(parameter.replace(default=defaults.get(name, parameter.default)))
        for name, parameter in fields.items()
        if name not in (*without, LINK_OPTIONS)
    ]
    of_links = link_parameters(wanted, links=macs())

    def describe(given: Mapping[str, Any]) -> Described:
        of_link = given_of({each.name: given[each.name] for each in of_links})
        return Described(
            link_options=of_link, **{each.name: given[each.name] for each in own}
        )

    return lambda command: gathering(command, PARAMETER, [*own, *of_links], describe)


def _in_panel(parameter: inspect.Parameter) -> inspect.Parameter:
    """Put an option where the help has all those of the node."""
    for each in parameter.annotation.__metadata__:
        each.rich_help_panel = _PANEL
    return parameter


def numbers_of(
    option: str, text: str, unit: Unit, *, whole: bool = False
) -> list[float]:
    """Return the numbers of FIRST[:LAST[:STEP]].

    Parameters
    ----------
    unit
        What a number alone is in.
    whole
        Whether they are whole, one after the other unless a step is given; else
        they are 50.

    Raises
    ------
    MisuseError
        When the text is none, or there are too many.
    """
    try:
        first, *others = (unit.parse(part) for part in text.split(":"))
        last, *rest = others or [first]
        (step,) = rest or [1.0 if whole else (last - first) / 49]
        count = int((last - first) / step + 1e-9) + 1 if last > first else 1
        right = step > 0 or last == first
    except (ValueError, OverflowError, ZeroDivisionError):
        first = last = step = math.nan
        count, right = 0, False
    numbers = [first + step * number for number in range(min(count, _MOST_NUMBERS + 1))]
    fine = all(0 < n < math.inf and (not whole or n == int(n)) for n in numbers)
    if not (right and last >= first and fine and 0 < count <= _MOST_NUMBERS):
        message = (
            f"{option} {text!r} is not valid: expected FIRST, FIRST:LAST or "
            f"FIRST:LAST:STEP, {'whole numbers ' if whole else ''}above 0, at most "
            f"{_MOST_NUMBERS}"
        )
        raise MisuseError(message)
    return numbers
