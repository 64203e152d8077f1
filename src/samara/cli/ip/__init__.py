# SPDX-License-Identifier: Apache-2.0
"""Carry IPv6 across links: every program runs over them."""
