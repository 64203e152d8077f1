# SPDX-License-Identifier: Apache-2.0
"""The demonstration of serial radios."""
