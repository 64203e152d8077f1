# SPDX-License-Identifier: Apache-2.0
"""The C test programs with the compilers' own checks of memory and arithmetic."""

from testing.builds import matrix
from testing.c_programs import SELECTS, build_and_run, selected
from testing.c_tests import COMPILERS, OTHER_MACHINES
from testing.session import Session, Stage


def sanitizers(session: Session) -> None:
    """Build and run under both compilers."""
    machines = ("native", *(OTHER_MACHINES if session.options.thorough else ()))
    options = ("-DSAMARA_SANITIZE=ON",)
    builds = matrix(COMPILERS, ("-O1",), machines, "sanitize", options)
    for build in selected(session, builds):
        build_and_run(session, build)


STAGE = Stage(
    "sanitizers",
    "C tests under AddressSanitizer and UndefinedBehaviorSanitizer",
    sanitizers,
    selects=SELECTS,
)
