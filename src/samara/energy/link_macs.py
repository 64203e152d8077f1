# SPDX-License-Identifier: Apache-2.0
"""Which medium accesses the nodes of each kind of link can have.

A kind of link names those that it brings or assumes (`Kind.macs`); a medium access
names the kinds of link that it is for (`MediumAccess.links`). So a new one of either
is a file of its own.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from samara.crypto.names import find
from samara.energy import mac as medium_accesses
from samara.errors import MisuseError
from samara.link.node.kinds import kinds

if TYPE_CHECKING:
    from collections.abc import Mapping


def macs_of(link: str) -> list[str]:
    """Return the medium accesses of a kind of link, first the one that is assumed.

    >>> macs_of("ieee802154")[:2], macs_of("rf-serial"), macs_of("sdr")
    (['box-mac-2', 'always-listening'], ['serial-radio'], [])
    """
    found = [*kinds()[link].macs, *medium_accesses.of_link(link)]
    return list(dict.fromkeys(found))


def assumed_macs() -> dict[str, str]:
    """Return the medium access that each kind of link with an energy model assumes."""
    return {name: found[0] for name in kinds() if (found := macs_of(name))}


def macs_in_words() -> str:
    """Return which medium accesses nodes of each kind of link can have."""
    return "; ".join(f"{name}: {', '.join(macs_of(name))}" for name in assumed_macs())


def mac_of(link: str, wanted: str | None = None) -> str:
    """Return the medium access of the nodes of a kind of link.

    Parameters
    ----------
    wanted
        A medium access. Default: the one that is assumed for the link.

    Raises
    ------
    samara.crypto.UnknownNameError
        When there is no such medium access.
    MisuseError
        When the link has no energy model, or nodes of it cannot have this medium
        access; the text names what is possible.
    """
    assumed = assumed_macs()
    if link not in assumed:
        message = f"--link {link!r} has no energy model: give {' or '.join(assumed)}"
        raise MisuseError(message)
    if wanted is None:
        return assumed[link]
    links = [name for name in assumed if wanted in macs_of(name)]
    if not links:
        find("medium access", wanted, dict.fromkeys(medium_accesses.names()))
    if link not in links:
        others = f", or --link {' or '.join(links)}" if links else ""
        message = (
            f"nodes of {link} cannot have --mac {wanted}: give --mac "
            f"{', '.join(macs_of(link))}{others}"
        )
        raise MisuseError(message)
    return wanted


def mac_settings(link: str, mac: str, given: Mapping[str, Any]) -> dict[str, float]:
    """Return what options of a link set of a medium access.

    Parameters
    ----------
    given
        Values of the link's options; what is not given is as the medium access has it.

    >>> mac_settings("rf-serial", "serial-radio", {"modem_timeout_ms": 100})
    {'timeout_s': 0.1}
    """
    if mac != assumed_macs()[link]:
        return {}
    kind = kinds()[link]
    completed = kind.completed(given)
    of_options = {
        option.of_mac[0]: completed[option.name] * option.of_mac[1]
        for option in kind.options
        if option.of_mac is not None and completed.get(option.name) is not None
    }
    return {**of_options, **kind.mac_settings(given)}
