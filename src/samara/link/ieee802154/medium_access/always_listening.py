# SPDX-License-Identifier: Apache-2.0
"""A radio that is always on."""

from __future__ import annotations

from samara.link.ieee802154.medium_access import MediumAccess


class AlwaysListening(MediumAccess):
    """Everything is heard, and sent at once."""

    title = "a radio that is always on"


ACCESS = AlwaysListening
