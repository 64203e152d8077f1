# SPDX-License-Identifier: Apache-2.0
"""Find radios and serial modules, set them up, and measure what they can do."""
