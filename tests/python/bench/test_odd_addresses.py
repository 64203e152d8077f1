# SPDX-License-Identifier: Apache-2.0
"""What is measured is also checked with keys, nonces and data at odd addresses."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from bench_toys import cipher_folder, task, toy

from samara.bench import building, jobs, subjects
from samara.bench.jobs import Layout, Machine
from samara.bench.measuring import WrongAnswerError, measure
from samara.bench.results import Operation

if TYPE_CHECKING:
    from pathlib import Path

    from samara.bench.measuring import Task

_BYTES = ("key", "nonce", "associated_data", "tag", "input", "output")


def _of(device: str) -> Task:
    return task(device, subjects.subject("chacha20-poly1305"), (5, 3))


@pytest.mark.parametrize("aligned", [True, False])
def test_buffers_do_not_overlap_and_begin_where_they_should(*, aligned: bool) -> None:
    chosen = _of("cortex-m0")
    device, subject = chosen.build.device, chosen.subject
    image = building.build(chosen.build, subject).image
    layout = Layout(device, image, subject, (5, 3), aligned=aligned)
    assert [getattr(layout, name) % 8 for name in _BYTES] == [0 if aligned else 1] * 6
    assert layout.scratch % 8 == 0
    ends = (
        (layout.key + 32, layout.nonce),
        (layout.nonce + 12, layout.associated_data),
        (layout.associated_data + 3, layout.tag),
        (layout.tag + 16, layout.input),
        (layout.input + 5, layout.end),
    )
    for end, following in ends:
        assert end <= following < end + 16


def test_own_ciphers_are_tried_at_odd_addresses_and_others_are_not(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    tried: list[Operation] = []
    do = Machine.do

    def recording(
        machine: Machine,
        operation: Operation,
        *args: Any,  # noqa: ANN401 - as the method
        **kwargs: Any,  # noqa: ANN401
    ) -> Any:  # noqa: ANN401
        if not kwargs.get("aligned", True):
            tried.append(operation)
        return do(machine, operation, *args, **kwargs)

    monkeypatch.setattr(Machine, "do", recording)
    assert measure(_of("cortex-m0"))[0].has_figures
    set_up = Operation.SET_UP
    assert tried == [set_up, Operation.SEAL, set_up, Operation.OPEN]
    tried.clear()
    others = toy(cipher_folder(tmp_path / "toy"))
    assert measure(task("atmega328p", others))[0].has_figures
    assert not tried


def test_a_wrong_answer_at_odd_addresses_is_reported(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """As of a device that takes the byte at the even address before."""
    answers = jobs.Machine._answer  # noqa: SLF001 - has no public name

    def answer(machine: Machine, *args: Any) -> Any:  # noqa: ANN401 - as the method
        found = answers(machine, *args)
        if args[-1].input % 2:
            found = jobs.Answer(found.runs, found.result, found.output, bytes(16))
        return found

    monkeypatch.setattr(jobs.Machine, "_answer", answer)
    with pytest.raises(WrongAnswerError, match=r"data, at odd addresses$"):
        measure(_of("cortex-m0"))
