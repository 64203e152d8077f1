# SPDX-License-Identifier: Apache-2.0
"""Secrets for OSCORE (RFC 8613) from the last run of EDHOC with a neighbour.

Each run exports one, as RFC 9528 (appendix A.1) defines it. Both nodes store it
together with the key that they have agreed upon, and each gives it out once: two copies
of a context would both count from zero, and so repeat nonces. After the next run there
is another one.
"""

from __future__ import annotations

import io
from dataclasses import replace
from typing import TYPE_CHECKING

from samara.link.ieee802154.keys import neighbours
from samara.link.node.link import NeighbourError
from samara.link.node.members import Change, OscoreSecret

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from samara.edhoc.exporting import Exporter
    from samara.link.ieee802154.keys.neighbours import Neighbour
    from samara.link.node.state_file import Record

# Of the secret, the salt, and the identifiers of sender and recipient.
_SIZES = (16, 8, 1, 1)
_RENEW = "`samara node rekey --edhoc` makes a secret"


def exported(exporter: Exporter, *, has_begun: bool) -> str:
    """Return what a node stores of a run, as hex digits.

    Parameters
    ----------
    has_begun
        Whether this node has begun the run; the other one has answered.
    """
    from samara.edhoc.exporting import OscoreContext  # noqa: PLC0415 - of an extra
    from samara.edhoc.runs import INITIATOR, RESPONDER  # noqa: PLC0415

    own, other = (INITIATOR, RESPONDER) if has_begun else (RESPONDER, INITIATOR)
    context = OscoreContext.of(exporter, own=own, other=other)
    parts = (context.secret, context.salt, context.sender, context.recipient)
    return b"".join(parts).hex()


def taken(
    records: Mapping[str, Record], name: str | None, key_size: int
) -> tuple[OscoreSecret, Change]:
    """Return the secret of a neighbour, and the change that removes it.

    Parameters
    ----------
    name
        Of the neighbour. None: the only one.

    Raises
    ------
    NeighbourError
        When there is no such neighbour, or no secret of it.
    """
    known = neighbours.of_records(records, key_size)
    neighbour = _neighbour(records, known, name)
    _check(neighbour)
    content = io.BytesIO(bytes.fromhex(neighbour.oscore))
    secret, salt, sender, recipient = (content.read(size) for size in _SIZES)
    generation = neighbour.current.generation
    given = OscoreSecret(secret, salt, sender, recipient, generation)
    after = replace(neighbour, oscore="")
    return given, Change({after.record_name: after.as_record()})


def _neighbour(
    records: Mapping[str, Record], known: Sequence[Neighbour], name: str | None
) -> Neighbour:
    if name is not None:
        neighbours.check_known(records, name)
    found = [each for each in known if name in (None, each.name)]
    if not found:
        # Also of a pair: until its first renewal it has no record.
        message = f"this node has agreed with nobody by EDHOC: {_RENEW}"
        raise NeighbourError(message)
    if len(found) > 1:
        names = ", ".join(sorted(str(each.name) for each in found))
        message = f"give --neighbour NAME, one of {names}"
        raise NeighbourError(message)
    return found[0]


def _check(neighbour: Neighbour) -> None:
    name, renew = neighbour.name or "the other node", _RENEW
    if neighbour.is_joining or neighbour.renewal is not None:
        message = f"{name} and this node are agreeing on a key: try again afterwards"
    elif not neighbour.is_confirmed:
        message = f"{name} has not used the new key yet: try again afterwards"
    elif not neighbour.edhoc:
        message = f"the key of {name} does not come from EDHOC: {renew}"
    elif not neighbour.oscore:
        message = f"the secret shared with {name} was given out before: {renew}"
    else:
        return
    raise NeighbourError(message)
