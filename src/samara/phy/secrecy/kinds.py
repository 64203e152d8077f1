# SPDX-License-Identifier: Apache-2.0
"""What a user gives by its name or as a file of his own: schemes, and attacks."""

from __future__ import annotations

import inspect
import reprlib

from samara.phy.secrecy import attacks, schemes
from samara.phy.secrecy.attack import Attack
from samara.phy.secrecy.scanning import Kind
from samara.phy.secrecy.scheme import Scheme


def _of_scheme(found: object) -> str:
    if not (inspect.isclass(found) and issubclass(found, Scheme)):
        what = reprlib.repr(found)
        return f"{what}, expected a class that derives from BitScheme or SymbolScheme"
    lacks = sorted(found.__abstractmethods__)
    if not isinstance(getattr(found, "title", None), str):
        lacks.append("title")
    return f"{found.__name__}, which lacks {', '.join(lacks)}" if lacks else ""


def _of_attack(found: object) -> str:
    if isinstance(found, Attack):
        return ""
    return f"{reprlib.repr(found)}, expected an Attack"


SCHEMES = Kind("scheme", schemes, "SCHEME", _of_scheme)
ATTACKS = Kind("attack", attacks, "ATTACK", _of_attack)
