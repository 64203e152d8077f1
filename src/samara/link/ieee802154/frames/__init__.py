# SPDX-License-Identifier: Apache-2.0
"""Frames of IEEE 802.15.4: what their bytes mean, and their security."""
