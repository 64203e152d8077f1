# SPDX-License-Identifier: Apache-2.0
"""Packets of other systems, from samples into capture files."""
