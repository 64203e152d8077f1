# SPDX-License-Identifier: Apache-2.0
"""The known answers of our own making are what their makers make today."""

from testing.session import ROOT, VENV, Session, Stage


def vectors(session: Session) -> None:
    """Make the files again and compare."""
    maker = ROOT / "tools" / "make-vectors" / "make-vectors"
    session.check("make-vectors --check", [VENV / "python", maker, "--check"])


STAGE = Stage(
    "vectors",
    "vectors/ is what tools/make-vectors makes, Crypto++ as the witness",
    vectors,
    selects="vectors, which has one check",
)
