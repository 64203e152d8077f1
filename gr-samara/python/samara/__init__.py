# SPDX-License-Identifier: GPL-3.0-or-later
"""Physical-layer encryption with Grain-128PLE, as GNU Radio blocks."""

from .samara_python import *  # noqa: F403
from .text_pdu import pdu_to_text as pdu_to_text
from .text_pdu import text_to_pdu as text_to_pdu
