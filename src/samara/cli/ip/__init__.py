# SPDX-License-Identifier: Apache-2.0
"""`samara ip`: IPv6 across links."""
