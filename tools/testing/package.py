# SPDX-License-Identifier: Apache-2.0
"""The installed library, used by a project that knows nothing of this one."""

import shutil
from pathlib import Path

from testing.builds import Build, make
from testing.session import ROOT, Command, Session, Stage

_PROJECT = ROOT / "tests" / "package"


def package(session: Session) -> None:
    """Install into a fresh folder and build another project with it."""
    build = Build("gcc", "-O2")
    prefix = session.build / "package" / "prefix"
    shutil.rmtree(prefix.parent, ignore_errors=True)
    if not make(session, build):
        return
    install: Command = [
        "cmake",
        "--install",
        build.folder(session),
        "--prefix",
        prefix,
    ]
    if session.check("install", install):
        _with_cmake(session, prefix)
        _with_pkg_config(session, prefix)


def _with_cmake(session: Session, prefix: Path) -> None:
    folder = prefix.parent / "with-cmake"
    configure: Command = [
        *("cmake", "-S", _PROJECT, "-B", folder, "-G", "Ninja"),
        f"-DCMAKE_PREFIX_PATH={prefix}",
    ]
    build: Command = ["cmake", "--build", folder]
    if not session.check("find_package: configure", configure):
        return
    if session.check("find_package: build", build):
        session.check("find_package: the C program", [folder / "consumer"])
        session.check("find_package: the C++ program", [folder / "consumer_cxx"])


def _with_pkg_config(session: Session, prefix: Path) -> None:
    descriptions = list(prefix.rglob("samara.pc"))
    if len(descriptions) != 1:
        session.failed("pkg-config", f"{len(descriptions)} files samara.pc installed")
        return
    program = prefix.parent / "with-pkg-config"
    build = 'cc -Wall -Wextra -Werror "$1" -o "$2" $(pkg-config --cflags --libs samara)'
    command: Command = ["sh", "-euc", build, "sh", _PROJECT / "consumer.c", program]
    paths = {"PKG_CONFIG_PATH": str(descriptions[0].parent)}
    if session.check("pkg-config: build", command, extra=paths):
        libraries = {"LD_LIBRARY_PATH": str(descriptions[0].parent.parent)}
        session.check("pkg-config: the C program", [program], extra=libraries)


STAGE = Stage(
    "package",
    "another project finds the installed library: find_package, pkg-config",
    package,
)
