# SPDX-License-Identifier: Apache-2.0
"""The demonstration of software-defined radio."""
