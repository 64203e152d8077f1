# SPDX-License-Identifier: Apache-2.0
from programs import ROOT, VENV, run


def test_vectors_are_what_their_program_writes() -> None:
    maker = ROOT / "tools" / "make-vectors" / "make-vectors"
    run(VENV / "python", maker, "--check")
