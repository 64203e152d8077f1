# SPDX-License-Identifier: Apache-2.0
"""Questions described for programs: parameters as OpenAPI and JSON Schema have them.

Beside the standard's own words, a parameter has ``x-unit`` (what a number alone is in),
``x-names`` (names that exist; others may), and ``x-group`` (its heading in a form).
"""

from __future__ import annotations

import math
from enum import Enum
from pathlib import PurePath
from typing import TYPE_CHECKING, Any

from samara.console.answers.texts import TEXTS_MAX, text_max
from samara.records.parameters import Between

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from samara.console.answers.questions import Question
    from samara.records.parameters import Parameter

_TYPES = {int: "integer", float: "number", bool: "boolean"}
_LISTED_MAX = 64


def described(
    question: Question, commands: Mapping[str, tuple[str, str]]
) -> dict[str, Any]:
    """Return a question as plain values.

    Parameters
    ----------
    commands
        The command that asks it and the command's help, by the name of the question.
    """
    command, purpose = commands.get(question.name, ("", question.purpose))
    return {
        "name": question.name,
        "room": question.name.partition(".")[0],
        "command": command,
        "help": purpose,
        "parameters": [parameter(each) for each in question.parameters],
    }


def parameter(given: Parameter) -> dict[str, Any]:
    """Return a parameter as OpenAPI describes one of a query."""
    schema = _schema(given)
    if given.repeatable:
        schema = {"type": "array", "items": schema, "maxItems": TEXTS_MAX}
    default = _plain(given.initial()) if not callable(given.default) else None
    if default is not None:
        schema["default"] = default
    return {
        "name": given.name,
        "in": "query",
        "required": given.is_required,
        # As a form sends it: an empty text is a value that is not given.
        "allowEmptyValue": not (given.is_required or given.repeatable),
        "description": given.help,
        "schema": schema,
        **_more(given),
    }


def _more(given: Parameter) -> dict[str, Any]:
    found: dict[str, Any] = {"x-option": given.spelled, "x-group": given.group}
    if given.unit is not None:
        found["x-unit"] = given.unit.name
    if given.names is not None and given.values is None:
        names = list(given.names())
        if given.type is str or len(names) <= _LISTED_MAX:
            found["x-names"] = names
    if given.default_text:
        found["x-default-text"] = given.default_text
    return found


def _schema(given: Parameter) -> dict[str, Any]:
    if issubclass(given.type, Enum):
        values = [each for each in given.type if each not in given.terminal_only]
        return {"type": "string", "enum": [str(each.value) for each in values]}
    kind = _TYPES.get(given.type)
    if kind is None:
        schema: dict[str, Any] = {"type": "string", "maxLength": text_max(given)}
    else:
        schema = {"type": kind}
    return schema | _bounds(given.values)


def _bounds(values: Any) -> dict[str, Any]:  # noqa: ANN401 - a container
    if isinstance(values, Between):
        ends = {"minimum": values.low, "maximum": values.high}
        return {name: end for name, end in ends.items() if math.isfinite(end)}
    if isinstance(values, (range, tuple, list)):
        is_long = len(values) > _LISTED_MAX and set(map(type, values)) == {int}
        if is_long or isinstance(values, range):
            return {"minimum": min(values), "maximum": max(values)}
        return {"enum": list(values)}
    return {}


def _plain(value: Any) -> Any:  # noqa: ANN401 - of many kinds
    if isinstance(value, Enum):
        return value.value
    if isinstance(value, (tuple, list)):
        return [_plain(each) for each in value]
    return str(value) if isinstance(value, PurePath) else value


def paths(questions: Iterable[Mapping[str, Any]]) -> dict[str, Any]:
    """Return the routes of questions that were described, as OpenAPI has them."""
    return {
        f"/api/answers/{each['name']}": {"get": _operation(each)} for each in questions
    }


def _operation(question: Mapping[str, Any]) -> dict[str, Any]:
    lines = {"application/x-ndjson": {"schema": {"type": "string"}}}
    return {
        "operationId": question["name"],
        "summary": question["command"] or question["name"],
        "description": question["help"],
        "parameters": question["parameters"],
        "responses": {
            "200": {"description": "The answer as JSON Lines.", "content": lines},
            **{
                status: {"description": text, "content": {"application/json": {}}}
                for status, text in (
                    ("409", "A value is not accepted."),
                    ("503", "Too many answers are being computed."),
                )
            },
        },
    }
