# SPDX-License-Identifier: Apache-2.0
"""Measure what the Grain-128 core costs in gates, time and energy."""
