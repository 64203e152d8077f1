# SPDX-License-Identifier: Apache-2.0
"""Medium accesses that nodes can have, one module each, found by scanning this package.

A module has a class that derives from `MediumAccess` under the name ``ACCESS``. Its
name is the module's, with hyphens: box_mac_2.py is ``box-mac-2``. What it costs on
average is the module of the same name in `samara.energy.mac`. Times are in seconds.
"""

from __future__ import annotations

import importlib
import pkgutil
from functools import cache
from typing import TYPE_CHECKING, Any, ClassVar, Protocol, Self

from samara.crypto.names import find

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from samara.link.node.options import Option

DEFAULT = "always-listening"


class Receiver(Protocol):
    """When the radio of a node hears."""

    def hears(self, start_s: float, end_s: float) -> float | None:
        """Tell of a frame on the air whether it is heard as a whole.

        Frames come in the order of their ends, also those for others.

        Returns
        -------
        float or None
            For how long the radio has listened before the frame began, since it woke
            up or since the frame before; None: it did not hear it.
        """
        ...


class MediumAccess:
    """A medium access; by default a radio is always on, and a frame is sent once.

    Without an acknowledgement that it asks for, it is sent again (`samara.link.
    ieee802154.mac`).
    """

    title: ClassVar[str]
    """What it is, for help texts: it completes "Medium access:"."""
    options: ClassVar[Sequence[Option]] = ()
    """Options of nodes, which nodes may lack that were made before
    (`Option.may_be_missing`). Invitations have none of those that are new."""
    asks_for_acks: ClassVar[bool] = False
    """Whether frames ask for an acknowledgement, also without --frame-retries."""
    is_repeating: ClassVar[bool] = False
    """Whether a frame is sent again and again until it is acknowledged; one that asks
    for nothing, to the end. If so, `repeats_for_s` and `gap_s` say how."""
    gap_s: float = 0.0
    """How long a sender listens after each repetition."""
    wait_s: float = 0.0
    """How long a frame waits at most until its receiver wakes up."""

    @classmethod
    def of(cls, settings: Mapping[str, Any]) -> Self:
        """Return the medium access of a node with these settings."""
        del settings
        return cls()

    def receiver(self, now_s: float) -> Receiver | None:
        """Return when the radio hears from now on; None: always."""
        del now_s
        return None

    def repeats_for_s(self, air_s: float) -> float:
        """Return for how long repetitions of a frame begin.

        Parameters
        ----------
        air_s
            How long the frame is on the air.
        """
        raise NotImplementedError


@cache
def by_name() -> dict[str, type[MediumAccess]]:
    """Return all medium accesses by their names, the default first."""
    modules = sorted(module.name for module in pkgutil.iter_modules(__path__))
    found = {
        name.replace("_", "-"): importlib.import_module(f"{__name__}.{name}").ACCESS
        for name in modules
    }
    return {DEFAULT: found[DEFAULT], **found}


def name_of(settings: Mapping[str, Any]) -> str:
    """Return the name of the medium access of a node."""
    name: str = settings.get("mac") or DEFAULT
    return name


def access_of(settings: Mapping[str, Any]) -> MediumAccess:
    """Return the medium access of a node.

    Raises
    ------
    samara.crypto.UnknownNameError
        When there is none of this name.
    """
    return find("medium access", name_of(settings), by_name()).of(settings)
