# SPDX-License-Identifier: Apache-2.0
"""Keyed constellation rotation with one secret angle for all symbols of a frame."""

from __future__ import annotations

from samara.phy.secrecy.schemes.rotation import Rotation


class FrameRotation(Rotation):
    """256 angles, fresh for each frame."""

    title = "all symbols of a frame turned by one fresh angle"
    angles = 1


SCHEME = FrameRotation
