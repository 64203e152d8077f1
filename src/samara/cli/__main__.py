# SPDX-License-Identifier: Apache-2.0
"""The command line as `python -m samara.cli`."""

from samara.cli import main

main()
