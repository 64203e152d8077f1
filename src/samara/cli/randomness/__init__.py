# SPDX-License-Identifier: Apache-2.0
"""`samara randomness`: statistical tests of keystreams and of any other source."""
