# SPDX-License-Identifier: Apache-2.0
"""Nodes: processes that exchange messages over a link, and survive being killed."""
