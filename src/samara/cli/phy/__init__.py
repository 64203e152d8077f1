# SPDX-License-Identifier: Apache-2.0
"""Measure and show encryption at the physical layer."""
