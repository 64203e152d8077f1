# SPDX-License-Identifier: Apache-2.0
"""The preset `paper` gives what Altolini et al. have in sections IV-A and IV-B."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from samara.bench import published
from samara.crypto.names import UnknownNameError
from samara.energy import assumptions, catalogue, topology
from samara.energy.contours import contours, taken_by_security
from samara.energy.network import Region
from samara.energy.security import Security
from samara.errors import MisuseError

DAY_S = 86_400
INTERVALS_S = assumptions.paper_intervals_s()
LIVES_D = {}
for _security in assumptions.PAPER_SECURITY:
    _found = contours(
        assumptions.paper_node(_security),
        topology.chain,
        assumptions.PAPER_SIZES,
        INTERVALS_S,
    )
    assert (_found.region == Region.WORKS).all()
    LIVES_D[_security] = assumptions.paper_store().life_s(_found.power_w) / DAY_S


def taken(security: str) -> np.ndarray[tuple[int, ...], np.dtype[np.float64]]:
    return taken_by_security(np.asarray(LIVES_D["none"]), np.asarray(LIVES_D[security]))


@pytest.mark.parametrize(("verb", "row"), [("seal", "forward"), ("open", "inverse")])
@pytest.mark.parametrize(("table", "column"), [("hardware", "hw"), ("software", "sw")])
def test_costs_are_those_of_table_v(
    verb: str, row: str, table: str, column: str
) -> None:
    (printed,) = (
        each
        for each in published.table("ieee802154_ccm.csv")
        if each.text("operation") == f"CCM* {row}"
    )
    used = catalogue.read("paper.toml")[table]
    assert used[f"{verb}_s"]["value"] == pytest.approx(
        printed.value(f"{column}_opt_ms") * 1e-3
    )
    assert used[f"{verb}_j"]["value"] == pytest.approx(
        printed.value(f"{column}_opt_uj") * 1e-6
    )


def test_hardware_takes_less_than_2_percent_everywhere() -> None:
    """Fig. 6: "less than 2% under all network configurations"."""
    assert taken("hardware").min() > 0
    assert taken("hardware").max() == pytest.approx(0.0162, abs=2e-4)


def test_software_takes_about_25_percent_of_large_and_busy_networks() -> None:
    """Fig. 7: 30 to 50 nodes, "shorter than 500 seconds": "can reduce by about 25%"."""
    large = taken("software")[30 - assumptions.PAPER_SIZES[0] :, INTERVALS_S < 500]
    worst = large.max(axis=1)
    assert worst.shape == (21,)
    assert (worst > 0.22).all()
    assert (worst < 0.28).all()
    assert taken("software").max() == pytest.approx(0.246, abs=5e-4)


def test_lives_are_between_three_months_and_two_years() -> None:
    shortest = min(life.min() for life in map(np.asarray, LIVES_D.values()))
    longest = max(life.max() for life in map(np.asarray, LIVES_D.values()))
    assert shortest == pytest.approx(84, rel=0.02)
    assert longest == pytest.approx(707, rel=0.001)


def test_one_frame_takes_480_microjoules() -> None:
    assert assumptions.paper_frame_j() == pytest.approx(480e-6, rel=0.002)


def test_a_train_takes_12_millijoules() -> None:
    """25 times what the paper has for a packet: its lives need a whole train."""
    train_j = assumptions.paper_node().send().total
    assert 11.4e-3 < train_j < 12.2e-3
    # 53 times 4256 µs at 46.2 mW and 544 µs at 40.59 mW.
    assert train_j == pytest.approx(53 * (4256e-6 * 0.0462 + 544e-6 * 0.04059))


def test_costs_are_those_that_are_published() -> None:
    table = published.table("ieee802154_ccm.csv")
    rows = {row.text("operation"): row for row in table}
    for security, column in (("hardware", "hw_opt_uj"), ("software", "sw_opt_uj")):
        costs = assumptions.paper_node(security).security
        for joules, row in (
            (costs.seal_j, rows["CCM* forward"]),
            (costs.open_j, rows["CCM* inverse"]),
        ):
            assert joules == pytest.approx(row.value(column) * 1e-6)


def test_the_life_of_a_node_by_hand() -> None:
    """50 nodes, 250 s, software: the second node of the chain draws the most.

    It sends 49 trains and receives 48, hears 50 of the first node, seals and opens.
    """
    tx, rx = 3.3 * 0.014, 3.3 * 0.0123
    train_s = 53 * (4256e-6 + 544e-6)
    train_j = 53 * (4256e-6 * tx + 544e-6 * rx)
    heard_s = 2400e-6 + 4256e-6
    listening_w = rx * 2.5e-3 / 0.25
    busy = (49 * train_s + 48 * (heard_s + 352e-6) + 50 * heard_s) / 250
    power_w = (
        listening_w * (1 - busy)
        + 3.3 * (20e-9 + 1e-6)
        + 49 * (train_j + 2280.96e-6) / 250
        + 48 * (heard_s * rx + 352e-6 * tx + 2312.64e-6) / 250
        + 50 * heard_s * rx / 250
    )
    first_w = (
        listening_w * (1 - (50 * train_s + 49 * (heard_s + 352e-6)) / 250)
        + 3.3 * (20e-9 + 1e-6)
        + 50 * (train_j + 2280.96e-6) / 250
        + 49 * (heard_s * rx + 352e-6 * tx + 2312.64e-6) / 250
    )
    expected_d = 27_000 / max(power_w, first_w) / DAY_S
    life_d = np.asarray(LIVES_D["software"])[-1, 0]
    assert life_d == pytest.approx(expected_d, rel=1e-9)


@pytest.mark.parametrize(
    ("cycles", "share"),
    [(46_080, 0.195), (11_008, 0.054), (5_092, 0.026), (2_949, 0.015)],
)
def test_faster_software_takes_far_less(cycles: int, share: float) -> None:
    """A frame of 95 bytes and 14 in front takes 15 blocks, at 79.2 mW and 32 MHz.

    The paper's table V has more than 19 of its blocks in it. AES of 11,008 and of
    5,092 cycles is plain C, of 2,949 cycles assembly with keys made as it goes.
    """
    frame_j = 15 * cycles / 32e6 * 79.2e-3
    fast = replace(assumptions.paper_node(), security=Security("", 0, frame_j, frame_j))
    found = contours(fast, topology.chain, [50], INTERVALS_S[:1])
    life_d = np.asarray(assumptions.paper_store().life_s(found.power_w)) / DAY_S
    whole = np.asarray(LIVES_D["none"])[-1, 0]
    assert 1 - life_d[0, 0] / whole == pytest.approx(share, abs=1e-3)


def test_no_other_security_is_known() -> None:
    with pytest.raises(
        UnknownNameError, match="unknown security of the paper 'quantum'"
    ):
        assumptions.paper_node("quantum")


def test_the_paper_states_where_its_values_are_from() -> None:
    for table in catalogue.read("paper.toml").values():
        for given in table.values():
            assert given["source"]
            assert given["tolerance"] == 0


@pytest.mark.parametrize("table", ["platform", "hardware", "software"])
def test_a_table_of_the_paper_without_a_field_is_one_sentence(
    table: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    tables = catalogue.read("paper.toml")
    security = "none" if table == "platform" else table
    for name in tables[table]:
        rest = {key: each for key, each in tables[table].items() if key != name}
        monkeypatch.setattr(
            catalogue, "read", lambda _, rest=rest: {**tables, table: rest}
        )
        with pytest.raises(
            MisuseError, match=rf"{table} of .*paper.toml lacks {name}: "
        ):
            assumptions.paper_node(security)
