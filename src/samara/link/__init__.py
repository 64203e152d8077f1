# SPDX-License-Identifier: Apache-2.0
"""Links: frames and framings, nodes, and the media that join them."""
