# SPDX-License-Identifier: Apache-2.0
"""The C library in the form that other builds take: packages, and single files."""
