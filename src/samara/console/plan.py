# SPDX-License-Identifier: Apache-2.0
"""What was chosen for a conversation: link, options and device; kept in a file."""

from __future__ import annotations

import json
import time
from dataclasses import asdict, dataclass, field
from typing import TYPE_CHECKING, Any, Final, Self

from samara import crypto
from samara.bench.devices import device, devices
from samara.console.emulation import emulations
from samara.console.offers import DeviceOffered, LinkOffered, OptionOffered
from samara.errors import MisuseError
from samara.link.node.kinds import kind
from samara.link.node.options import settings_from
from samara.records.parameters import Between

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from pathlib import Path

    from samara.link.node.kinds import Kind
    from samara.link.node.options import Option

FILE: Final = "conversation.json"
LONGEST_LIST: Final = 32
"""Values of an option that are listed one by one."""

_MODE = 0o600


@dataclass(frozen=True, slots=True)
class Plan:
    """What was chosen.

    Raises
    ------
    MisuseError
        When there is no such link, option, value or device.
    """

    link: str
    options: Mapping[str, Any] = field(default_factory=dict)
    """Of the kind of link; the others have their defaults."""
    device: str = ""
    """Of the receipts; empty: none."""
    begun_s: float = field(default_factory=lambda: round(time.time(), 3))
    """When it was made, in s since 1970."""

    def __post_init__(self) -> None:
        if self.link not in emulations():
            message = (
                f"the console does not show {self.link!r}: {', '.join(emulations())}"
            )
            raise MisuseError(message)
        chosen = kind(self.link)
        names = [each.name for each in chosen_options(chosen)]
        if unknown := sorted(set(self.options) - set(names)):
            message = f"{self.link} takes no {unknown[0]!r:.40}: {', '.join(names)}"
            raise MisuseError(message)
        chosen.new_pair(self.options)
        if self.device:
            device(self.device)

    def write(self, folder: Path) -> None:
        """Keep it in the directory of the conversation."""
        path = folder / FILE
        path.touch(_MODE)
        path.write_text(json.dumps(asdict(self)), encoding="utf-8")

    @classmethod
    def read(cls, folder: Path) -> Self | None:
        """Return that of a directory; None when it has none that can be read."""
        try:
            return cls(**json.loads((folder / FILE).read_text(encoding="utf-8")))
        except (OSError, ValueError, TypeError, MisuseError):
            return None

    def in_words(self) -> str:
        """Return what was chosen, as people read it."""
        return ", ".join(
            f"{name.replace('_', ' ')} {value}" for name, value in self.options.items()
        )

    def warning(self) -> str:
        """Return what its link does not protect; empty for nothing."""
        chosen = kind(self.link)
        warned = chosen.warning(settings_of(chosen, self.options))
        return "" if warned is None else warned.text


def settings_of(chosen: Kind, options: Mapping[str, Any]) -> dict[str, Any]:
    """Return the settings of a node with these options."""
    first, _ = chosen.new_pair(options)
    return {**settings_from(chosen.name, chosen.options, options), **first.settings}


def chosen_options(chosen: Kind) -> list[Option]:
    """Return the options of a kind that a conversation can have: those that cost."""
    return [
        each
        for each in chosen.options
        if each.changes_receipt and each.on_command_line and not each.at_each_run
    ]


def links_offered() -> list[LinkOffered]:
    """Return all links that can be chosen."""
    return [
        LinkOffered(name, emulation.title, tuple(_options_of(kind(name))))
        for name, emulation in emulations().items()
    ]


def devices_offered() -> list[DeviceOffered]:
    """Return all devices that can be chosen."""
    return [DeviceOffered(each.name, each.title) for each in devices()]


def _options_of(chosen: Kind) -> Iterator[OptionOffered]:
    for each in chosen_options(chosen):
        values = each.values
        listed: tuple[str, ...] = ()
        lowest: float | None = None
        highest: float | None = None
        if each.name == "suite":
            listed = tuple(_suites(chosen))
        elif isinstance(values, range):
            lowest, highest = values[0], values[-1]
            if len(values) <= LONGEST_LIST:
                listed = tuple(map(str, values))
        elif isinstance(values, Between):
            lowest, highest = values.low, values.high
        elif values is not None:
            listed = tuple(map(str, values))  # type: ignore[call-overload]
        initial = each.initial()
        default = "" if initial is None else str(initial)
        name = {int: "whole", float: "number"}.get(each.type, "text")
        yield OptionOffered(
            each.name, each.help, name, listed, lowest, highest, default
        )


def _suites(chosen: Kind) -> Iterator[str]:
    """Yield the suites that nodes of a kind take, those in use first."""
    found = {each.options.get("suite") for each in chosen.protections()}
    names = [name for name in found if name and _is_taken(chosen, str(name))]
    yield from sorted(map(str, names), key=lambda name: (_is_research(name), name))


def _is_taken(chosen: Kind, suite: str) -> bool:
    try:
        chosen.new_pair({"suite": suite})
    except (MisuseError, ValueError):
        return False
    return True


def _is_research(suite: str) -> bool:
    try:
        return crypto.suite(suite).standing is crypto.Standing.RESEARCH
    except (MisuseError, ValueError):
        return False
