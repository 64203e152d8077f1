# SPDX-License-Identifier: Apache-2.0
"""What clients of a node that stays up ask about neighbours and keys.

Each is one object, answered at once by another; see `samara.link.node.local_lines`.
What takes time, such as agreeing on a key, is only begun: the client asks with `keys`
how far it is, so that the process keeps nothing of a client that is gone.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from samara.link.node.local_lines import LineError

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from samara.link.node.node import Node

# As invitations have it.
_SECONDS_MAX = 2**32 - 1
_NAMES_MAX = 64


def answer_to(fields: Mapping[str, Any], node: Node) -> dict[str, Any] | None:
    """Do what an object asks; return the answer, or None when it is none of these.

    Raises
    ------
    LineError
        When a value in it is not possible.
    MisuseError
        When it cannot be done.
    """
    known = _ANSWERS.get(fields["type"])
    return None if known is None else known(fields, node)


def _invite(fields: Mapping[str, Any], node: Node) -> dict[str, Any]:
    name, ends_s = _name(fields, "name"), _time_s(fields)
    made = node.invite(name, ends_s, edhoc=_is_edhoc(fields))
    return {"type": "invited", "name": made.name, "invitation": made.text}


def _withdraw(fields: Mapping[str, Any], node: Node) -> dict[str, Any]:
    node.withdraw(_needed(fields, "name"))
    return _DONE


def _forget(fields: Mapping[str, Any], node: Node) -> dict[str, Any]:
    return {**_DONE, "left_to_do": list(node.forget(_needed(fields, "name")))}


def _take_oscore(fields: Mapping[str, Any], node: Node) -> dict[str, Any]:
    taken = node.take_oscore(_name(fields, "name"))
    return {
        "type": "oscore",
        "secret": taken.secret.hex(),
        "salt": taken.salt.hex(),
        "sender": taken.sender.hex(),
        "recipient": taken.recipient.hex(),
        "generation": taken.generation,
    }


def _renew(fields: Mapping[str, Any], node: Node) -> dict[str, Any]:
    node.renew(_name(fields, "neighbour"), edhoc=_is_edhoc(fields))
    return _DONE


def _keys(fields: Mapping[str, Any], node: Node) -> dict[str, Any]:
    about = fields.get("about")
    if about is not None and not _is_names(about):
        message = f"about is null, or a list of at most {_NAMES_MAX} names"
        raise LineError(message)
    return {
        "type": "keys",
        "unsettled": list(node.unsettled(about)),
        "refused": list(node.refused(about or ())),
    }


def _introduce(fields: Mapping[str, Any], node: Node) -> dict[str, Any]:
    node.introduce(_needed(fields, "first"), _needed(fields, "second"))
    return _DONE


_DONE = {"type": "done"}
_ANSWERS: Mapping[str, Callable[[Mapping[str, Any], Node], dict[str, Any]]] = {
    "invite": _invite,
    "withdraw": _withdraw,
    "forget": _forget,
    "take_oscore": _take_oscore,
    "renew": _renew,
    "introduce": _introduce,
    "keys": _keys,
}


def _is_names(value: object) -> bool:
    if not isinstance(value, list) or len(value) > _NAMES_MAX:
        return False
    return all(isinstance(each, str) for each in value)


def _name(fields: Mapping[str, Any], field: str) -> str | None:
    value = fields.get(field)
    if not isinstance(value, str | None):
        message = f"{field} is a name or null"
        raise LineError(message)
    return value


def _needed(fields: Mapping[str, Any], field: str) -> str:
    value = _name(fields, field)
    if value is None:
        message = f"{field} is a name"
        raise LineError(message)
    return value


def _is_edhoc(fields: Mapping[str, Any]) -> bool:
    value = fields.get("edhoc", False)
    if not isinstance(value, bool):
        message = "edhoc is true or false"
        raise LineError(message)
    return value


def _time_s(fields: Mapping[str, Any]) -> int | None:
    value = fields.get("ends_s")
    if value is None:
        return None
    if type(value) is not int or not 0 < value <= _SECONDS_MAX:
        message = "ends_s is a time in seconds since 1970, or null"
        raise LineError(message)
    return value
