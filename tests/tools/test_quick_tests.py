# SPDX-License-Identifier: Apache-2.0
"""Which tests --quick runs: those that a fault in a file would make fail are among."""

from __future__ import annotations

import pytest

from testing import python_needs, quick_tests
from testing.session import ROOT

# The graph of imports is read once, which takes seconds, and not in each process.
pytestmark = pytest.mark.xdist_group("graph of imports")


def chosen(monkeypatch: pytest.MonkeyPatch, *changed: str) -> set[str] | None:
    monkeypatch.setattr(quick_tests, "changed", lambda: set(changed))
    found = quick_tests.quick_tests()
    return None if found is None else set(found)


@pytest.mark.parametrize(
    ("changed", "among", "left_out"),
    [
        # By import, by a command in a text, and as a test itself.
        ("src/samara/phy/trial.py", "test_phy_error_rates", "test_captures"),
        ("src/samara/cli/energy/life.py", "test_energy_cli", "test_captures"),
        ("tests/python/test_captures.py", "test_captures", "test_energy"),
        # Found by scanning, and through a helper.
        ("src/samara/link/rfserial/kind.py", "test_kinds", "test_ple_sync"),
        ("tests/python/shell.py", "test_cli_files", "test_ple_sync"),
        ("tests/python/conftest.py", "test_ple_sync", "test_tally"),
        # Through a fixture, which imports it when it is asked for.
        ("tests/python/quiet_air.py", "test_late_frames", "test_ple_sync"),
        ("docs/energy.md", "test_docs_english", "test_ple_sync"),
        # In a package that a scanning module is given; and what knows a directory of
        # data does not need the modules beside it.
        ("src/samara/phy/secrecy/schemes/none.py", "test_phy_secrecy", "test_node"),
        ("src/samara/bench/report/overview.py", "test_report", "test_node_rekey"),
        (
            "src/samara/bench/simulators/msp430_board.py",
            "test_firmware_msp430",
            "test_node_rekey",
        ),
        # Through the command that a helper starts.
        ("src/samara/console/history.py", "test_history", "test_ple_sync"),
        # A word within a text is no command, and where there is none it may be any.
        ("src/samara/cli/energy/life.py", "test_tutorials", "test_chip_results"),
        # Asked by a view of the page or by its name there, and started by the console.
        ("src/samara/chip/compared.py", "test_views", "test_page"),
        ("src/samara/energy/life.py", "test_another_user", "test_page"),
        ("src/samara/energy/network_timeline.py", "test_network_page", "test_page"),
        ("src/samara/cli/ip/lab.py", "test_network_page", "test_captures"),
        ("src/samara/energy/part_list.py", "test_openapi_answers", "test_page"),
        # What has the console's parts needs no command, and what calls commands by
        # their names needs these; what goes through the table needs all.
        ("src/samara/energy/life.py", "test_guard", "test_turns"),
        ("src/samara/console/conversation.py", "test_turns", "test_captures"),
        ("src/samara/energy/life.py", "test_typescript", "test_page_logic"),
        ("src/samara/cli/energy/life.py", "test_cli_table", "test_soapy"),
        ("src/samara/cli/node/send.py", "test_soapy", "test_captures"),
        # Started by the demonstration, which a test runs.
        ("src/samara/cli/node/messages.py", "test_demo", "test_captures"),
        # A figure that is looked up by its key is no command of that name.
        ("src/samara/cli/energy/life.py", "test_energy_files", "test_ip_programs"),
        ("src/samara/cli/bench/best.py", "test_printed_tables", "test_soapy"),
        ("tests/python/test_captures.py", "test_captures", "test_history"),
        # Data: its directory is named, or it is of a room or of what one imports.
        ("vectors/aes128.txt", "test_vectors", "test_ple_sync"),
        ("results/avr.jsonl", "test_show", "test_captures"),
        ("tests/mutations/link.toml", "test_planted_rows", "test_vectors"),
        ("src/samara/energy/data/radios.toml", "test_energy", "test_captures"),
        ("gr-samara/lib/burst.cc", "test_phy_error_rates", "test_captures"),
        # A page may lead anywhere.
        ("packages/c/Makefile", "test_docs_links", "test_vectors"),
    ],
)
def test_what_needs_a_file_is_chosen(
    changed: str, among: str, left_out: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    found = chosen(monkeypatch, changed)
    assert found is not None
    names = {name.rpartition("/")[2].removesuffix(".py") for name in found}
    assert among in names
    assert left_out not in names
    # It reads the sources of all modules.
    assert "test_imports" in names


def test_every_command_is_found_in_the_table() -> None:
    places = python_needs.command_places()
    assert places["energy"] == "energy"
    assert places["seal"] == "seal"
    for place in places.values():
        path = ROOT / "src" / "samara" / "cli" / place
        assert path.is_dir() or path.with_suffix(".py").is_file()


def test_examples_of_a_module_that_changed_are_chosen(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    found = chosen(monkeypatch, "src/samara/energy/transceiver.py")
    assert found is not None
    assert "src/samara/energy/transceiver.py" in found
    assert "src/samara/link/rfserial/modem.py" not in found


@pytest.mark.parametrize(
    "changed",
    [
        (),
        ("core/aead/aead.c",),
        ("src/samara/native/module.cpp",),
        ("results/avr.csv", "tests/python/machine_code.json"),
        ("src/samara/energy/transceiver.py", "pyproject.toml"),
        ("src/samara/no_more.py",),
    ],
)
def test_all_run_where_it_cannot_be_told(
    changed: tuple[str, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    assert chosen(monkeypatch, *changed) is None
