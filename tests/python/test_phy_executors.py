# SPDX-License-Identifier: Apache-2.0
"""Error rates computed by processes and clusters: when they end, and that all agree."""

from __future__ import annotations

import json
import os
import select
import signal
import subprocess
import sys
import time
from concurrent.futures import Executor, Future, ThreadPoolExecutor
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest
from distributed import LocalCluster
from shell import TIMEOUT_S, assert_done, assert_misuse, environment, samara

from samara.errors import MisuseError
from samara.phy import theory
from samara.phy.intervals import Tally
from samara.phy.sweep import Limits, Point, run
from samara.phy.trial import (
    Case,
    Receiver,
    run_block,
)
from samara.workers import ThisThread, Workers, workers

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path


def complete(*asked: Any) -> list[Point]:  # noqa: ANN401 - as `run` takes them
    return [point for point, is_complete in run(*asked) if is_complete]


def test_results_do_not_depend_on_the_executor() -> None:
    points = [(Case(payload_size=16), 1.0), (Case(payload_size=16), 2.5)]
    limits = Limits(frame_errors=100, frames=3000)
    alone = complete(points, limits, 7, Workers(ThisThread()))
    with ThreadPoolExecutor(2) as threads:
        many = complete(points, limits, 7, Workers(threads, 5))
    assert alone == many
    assert [point.frame_errors >= 100 for point in alone] == [True, True]
    assert alone[0].tallies[Receiver.PLE].frames == 250


class Fake(Executor):
    """Has the errors of no simulation, and futures that can be looked at."""

    def __init__(self) -> None:
        self.futures: list[Future[Any]] = []

    def submit(
        self, fn: Callable[..., Any], /, *args: object, **kwargs: object
    ) -> Future[Any]:
        assert fn is run_block
        assert (len(args), kwargs) == (4, {})
        future: Future[Any] = Future()
        # The first two are computed, the others are still waiting.
        self.futures.append(future)
        if len(self.futures) <= 2:
            future.set_result({Receiver.PLE: Tally(250, 50, 10, 5, 1)})
        return future


def test_a_point_ends_with_its_errors_and_cancels_what_is_waiting() -> None:
    fake = Fake()
    (point,) = complete([(Case(), 1.0)], Limits(100, 10_000), 1, Workers(fake, 4))
    assert point.tallies[Receiver.PLE] == Tally(500, 100, 20, 10, 2)
    assert [future.cancelled() for future in fake.futures] == [
        False,
        False,
        True,
        True,
        True,
    ]
    assert [Limits(frames=n).blocks for n in (1, 250, 251)] == [1, 1, 2]


def test_a_point_ends_with_its_frames() -> None:
    (point,) = complete([(Case(), 9.0)], Limits(frames=600), 1, Workers(ThisThread()))
    assert point.tallies[Receiver.PLE].frames == 750
    assert point.frame_errors == 0


@pytest.mark.slow
def test_processes_give_what_this_process_gives(tmp_path: Path) -> None:
    arguments = ["phy", "ber", "--ebn0", "1,2", "--errors", "40", "--json"]
    alone, two = (
        assert_done(samara(*arguments, "--workers", workers, folder=tmp_path))
        for workers in ("1", "2")
    )
    assert alone == two
    points = [json.loads(line) for line in alone.splitlines()]
    assert [point["ebn0_db"] for point in points] == [1, 2]
    point = points[0]
    assert next(iter(point)) == "type"
    assert point["receivers"]["plain"] == point["receivers"]["ple"]
    rates = [point["receivers"][name]["fer"] for name in ("ple", "plain-apart")]
    cost = point["encryption_cost_fer"]
    assert cost["value"] == rates[0]["value"] - rates[1]["value"]
    assert cost["low"] < cost["value"] < cost["high"]
    assert (cost["unit"], cost["origin"]) == ("1", "measured")
    case = Case()
    for name, curve in (
        ("theory_fer", theory.frame_error_rate),
        ("theory_ber", theory.bit_error_rate),
    ):
        expected = curve(case, np.array([1.0]))[0]
        assert point[name]["value"] == pytest.approx(expected)
        assert point[name]["origin"] == "estimated"
    assert point["receivers"]["ple"]["frame_errors"] >= 40


@pytest.mark.slow
def test_a_dask_cluster_gives_what_this_process_gives(tmp_path: Path) -> None:
    arguments = ["phy", "ber", "--ebn0", "1", "--errors", "40", "--json"]
    alone = assert_done(samara(*arguments, "--workers", "1", folder=tmp_path))
    with LocalCluster(  # type: ignore[no-untyped-call]
        n_workers=1,
        threads_per_worker=1,
        protocol="tcp",
        dashboard_address=None,
    ) as cluster:
        where = ("--cluster", cluster.scheduler_address)
        done = samara(*arguments, *where, folder=tmp_path)
    assert assert_done(done) == alone


def test_a_worker_ends_with_its_parent(tmp_path: Path) -> None:
    """In the middle of a task: one that waits for a task finds its pipe closed."""
    program = (
        "import os, sys, time\n"
        "from samara.workers import workers\n"
        "if __name__ == '__main__':\n"
        "    with workers(2) as pool:\n"
        "        print(pool.executor.submit(os.getpid).result(), flush=True)\n"
        "        for _ in range(2):\n"
        "            pool.executor.submit(time.sleep, 180)\n"
        "        print('busy', flush=True)\n"
        "        sys.stdin.read()\n"
    )
    (tmp_path / "program.py").write_text(program)
    with subprocess.Popen(
        [sys.executable, "program.py"],
        cwd=tmp_path,
        env=environment(),
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
    ) as process:
        assert process.stdout is not None
        worker = int(process.stdout.readline())
        ended = os.pidfd_open(worker)
        assert process.stdout.readline() == b"busy\n"
        # The tasks are on their way to the workers.
        time.sleep(1)
        process.kill()
        # It is readable when the process has ended.
        readable, _, _ = select.select([ended], [], [], 60)
        os.close(ended)
    assert readable, "the worker goes on without its parent"


def test_a_worker_that_is_killed_is_no_defect() -> None:
    """As the system does where memory is short: commands say so in a sentence."""
    with workers(2) as pool:
        lost = pool.executor.submit(signal.raise_signal, signal.SIGKILL)
        with pytest.raises(MisuseError, match=r"ended \(-9\) before .* --jobs"):
            lost.result()


@pytest.mark.slow
def test_a_cluster_that_is_not_there(tmp_path: Path) -> None:
    answer = samara(
        "phy", "ber", "--cluster", "tcp://127.0.0.1:9", "--ebn0", "1", folder=tmp_path
    )
    assert_misuse(answer, "the Dask scheduler tcp://127.0.0.1:9 does not answer")


@pytest.mark.slow
def test_control_c_keeps_the_points_that_are_done(tmp_path: Path) -> None:
    command = "samara phy ber --workers 1 --ebn0 0,1,9 --frames 100000000 --json"
    with subprocess.Popen(
        command.split(),
        cwd=tmp_path,
        env=environment(),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    ) as process:
        # The third point is never complete.
        assert process.stdout is not None
        complete = [process.stdout.readline() for _ in range(2)]
        process.send_signal(signal.SIGINT)
        rest, messages = process.communicate(timeout=TIMEOUT_S)
    assert process.returncode == 0, messages
    assert messages == b"samara: stopped; 2 of 3 points are complete.\n"
    assert rest == b""
    assert [json.loads(line)["ebn0_db"] for line in complete] == [0, 1]
