# SPDX-License-Identifier: Apache-2.0
"""Show and explain what a message costs."""
