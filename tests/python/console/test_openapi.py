# SPDX-License-Identifier: Apache-2.0
"""No request that fits, or does not fit, the OpenAPI of the console is a defect."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from openapi_checks import ANSWER_S, described_by, schemathesis, tries

from samara.console.access import Access
from samara.console.answers.pool import Answers
from samara.console.api import ConsoleParts, app_of
from samara.console.conversation import Conversation
from samara.console.guard import Guard
from samara.console.laboratory import Laboratory
from samara.console.nodes import ShownNodes
from samara.console.sessions import Sessions

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

HOST = "127.0.0.1:8154"
COOKIE = "samara-8154"
_EXAMPLES = 25


async def _started(conversation: Conversation) -> None:
    """Stand for programs, which a thousand requests must not start."""
    conversation.is_open = True


async def _no_lab(*_: object, **__: object) -> None:
    """Stand for a lab."""


@pytest.fixture
def asked(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Any:  # noqa: ANN401 - of schemathesis
    """Return the schema of a console in front of which the guard stands."""
    monkeypatch.setattr(Conversation, "start", _started)
    access = Access()
    cookie = access.exchange(access.token)
    monkeypatch.setattr(Laboratory, "start", _no_lab)
    shown = ConsoleParts(
        Sessions(tmp_path), Laboratory(tmp_path), Answers(), ShownNodes()
    )
    app = app_of(shown, access, COOKIE)
    guarded = Guard(app, access, [HOST], COOKIE)
    headers = {"host": HOST, "cookie": f"{COOKIE}={cookie}"}
    schema = described_by(app.openapi(), guarded, f"http://{HOST}")
    schema.headers = headers  # kept for the test below
    return schema


schema = schemathesis.pytest.from_fixture("asked")


@pytest.mark.slow
@schema.parametrize()  # type: ignore[untyped-decorator] # schemathesis'
@tries(_EXAMPLES)
def test_every_route_answers_as_it_says(case: Any, asked: Any) -> None:  # noqa: ANN401 - of schemathesis
    headers: Mapping[str, str] = asked.headers
    case.call_and_validate(headers=headers, timeout=ANSWER_S)
