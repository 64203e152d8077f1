# SPDX-License-Identifier: Apache-2.0
"""What the OpenAPI of the console says of questions is what their values are read as.

Values are read here as in the process of an answer, which a thousand requests must not
start; nothing is computed. `test_answers` has answers of processes.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from fastapi import FastAPI
from hypothesis import HealthCheck, Phase, settings

from samara.console.answers.lines import AnswerEnd, AnswerProgress
from samara.console.answers.pool import Answers, NotAcceptedError
from samara.console.answers.questions import questions
from samara.console.answers.routes import add_answers
from samara.console.answers.schema import described, paths
from samara.console.answers.texts import request_of
from samara.errors import MisuseError
from samara.records.json_lines import record_line

schemathesis = pytest.importorskip("schemathesis")

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator, Mapping, Sequence

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


@pytest.fixture
def asked() -> Any:  # noqa: ANN401 - of schemathesis
    app = FastAPI(openapi_url=None)
    add_answers(app, Reading())
    found = {**app.openapi(), "paths": paths(_DESCRIBED)}
    schema = schemathesis.openapi.from_dict(found)
    schema.app = app
    schema.config.base_url = "http://testserver"
    return schema


schema = schemathesis.pytest.from_fixture("asked")


@pytest.mark.slow
@schema.parametrize()  # type: ignore[untyped-decorator] # schemathesis'
@settings(
    max_examples=_EXAMPLES,
    deadline=None,
    derandomize=True,
    phases=[Phase.explicit, Phase.generate],
    suppress_health_check=list(HealthCheck),
)
def test_values_are_read_as_openapi_says(case: Any) -> None:  # noqa: ANN401 - of schemathesis
    case.call_and_validate()
