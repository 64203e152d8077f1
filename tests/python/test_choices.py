# SPDX-License-Identifier: Apache-2.0
"""What options offer: each name once, in completion and on the page."""

from __future__ import annotations

import typing
from collections import Counter
from typing import TYPE_CHECKING

import pytest

from samara.bench.show import ShowRequest
from samara.energy.advise import AdviseRequest
from samara.energy.life import LifeRequest
from samara.net.laboratory import LabRequest
from samara.records import Parameter

if TYPE_CHECKING:
    from collections.abc import Iterator


def named(request: type) -> Iterator[tuple[str, list[str]]]:
    """Yield the fields of a request that offer names, with these."""
    hints = typing.get_type_hints(request, include_extras=True)
    for field, hint in hints.items():
        for each in getattr(hint, "__metadata__", ()):
            if isinstance(each, Parameter) and each.names is not None:
                yield field, list(each.names())


@pytest.mark.parametrize(
    "request_class", [AdviseRequest, LabRequest, LifeRequest, ShowRequest]
)
def test_no_name_is_offered_twice(request_class: type) -> None:
    offered = dict(named(request_class))
    assert offered
    for field, names in offered.items():
        twice = [name for name, count in Counter(names).items() if count > 1]
        assert not twice, field
