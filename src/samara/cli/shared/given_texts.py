# SPDX-License-Identifier: Apache-2.0
"""Texts of a request that a command line does not have itself, but a file or stdin."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from samara.cli.shared import files
from samara.cli.shared.diagnostics import MisuseError

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping
    from pathlib import Path

    from samara.records import Parameter


def texts_of(
    parameters: Iterable[Parameter], given: Mapping[str, Any]
) -> Iterator[tuple[str, str | bytes]]:
    """Yield the texts, or the bytes, by the names of their parameters."""
    for each in parameters:
        value = given[each.name]
        if each.from_stdin and value in (None, str(files.STANDARD_STREAM)):
            yield each.name, _text_in(files.STANDARD_STREAM, each)
        elif each.from_file and value is not None:
            yield each.name, _text_in(value, each)


def _text_in(path: Path, parameter: Parameter) -> str | bytes:
    with files.reading(path) as file:
        content = file.read(parameter.longest + 1)
    if len(content) > parameter.longest:
        message = f"{path} is too long: at most {parameter.longest} bytes are taken"
        raise MisuseError(message)
    return content if parameter.type is bytes else content.decode("utf-8", "replace")
