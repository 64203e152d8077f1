# SPDX-License-Identifier: Apache-2.0
"""`samara energy`: what messages take of a battery, and how long it lasts."""
