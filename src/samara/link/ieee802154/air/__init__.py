# SPDX-License-Identifier: Apache-2.0
"""The air between nodes that have no radios: a medium that speaks ZEP over UDP."""
