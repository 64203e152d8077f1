# SPDX-License-Identifier: Apache-2.0
"""A page about runs of `samara randomness run`."""

from samara.randomness.report.making import make, write

__all__ = ["make", "write"]
