# SPDX-License-Identifier: Apache-2.0
"""Compute the energy of messages, and how long batteries last."""
