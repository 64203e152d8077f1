# SPDX-License-Identifier: Apache-2.0
"""A short code of an invitation, which two people compare.

If it is the same at both nodes, nobody has replaced the invitation on its way. It shows
nothing of the invitation, and has 80 bits: an attacker has to find another invitation
with the same code, and cannot choose the first one.
"""

from __future__ import annotations

import base64
import hashlib

_LABEL = b"samara invitation code 1 "
_BITS = 80
_GROUP = 4


def code_of(invitation: str) -> str:
    """Return the code of an invitation, however its lines are broken.

    >>> code_of("SAMARA2:AAAA") == code_of("SAMARA2:AA AA")
    True
    >>> len(code_of("SAMARA2:AAAA"))
    19
    """
    line = "".join(invitation.split()).encode()
    digest = hashlib.sha256(_LABEL + line).digest()[: _BITS // 8]
    digits = base64.b32encode(digest).decode()
    return "-".join(digits[at : at + _GROUP] for at in range(0, len(digits), _GROUP))
