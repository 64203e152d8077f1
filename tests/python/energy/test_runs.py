# SPDX-License-Identifier: Apache-2.0
"""Many simulations: in parallel, on a cluster, interrupted; the same for a seed."""

from __future__ import annotations

import os
import pty
import select
import signal
import subprocess
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING

import numpy as np
import pytest
from distributed import LocalCluster
from shell import PROGRAM, TIMEOUT_S, assert_done, assert_misuse, environment, samara
from shell import objects as json_objects

from samara.energy.presets import HONEST
from samara.energy.runs import Network, simulated
from samara.energy.topology import chain
from samara.workers import ThisThread, Workers

if TYPE_CHECKING:
    from pathlib import Path

SHORT = Network(HONEST.node(), chain(5), 30.0, HONEST.rpl, 3600.0)
ASKED = (
    *("energy", "simulate", "--topology", "chain", "--nodes", "5"),
    *("--interval", "30", "--hours", "2", "--seed", "3", "--runs", "4", "--json"),
)


def test_runs_do_not_depend_on_who_computes_them() -> None:
    shares: list[float] = []
    alone = list(simulated(SHORT, range(7, 12), Workers(ThisThread()), shares.append))
    assert shares == sorted(shares)
    assert shares[-1] == pytest.approx(1)
    with ThreadPoolExecutor(3) as threads:
        shares.clear()
        many = list(simulated(SHORT, range(7, 12), Workers(threads, 4), shares.append))
    assert shares == pytest.approx([0.2, 0.4, 0.6, 0.8, 1])
    for one, other, seed in zip(alone, many, range(7, 12), strict=True):
        assert (one.made, one.events) == (other.made, other.events)
        assert np.array_equal(one.total_w, other.total_w)
        assert np.array_equal(one.total_w, SHORT.run(seed).total_w)
    assert len({one.total_w.sum() for one in alone}) > 1


@pytest.mark.slow
def test_processes_and_a_cluster_give_the_same(tmp_path: Path) -> None:
    alone = assert_done(samara(*ASKED, "--workers", "1", folder=tmp_path))
    assert [line["seed"] for line in json_objects(alone)] == [3, 4, 5, 6]
    assert assert_done(samara(*ASKED, "--jobs", "2", folder=tmp_path)) == alone
    with LocalCluster(  # type: ignore[no-untyped-call]
        n_workers=1, threads_per_worker=2, protocol="tcp", dashboard_address=None
    ) as cluster:
        where = ("--cluster", cluster.scheduler_address)
        assert assert_done(samara(*ASKED, *where, folder=tmp_path)) == alone


@pytest.mark.slow
def test_several_runs_are_shown_as_their_mean(tmp_path: Path) -> None:
    shown = assert_done(samara(*ASKED[:-1], folder=tmp_path)).decode()
    told = json_objects(assert_done(samara(*ASKED, folder=tmp_path)))
    assert "Mean of 4 runs; from " in shown
    made = sum(each["made"] for each in told)
    assert f"of {made:,} messages delivered" in shown
    assert "node 1 draws the most, and sends 100% of all messages" in shown


@pytest.mark.slow
def test_a_cluster_that_is_not_there(tmp_path: Path) -> None:
    answer = samara(*ASKED, "--cluster", "tcp://127.0.0.1:9", folder=tmp_path)
    assert_misuse(answer, "the Dask scheduler tcp://127.0.0.1:9 does not answer")


ENDLESS = ("simulate", "--nodes", "3000", "--topology", "grid", "--hours", "100000")


@pytest.mark.slow
@pytest.mark.parametrize("runs", ["1", "3"])
def test_ctrl_c_ends_it_with_a_sentence(runs: str, tmp_path: Path) -> None:
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
        shown = _shown_until(terminal, b"runs")
        process.send_signal(signal.SIGINT)
        shown += _shown_until(terminal, b"interrupted")
        assert process.wait(TIMEOUT_S) == 130
        assert process.stdout is not None
        assert process.stdout.read() == b""
    os.close(terminal)
    assert b"Traceback" not in shown


def _shown_until(terminal: int, words: bytes) -> bytes:
    shown = b""
    while words not in shown:
        readable, _, _ = select.select([terminal], [], [], TIMEOUT_S)
        assert readable, shown
        shown += os.read(terminal, 4096)
    return shown


@pytest.mark.slow
def test_no_bar_without_a_terminal(tmp_path: Path) -> None:
    for words in (("energy", "message", "--draws", "1000000"), ASKED, ("advise",)):
        assert samara(*words, folder=tmp_path).stderr == b""
