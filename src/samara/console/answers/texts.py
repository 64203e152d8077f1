# SPDX-License-Identifier: Apache-2.0
"""Requests read from texts, as a form or an address has them.

Numbers may have their unit, as on a command line: ``interval=5min``.
"""

from __future__ import annotations

from enum import Enum
from typing import TYPE_CHECKING, Any

from samara.errors import ArgumentError
from samara.records.parameters import ParameterError, from_values, parameters_of
from samara.units import COUNT, NUMBER

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from samara.console.answers.questions import Question
    from samara.records.parameters import Parameter, Request

TEXTS_MAX = 64
"""Values of one parameter."""
TEXT_MAX = 4096
"""Characters of a value that is a text."""
NAME_MAX = 200
"""Characters of each of several: an address of a page has some 64 KiB."""
_TRUTHS = {"true": True, "false": False}


def request_of(question: Question, given: Mapping[str, Sequence[str]]) -> Request:
    """Return a request of texts, by the names of its parameters.

    Parameters
    ----------
    given
        An empty text is a value that is not given, but where there may be several.

    Raises
    ------
    ArgumentError
        When there is no such parameter, one is missing, or does not take a value.
    """
    known = {each.name: each for each in question.parameters}
    for name in given:
        if name not in known:
            message = f"{name!r:.60} is not asked here: expected {', '.join(known)}"
            raise ArgumentError(message)
    values = {name: _value(known[name], texts) for name, texts in given.items()}
    for name, parameter in known.items():
        if parameter.is_required and values.get(name) is None:
            raise ParameterError(parameter, "is missing")
    return from_values(question.request, values | _of_this_process(question))


def _of_this_process(question: Question) -> dict[str, Any]:
    """Return the value with which a question is answered by one process alone.

    Several answers are computed at a time. One process also says from the beginning how
    far it is; of others one hears when a whole part of the work is done.
    """
    names = {each.name for each in parameters_of(question.request)}
    return {"workers": 1} if "workers" in names else {}


def _value(parameter: Parameter, texts: Sequence[str]) -> Any:  # noqa: ANN401 - of many types
    if not texts or not (parameter.repeatable or any(texts)):
        return None
    if len(texts) > (TEXTS_MAX if parameter.repeatable else 1):
        raise ParameterError(parameter, "is given too often")
    try:
        values = [_read(parameter, text) for text in texts]
    except ParameterError:
        raise
    except ArgumentError as error:
        raise ParameterError(parameter, f"does not fit: {error}") from None
    return tuple(values) if parameter.repeatable else values[0]


def _read(parameter: Parameter, text: str) -> Any:  # noqa: ANN401 - as above
    kind = parameter.type
    if kind is bool:
        if text not in _TRUTHS:
            raise ParameterError(parameter, f"must be true or false, not {text!r:.60}")
        return _TRUTHS[text]
    if kind is int:
        return (parameter.unit or COUNT).whole(text)
    if kind is float:
        return (parameter.unit or NUMBER).parse(text)
    if issubclass(kind, Enum):
        return _of_enumeration(parameter, text)
    most = text_max(parameter)
    if len(text) > most:
        raise ParameterError(parameter, f"must have at most {most} characters")
    return text


def text_max(parameter: Parameter) -> int:
    """Return how many characters a text for a parameter may have."""
    return NAME_MAX if parameter.repeatable else TEXT_MAX


def _of_enumeration(parameter: Parameter, text: str) -> Enum:
    values: list[Enum] = list(parameter.type)  # type: ignore[call-overload]
    values = [each for each in values if each not in parameter.terminal_only]
    for each in values:
        if str(each.value) == text:
            return each
    names = ", ".join(str(each.value) for each in values)
    raise ParameterError(parameter, f"must be one of {names}, not {text!r:.60}")
