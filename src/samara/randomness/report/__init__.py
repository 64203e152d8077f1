# SPDX-License-Identifier: Apache-2.0
"""A page about runs of `samara randomness run`."""
