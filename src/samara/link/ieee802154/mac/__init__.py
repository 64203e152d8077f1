# SPDX-License-Identifier: Apache-2.0
"""Medium access: acknowledgements, retransmissions, and radios that sleep."""
