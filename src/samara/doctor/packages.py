# SPDX-License-Identifier: Apache-2.0
"""The Python packages that samara's own description names, with those of extras."""

from __future__ import annotations

import importlib.metadata
import re
from importlib.util import find_spec
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

EXTRAS = {
    "": "all commands",
    "bench": "bench run, report",
    "chip": "chip synth, fpga, power, report",
    "console": "console",
    "edhoc": "node invite --edhoc, rekey --edhoc",
    "jls": "energy trace of Joulescope's files",
    "phy": "phy, channel, links of kind sdr",
    "qr": "node invite --qr",
    "randomness": "randomness run, report",
    "riscv": "bench run for RISC-V",
    "serial": "links of kind rf-serial, modem, bench board",
    "speed": "speed (what it compares with)",
}
"""What needs the packages of each extra; the empty one is samara itself."""
_NAME = re.compile(r"[A-Za-z0-9._-]+")
_EXTRA = re.compile(r"""extra == ['"]([a-z-]+)['"]""")
_OF_THE_SYSTEM = {
    "gnuradio": ("gnuradio", "phy, channel, links of kind sdr"),
    "SoapySDR": ("python3-soapysdr", "radios for links of kind sdr"),
}


class Package(NamedTuple):
    """A Python package, and what needs it."""

    name: str
    version: str
    """Empty: it is not installed."""
    serves: str
    advice: str
    needed: bool


def packages() -> Iterator[Package]:
    """Yield each package once, with all that needs it, then those of the system."""
    wanted = by_name(importlib.metadata.requires("samara") or ())
    for name, extras in wanted.items():
        extra = "" if "" in extras else f"[{extras[0]}]"
        yield Package(
            name,
            _version(name),
            "; ".join(EXTRAS[each] for each in extras),
            f"pip install 'samara{extra}'",
            needed="" in extras,
        )
    for name, (package, serves) in _OF_THE_SYSTEM.items():
        is_there = find_spec(name) is not None
        version = "found" if is_there else ""
        yield Package(name, version, serves, f"apt-get install {package}", needed=False)


def by_name(requirements: Iterable[str]) -> dict[str, list[str]]:
    """Return the extras that need each package; those of developers are left out.

    >>> by_name(["numpy>=1", 'scipy>=1; extra == "phy"', 'mypy; extra == "test"'])
    {'numpy': [''], 'scipy': ['phy']}
    """
    found: dict[str, list[str]] = {}
    for line in requirements:
        name, extra = _NAME.match(line), _EXTRA.search(line)
        key = extra[1] if extra else ""
        if name and key in EXTRAS:
            found.setdefault(name[0], []).append(key)
    return found


def _version(name: str) -> str:
    try:
        return importlib.metadata.version(name)
    except importlib.metadata.PackageNotFoundError:
        return ""
