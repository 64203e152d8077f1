# SPDX-License-Identifier: Apache-2.0
"""Compilers behind ccache, so that nothing is compiled twice on one machine.

Builds of one compiler share what the preprocessor makes the same for them, and a fresh
clone has all that another one compiled: the cache is the user's, in ~/.cache/ccache.
Without ccache everything is compiled.
"""

import os
from collections.abc import Mapping
from pathlib import Path

# Links to ccache, named as the compilers are: Debian's package has them here.
_LINKS = Path("/usr/lib/ccache")


def use_compiler_cache(links: Path = _LINKS) -> None:
    """Let this process and its children find ccache where they look for a compiler."""
    folders = os.environ.get("PATH", os.defpath).split(os.pathsep)
    if links.is_dir() and str(links) not in folders:
        os.environ["PATH"] = os.pathsep.join([str(links), *folders])


def same_in_all_clones(root: Path) -> Mapping[str, str]:
    """Return variables with which a build shares objects with those of other clones.

    Paths in messages, and in lists of the files that were read, are then relative to
    the directory of the build; the bench does the same. Sources with a precompiled
    header are taken from the cache only with this sloppiness; none of ours has the
    time of the build in it.
    """
    return {
        "CCACHE_BASEDIR": str(root),
        "CCACHE_NOHASHDIR": "1",
        "CCACHE_SLOPPINESS": "pch_defines,time_macros",
    }
