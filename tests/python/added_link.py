# SPDX-License-Identifier: Apache-2.0
"""The program `samara` with one more folder among the links: that of the toy."""

from __future__ import annotations

import sys
from pathlib import Path

TOYS = Path(__file__).parent / "toy_link"

_WITH_TOY = """
import sys
import samara.link
samara.link.__path__.append(sys.argv[1])
from samara.cli.running import run
sys.exit(run(sys.argv[2:]))
"""

WITH_TOY = (sys.executable, "-c", _WITH_TOY, str(TOYS))
"""The start of a command line, where `samara` stands otherwise."""
