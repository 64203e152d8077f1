# SPDX-License-Identifier: Apache-2.0
"""The physical layer: channels, encryption below the modulation, its evaluation."""
