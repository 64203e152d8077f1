# SPDX-License-Identifier: Apache-2.0
"""Profiles of transceiver chips that send 2-FSK or GFSK: a file each in `profiles`."""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from samara.errors import MisuseError
from samara.phy.transceivers.keying import Keying
from samara.phy.transceivers.packet_formats import (
    Check,
    Layout,
    PacketFormat,
    Whitening,
)

if TYPE_CHECKING:
    from collections.abc import Mapping

_HERE = Path(__file__).parent / "profiles"


@dataclass(frozen=True, slots=True)
class Profile:
    """How a chip sends packets."""

    name: str
    title: str
    source: str
    """Where the values were read."""
    keying: Keying
    preamble: bytes
    sync: bytes
    format: PacketFormat


@cache
def profiles() -> Mapping[str, Profile]:
    """Return all profiles by their names, which are those of the files."""
    found = {path.stem: path for path in _HERE.glob("*.toml")}
    return {name: read_profile(found[name]) for name in sorted(found)}


def profile_named(name: str) -> Profile:
    """Return a profile.

    Raises
    ------
    MisuseError
        If there is none of this name.
    """
    known = profiles()
    if name not in known:
        message = f"unknown chip {name!r}: expected one of {', '.join(known)}"
        raise MisuseError(message)
    return known[name]


def read_profile(path: Path) -> Profile:
    """Read a profile.

    Raises
    ------
    MisuseError
        If the file cannot be read, or a value is missing or wrong.
    """
    try:
        values = tomllib.loads(path.read_text("utf-8"))
        return _profile(path.stem, values)
    except KeyError as error:
        reason = f"{error.args[0]} is missing"
    except OSError as error:
        reason = error.strerror or str(error)
    except (ValueError, TypeError, AttributeError) as error:
        reason = str(error)
    message = f"{path} is not a profile of a chip: {reason}"
    raise MisuseError(message)


def _profile(name: str, values: Mapping[str, Any]) -> Profile:
    sync = bytes.fromhex(values["sync"])
    keying = Keying(
        float(values["bit_rate"]),
        float(values["deviation"]),
        float(values.get("bandwidth_time", 0.0)),
    )
    if not sync or keying.bit_rate <= 0 or keying.deviation <= 0:
        reason = "sync, bit_rate and deviation have to be more than nothing"
        raise ValueError(reason)
    packet_format = PacketFormat(
        Layout(values["layout"]),
        Whitening(values.get("whitening", "none")),
        Check(**values["check"]) if "check" in values else None,
        int(values["longest"]),
        sync,
    )
    preamble = bytes.fromhex(values["preamble"])
    return Profile(
        name, values["title"], values["source"], keying, preamble, sync, packet_format
    )
