# SPDX-License-Identifier: Apache-2.0
"""A page about the core: its figures beside those of the Grain-128AEAD note."""
