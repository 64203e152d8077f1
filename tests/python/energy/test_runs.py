# SPDX-License-Identifier: Apache-2.0
"""Many simulations: in parallel, on a cluster, interrupted; the same for a seed."""

from __future__ import annotations

import os
import pty
import select
import signal
import subprocess
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np
import pytest
from distributed import LocalCluster
from hypothesis import given
from hypothesis import strategies as st
from shell import PROGRAM, TIMEOUT_S, assert_done, assert_misuse, environment, samara
from shell import objects as json_objects

from samara.energy.assumptions import HONEST
from samara.energy.quantity import BLOCK, Quantity, SingleDraw, exact
from samara.energy.runs import Network, simulated
from samara.energy.topology import chain
from samara.records import Progress
from samara.workers import ThisThread, Workers

if TYPE_CHECKING:
    from pathlib import Path

    from samara.energy.events import SimulatedTraffic

SHORT = Network(HONEST.node(), chain(5), 30.0, HONEST.rpl, 3600.0)
FIVE = [replace(SHORT, node=HONEST.node(SingleDraw(seed))) for seed in range(7, 12)]
ASKED = (
    *("energy", "simulate", "--topology", "chain", "--nodes", "5"),
    *("--interval", "30", "--hours", "2", "--seed", "3", "--runs", "4", "--json"),
)


def runs_and_shares(workers: Workers) -> tuple[list[SimulatedTraffic], list[float]]:
    """Return what five runs yield: outcomes, and which share was done."""
    found = list(simulated(FIVE, range(7, 12), workers))
    shares = [each.share for each in found if isinstance(each, Progress)]
    outcomes = [each for each in found if not isinstance(each, Progress)]
    return outcomes, [each for each in shares if each is not None]


def test_runs_do_not_depend_on_who_computes_them() -> None:
    alone, shares = runs_and_shares(Workers(ThisThread()))
    assert shares == sorted(shares)
    assert shares[-1] == pytest.approx(1)
    with ThreadPoolExecutor(3) as threads:
        many, shares = runs_and_shares(Workers(threads, 4))
    assert shares == pytest.approx([0.2, 0.4, 0.6, 0.8, 1])
    for one, other, network, seed in zip(alone, many, FIVE, range(7, 12), strict=True):
        assert (one.made, one.events) == (other.made, other.events)
        assert np.array_equal(one.total_w, other.total_w)
        assert np.array_equal(one.total_w, network.run(seed).total_w)
    assert len({one.total_w.sum() for one in alone}) > 1


@pytest.mark.slow
def test_processes_and_a_cluster_give_the_same(tmp_path: Path) -> None:
    alone = assert_done(samara(*ASKED, "--workers", "1", folder=tmp_path))
    *each, whole = json_objects(alone)
    assert [line["seed"] for line in each] == [3, 4, 5, 6]
    assert (whole["type"], whole["runs"]) == ("network_simulation_range", 4)
    assert assert_done(samara(*ASKED, "--jobs", "2", folder=tmp_path)) == alone
    with LocalCluster(  # type: ignore[no-untyped-call]
        n_workers=1, threads_per_worker=2, protocol="tcp", dashboard_address=None
    ) as cluster:
        where = ("--cluster", cluster.scheduler_address)
        assert assert_done(samara(*ASKED, *where, folder=tmp_path)) == alone


@pytest.mark.slow
def test_several_runs_are_a_range(tmp_path: Path) -> None:
    shown = assert_done(samara(*ASKED[:-1], folder=tmp_path)).decode()
    *output, whole = json_objects(assert_done(samara(*ASKED, folder=tmp_path)))
    assert "10, 50 and 90 % of 4 runs, each with its own seed and its own" in shown
    assert "these are few for a range" in shown
    made = sum(each["made"] for each in output)
    assert whole["made"] == made
    assert f"of {made:,} messages delivered" in shown
    assert "node 1 draws the most, and sends 100% of all messages" in shown
    for name in ("power_uw", "life_days"):
        for whose in ("closed_form", "events"):
            values = [each[f"{whose}_{name}"] for each in output]
            expected = np.quantile(values, (0.1, 0.5, 0.9))
            found = [whole[f"{whose}_{name}_{share}"] for share in (10, 50, 90)]
            assert found == pytest.approx(expected)
            assert found == sorted(found)
    # A run is its closed form's: both have the same draw.
    assert np.ptp([each["closed_form_power_uw"] for each in output]) > 1
    for each in output:
        assert each["events_power_uw"] == pytest.approx(
            each["closed_form_power_uw"], rel=0.03
        )


@pytest.mark.slow
def test_runs_as_stated_differ_by_their_seeds_alone(tmp_path: Path) -> None:
    *output, _ = json_objects(assert_done(samara(*ASKED, "--stated", folder=tmp_path)))
    assert len({each["closed_form_power_uw"] for each in output}) == 1
    assert len({each["events"] for each in output}) > 1
    (alone, _) = json_objects(
        assert_done(samara(*ASKED[:-2], "1", "--json", "--stated", folder=tmp_path))
    )
    assert alone == output[0]


@given(st.integers(0, 2**40), st.floats(0.01, 2.0))
def test_a_draw_for_each_seed(seed: int, tolerance: float) -> None:
    """Twenty seeds share out the range of a quantity: each twentieth is drawn once."""
    quantity = Quantity(2.0, tolerance, "a data sheet", checked=True)
    first = seed // BLOCK * BLOCK
    drawn = [
        float(SingleDraw(each)("it", quantity)) for each in range(first, first + BLOCK)
    ]
    assert SingleDraw(seed)("it", quantity) == drawn[seed - first]
    edges = [0.0, *(quantity.quantile(n / BLOCK) for n in range(1, BLOCK)), np.inf]
    assert (np.histogram(drawn, edges)[0] == 1).all()
    low, middle, high = np.quantile(drawn, (0.1, 0.5, 0.9))
    assert low < middle < high
    assert quantity.quantile(0.4) < middle < quantity.quantile(0.6)
    other = [
        float(SingleDraw(each)("other", quantity))
        for each in range(first, first + BLOCK)
    ]
    assert np.argsort(other).tolist() != np.argsort(drawn).tolist()
    assert SingleDraw(seed)("it", exact(3.0, "a setting")) == 3.0


@pytest.mark.slow
def test_a_cluster_that_is_not_there(tmp_path: Path) -> None:
    answer = samara(*ASKED, "--cluster", "tcp://127.0.0.1:9", folder=tmp_path)
    assert_misuse(answer, "the Dask scheduler tcp://127.0.0.1:9 does not answer")


# The runs take hours; what ends at once has this long on a busy machine.
PATIENCE_S = 90.0
ENDLESS = ("simulate", "--nodes", "3000", "--topology", "grid", "--hours", "100000")


@pytest.mark.slow
@pytest.mark.parametrize(("runs", "wait_s"), [("1", 0), ("3", 0), ("3", 6)])
def test_ctrl_c_ends_it_with_a_sentence(
    runs: str, wait_s: float, tmp_path: Path
) -> None:
    """A bar is on the terminal while it runs, and Ctrl-C ends it at once."""
    terminal, inner = pty.openpty()
    asked = [str(PROGRAM), "energy", *ENDLESS, "--runs", runs, "--workers", "2"]
    with subprocess.Popen(
        asked,
        cwd=tmp_path,
        env={**environment(), "TERM": "xterm"},
        stdin=inner,
        stdout=subprocess.PIPE,
        stderr=inner,
    ) as process:
        os.close(inner)
        # One that goes on is ended when this has failed.
        late = threading.Timer(PATIENCE_S, process.kill)
        late.start()
        shown = _shown_until(terminal, b"runs")
        # In the middle of a run as well as before the first.
        time.sleep(wait_s)
        process.send_signal(signal.SIGINT)
        shown += _shown_until(terminal, b"interrupted")
        assert process.wait(TIMEOUT_S) == 130
        late.cancel()
        assert process.stdout is not None
        assert process.stdout.read() == b""
    os.close(terminal)
    assert b"Traceback" not in shown


def _shown_until(terminal: int, words: bytes) -> bytes:
    shown = b""
    while words not in shown:
        readable, _, _ = select.select([terminal], [], [], TIMEOUT_S)
        assert readable, shown
        try:
            shown += os.read(terminal, 4096)
        except OSError:
            # The process has ended, and with it the other end of the terminal.
            pytest.fail(f"{words!r} was not shown: {shown!r}")
    return shown


@pytest.mark.slow
def test_no_bar_without_a_terminal(tmp_path: Path) -> None:
    for words in (("energy", "message", "--draws", "1000000"), ASKED, ("advise",)):
        assert samara(*words, folder=tmp_path).stderr == b""
