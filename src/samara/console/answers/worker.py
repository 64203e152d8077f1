# SPDX-License-Identifier: Apache-2.0
"""A program that computes one answer and ends: `python -m` and the name of this module.

It reads one object of JSON from stdin (``question``, ``given``, ``with_records``) and
writes the answer to stdout. With ``--describe`` it writes a list of all questions;
``--commands MODULE:FUNCTION`` names what knows their commands.

While it waits it has imported what most questions need. The question's own module takes
less than 0.2 s; to import those of all others took half a second of each answer.
"""

from __future__ import annotations

import argparse
import importlib
import json
import os
import sys
import traceback
from typing import TYPE_CHECKING, Any, Final

from samara.console.answers.lines import AnswerEnd, lines_of
from samara.console.answers.questions import question_of, questions
from samara.console.answers.read_only import refuse_changes
from samara.console.answers.schema import described
from samara.console.answers.texts import request_of
from samara.errors import MisuseError, RefusedError
from samara.records.json_lines import record_line

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from typing import TextIO

    from samara.records import Record

RECORDS_MAX: Final = 5000
_NICE = 5
_DEFECT = "this is a defect of samara: please report it with what the console printed"


def main() -> None:
    """Compute an answer, or describe the questions."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--describe", action="store_true")
    parser.add_argument("--commands", default="")
    options = parser.parse_args()
    out = _own_output()
    os.nice(_NICE)
    if options.describe:
        commands = _commands(options.commands)
        listed = [described(each, commands) for each in questions().values()]
        out.write(json.dumps(listed) + "\n")
        return
    importlib.import_module("numpy")
    asked = json.loads(sys.stdin.readline() or "null")
    if asked is not None:
        for text in _answer(asked):
            out.write(text + "\n")
            out.flush()


def _own_output() -> TextIO:
    """Return stdout, and let what libraries print go to stderr."""
    out = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(2, 1)
    return out


def _commands(place: str) -> Mapping[str, tuple[str, str]]:
    if not place:
        return {}
    module, _, name = place.partition(":")
    found: Mapping[str, tuple[str, str]] = getattr(
        importlib.import_module(module), name
    )()
    return found


def _answer(asked: Mapping[str, Any]) -> Iterator[str]:
    """Yield the lines of an answer; the last one says whether it is complete.

    When the question does not take a value, the only line says so.
    """
    problem, has_begun = "", False
    try:
        for line in _lines(asked):
            yield record_line(line)
            has_begun = True
    except (MisuseError, RefusedError, OSError) as error:
        if isinstance(error, MisuseError) and not has_begun:
            yield json.dumps({"not_accepted": str(error)})
            return
        problem = str(error)
    except Exception:  # noqa: BLE001 - whatever it is, it is a defect
        traceback.print_exc()
        problem = _DEFECT
    yield record_line(AnswerEnd(problem))


def _lines(asked: Mapping[str, Any]) -> Iterator[Record]:
    question = question_of(asked["question"])
    refuse_changes()
    request = request_of(question, asked["given"])
    yield from lines_of(
        question.function(request),
        with_records=asked["with_records"],
        records_max=RECORDS_MAX,
    )


if __name__ == "__main__":
    main()
