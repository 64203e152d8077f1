# SPDX-License-Identifier: Apache-2.0
"""Frames on the air, read with the keys of nodes."""
