# SPDX-License-Identifier: Apache-2.0
"""The questions that the page can ask: functions of rooms, found by scanning.

A question is a public function whose result is annotated as an `Answer`, and whose only
parameter is a request that changes nothing, needs no file of this machine, and has no
secret: what the page asks is in addresses.
"""

from __future__ import annotations

import importlib
import inspect
from collections.abc import Generator, Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, get_origin, get_type_hints

import samara
from samara.records.answers import types_of
from samara.records.parameters import Request, parameters_of

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from samara.records.parameters import Parameter

_PACKAGE: Final = Path(samara.__file__).parent
_MARK: Final = "-> Answer["
_NO_ROOMS: Final = frozenset({"cli", "console", "records"})


@dataclass(frozen=True, slots=True)
class Question:
    """What can be asked, and the function that answers."""

    name: str
    """Module and function, such as ``energy.life.life``."""
    function: Callable[[Any], Any]
    request: type[Request]

    @property
    def parameters(self) -> tuple[Parameter, ...]:
        """What can be given: a page names no files and no machines."""
        return tuple(filter(_is_offered, parameters_of(self.request)))

    @property
    def purpose(self) -> str:
        """The first sentence of the function's documentation."""
        return " ".join((inspect.getdoc(self.function) or "").split("\n\n")[0].split())


@cache
def questions() -> Mapping[str, Question]:
    """Return all questions by their names; imports the modules that have one."""
    found = (each for name in _modules() for each in _questions_of(name))
    return {each.name: each for each in found}


def question_of(name: str) -> Question:
    """Return the question with a name; of all modules that have one it imports its own.

    Raises
    ------
    KeyError
        If there is no such question.
    """
    module = name.rpartition(".")[0]
    found = _questions_of(module) if module in _modules() else ()
    return {each.name: each for each in found}[name]


def _modules() -> Iterator[str]:
    for path in sorted(_PACKAGE.rglob("*.py")):
        parts = path.relative_to(_PACKAGE).with_suffix("").parts
        if parts[0] not in _NO_ROOMS and _MARK in path.read_text(encoding="utf-8"):
            yield ".".join(parts).removesuffix(".__init__")


def _questions_of(name: str) -> Iterator[Question]:
    module = importlib.import_module(f"samara.{name}")
    for function_name, function in vars(module).items():
        is_own = getattr(function, "__module__", "") == module.__name__
        if inspect.isfunction(function) and is_own and function_name[0] != "_":
            request = _request_of(function)
            if request is not None and is_for_the_page(request):
                yield Question(f"{name}.{function_name}", function, request)


def _request_of(function: Callable[..., Any]) -> type[Request] | None:
    """Return the class of a function's request; None if it is no question."""
    names = list(inspect.signature(function).parameters)
    if len(names) != 1 or not _answers(function):
        return None
    kind = get_type_hints(function).get(names[0])
    is_request = isinstance(kind, type) and issubclass(kind, Request)
    return kind if is_request else None


def _answers(function: Callable[..., Any]) -> bool:
    """Tell whether the result of a function is annotated as an `Answer`."""
    said = inspect.signature(function).return_annotation
    if isinstance(said, str):
        return said.startswith("Answer[")
    return get_origin(said) in (Generator, Iterator) and bool(types_of(function))


def is_for_the_page(request: type[Request]) -> bool:
    """Tell whether the page may ask requests of a class."""
    return not request.CHANGES and not any(
        each.is_secret or (_is_path(each) and each.is_required)
        for each in parameters_of(request)
    )


def _is_offered(parameter: Parameter) -> bool:
    is_for_terminals = parameter.is_flag and True in parameter.terminal_only
    return not (_is_path(parameter) or parameter.of_machine or is_for_terminals)


def _is_path(parameter: Parameter) -> bool:
    return issubclass(parameter.type, Path)
