# SPDX-License-Identifier: Apache-2.0
"""Avalanche: shares counted by hand for single flips, and what the command prints."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pytest
from shell import assert_misuse, objects, samara

from samara import crypto
from samara.randomness import avalanche

if TYPE_CHECKING:
    from pathlib import Path


def changed(cipher: crypto.BlockCipher, key: bytes, text: bytes, other: bytes) -> float:
    whole, one = cipher.encrypt(key, text), cipher.encrypt(key, other)
    ones = sum((a ^ b).bit_count() for a, b in zip(whole, one, strict=True))
    return ones / (8 * len(whole))


def test_the_last_round_is_that_of_the_c_library() -> None:
    chosen, seed, samples = avalanche.cipher("speck64-96"), 5, 10
    found = avalanche.of_text(chosen, samples, seed)
    keys, texts = avalanche._drawn(chosen, samples, seed)  # noqa: SLF001 - what was flipped
    cipher = crypto.block_cipher("speck64-96")
    for bit in (0, 9, 63):
        shares = []
        for key, text in zip(keys, texts, strict=True):
            other = bytearray(text.tobytes())
            other[bit // 8] ^= 0x80 >> bit % 8
            shares.append(changed(cipher, key.tobytes(), text.tobytes(), bytes(other)))
        assert found.shares[-1][bit] == pytest.approx(np.mean(shares))


@pytest.mark.parametrize(
    ("slug", "key", "text"),
    [("aes128", 2, 2), ("modspeck128-128", 8, 8), ("grain128ple", 128, 128)],
)
def test_where_avalanche_is_complete(slug: str, key: int, text: int) -> None:
    chosen = avalanche.cipher(slug)
    found = avalanche.of_key(chosen, 50, 1), avalanche.of_text(chosen, 50, 1)
    steps = [one.complete for one in found]
    # One step more or less is a matter of the sample.
    pace = chosen.steps[1] - chosen.steps[0]
    for step, about in zip(steps, (key, text), strict=True):
        assert step is not None
        assert abs(step - about) <= pace
    assert found[0].shares.shape == (len(chosen.steps), 8 * chosen.key_size)
    assert found[1].flipped == ("nonce" if slug == "grain128ple" else "plaintext")


def test_a_flip_of_a_plaintext_bit_of_aes_stays_in_its_column_for_a_round() -> None:
    found = avalanche.of_text(avalanche.cipher("aes128"), 20, 1)
    # Four of sixteen bytes change, half of their bits.
    assert found.shares[0].mean() == pytest.approx(1 / 8, abs=0.01)
    assert found.shares[0].max() < 1 / 4


def test_the_command_draws_and_refuses(tmp_path: Path) -> None:
    done = samara("randomness", "avalanche", "speck32-64", "--samples", "10", "-o",
                  "pictures", "--json", folder=tmp_path)  # fmt: skip
    assert done.returncode == 0, done
    rows = objects(done.stdout)
    assert [row["flipped"] for row in rows] == ["key", "plaintext"]
    assert len(rows[0]["shares"]) == 22
    names = {path.name for path in (tmp_path / "pictures").iterdir()}
    assert names == {"avalanche-speck32-64.png", "avalanche-speck32-64.svg"}
    done = samara("randomness", "avalanche", "speck32", folder=tmp_path)
    assert_misuse(done, "unknown cipher 'speck32'", "did you mean")
