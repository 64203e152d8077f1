# SPDX-License-Identifier: Apache-2.0
"""`python -m testing`, as ./test calls it."""

import sys

from testing.command_line import main

sys.exit(main(sys.argv[1:]))
