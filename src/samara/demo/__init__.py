# SPDX-License-Identifier: Apache-2.0
"""The demonstration: nodes that exchange the papers' messages over each link."""
