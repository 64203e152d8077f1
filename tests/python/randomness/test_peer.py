# SPDX-License-Identifier: Apache-2.0
"""All 188 p-values against those of the Rust crate nistrs, on the same bits."""

from __future__ import annotations

import math
import shutil
import subprocess
from pathlib import Path

import numpy as np
import pytest

from samara.randomness import sts
from samara.randomness.sources import computed

from .constants import bits

PEER = Path(__file__).parent / "peer"
BUILD_S = 600


@pytest.fixture(scope="module")
def peer(tmp_path_factory: pytest.TempPathFactory) -> Path:
    cargo = shutil.which("cargo")
    if cargo is None:
        pytest.skip("NOT TRIED: cargo, which builds the crate, is not installed")
    folder = tmp_path_factory.mktemp("peer")
    shutil.copytree(PEER, folder, dirs_exist_ok=True)
    built = subprocess.run(
        [cargo, "build", "--release", "--locked", "--quiet"],
        cwd=folder,
        capture_output=True,
        text=True,
        timeout=BUILD_S,
        check=False,
    )
    assert built.returncode == 0, built.stderr
    return folder / "target" / "release" / "samara-sts-peer"


@pytest.mark.thorough
@pytest.mark.parametrize("what", ["pi", "e", "aes128-ctr", "ctr:speck128-128@7"])
def test_the_crate_finds_the_same(what: str, peer: Path) -> None:
    if what in ("pi", "e"):
        data = np.packbits(bits(what).bits).tobytes()
    else:
        data = computed(what, 4).sequence(0, 125_000)
    done = subprocess.run([peer], input=data, capture_output=True, check=True)
    theirs = [float(line) for line in done.stdout.split()]
    names = [name for test in sts.TESTS if test.place for name in test.names]
    # Tests that are not NIST's come after them, and the crate has none.
    ours = sts.p_values(sts.Sequence.of_bytes(data, 1_000_000))[: len(names)]
    wrong = {
        name: (our, their)
        for name, our, their in zip(names, ours, theirs, strict=True)
        if not (math.isnan(our) and math.isnan(their)) and not abs(our - their) < 1e-5
    }
    assert wrong == {}
