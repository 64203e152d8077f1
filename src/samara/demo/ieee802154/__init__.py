# SPDX-License-Identifier: Apache-2.0
"""The demonstration of IEEE 802.15.4 links."""
