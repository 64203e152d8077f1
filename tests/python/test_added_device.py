# SPDX-License-Identifier: Apache-2.0
"""A device is added as CONTRIBUTING.md says: a directory, and nothing else."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from shell import assert_done, assert_misuse, objects, samara

from samara.bench.places import root

if TYPE_CHECKING:
    from pathlib import Path

RUN = (
    "bench run --suite aes128-ccm-8 --implementation portable --message 16 --opt Os"
    " --json"
)


@pytest.fixture
def toy(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return the description of a device that is like another one at half the clock."""
    for name in ("core", "firmware", "published", "results"):
        (tmp_path / name).symlink_to(root() / name)
    (tmp_path / "devices").mkdir()
    for folder in (root() / "devices").iterdir():
        (tmp_path / "devices" / folder.name).symlink_to(folder)
    like = (root() / "devices" / "atmega328p" / "device.toml").read_text()
    changed = (
        ('title = "ATmega328P, as on the Arduino Uno"', 'title = "A toy"'),
        ("clock_hz = 16_000_000", "clock_hz = 8_000_000"),
        ('chips = [\n  "atmega328", "atmega328pb", "atmega32u4",\n]\n', ""),
    )
    for old, new in changed:
        assert like.count(old) == 1, old
        like = like.replace(old, new)
    description = tmp_path / "devices" / "toy" / "device.toml"
    description.parent.mkdir()
    description.write_text(like)
    monkeypatch.setenv("SAMARA_ROOT", str(tmp_path))
    return description


@pytest.mark.slow
@pytest.mark.usefixtures("toy")
def test_a_device_is_a_directory(tmp_path: Path) -> None:
    listed = objects(assert_done(samara("bench", "devices", "--json", folder=tmp_path)))
    assert [one["title"] for one in listed if one["name"] == "toy"] == ["A toy"]
    taken = {}
    for device in ("toy", "atmega328p"):
        words = (*RUN.split(), "--device", device)
        (taken[device],) = objects(assert_done(samara(*words, folder=tmp_path)))
    toy, other = taken["toy"], taken["atmega328p"]
    # The same processor takes the same cycles; half the clock, twice the time.
    assert toy["cycles"]["seal"]["value"] == other["cycles"]["seal"]["value"] > 10_000
    for quantity in ("time", "energy"):
        mine, like = (one[quantity]["seal"]["value"] for one in (toy, other))
        assert mine == pytest.approx(2 * like, rel=1e-3)
    # What was measured there is shown with the rest.
    asked = ("bench", "show", "--device", "toy", "--json")
    (shown,) = objects(assert_done(samara(*asked, folder=tmp_path)))
    assert shown["cycles"] == toy["cycles"]


@pytest.mark.parametrize(
    ("old", "new", "wrong"),
    [
        ('family = "avr"', 'family = "vax"', ["toy", "vax", "avr"]),
        ("ram_bytes = 2_048\n", "", ["toy", "ram_bytes"]),
        ("ram_bytes = 2_048", 'colour = "red"\nram_bytes = 2_048', ["toy", "colour"]),
    ],
)
def test_a_device_that_is_wrong_is_one_sentence(
    old: str, new: str, wrong: list[str], toy: Path, tmp_path: Path
) -> None:
    text = toy.read_text()
    assert text.count(old) == 1
    toy.write_text(text.replace(old, new))
    assert_misuse(samara("bench", "devices", folder=tmp_path), *wrong)
