# SPDX-License-Identifier: Apache-2.0
"""How much work answers do: counted, since a time depends on others.

What is counted here was once done for each row of an answer.
"""

from __future__ import annotations

import gc
import subprocess
import sys
from collections import Counter
from typing import Any

import numpy as np
import pytest

from samara.bench import freshness, hashing, preprocessed, store
from samara.bench.programs import Program
from samara.bench.results import Result
from samara.bench.show import ShowRequest, show
from samara.chip import comparing, design
from samara.chip import results as chip_results
from samara.cli import cycles
from samara.energy import assumptions, catalogue, network, security, topology
from samara.energy.advise import AdviseRequest, advise
from samara.energy.check import CheckRequest, check
from samara.energy.contours import contours
from samara.energy.node import Node
from samara.energy.routing import Rpl
from samara.link.rfserial import modules
from samara.records import Digest, records_of

PROGRAM = """
import gc, sys
found = []
gc.callbacks.append(lambda phase, about: found.append(about["generation"]))
from samara.cli import main
from samara.cli.cycles import searching
import samara.cli.running as running
running.searching = lambda callback: searching(lambda **options: (
    print(len(found), gc.isenabled(), gc.get_freeze_count() > 1000, file=sys.stderr),
    callback(**options),
)[1])
found.clear()
main()
"""


def counted(
    monkeypatch: pytest.MonkeyPatch,
    place: object,
    name: str,
) -> Counter[object]:
    """Count the calls of a function by its first argument from now on."""
    calls: Counter[object] = Counter()
    real = getattr(place, name)

    def calling(first: object, *others: object, **named: object) -> object:
        calls[first if isinstance(first, (str, int)) else str(first)] += 1
        return real(first, *others, **named)

    monkeypatch.setattr(place, name, calling)
    return calls


@pytest.mark.slow
def test_a_file_is_looked_at_once_for_all_programs(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    of_device = store.programs(store.committed_of("msp430f1611"))
    firsts = [program.first for program in of_device][:200]
    assert len({each.suite for each in firsts}) > 10
    calls = counted(monkeypatch, hashing, "_content_now")
    freshness._is_current.cache_clear()  # noqa: SLF001 - as a new process begins
    preprocessed._digests.clear()  # noqa: SLF001
    freshness.stale(firsts)
    assert len(calls) > 50
    assert set(calls.values()) == {1}


def test_what_was_looked_at_is_forgotten_after_the_answer(
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Any,  # noqa: ANN401 - a path
) -> None:
    path = tmp_path / "core.h"
    path.write_text("one")
    calls = counted(monkeypatch, hashing, "_content_now")
    with hashing.looking_once():
        first = hashing.content(path)
        with hashing.looking_once():
            assert hashing.content(path) == first
        path.write_text("two, and longer")
        assert hashing.content(path) == first
    assert calls == {str(path): 1}
    assert hashing.content(path) != first


def test_sources_of_the_core_are_hashed_once_for_all_rows(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    rows = chip_results.read(chip_results.committed())
    calls = counted(monkeypatch, chip_results, "sources_hash")
    slow = [row for row in rows if row.is_stale]
    assert len(calls) > 1
    assert sum(calls.values()) == len(rows) > 100
    calls.clear()
    assert chip_results.stale(rows) == slow
    assert set(calls.values()) == {1}
    assert set(calls) <= {design.module_of(top) for top in ("core", *design.WRAPPERS)}


def test_results_of_other_sizes_are_not_made(monkeypatch: pytest.MonkeyPatch) -> None:
    # The index of the results is made first, where there is none: it reads them all.
    programs = store.programs(store.committed(), suites=[comparing.SUITE])
    made = 0
    real = Result.of_fields

    def making(fields: Any) -> Result:  # noqa: ANN401 - of a line
        nonlocal made
        made += 1
        return real(fields)

    monkeypatch.setattr(Result, "of_fields", making)
    costs = list(comparing.of_devices(64))
    assert len(costs) > 5
    # The first of each to know its name, and the one that is asked for.
    assert made <= 2 * len(programs)


def test_an_overview_makes_results_of_one_message(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    made = counted(monkeypatch, Program, "of_line")
    (digest,) = show(ShowRequest())
    assert isinstance(digest, Digest)
    table, *_ = digest.parts
    lines = sum(made.values())
    # Those of eight suites of some 158, and none of the records that programs read: a
    # row is a device, which has some 500 lines.
    assert 10 < len(table.rows) < lines < 50 * len(table.rows)


def test_energies_of_a_node_are_computed_once_for_networks_of_all_sizes(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    honest = assumptions.HONEST
    node, intervals_s = honest.node(), np.array([120.0, 600.0])
    calls = counted(monkeypatch, Node, "_radio_j")
    contours(node, topology.tree, [3], intervals_s, rpl=Rpl())
    of_one = sum(calls.values())
    calls.clear()
    contours(node, topology.tree, [3, 9, 27], intervals_s, rpl=Rpl())
    assert sum(calls.values()) == of_one > 5


@pytest.mark.slow
def test_profiles_of_modules_are_looked_for_once(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    calls = counted(monkeypatch, modules, "_paths_in")
    request = AdviseRequest(
        device="atmega328p", radio="hc-12", message_bytes=16, interval_s=60.0
    )
    assert len(records_of(advise(request))) > 100
    assert max(calls.values(), default=0) <= 2


def test_what_calls_may_be_off_by_is_made_once_for_each_origin(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    security._doubt.cache_clear()  # noqa: SLF001 - as a new process begins
    asked = counted(monkeypatch, security, "cycles_of")
    records_of(advise(AdviseRequest(device="atmega328p", interval_s=60.0)))
    made = security._doubt.cache_info().misses  # noqa: SLF001 - as above
    assert sum(asked.values()) > 10 * made > 0


def test_a_network_is_computed_once(monkeypatch: pytest.MonkeyPatch) -> None:
    calls = counted(monkeypatch, network, "_model")
    honest = assumptions.HONEST
    intervals_s = np.array([120.0, 600.0])
    contours(honest.node(), topology.tree, [3, 9, 27], intervals_s)
    assert sum(calls.values()) == 3


def test_a_file_of_data_is_read_once(monkeypatch: pytest.MonkeyPatch) -> None:
    calls = counted(monkeypatch, catalogue, "read")
    assert len(list(check(CheckRequest()))) > 50
    assert not calls or max(calls.values()) <= 2


def test_nothing_is_searched_for_circles_before_the_command(tmp_path: Any) -> None:  # noqa: ANN401 - a path
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM, "energy", "life"],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stderr.splitlines()[0] == "0 True True"


def test_a_program_that_calls_commands_searches_as_it_likes() -> None:
    assert gc.isenabled()
    cycles.searching(lambda: None)()
    assert gc.isenabled()
    gc.disable()
    try:
        cycles.searching(lambda: None)()
        assert not gc.isenabled()
    finally:
        gc.enable()
