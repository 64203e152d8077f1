# SPDX-License-Identifier: Apache-2.0
"""Receivers of others' packets: samples in, packets out."""
