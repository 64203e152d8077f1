# SPDX-License-Identifier: Apache-2.0
"""List the serial modules that samara knows, or show what is known of one.

A profile of your own is a file in ~/.config/samara/modules/, or any file that is named
where a module is expected. The profiles that come with samara are examples.

\b
Examples:
  samara radio modules
  samara radio modules hc-12
  samara radio modules my-module.toml --json
"""

from samara.cli.shared.answering import answering
from samara.link.rfserial.modules.listing import list_modules

command = answering(list_modules)
