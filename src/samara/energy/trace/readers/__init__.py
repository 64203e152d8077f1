# SPDX-License-Identifier: Apache-2.0
"""Readers of traces: each module has a `FORMAT`, a `samara.energy.trace.blocks.Format`.

They are found by scanning, and asked in the order of their names; what is general comes
last.
"""
