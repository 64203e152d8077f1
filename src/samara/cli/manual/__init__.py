# SPDX-License-Identifier: Apache-2.0
"""The manual of the commands, made from their help: pages for `man`, and completion."""
