# SPDX-License-Identifier: Apache-2.0
"""Plots of answers: each draws one with Matplotlib into a figure it is given."""
