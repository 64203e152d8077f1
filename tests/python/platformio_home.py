# SPDX-License-Identifier: Apache-2.0
"""PlatformIO without its registry: the real program, with a platform of the tests.

Its platforms and SCons come from its registry otherwise.
"""

from __future__ import annotations

import importlib.util
import json
import shutil
from pathlib import Path

from platformio.dependencies import get_core_dependencies

PLATFORMS = Path(__file__).parents[1] / "package" / "platformio"
SCONS = "tool-scons"
START = """\
from SCons.Script import main
main()
"""


def environment(home: Path) -> dict[str, str]:
    """Make a home directory of PlatformIO, and return the variables that name it."""
    shutil.copytree(PLATFORMS, home / "platforms")
    tool = home / "packages" / SCONS
    tool.mkdir(parents=True)
    found = importlib.util.find_spec("SCons")
    assert found, "tools/setup installs scons"
    assert found.origin
    (tool / "SCons").symlink_to(Path(found.origin).parent)
    (tool / "scons.py").write_text(START)
    # It takes the lowest version of the range that it asks for.
    version = get_core_dependencies()[SCONS].lstrip("~")
    about = {"name": SCONS, "version": version}
    spec = {"owner": "platformio", "name": SCONS, "requirements": None, "uri": None}
    installed = {"type": "tool", **about, "spec": spec}
    (tool / "package.json").write_text(json.dumps(about))
    (tool / ".piopm").write_text(json.dumps(installed))
    return {
        "PLATFORMIO_CORE_DIR": str(home),
        "PLATFORMIO_SETTING_ENABLE_TELEMETRY": "no",
    }
