# SPDX-License-Identifier: Apache-2.0
"""Test keystreams, and the output of any program, for randomness."""
