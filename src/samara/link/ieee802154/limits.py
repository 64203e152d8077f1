# SPDX-License-Identifier: Apache-2.0
"""Values that are allowed: of the standard's own, and of names of nodes.

They are apart from what uses them, because the options of nodes name them: a help text
needs no keys and no radio.
"""

import re

NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,19}")
"""Names of neighbours: short enough for one frame, and without spaces."""
SHORT_ADDRESSES = range(1, 0xFFFE)
"""Neither 0xffff nor 0xfffe: they mean all nodes, and no address."""
RETRIES = 3
"""macMaxFrameRetries: the standard's default."""
RETRIES_MAX = 7
"""The most that the standard allows."""
