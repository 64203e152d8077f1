# SPDX-License-Identifier: Apache-2.0
"""Keys of a node and its neighbours: what is stored, and how they are agreed upon."""
