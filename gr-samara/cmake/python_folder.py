# SPDX-License-Identifier: GPL-3.0-or-later
"""Print the folder below a prefix from which this Python imports modules.

Debian's Python looks in dist-packages, others in site-packages, and a virtual
environment is recognised by its pyvenv.cfg. Exit status 1: this Python does not
look below the prefix, so that PYTHONPATH has to name the folder.
"""

from __future__ import annotations

import site
import sys
from pathlib import Path


def main(prefix: Path) -> int:
    """Print the folder, relative to the prefix."""
    libraries = prefix / "lib"
    for folder in map(Path, site.getsitepackages()):
        if folder.is_relative_to(libraries):
            print(folder.relative_to(prefix))
            return 0
    print(f"lib/python{sys.version_info.major}.{sys.version_info.minor}/site-packages")
    return 0 if (prefix / "pyvenv.cfg").exists() else 1


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1])))
