# SPDX-License-Identifier: Apache-2.0
"""What all tests share."""

from __future__ import annotations

import os
import signal

from hypothesis import settings

# The same examples on every run: a failure is then due to a change. To look for
# new ones: SAMARA_HYPOTHESIS=explore.
settings.register_profile("repeat", derandomize=True, deadline=None, database=None)
settings.register_profile("explore", max_examples=2000, deadline=None)
settings.load_profile(os.environ.get("SAMARA_HYPOTHESIS", "repeat"))

# A shell lets its background jobs ignore it, and with them what they start: the
# tests interrupt programs.
signal.signal(signal.SIGINT, signal.default_int_handler)
