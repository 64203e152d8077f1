# SPDX-License-Identifier: Apache-2.0
"""What all tests share."""

from __future__ import annotations

import atexit
import os
import shutil
import signal
import tempfile

from hypothesis import settings

# The same examples on every run: a failure is then due to a change. To look for
# new ones: SAMARA_HYPOTHESIS=explore.
settings.register_profile("repeat", derandomize=True, deadline=None, database=None)
settings.register_profile("explore", max_examples=2000, deadline=None)
settings.load_profile(os.environ.get("SAMARA_HYPOTHESIS", "repeat"))

# A shell lets its background jobs ignore it, and with them what they start: the
# tests interrupt programs.
signal.signal(signal.SIGINT, signal.default_int_handler)

# Nodes leave their witnesses in the user's state directory: not in the real one.
_STATE = tempfile.mkdtemp(prefix="samara-test-state-")
atexit.register(shutil.rmtree, _STATE, ignore_errors=True)
os.environ["XDG_STATE_HOME"] = _STATE
