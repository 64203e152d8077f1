# SPDX-License-Identifier: Apache-2.0
"""Nodes that are killed again and again, and nodes with faults that must be found."""

from __future__ import annotations

import json

import pytest
from programs import ROOT, VENV, run

LINKS = ("ieee802154", "rf-serial")
FAULTS = ("counter-not-stored", "counter-stored-late", "replay-state-not-stored")
FAULTS_OF_KEYS = ("witness-not-told", "counters-first")
ROUNDS, ROUNDS_THOROUGH = 200, 1000
ROUNDS_OF_NETWORKS, ROUNDS_OF_NETWORKS_THOROUGH = 30, 400
ROUNDS_ACKNOWLEDGED, ROUNDS_ACKNOWLEDGED_THOROUGH = 30, 300
ROUNDS_WITH_FAULT_AT_MOST, ROUNDS_OF_KEYS_WITH_FAULT_AT_MOST = 500, 2000


@pytest.fixture
def rounds(request: pytest.FixtureRequest) -> int:
    return ROUNDS_THOROUGH if request.config.getoption("--all") else ROUNDS


def crash(program: str, *options: str, rounds: int) -> None:
    """Run a crash test; it ends with 0 when it found what it has to find."""
    path = ROOT / "tests" / "python" / f"{program}.py"
    output = run(VENV / "python", path, *options, "--rounds", str(rounds))
    found = json.loads(output)
    counts = {name: value for name, value in found.items() if type(value) is int}
    print(
        ", ".join(f"{name.replace('_', ' ')} {value}" for name, value in counts.items())
    )


@pytest.mark.parametrize("link", LINKS)
def test_killed_nodes_repeat_no_nonce(link: str, rounds: int) -> None:
    crash("crash_nodes", "--link", link, rounds=rounds)


def test_nodes_killed_while_they_agree_on_new_keys_repeat_no_nonce() -> None:
    crash("crash_nodes", "--rekey", rounds=ROUNDS)


def test_nodes_killed_while_they_take_new_keys(rounds: int) -> None:
    crash("crash_keys", rounds=rounds)


def test_nodes_of_a_network_killed_while_its_keys_change(
    request: pytest.FixtureRequest,
) -> None:
    is_thorough = request.config.getoption("--all")
    rounds = ROUNDS_OF_NETWORKS_THOROUGH if is_thorough else ROUNDS_OF_NETWORKS
    crash("crash_networks", rounds=rounds)


@pytest.mark.parametrize("link", LINKS)
def test_killed_nodes_hand_on_what_they_acknowledge_once(
    link: str, request: pytest.FixtureRequest
) -> None:
    is_thorough = request.config.getoption("--all")
    rounds = ROUNDS_ACKNOWLEDGED_THOROUGH if is_thorough else ROUNDS_ACKNOWLEDGED
    crash("crash_nodes", "--link", link, "--ack", rounds=rounds)


@pytest.mark.parametrize("link", LINKS)
def test_what_a_node_that_is_kept_up_acknowledges_was_taken(
    link: str, request: pytest.FixtureRequest
) -> None:
    is_thorough = request.config.getoption("--all")
    rounds = ROUNDS_ACKNOWLEDGED_THOROUGH if is_thorough else ROUNDS_ACKNOWLEDGED
    crash("crash_inbox", "--link", link, rounds=rounds)


def test_what_is_acknowledged_before_it_is_taken_is_found() -> None:
    options = ("--fault", "acknowledged-when-written")
    crash("crash_inbox", *options, rounds=ROUNDS_WITH_FAULT_AT_MOST)


def test_ids_that_are_noted_only_are_found() -> None:
    options = ("--ack", "--fault", "ids-noted-only")
    crash("crash_nodes", *options, rounds=ROUNDS_WITH_FAULT_AT_MOST)


@pytest.mark.parametrize("fault", FAULTS)
@pytest.mark.parametrize("link", LINKS)
def test_a_fault_of_nodes_is_found(link: str, fault: str) -> None:
    options = ("--link", link, "--fault", fault)
    crash("crash_nodes", *options, rounds=ROUNDS_WITH_FAULT_AT_MOST)


def test_a_fault_of_the_nodes_of_a_network_is_found() -> None:
    options = ("--fault", "counter-stored-late")
    crash("crash_networks", *options, rounds=ROUNDS_WITH_FAULT_AT_MOST)


@pytest.mark.parametrize("fault", FAULTS_OF_KEYS)
def test_a_fault_of_taking_keys_is_found(fault: str) -> None:
    crash("crash_keys", "--fault", fault, rounds=ROUNDS_OF_KEYS_WITH_FAULT_AT_MOST)
