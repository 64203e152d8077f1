# SPDX-License-Identifier: Apache-2.0
"""What the OpenAPI of the console says of questions is what their values are read as.

Values are read here as in the process of an answer, which a thousand requests must not
start; nothing is computed. `test_answers` has answers of processes.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest
from fastapi import FastAPI
from openapi_checks import ANSWER_S, described_by, schemathesis, tries

from samara.console.answers.lines import AnswerEnd, AnswerProgress
from samara.console.answers.pool import Answers, NotAcceptedError
from samara.console.answers.questions import questions
from samara.console.answers.routes import add_answers
from samara.console.answers.schema import described, paths
from samara.console.answers.texts import request_of
from samara.errors import MisuseError
from samara.records.json_lines import record_line

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator, Iterable, Iterator, Mapping, Sequence

_EXAMPLES = 40
_DESCRIBED = [described(each, {}) for each in questions().values()]


class Reading(Answers):
    """Reads the values of each question, and answers nothing."""

    async def questions(self) -> list[dict[str, Any]]:
        return _DESCRIBED

    async def lines(
        self, question: str, given: Mapping[str, Sequence[str]], *, with_records: bool
    ) -> AsyncGenerator[bytes, None]:
        del with_records
        yield record_line(AnswerProgress(None, "waiting")).encode()
        try:
            request_of(questions()[question], given)
        except MisuseError as error:
            raise NotAcceptedError(str(error)) from None
        yield record_line(AnswerEnd("")).encode()


def once(asked: Iterable[Mapping[str, Any]]) -> Iterator[Mapping[str, Any]]:
    """Leave each parameter to the first question that has it, unless it is required.

    Nine questions about batteries share eighty parameters, which one function reads.
    """
    seen: set[str] = set()
    for each in asked:
        texts = [json.dumps(one, sort_keys=True) for one in each["parameters"]]
        pairs = zip(each["parameters"], texts, strict=True)
        new = [one for one, text in pairs if text not in seen or one["required"]]
        seen.update(texts)
        yield {**each, "parameters": new}


def schema_of(asked: Iterable[Mapping[str, Any]]) -> Any:  # noqa: ANN401 - of schemathesis
    app = FastAPI(openapi_url=None)
    add_answers(app, Reading())
    document = {**app.openapi(), "paths": paths(asked)}
    return described_by(document, app, "http://testserver")


@pytest.fixture
def asked_once() -> Any:  # noqa: ANN401 - of schemathesis
    return schema_of(once(_DESCRIBED))


@pytest.fixture
def asked() -> Any:  # noqa: ANN401 - of schemathesis
    return schema_of(_DESCRIBED)


@pytest.mark.slow
@schemathesis.pytest.from_fixture("asked_once").parametrize()  # type: ignore[untyped-decorator] # schemathesis'
@tries(_EXAMPLES)
def test_values_are_read_as_openapi_says(case: Any) -> None:  # noqa: ANN401 - of schemathesis
    case.call_and_validate(timeout=ANSWER_S)


@pytest.mark.thorough
@schemathesis.pytest.from_fixture("asked").parametrize()  # type: ignore[untyped-decorator] # schemathesis'
@tries(_EXAMPLES)
def test_values_of_each_question_are_read_as_openapi_says(case: Any) -> None:  # noqa: ANN401 - of schemathesis
    case.call_and_validate(timeout=ANSWER_S)


def test_each_parameter_is_asked_once() -> None:
    every = {
        json.dumps(one, sort_keys=True)
        for each in _DESCRIBED
        for one in each["parameters"]
    }
    left = [one for each in once(_DESCRIBED) for one in each["parameters"]]
    assert {json.dumps(one, sort_keys=True) for one in left} == every
    assert len(left) < len(every) + sum(one["required"] for one in left)
