# SPDX-License-Identifier: Apache-2.0
"""The C test programs under every compiler, optimisation and machine."""

from testing.builds import matrix
from testing.c_programs import SELECTS, build_and_run, selected
from testing.session import Session, Stage

COMPILERS = ("gcc", "clang")
# Bodies of the library for other machines, as far as they run on this one.
OTHER_MACHINES = ("portable64", "portable32", "flash")


def c_tests(session: Session) -> None:
    """Build and run every combination, one after the other."""
    builds = matrix(COMPILERS, ("-O0", "-O2", "-O3"))
    builds += matrix(COMPILERS, ("-O2",), OTHER_MACHINES)
    for build in selected(session, builds):
        build_and_run(session, build)


STAGE = Stage(
    "c",
    "C tests; gcc and clang, -O0 -O2 -O3, and the bodies for other machines",
    c_tests,
    selects=SELECTS,
)
