# SPDX-License-Identifier: Apache-2.0
"""`python -m samara.cli`."""

from samara.cli import main

main()
